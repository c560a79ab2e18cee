import { Quaternion, Vector3 } from "three";
import type { JointJson, SpringJson } from "../data/format";
import type { Body, Run } from "../data/run";
import { type Moment, samplePose } from "../data/sample";

/** A joint or a spring with its bodies looked up once: the partner first. */
export interface Link {
  joint: JointJson;
  spring: SpringJson | null;
  bodies: (Body | null)[];
}

function finder(run: Run): (which: string | number | null) => Body | null {
  const names = new Map(run.bodies.map((b) => [b.name, b]));
  return (which) => (typeof which === "number" ? run.bodies[which] : which ? names.get(which) : null) ?? null;
}

export function linksOf(run: Run): Link[] {
  const find = finder(run);
  return run.joints.map((joint) => ({ joint, spring: null, bodies: joint.bodies.map(find) }));
}

export function springLinksOf(run: Run): Link[] {
  const find = finder(run);
  return run.springs.map((spring) => ({ joint: { ...spring, type: "spring" }, spring, bodies: spring.bodies.map(find) }));
}

/** One side of a link at a moment. */
export interface End {
  body: Body | null;
  /** Of what moves. */
  center: Vector3 | null;
  anchor: Vector3 | null;
  turn: Quaternion | null;
}

/** The partner's and the body's side. */
export function endsOf(run: Run, link: Link, moment: Moment): [End, End] {
  const pose = new Float64Array(7);
  const end = (k: number): End => {
    const body = link.bodies[k] ?? null;
    const local = link.joint.anchors?.[k];
    const anchor = local ? new Vector3(...local) : null;
    if (!body) return { body, center: null, anchor, turn: null };
    samplePose(run, body, moment, pose);
    const at = new Vector3(pose[0], pose[1], pose[2]);
    const turn = new Quaternion(pose[4], pose[5], pose[6], pose[3]);
    return { body, center: body.row === null ? null : at, anchor: anchor?.applyQuaternion(turn).add(at) ?? null, turn };
  };
  return [end(0), end(1)];
}
