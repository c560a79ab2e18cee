import type { Body, Run } from "./run";
import { lastAtOrBefore } from "./search";

/** Between frame and frame + 1. */
export interface Moment {
  frame: number;
  fraction: number;
}

export function momentAt(run: Run, t: number): Moment {
  const last = run.frames - 1;
  if (last < 1) return { frame: 0, fraction: 0 };
  const frame = Math.min(Math.max(lastAtOrBefore(run.time, t), 0), last - 1);
  const span = run.time[frame + 1] - run.time[frame];
  const fraction = span > 0 ? (t - run.time[frame]) / span : 1;
  return { frame, fraction: Math.min(Math.max(fraction, 0), 1) };
}

const here = new Float64Array(4);
const next = new Float64Array(4);

/** Position into out[0..2], orientation w x y z into out[3..6]: straight lines and the shorter arc between frames. */
export function samplePose(run: Run, body: Body, moment: Moment, out: Float64Array): void {
  const position = run.field("position");
  const orientation = run.field("orientation");
  if (body.row === null || !position || !orientation || run.frames === 0) {
    out.set(body.pose.position, 0);
    out.set(body.pose.orientation, 3);
    return;
  }
  const { frame, fraction } = moment;
  const second = Math.min(frame + 1, run.frames - 1);
  position.read(frame * position.width + 3 * body.row, 3, here);
  position.read(second * position.width + 3 * body.row, 3, next);
  for (let k = 0; k < 3; ++k) out[k] = fraction === 0 ? here[k] : here[k] + fraction * (next[k] - here[k]);
  orientation.read(frame * orientation.width + 4 * body.row, 4, here);
  orientation.read(second * orientation.width + 4 * body.row, 4, next);
  turnBetween(fraction, out);
}

/** Normalised straight line between quaternions: within 8 degrees of the arc up to a half turn, and cheap. */
function turnBetween(fraction: number, out: Float64Array): void {
  const dot = here[0] * next[0] + here[1] * next[1] + here[2] * next[2] + here[3] * next[3];
  const sign = dot < 0 ? -1 : 1;
  let square = 0;
  for (let k = 0; k < 4; ++k) {
    out[3 + k] = (1 - fraction) * here[k] + fraction * sign * next[k];
    square += out[3 + k] * out[3 + k];
  }
  const size = Math.sqrt(square);
  if (size > 0) for (let k = 3; k < 7; ++k) out[k] /= size;
  else out.set([1, 0, 0, 0], 3);
}

/** A vector per body, as `velocity`; null where the run has none. */
export function sampleVector(run: Run, name: string, body: Body, moment: Moment): [number, number, number] | null {
  const field = run.field(name);
  if (!field || body.row === null || run.frames === 0) return null;
  const second = Math.min(moment.frame + 1, run.frames - 1);
  const from = moment.frame * field.width + 3 * body.row;
  const to = second * field.width + 3 * body.row;
  const mix = (k: number) => {
    const a = field.at(from + k);
    return moment.fraction === 0 ? a : a + moment.fraction * (field.at(to + k) - a);
  };
  return [mix(0), mix(1), mix(2)];
}
