import type { Run } from "../data/run";

const SAMPLES = 4000;

/** The size that nine of ten samples stay below, so that one impact does not make all other arrows points. */
function usual(count: number, size: (i: number) => number): number {
  const n = Math.min(count, SAMPLES);
  const list = Array.from({ length: n }, (_, i) => size(Math.floor((i * count) / n))).filter((x) => x > 0 && Number.isFinite(x));
  if (list.length === 0) return 0;
  list.sort((a, b) => a - b);
  return list[Math.floor(0.9 * (list.length - 1))];
}

export interface Scales {
  /** Newton seconds, newtons, metres a second that make an arrow of usual length. */
  impulse: number;
  force: number;
  speed: number;
}

export function scalesOf(run: Run): Scales {
  const triple = (name: string) => {
    const field = run.field(name);
    if (!field || field.width < 3) return 0;
    return usual((field.rows * field.width) / 3, (i) => Math.hypot(field.at(3 * i), field.at(3 * i + 1), field.at(3 * i + 2)));
  };
  return { impulse: triple("contact.impulse"), force: triple("joint.force"), speed: triple("velocity") };
}
