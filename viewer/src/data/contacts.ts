import type { Field } from "./field";
import type { ContactJson, Triple } from "./format";

export const OPEN = 0;
export const STICK = 1;
export const SLIP = 2;
/** Closed, where there is no friction that could stick or slip: limits of joints, taut ropes, frictionless pairs. */
export const CLOSED = 3;
export const STATE_NAMES = ["open", "stick", "slip", "closed"] as const;

export interface Contact {
  /** Place among all records. */
  record: number;
  name: string;
  mu: number | null;
  point: Triple;
  normal: Triple;
  gap: number;
  impulse: Triple;
  /** Along the normal, and the size of what is across it. */
  normalImpulse: number;
  tangentImpulse: number;
  /** Tangential, m/s; null where the run does not say. */
  slipSpeed: number | null;
  state: number;
}

const ROWS = ["contact.id", "contact.point", "contact.normal", "contact.gap", "contact.impulse", "contact.slip_speed", "contact.state"];

/** The contacts of every frame. */
export class ContactTable {
  private start: Float64Array;

  constructor(private fields: Map<string, Field>, private table: ContactJson[]) {
    this.start = fields.get("contact.start")?.column() ?? new Float64Array(1);
  }

  get records(): number {
    return this.fields.get("contact.point")?.rows ?? 0;
  }
  get any(): boolean {
    return this.records > 0;
  }
  /** Records of a frame: first to end - 1. */
  range(frame: number): [number, number] {
    if (frame < 0 || frame + 1 >= this.start.length) return [0, 0];
    return [this.start[frame], Math.min(this.start[frame + 1], this.records)];
  }
  frameOf(record: number): number {
    let low = 0;
    let high = this.start.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.start[middle] <= record) low = middle;
      else high = middle;
    }
    return low;
  }
  id(record: number): number {
    return this.fields.get("contact.id")?.at(record) ?? -1;
  }
  gap(record: number): number {
    return this.fields.get("contact.gap")?.at(record) ?? 0;
  }
  get(record: number): Contact {
    const three = (name: string): Triple => {
      const field = this.fields.get(name);
      return field ? [field.at(3 * record), field.at(3 * record + 1), field.at(3 * record + 2)] : [0, 0, 0];
    };
    const entry = this.table[this.id(record)];
    const normal = three("contact.normal");
    const impulse = three("contact.impulse");
    const along = normal[0] * impulse[0] + normal[1] * impulse[1] + normal[2] * impulse[2];
    const across = Math.hypot(impulse[0] - along * normal[0], impulse[1] - along * normal[1], impulse[2] - along * normal[2]);
    const state = this.fields.get("contact.state")?.at(record) ?? (along > 0 ? STICK : OPEN);
    return {
      record, normal, impulse, point: three("contact.point"),
      name: entry?.name ?? `contact ${this.id(record)}`,
      mu: entry?.mu ?? null,
      gap: this.gap(record),
      normalImpulse: along,
      tangentImpulse: across,
      slipSpeed: this.fields.get("contact.slip_speed")?.at(record) ?? null,
      state: entry?.mu === 0 && state !== OPEN ? CLOSED : state,
    };
  }
  ofFrame(frame: number): Contact[] {
    const [from, to] = this.range(frame);
    return Array.from({ length: to - from }, (_, i) => this.get(from + i));
  }

  /** Whether something closes without friction. */
  get anyFrictionless(): boolean {
    return this.any && this.table.some((entry) => entry.mu === 0);
  }

  /** The deepest penetration of the run; where nothing penetrates, the smallest gap. */
  deepest(): Contact | null {
    let best = -1;
    for (let r = 0; r < this.records; ++r) if (best < 0 || this.gap(r) < this.gap(best)) best = r;
    return best < 0 ? null : this.get(best);
  }

  /** Frames from `skip` on of later ones; their starts count from their own first record. */
  append(more: Map<string, Field>, table: ContactJson[], skip: number): void {
    const starts = more.get("contact.start")?.column();
    if (table.length >= this.table.length) this.table = table;
    if (!starts || starts.length < 2) return;
    const drop = starts[Math.min(skip, starts.length - 1)] - starts[0];
    const base = this.start[this.start.length - 1];
    const next = Float64Array.from(starts.subarray(skip + 1), (s) => s - starts[0] - drop + base);
    const joined = new Float64Array(this.start.length + next.length);
    joined.set(this.start);
    joined.set(next, this.start.length);
    this.start = joined;
    for (const name of ROWS) {
      const field = more.get(name);
      if (!field) continue;
      const own = this.fields.get(name);
      if (own) own.append(field, drop);
      else this.fields.set(name, field);
    }
  }
}
