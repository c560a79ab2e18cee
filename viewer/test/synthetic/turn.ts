import type { Quaternion, Triple } from "../../src/data/format";

export function about(axis: Triple, angle: number): Quaternion {
  const size = Math.hypot(...axis);
  const s = Math.sin(angle / 2) / size;
  return [Math.cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]];
}
