import { ContactTable } from "./contacts";
import { decodeArray } from "./decode";
import type { Field } from "./field";
import type { BodyJson, EventJson, JointJson, Quaternion, RunJson, SpringJson, Status, Triple } from "./format";
import { StepTable } from "./steps";

export interface Body {
  /** Place in the list of bodies. */
  id: number;
  name: string;
  motion: string;
  mass: number | null;
  shapes: BodyJson["shapes"];
  /** Row in the arrays; null: stands still at `pose`. */
  row: number | null;
  pose: { position: Triple; orientation: Quaternion };
}

type Fields = Map<string, Field>;

/** One run as the page sees it: typed arrays and the names that go with their rows. */
export class Run {
  status: Status;
  summary: Record<string, unknown>;
  time: Float64Array = new Float64Array(0);
  events: EventJson[] = [];
  readonly bodies: Body[];
  readonly joints: JointJson[];
  readonly springs: SpringJson[];
  readonly contacts: ContactTable;
  readonly steps: StepTable;
  readonly up: Triple;
  private eventKeys = new Set<string>();

  private constructor(readonly json: RunJson, readonly fields: Fields) {
    this.status = json.status ?? "done";
    this.summary = json.summary ?? {};
    this.bodies = json.bodies.map(toBody);
    this.joints = json.joints ?? [];
    this.springs = json.springs ?? [];
    this.contacts = new ContactTable(fields, json.contacts ?? []);
    this.steps = new StepTable(fields, json.solvers ?? []);
    this.up = upOf(json);
    this.takeEvents(json.events ?? []);
    this.refresh();
  }

  static async from(json: RunJson): Promise<Run> {
    const fields = await decodeAll(json);
    const run = new Run(json, fields);
    run.checkShapes();
    return run;
  }

  get label(): string {
    return this.json.label ?? "run";
  }
  get planar(): boolean {
    return this.json.planar === true;
  }
  get frames(): number {
    return this.time.length;
  }
  get start(): number {
    return this.time[0] ?? 0;
  }
  get end(): number {
    return this.time[this.time.length - 1] ?? 0;
  }
  field(name: string): Field | undefined {
    return this.fields.get(name);
  }
  energies(): string[] {
    return [...this.fields.keys()].filter((name) => name.startsWith("energy."));
  }

  /** Frames of the same run that came later. */
  async append(json: RunJson): Promise<void> {
    const more = await decodeAll(json);
    const fresh = more.get("time")?.column() ?? new Float64Array(0);
    let skip = 0;
    while (skip < fresh.length && fresh[skip] <= this.end && this.frames > 0) ++skip;
    this.contacts.append(more, json.contacts ?? [], skip);
    this.steps.append(more, json.solvers ?? []);
    for (const [name, field] of more) {
      if (name.startsWith("contact.") || name.startsWith("step.")) continue;
      this.fields.get(name)?.append(field, skip);
    }
    this.status = json.status ?? this.status;
    this.summary = json.summary ?? this.summary;
    this.takeEvents(json.events ?? []);
    this.refresh();
  }

  private takeEvents(events: EventJson[]): void {
    for (const event of events) {
      const key = `${event.time}|${event.kind}|${event.contact}`;
      if (this.eventKeys.has(key)) continue;
      this.eventKeys.add(key);
      this.events.push(event);
    }
    this.events.sort((a, b) => a.time - b.time);
  }

  private refresh(): void {
    this.time = this.fields.get("time")?.column() ?? new Float64Array(0);
  }

  private checkShapes(): void {
    const moving = this.bodies.filter((b) => b.row !== null).length;
    for (const [name, width] of [["position", 3], ["orientation", 4], ["velocity", 3], ["angular_velocity", 3]] as const) {
      const field = this.fields.get(name);
      if (!field) continue;
      const rows = field.width / width;
      if (field.rows !== this.frames) throw new Error(`"${name}" has ${field.rows} frames; "time" has ${this.frames}`);
      if (this.bodies.some((b) => b.row !== null && b.row >= rows)) {
        throw new Error(`"${name}" has ${rows} bodies; the list of bodies names ${moving} that move`);
      }
    }
  }
}

async function decodeAll(json: RunJson): Promise<Fields> {
  const entries = Object.entries(json.arrays);
  const fields = await Promise.all(entries.map(([name, array]) => decodeArray(name, array)));
  return new Map(entries.map(([name], i) => [name, fields[i]]));
}

function toBody(body: BodyJson, id: number): Body {
  return {
    id,
    name: body.name ?? `body ${id}`,
    motion: body.motion ?? "free",
    mass: body.mass ?? null,
    shapes: body.shapes ?? [],
    row: body.index ?? null,
    pose: body.pose ?? { position: [0, 0, 0], orientation: [1, 0, 0, 0] },
  };
}

/** Against gravity; without it z, or y in a plane. */
function upOf(json: RunJson): Triple {
  if (json.planar) return [0, 1, 0];
  const g = json.gravity ?? [0, 0, -9.81];
  const size = Math.hypot(...g);
  if (!(size > 0)) return [0, 0, 1];
  return g.map((x) => -x / size + 0) as Triple;
}
