import type { BodyJson, EventJson, JointJson, Quaternion, RunJson, ShapeJson, SpringJson, Triple } from "../../src/data/format";
import { encode, type Packing } from "./encode";

export interface State {
  position: Triple;
  orientation: Quaternion;
  velocity: Triple;
  angular: Triple;
}
export interface ContactRecord {
  id: number;
  point: Triple;
  normal: Triple;
  gap: number;
  impulse: Triple;
  slip?: number;
  state: number;
}
export interface Mover {
  name: string;
  shapes: ShapeJson[];
  at: (t: number) => State;
  mass?: number;
  motion?: string;
}
export interface Recipe {
  label?: string;
  h: number;
  frames: number;
  planar?: boolean;
  gravity?: Triple;
  fixed?: BodyJson[];
  movers: Mover[];
  contacts?: { name: string; mu: number }[];
  contactsAt?: (t: number, frame: number) => ContactRecord[];
  springs?: SpringJson[];
  joints?: { name: string; type: string; bodies: string[]; anchors?: JointJson["anchors"]; axis?: Triple; length?: number; at: (t: number) => { force: Triple; torque: Triple; point: Triple } }[];
  events?: EventJson[];
  energy?: (t: number) => Record<string, number>;
  residual?: (step: number) => number;
  penetration?: (t: number) => number;
  uncertified?: number[];
  /** By step; none: the file of an older program. */
  grades?: number[];
  pose?: Packing;
  scene?: string;
}

/** A run in the page's format from closed forms of time. */
export function build(recipe: Recipe): RunJson {
  const { h, frames, movers } = recipe;
  const times = Array.from({ length: frames }, (_, f) => f * h);
  const states = times.map((t) => movers.map((m) => m.at(t)));
  const flat = (pick: (s: State) => number[]) => states.flatMap((row) => row.flatMap(pick));
  const records = times.map((t, f) => recipe.contactsAt?.(t, f) ?? []);
  const all = records.flat();
  const starts = [0];
  for (const r of records) starts.push(starts[starts.length - 1] + r.length);
  const n = movers.length;
  const steps = times.slice(1);
  const arrays: RunJson["arrays"] = {
    time: encode(times, [frames]),
    position: encode(flat((s) => s.position), [frames, n, 3], recipe.pose),
    orientation: encode(flat((s) => s.orientation), [frames, n, 4], recipe.pose),
    velocity: encode(flat((s) => s.velocity), [frames, n, 3], { type: "f32" }),
    angular_velocity: encode(flat((s) => s.angular), [frames, n, 3], { type: "f32" }),
    "contact.start": encode(starts, [frames + 1], { type: "u32", delta: true }),
    "contact.id": encode(all.map((c) => c.id), [all.length], { type: "u16" }),
    "contact.point": encode(all.flatMap((c) => c.point), [all.length, 3], { type: "f32" }),
    "contact.normal": encode(all.flatMap((c) => c.normal), [all.length, 3], { type: "f32" }),
    "contact.gap": encode(all.map((c) => c.gap), [all.length]),
    "contact.impulse": encode(all.flatMap((c) => c.impulse), [all.length, 3], { type: "f32" }),
    "contact.slip_speed": encode(all.map((c) => c.slip ?? 0), [all.length], { type: "f32" }),
    "contact.state": encode(all.map((c) => c.state), [all.length], { type: "u8" }),
    "step.time": encode(steps, [steps.length]),
    "step.residual": encode(steps.map((_, s) => recipe.residual?.(s) ?? 1e-12), [steps.length]),
    "step.penetration": encode(steps.map((t) => recipe.penetration?.(t) ?? 0), [steps.length]),
    "step.joint_error": encode(steps.map(() => 2e-15), [steps.length]),
    "step.momentum_defect": encode(steps.map(() => 3e-16), [steps.length]),
    "step.energy_defect": encode(steps.map(() => 4e-16), [steps.length]),
    "step.contacts": encode(records.slice(1).map((r) => r.length), [steps.length], { type: "i32" }),
    "step.certified": encode(steps.map((_, s) => (recipe.uncertified?.includes(s) ? 0 : 1)), [steps.length], { type: "u8" }),
    ...(recipe.grades ? { "step.grade": encode(steps.map((_, s) => recipe.grades?.[s] ?? 0), [steps.length], { type: "u8" }) } : {}),
    "step.solver": encode(steps.map((_, s) => (s % 5 === 0 ? 1 : 0)), [steps.length], { type: "u8" }),
    "step.iterations": encode(steps.map((_, s) => 1 + (s % 3)), [steps.length], { type: "u16" }),
    "not.known.to.the.page": encode([1, 2, 3], [3]),
  };
  for (const name of Object.keys(recipe.energy?.(0) ?? {})) {
    arrays[`energy.${name}`] = encode(times.map((t) => recipe.energy!(t)[name]), [frames]);
  }
  const joints = recipe.joints ?? [];
  for (const key of ["force", "torque", "point"] as const) {
    if (joints.length > 0) arrays[`joint.${key}`] = encode(times.flatMap((t) => joints.flatMap((j) => j.at(t)[key])), [frames, joints.length, 3], { type: "f32" });
  }
  const uncertified = recipe.uncertified?.length ?? 0;
  return {
    label: recipe.label ?? "synthetic",
    status: uncertified > 0 ? "not_certified" : "done",
    summary: { scene: recipe.label ?? "synthetic", scheme: "trapezoidal", solver: "auto", h, end: times[frames - 1], time: times[frames - 1], steps: steps.length, wall_seconds: 0.25,
      certificate: { uncertified_steps: uncertified, max_residual: 1e-11, max_penetration: 1e-9, max_equality_residual: 1e-15, max_momentum_defect: 1e-16, max_energy_defect: 1e-16 } },
    fingerprint: "0123456789abcdef",
    versions: { stiction: "0.1.0" },
    scene: recipe.scene ?? '{"stiction": 1}',
    planar: recipe.planar ?? false,
    gravity: recipe.gravity ?? [0, 0, -9.81],
    bodies: [
      ...(recipe.fixed ?? []),
      ...movers.map((m, i) => ({ name: m.name, motion: m.motion ?? "free", mass: m.mass ?? 1, shapes: m.shapes, index: i })),
    ],
    joints: joints.map(({ at: _, ...joint }) => joint),
    springs: recipe.springs ?? [],
    contacts: recipe.contacts ?? [],
    solvers: ["newton", "lemke"],
    events: recipe.events ?? [],
    arrays,
  };
}

export function still(name: string, shapes: ShapeJson[], position: Triple = [0, 0, 0], orientation: Quaternion = [1, 0, 0, 0]): BodyJson {
  return { name, motion: "static", mass: null, shapes, index: null, pose: { position, orientation } };
}
