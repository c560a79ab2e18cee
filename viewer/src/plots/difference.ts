import type { Body, Run } from "../data/run";
import { momentAt, samplePose } from "../data/sample";
import type { State } from "../state";
import type { Chart, Series } from "./series";

/** Poses compared at most: more frames are thinned. */
const MOST = 2_000_000;

/** How far bodies of the same name are apart in two runs, at the first run's times that both have. */
export function distances(a: Run, b: Run, pairs: [Body, Body][]): { time: Float64Array; values: Float64Array } {
  const stride = Math.max(1, Math.ceil((a.frames * pairs.length) / MOST));
  const time: number[] = [];
  const values: number[] = [];
  const p = new Float64Array(7);
  const q = new Float64Array(7);
  for (let f = 0; f < a.frames; f += stride) {
    const t = a.time[f];
    if (t < b.start || t > b.end) continue;
    const moment = momentAt(b, t);
    let worst = 0;
    for (const [first, second] of pairs) {
      samplePose(a, first, { frame: f, fraction: 0 }, p);
      samplePose(b, second, moment, q);
      worst = Math.max(worst, Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
    }
    time.push(t);
    values.push(worst);
  }
  return { time: Float64Array.from(time), values: Float64Array.from(values) };
}

export function pairsOf(a: Run, b: Run, name: string | null): [Body, Body][] {
  const there = new Map(b.bodies.filter((x) => x.row !== null).map((x) => [x.name, x]));
  return a.bodies.filter((x) => x.row !== null && (name === null || x.name === name)).flatMap((x): [Body, Body][] => {
    const y = there.get(x.name);
    return y ? [[x, y]] : [];
  });
}

/** Of the chosen body, or the largest of all. */
export function differenceChart(state: State, name: string | null): Chart {
  const [a, b] = state.runs;
  const pairs = pairsOf(a, b, name);
  if (pairs.length === 0) return { title: "Difference", unit: "m", series: [], note: name === null ? "The runs have no moving body of the same name." : "The other run has no moving body of this name." };
  const series: Series = { label: name === null ? "largest distance" : "distance", color: "var-3", ...distances(a, b, pairs) };
  return { title: name === null ? "Difference of positions, all bodies" : `Difference of positions, ${name}`, heading: "Difference", unit: "m", series: [series] };
}
