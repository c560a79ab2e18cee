import { Box3, Vector3 } from "three";
import type { Run } from "../data/run";
import { samplePose } from "../data/sample";
import { endsOf, linksOf, springLinksOf } from "./links";
import { reach } from "./parts";

const FRAMES = 60;
const BODIES = 600;

function pick(count: number, most: number): number[] {
  const n = Math.min(count, most);
  return Array.from({ length: n }, (_, i) => Math.round((i * (count - 1)) / Math.max(1, n - 1)));
}

function quantile(sorted: number[], q: number): number {
  return sorted[Math.round(q * (sorted.length - 1))];
}

/** A ball around a body at some time. */
export interface Ball {
  center: Vector3;
  radius: number;
}

/** Springs that are held farther off than so many times the size of the motion are seen in part. */
const FAR = 6;

/** Where joints and springs hold bodies to the world; `motion` is where bodies are. */
function heldPlaces(run: Run, motion: Box3): Vector3[] {
  const far = FAR * motion.getSize(new Vector3()).length();
  const still = [...linksOf(run), ...springLinksOf(run)].filter((link) => link.bodies.some((b) => !b || b.row === null));
  return still.flatMap((link) => endsOf(run, link, { frame: 0, fraction: 0 }).flatMap((end) => (end.anchor && !(link.spring && motion.distanceToPoint(end.anchor) > far) ? end.anchor : [])));
}

/** Bodies over the run, within the bounds: what the first picture must hold. */
export function ballsOf(run: Run, box: Box3): Ball[] {
  const pose = new Float64Array(7);
  const moving = run.bodies.filter((b) => b.row !== null);
  const balls: Ball[] = [];
  const add = (center: Vector3, radius: number) => {
    if (box.containsPoint(center)) balls.push({ center, radius });
  };
  for (const f of pick(run.frames, 30)) for (const b of pick(moving.length, 200)) {
    samplePose(run, moving[b], { frame: f, fraction: 0 }, pose);
    add(new Vector3(pose[0], pose[1], pose[2]), Math.max(0, ...moving[b].shapes.map(reach)));
  }
  for (const place of heldPlaces(run, box)) add(place, 0);
  for (const body of run.bodies) {
    const far = Math.max(0, ...body.shapes.map((s) => (s.type.startsWith("hollow") ? (s.radius ?? 0) : reach(s))));
    if (body.row === null && far > 0) add(new Vector3(...body.pose.position), far);
  }
  return balls;
}

/** Where the run takes place: all of its motion, without the few bodies that fly off. */
export function boundsOf(run: Run): Box3 {
  const box = new Box3();
  const pose = new Float64Array(7);
  const moving = run.bodies.filter((b) => b.row !== null);
  const low: number[][] = [[], [], []];
  const high: number[][] = [[], [], []];
  for (const f of pick(run.frames, FRAMES)) for (const b of pick(moving.length, BODIES)) {
    const body = moving[b];
    samplePose(run, body, { frame: f, fraction: 0 }, pose);
    const r = Math.max(0, ...body.shapes.map(reach));
    for (let k = 0; k < 3; ++k) if (Number.isFinite(pose[k])) {
      low[k].push(pose[k] - r);
      high[k].push(pose[k] + r);
    }
  }
  const cut = moving.length > 20 ? 0.01 : 0;
  const corner = (lists: number[][], q: number) => new Vector3(...(lists.map((l) => quantile(l.sort((a, b) => a - b), q)) as [number, number, number]));
  const motion = new Box3();
  if (low[0].length > 0) motion.expandByPoint(corner(low, 0)).expandByPoint(corner(high, 1));
  for (const place of heldPlaces(run, motion)) place.toArray().forEach((x, k) => {
    low[k].push(x);
    high[k].push(x);
  });
  if (low[0].length > 0) box.expandByPoint(corner(low, cut)).expandByPoint(corner(high, 1 - cut));
  const size = box.isEmpty() ? 1 : Math.max(box.getSize(new Vector3()).length(), 1e-9);
  for (const body of run.bodies) {
    const far = Math.max(0, ...body.shapes.map(reach), ...body.shapes.map((s) => (s.type.startsWith("hollow") ? Math.min(s.radius ?? 0, 2 * size) : 0)));
    if (body.row !== null || far === 0) continue;
    const at = new Vector3(...body.pose.position);
    // A wall of a kilometre about a marble does not set the scale.
    if (far > 3 * size && !box.isEmpty()) continue;
    box.expandByPoint(at.clone().subScalar(far)).expandByPoint(at.addScalar(far));
  }
  if (box.isEmpty()) box.setFromCenterAndSize(new Vector3(), new Vector3(1, 1, 1));
  // Points that hardly move have no size of their own: a metre, not the last digits of where they are.
  const hasSize = run.bodies.some((body) => body.shapes.some((s) => reach(s) > 0));
  if (!hasSize && box.getSize(new Vector3()).length() < 1e-6) box.expandByScalar(0.5);
  return box;
}
