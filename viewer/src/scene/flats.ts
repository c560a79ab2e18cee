import { BufferAttribute, BufferGeometry, Matrix4, Vector3 } from "three";
import type { ShapeJson } from "../data/format";
import { solidGeometry } from "./solids";

type Point = [number, number];

/** Andrew's monotone chain: counterclockwise, nothing on a straight line kept. */
export function convexHull(points: Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (o: Point, a: Point, b: Point) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (list: Point[]) => {
    const chain: Point[] = [];
    for (const p of list) {
      while (chain.length >= 2 && turn(chain[chain.length - 2], chain[chain.length - 1], p) <= 0) chain.pop();
      chain.push(p);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** What a convex shape covers seen along z. */
export function silhouette(shape: ShapeJson, place: Matrix4): Point[] {
  if (shape.type === "sphere" || shape.type === "disc") {
    return Array.from({ length: 72 }, (_, i) => [Math.cos((i * Math.PI) / 36), Math.sin((i * Math.PI) / 36)]);
  }
  const position = solidGeometry(shape, 48).getAttribute("position");
  const at = new Vector3();
  const points: Point[] = [];
  for (let i = 0; i < position.count; ++i) {
    at.fromBufferAttribute(position, i).applyMatrix4(place);
    points.push([at.x, at.y]);
  }
  return convexHull(points);
}

export function fillGeometry(points: Point[]): BufferGeometry {
  const corners = points.slice(2).flatMap((p, i) => [...points[0], 0, ...points[i + 1], 0, ...p, 0]);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
  return geometry;
}

/** A band along the edge; `inset` is the way inwards, per pixel of width, which the material multiplies. */
export function edgeGeometry(points: Point[], spoke: boolean): BufferGeometry {
  const position: number[] = [];
  const inset: number[] = [];
  const quad = (a: Point, b: Point, ia: Point, ib: Point) => {
    position.push(...a, 0, ...b, 0, ...a, 0, ...b, 0, ...b, 0, ...a, 0);
    inset.push(0, 0, 0, 0, ...ia, 0, 0, ...ib, ...ia);
  };
  const n = points.length;
  const inwards = points.map((p, i): Point => {
    const normal = (a: Point, b: Point): Point => {
      const size = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
      return [-(b[1] - a[1]) / size, (b[0] - a[0]) / size];
    };
    const u = normal(points[(i + n - 1) % n], p);
    const v = normal(p, points[(i + 1) % n]);
    const miter = Math.max(0.25, 1 + u[0] * v[0] + u[1] * v[1]);
    return [(u[0] + v[0]) / miter, (u[1] + v[1]) / miter];
  });
  points.forEach((p, i) => quad(p, points[(i + 1) % n], inwards[i], inwards[(i + 1) % n]));
  if (spoke) quad([0, 0], [1, 0], [0, 1], [0, 1]);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
  geometry.setAttribute("inset", new BufferAttribute(new Float32Array(inset), 2));
  return geometry;
}
