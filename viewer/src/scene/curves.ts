import { Vector3 } from "three";

const TURNS = 8;
const ROUND = 10;
/** Share of a spring's length that is straight at each end. */
const LEAD = 0.12;

/** Two directions across a way. */
function across(way: Vector3): [Vector3, Vector3] {
  const help = Math.abs(way.z) < 0.9 ? new Vector3(0, 0, 1) : new Vector3(1, 0, 0);
  const u = new Vector3().crossVectors(help, way).normalize();
  return [u, new Vector3().crossVectors(way, u)];
}

/** A coil between two points with straight ends: the same number of turns at any length. */
export function coil(from: Vector3, to: Vector3, radius: number): Vector3[] {
  const way = to.clone().sub(from);
  const length = way.length();
  if (!(length > 0)) return [];
  const [u, v] = across(way.divideScalar(length));
  const points = [from.clone()];
  const n = TURNS * ROUND;
  for (let i = 0; i <= n; ++i) {
    const angle = (2 * Math.PI * i) / ROUND;
    const wide = i === 0 || i === n ? 0 : radius;
    points.push(from.clone().addScaledVector(way, length * (LEAD + ((1 - 2 * LEAD) * i) / n)).addScaledVector(u, wide * Math.cos(angle)).addScaledVector(v, wide * Math.sin(angle)));
  }
  points.push(to.clone());
  return points;
}

/** The same in the plane x, y. */
export function zigzag(from: Vector3, to: Vector3, radius: number): Vector3[] {
  const way = new Vector3(to.x - from.x, to.y - from.y, 0);
  const length = way.length();
  if (!(length > 0)) return [];
  way.divideScalar(length);
  const side = new Vector3(-way.y, way.x, 0);
  const n = 2 * TURNS;
  const points = [from.clone()];
  for (let i = 0; i <= n; ++i) {
    const wide = i === 0 || i === n ? 0 : i % 2 === 0 ? radius : -radius;
    points.push(from.clone().addScaledVector(way, length * (LEAD + ((1 - 2 * LEAD) * i) / n)).addScaledVector(side, wide));
  }
  points.push(to.clone());
  return points;
}

/** A string of this length between two points: straight where it is taut, else a parabola that is as long as it is. */
export function hanging(from: Vector3, to: Vector3, length: number, up: Vector3): Vector3[] {
  if (!(length > from.distanceTo(to) * (1 + 1e-6))) return [from.clone(), to.clone()];
  const n = 16;
  const curve = (sag: number) => Array.from({ length: n + 1 }, (_, i) => from.clone().lerp(to, i / n).addScaledVector(up, (-4 * sag * i * (n - i)) / (n * n)));
  let [low, high] = [0, length];
  for (let i = 0; i < 24; ++i) {
    const sag = (low + high) / 2;
    const points = curve(sag);
    if (points.slice(1).reduce((sum, p, k) => sum + p.distanceTo(points[k]), 0) < length) low = sag;
    else high = sag;
  }
  return curve(low);
}
