import type { Body, Run } from "../data/run";
import { lastAtOrBefore } from "../data/search";
import type { State } from "../state";

export interface Series {
  label: string;
  time: Float64Array;
  values: Float64Array;
  color: string;
  dashed?: boolean;
}

export interface Chart {
  title: string;
  /** Above the plot, where a choice beside it says the rest. */
  heading?: string;
  unit: string;
  log?: boolean;
  /** Values between frames are those of the line, as in the card of a body. */
  between?: boolean;
  series: Series[];
  /** Shown in place of an empty chart. */
  note?: string;
}

export type ChartKind = "energy" | "residual" | "penetration" | "contacts" | "body" | "difference";
export const KINDS: [ChartKind, string][] = [
  ["energy", "Energy"], ["residual", "Residual"], ["penetration", "Penetration"], ["contacts", "Contacts"], ["body", "Body"], ["difference", "Difference"],
];

export const QUANTITIES = {
  "x": ["position", 0, 3, "m"], "y": ["position", 1, 3, "m"], "z": ["position", 2, 3, "m"],
  "x speed": ["velocity", 0, 3, "m/s"], "y speed": ["velocity", 1, 3, "m/s"], "z speed": ["velocity", 2, 3, "m/s"], "speed": ["velocity", -1, 3, "m/s"],
  "x spin": ["angular_velocity", 0, 3, "rad/s"], "y spin": ["angular_velocity", 1, 3, "rad/s"], "z spin": ["angular_velocity", 2, 3, "rad/s"], "spin": ["angular_velocity", -1, 3, "rad/s"],
  "x speed, alpha": ["velocity_alpha", 0, 3, "m/s"], "y speed, alpha": ["velocity_alpha", 1, 3, "m/s"], "z speed, alpha": ["velocity_alpha", 2, 3, "m/s"],
  "turn about z": ["orientation", -2, 4, "rad"],
} as const;
export type Quantity = keyof typeof QUANTITIES;

export function quantitiesOf(run: Run): Quantity[] {
  return (Object.keys(QUANTITIES) as Quantity[]).filter((q) => run.field(QUANTITIES[q][0]) !== undefined);
}

const COLORS = ["var-1", "var-2", "var-3", "var-4", "var-5", "var-6"];

/** A and B in front of names where two runs are compared; B is dashed. */
function named(state: State, run: number, label: string): { label: string; dashed: boolean } {
  return { label: state.comparing ? `${run === 0 ? "A" : "B"} ${label}` : label, dashed: run === 1 };
}

const ENERGY_ORDER = ["total", "kinetic", "gravity", "potential", "springs"];

export function energyChart(state: State): Chart {
  const names = [...new Set(state.runs.flatMap((run) => run.energies()))].map((n) => n.slice(7));
  const place = (n: string) => (ENERGY_ORDER.indexOf(n) + ENERGY_ORDER.length + 1) % (ENERGY_ORDER.length + 1) || (ENERGY_ORDER.includes(n) ? 0 : 9);
  names.sort((a, b) => place(a) - place(b));
  const series = state.runs.flatMap((run, r) => names.flatMap((name, i): Series[] => {
    const values = run.field(`energy.${name}`)?.column();
    if (!values || (name !== "total" && values.every((v) => v === 0))) return [];
    return [{ ...named(state, r, name), time: run.time, values, color: COLORS[i % COLORS.length] }];
  }));
  return { title: "Energy", unit: "J", series };
}

export function stepChart(state: State, what: "residual" | "penetration" | "contacts"): Chart {
  const titles = { residual: ["Residual of each step", ""], penetration: ["Penetration", "m"], contacts: ["Contacts", ""] };
  const series = state.runs.flatMap((run, r): Series[] => {
    const values = run.steps.column(what);
    return values ? [{ ...named(state, r, what), time: run.steps.time, values, color: r === 0 ? COLORS[0] : COLORS[1] }] : [];
  });
  const log = what === "residual";
  const note = log && series.every((s) => s.values.every((v) => !(v > 0))) ? "The residual is 0 in every step." : undefined;
  return { title: titles[what][0], unit: titles[what][1], log, series, note };
}

function unwrapped(angle: Float64Array): Float64Array {
  for (let i = 1; i < angle.length; ++i) angle[i] -= 2 * Math.PI * Math.round((angle[i] - angle[i - 1]) / (2 * Math.PI));
  return angle;
}

export function bodyValues(run: Run, body: Body, quantity: Quantity): Float64Array | null {
  const [name, component, width] = QUANTITIES[quantity];
  const field = run.field(name);
  if (!field || body.row === null) return null;
  const at = (frame: number, k: number) => field.at(frame * field.width + width * body.row! + k);
  const out = Float64Array.from({ length: run.frames }, (_, f) => {
    if (component >= 0) return at(f, component);
    if (component === -1) return Math.hypot(at(f, 0), at(f, 1), at(f, 2));
    return 2 * Math.atan2(at(f, 3), at(f, 0));
  });
  return component === -2 ? unwrapped(out) : out;
}

/** On the straight line between two samples; the nearest one outside of them. */
export function valueAt(time: Float64Array, values: Float64Array, t: number): number | undefined {
  const at = lastAtOrBefore(time, t);
  if (at < 0 || at + 1 >= time.length) return values[Math.max(0, Math.min(at, time.length - 1))];
  const span = time[at + 1] - time[at];
  return span > 0 && t > time[at] ? values[at] + ((t - time[at]) / span) * (values[at + 1] - values[at]) : values[at];
}

/** Smaller changes are rounding; m, rad. */
const ROUNDING = 1e-9;

/** The coordinate that tells most: the upward one, unless it stays where it is and another does not. */
export function tellingQuantity(run: Run, body: Body | undefined, upward: Quantity): Quantity {
  const all = quantitiesOf(run);
  if (!body) return all.includes(upward) ? upward : all[0];
  const range = (q: Quantity) => {
    const values = bodyValues(run, body, q);
    return values ? values.reduce((m, x) => Math.max(m, x), -Infinity) - values.reduce((m, x) => Math.min(m, x), Infinity) : 0;
  };
  const order: Quantity[] = [upward, "x", "y", "z", ...(run.planar ? (["turn about z"] as const) : []), "x spin", "y spin", "z spin"];
  const places = order.slice(0, 4).filter((q) => all.includes(q));
  const most = Math.max(0, ...places.map(range));
  const found = most > ROUNDING ? places.find((q) => range(q) > 0.05 * most) : order.find((q) => all.includes(q) && range(q) > ROUNDING);
  return found ?? (all.includes(upward) ? upward : all[0]);
}

export function bodyChart(state: State, name: string, quantity: Quantity): Chart {
  const series = state.runs.flatMap((run, r): Series[] => {
    const body = run.bodies.find((b) => b.name === name);
    const values = body ? bodyValues(run, body, quantity) : null;
    return values ? [{ ...named(state, r, quantity), time: run.time, values, color: r === 0 ? COLORS[0] : COLORS[1] }] : [];
  });
  return { title: `${name} ${quantity}`, heading: "Body", between: true, unit: QUANTITIES[quantity][3], series, note: series.length === 0 ? "This body does not move." : undefined };
}
