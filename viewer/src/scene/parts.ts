import { Matrix4, Quaternion, Vector3 } from "three";
import type { ShapeJson, Triple } from "../data/format";
import type { Body } from "../data/run";

/** One bounded shape of a body: instances with the same key are drawn together. */
export interface Part {
  body: Body;
  shape: ShapeJson;
  key: string;
  /** From the key's geometry to the body's frame. */
  local: Matrix4;
}

const Z = new Vector3(0, 0, 1);
const UNBOUNDED = new Set(["half_space", "half_plane", "hollow_cylinder", "hollow_sphere"]);

export function isUnbounded(shape: ShapeJson): boolean {
  return UNBOUNDED.has(shape.type);
}

export function localPose(shape: ShapeJson): Matrix4 {
  const [w, x, y, z] = shape.orientation ?? [1, 0, 0, 0];
  return new Matrix4().compose(new Vector3(...(shape.position ?? [0, 0, 0])), new Quaternion(x, y, z, w), new Vector3(1, 1, 1));
}

export function turnTo(axis: Triple | undefined): Quaternion {
  const to = axis ? new Vector3(...axis) : Z.clone();
  return to.lengthSq() > 0 ? new Quaternion().setFromUnitVectors(Z, to.normalize()) : new Quaternion();
}

/** Radius 0 is a point: `dot` is what it is drawn with. */
export function partOf(body: Body, shape: ShapeJson, dot: number): Part {
  const local = localPose(shape);
  const r = shape.radius && shape.radius > 0 ? shape.radius : dot;
  const with_ = (key: string, scale: Triple, axis?: Triple): Part => {
    local.multiply(new Matrix4().compose(new Vector3(), turnTo(axis), new Vector3(...scale)));
    return { body, shape: { ...shape, radius: r }, key, local };
  };
  switch (shape.type) {
    case "sphere":
      return with_(shape.radius === r ? "sphere" : "point", [r, r, r]);
    case "disc":
      return with_("disc", [r, r, r]);
    case "ellipsoid":
      return with_("ellipsoid", shape.radii ?? [dot, dot, dot]);
    case "box":
      return with_("box", shape.size ?? [dot, dot, dot]);
    case "cylinder":
      return with_("cylinder", [r, r, shape.length ?? dot], shape.axis);
    case "cone":
      return with_("cone", [r, r, shape.height ?? dot], shape.axis);
    case "capsule":
      return with_(`capsule ${((shape.length ?? 0) / r).toFixed(3)}`, [r, r, r], shape.axis);
    case "hull":
    case "polygon":
      return with_(`${shape.type} ${JSON.stringify(shape.points)}`, [1, 1, 1]);
    default:
      return with_("unknown", [dot, dot, dot]);
  }
}

/** The shapes of all bodies; a body without any is a dot. */
export function partsOf(bodies: Body[], dot: number): Part[] {
  return bodies.flatMap((body) => {
    if (body.shapes.length === 0) return body.row === null ? [] : [partOf(body, { type: "sphere", radius: 0 }, dot)];
    const own = body.shapes.filter((s) => !isUnbounded(s));
    return [...own, ...own.flatMap((s) => rodTo(s, dot))].map((s) => partOf(body, s, dot));
  });
}

/** A point away from its body's origin hangs on a thin rod, so that one sees whose it is. */
function rodTo(point: ShapeJson, dot: number): ShapeJson[] {
  const at = point.position ?? [0, 0, 0];
  const length = Math.hypot(...at);
  if (point.type !== "sphere" || (point.radius ?? 0) > 0 || !(length > 0)) return [];
  return [{ type: "cylinder", radius: 0.3 * dot, length, axis: at, position: at.map((x) => x / 2) as Triple }];
}

/** How far a shape reaches from the body's origin; 0 for what has no end. */
export function reach(shape: ShapeJson): number {
  if (isUnbounded(shape)) return 0;
  const away = Math.hypot(...(shape.position ?? [0, 0, 0]));
  const r = shape.radius ?? 0;
  switch (shape.type) {
    case "capsule":
      return away + (shape.length ?? 0) / 2 + r;
    case "cylinder":
      return away + Math.hypot((shape.length ?? 0) / 2, r);
    case "cone":
      return away + Math.max(0.75 * (shape.height ?? 0), r);
    case "box":
      return away + 0.5 * Math.hypot(...(shape.size ?? [0, 0, 0]));
    case "ellipsoid":
      return away + Math.max(...(shape.radii ?? [0]));
    case "hull":
    case "polygon":
      return away + Math.max(0, ...(shape.points ?? []).map((p) => Math.hypot(...p)));
    default:
      return away + r;
  }
}
