import { Quaternion, Vector3 } from "three";
import type { JointJson } from "../data/format";
import type { Body, Run } from "../data/run";
import { type Moment, samplePose } from "../data/sample";

export function bodyOf(run: Run, which: string | number | null | undefined): Body | null {
  if (which === null || which === undefined || which === "") return null;
  return (typeof which === "number" ? run.bodies[which] : run.bodies.find((b) => b.name === which)) ?? null;
}

/** A joint with its bodies looked up once. */
export interface Link {
  joint: JointJson;
  bodies: (Body | null)[];
}

export function linksOf(run: Run): Link[] {
  const names = new Map(run.bodies.map((b) => [b.name, b]));
  return run.joints.map((joint) => ({ joint, bodies: joint.bodies.map((b) => (typeof b === "string" ? (names.get(b) ?? null) : bodyOf(run, b))) }));
}

/** From the first body's centre over the places where the joint holds to the second's centre; what stands still has no centre here. */
export function pathOf(run: Run, link: Link, moment: Moment, point: Vector3 | null): Vector3[] {
  const pose = new Float64Array(7);
  const ends = [0, 1].map((k) => {
    const body = link.bodies[k] ?? null;
    const anchor = link.joint.anchors?.[k];
    if (!body) return { center: null, anchor: anchor ? new Vector3(...anchor) : null };
    samplePose(run, body, moment, pose);
    const center = new Vector3(pose[0], pose[1], pose[2]);
    const place = anchor ? new Vector3(...anchor).applyQuaternion(new Quaternion(pose[4], pose[5], pose[6], pose[3])).add(center) : null;
    return { center: body.row === null ? null : center, anchor: place };
  });
  const middle = ends.some((e) => e.anchor) ? [ends[0].anchor, ends[1].anchor] : [point];
  return [ends[0].center, ...middle, ends[1].center].filter((x): x is Vector3 => x !== null);
}
