import type { Field } from "./field";
import { lastAtOrBefore } from "./search";

export interface Step {
  index: number;
  time: number;
  residual: number | null;
  penetration: number | null;
  jointError: number | null;
  momentumDefect: number | null;
  energyDefect: number | null;
  contacts: number | null;
  certified: boolean | null;
  /** What the step is worth; null in runs of older programs. */
  grade: string | null;
  contactResidual: number | null;
  solver: string | null;
  iterations: number | null;
}

/** What a step is worth, from best to worst, as run.h5 numbers it. */
export const GRADES = ["full", "polyhedral", "linear", "relaxed", "plastic", "asleep", "loose", "failed"];

/** The certificate of every step. */
export class StepTable {
  time: Float64Array;

  constructor(private fields: Map<string, Field>, private solvers: string[]) {
    this.time = fields.get("step.time")?.column() ?? new Float64Array(0);
  }

  get count(): number {
    return this.time.length;
  }
  column(name: string): Float64Array | null {
    return this.fields.get(`step.${name}`)?.column() ?? null;
  }
  get(index: number): Step {
    const value = (name: string) => this.fields.get(`step.${name}`)?.at(index) ?? null;
    const solver = value("solver");
    const certified = value("certified");
    const grade = value("grade");
    return {
      index,
      time: this.time[index],
      residual: value("residual"),
      penetration: value("penetration"),
      jointError: value("joint_error"),
      momentumDefect: value("momentum_defect"),
      energyDefect: value("energy_defect"),
      contacts: value("contacts"),
      certified: certified === null ? null : certified !== 0,
      grade: grade === null ? null : (GRADES[grade] ?? null),
      contactResidual: value("contact_residual"),
      solver: solver === null ? null : (this.solvers[solver] ?? null),
      iterations: value("iterations"),
    };
  }
  /** The step that ends at t, or the one that t lies in; null before the first. */
  at(t: number): Step | null {
    if (this.count === 0) return null;
    const before = lastAtOrBefore(this.time, t + 1e-12 * Math.max(1, Math.abs(t)));
    if (before >= 0 && Math.abs(this.time[before] - t) <= 1e-9 * Math.max(1, Math.abs(t))) return this.get(before);
    return this.get(Math.min(before + 1, this.count - 1));
  }
  uncertified(): number {
    const certified = this.column("certified");
    return certified ? certified.reduce((n, c) => n + (c === 0 ? 1 : 0), 0) : 0;
  }
  /** Steps of each grade below `full` that there are, from best to worst. */
  weaker(): [string, number][] {
    const grade = this.column("grade");
    if (!grade) return [];
    return GRADES.map((name, i): [string, number] => [name, grade.reduce((n, g) => n + (g === i ? 1 : 0), 0)]).filter(([, steps], i) => i > 0 && steps > 0);
  }
  /** Of the largest residual. */
  worst(): Step | null {
    const residual = this.column("residual");
    if (!residual || residual.length === 0) return null;
    let best = 0;
    residual.forEach((r, i) => {
      if (r > residual[best] || Number.isNaN(residual[best])) best = i;
    });
    return this.get(best);
  }

  append(more: Map<string, Field>, solvers: string[]): void {
    if (solvers.length > this.solvers.length) this.solvers = solvers;
    const fresh = more.get("step.time")?.column();
    if (!fresh) return;
    const end = this.time[this.count - 1] ?? -Infinity;
    let skip = 0;
    while (skip < fresh.length && fresh[skip] <= end) ++skip;
    for (const [name, field] of more) {
      if (!name.startsWith("step.")) continue;
      const own = this.fields.get(name);
      if (own) own.append(field, skip);
      else this.fields.set(name, field);
    }
    this.time = this.fields.get("step.time")?.column() ?? this.time;
  }
}
