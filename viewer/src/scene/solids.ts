import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, ConeGeometry, CylinderGeometry, ExtrudeGeometry, OctahedronGeometry, Shape, SphereGeometry, Vector2,
} from "three";
import type { ShapeJson } from "../data/format";

/** How fine round things are, by how many there are of them. */
export function segmentsFor(count: number): number {
  return count <= 200 ? 40 : count <= 2000 ? 24 : count <= 5000 ? 16 : 10;
}

/** Two tones in alternating octants, so that one sees a round thing turn. */
function twoTone(smooth: BufferGeometry, sectors: "octants" | "quadrants"): BufferGeometry {
  const coarse = smooth.getAttribute("position").count < 200;
  const geometry = smooth.index && !coarse ? smooth.toNonIndexed() : smooth;
  const position = geometry.getAttribute("position");
  const color = new Float32Array(3 * position.count);
  // Sharp edges need a triangle's own corners; in a crowd each ball is small and shares them, five times fewer.
  const step = coarse ? 1 : 3;
  for (let i = 0; i < position.count; i += step) {
    const middle = (k: 0 | 1 | 2) => Array.from({ length: step }, (_, c) => position.getComponent(i + c, k)).reduce((a, b) => a + b);
    const flips = Number(middle(0) > 0) + Number(middle(1) > 0) + (sectors === "octants" ? Number(middle(2) > 0) : 0);
    color.fill(flips % 2 === 0 ? 1 : 0.7, 3 * i, 3 * (i + step));
  }
  geometry.setAttribute("color", new BufferAttribute(color, 3));
  return geometry;
}

function oneTone(geometry: BufferGeometry): BufferGeometry {
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(3 * geometry.getAttribute("position").count).fill(1), 3));
  return geometry;
}

function hull(shape: ShapeJson): BufferGeometry {
  const points = shape.points ?? [];
  const corners = (shape.faces ?? []).flatMap((face) =>
    face.slice(2).flatMap((_, i) => [face[0], face[i + 1], face[i + 2]].flatMap((v) => points[v] ?? [0, 0, 0])));
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
  geometry.computeVertexNormals();
  return oneTone(geometry);
}

/** Planar shapes among others: a slab as thick as a third of its width. */
function slab(points: number[][]): BufferGeometry {
  const width = Math.max(...points.map((p) => Math.hypot(p[0], p[1])));
  const depth = width * 0.67;
  const geometry = new ExtrudeGeometry(new Shape(points.map((p) => new Vector2(p[0], p[1]))), { depth, bevelEnabled: false });
  geometry.translate(0, 0, -depth / 2);
  return oneTone(geometry);
}

/** Axes along z; unit sizes where `partOf` scales them. */
export function solidGeometry(shape: ShapeJson, n: number): BufferGeometry {
  switch (shape.type) {
    case "sphere":
    case "ellipsoid":
      return twoTone(new SphereGeometry(1, n, Math.max(7, n >> 1)).rotateX(Math.PI / 2), "octants");
    case "box":
      return oneTone(new BoxGeometry(1, 1, 1));
    case "cylinder":
      return twoTone(new CylinderGeometry(1, 1, 1, n).rotateX(Math.PI / 2), "quadrants");
    case "cone":
      return twoTone(new ConeGeometry(1, 1, n).rotateX(Math.PI / 2).translate(0, 0, 0.25), "quadrants");
    case "capsule":
      return twoTone(new CapsuleGeometry(1, (shape.length ?? 0) / (shape.radius || 1), Math.max(4, n >> 2), n, 2).rotateX(Math.PI / 2), "octants");
    case "hull":
      return hull(shape);
    case "disc":
      return twoTone(new CylinderGeometry(1, 1, 0.67, n).rotateX(Math.PI / 2), "quadrants");
    case "polygon":
      return slab(shape.points ?? []);
    default:
      return oneTone(new OctahedronGeometry(1));
  }
}
