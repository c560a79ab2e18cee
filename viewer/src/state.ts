import type { Contact } from "./data/contacts";
import type { Body, Run } from "./data/run";
import { DEFAULTS, type Layout, type Options, type Selection } from "./scene/options";
import { Player } from "./time/player";

export type Topic = "data" | "options" | "selection" | "layout" | "theme" | "visibility" | "follow" | "panels";
export type Theme = "light" | "dark";

/** What the user has chosen; parts of the page listen to the topics they show. */
export class State {
  readonly player: Player;
  readonly options: Options = { ...DEFAULTS };
  readonly selection: Selection = { body: null, contact: null };
  readonly hidden = new Set<number>();
  layout: Layout;
  theme: Theme = "light";
  following = false;
  private listeners = new Map<Topic, (() => void)[]>();

  constructor(readonly runs: Run[]) {
    this.layout = runs.length > 1 ? "overlay" : "first";
    this.player = new Player(this.times(), this.eventTimes());
  }

  get comparing(): boolean {
    return this.runs.length > 1;
  }
  get first(): Run {
    return this.runs[0];
  }
  get body(): Body | null {
    return this.selection.body === null ? null : (this.first.bodies[this.selection.body] ?? null);
  }
  get contact(): { run: Run; contact: Contact } | null {
    const chosen = this.selection.contact;
    return chosen ? { run: this.runs[chosen.run], contact: this.runs[chosen.run].contacts.get(chosen.record) } : null;
  }

  on(topics: Topic[], listener: () => void): void {
    for (const topic of topics) this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
  }
  emit(topic: Topic): void {
    for (const listener of this.listeners.get(topic) ?? []) listener();
  }

  /** Frames of the longest run. */
  private times(): Float64Array {
    return this.runs.reduce((a, b) => (b.end > a.end ? b : a)).time;
  }
  private eventTimes(): number[] {
    return this.runs.flatMap((run) => run.events.map((e) => e.time));
  }
  dataCame(): void {
    this.player.setTimes(this.times(), this.eventTimes());
    this.emit("data");
    this.player.changed();
  }

  toggle(option: Exclude<keyof Options, "scale">, on?: boolean): void {
    this.options[option] = on ?? !this.options[option];
    this.emit("options");
  }
  setScale(scale: number): void {
    this.options.scale = scale;
    this.emit("options");
  }
  selectBody(id: number | null): void {
    this.selection.body = id;
    this.selection.contact = null;
    if (id === null) this.follow(false);
    this.emit("selection");
  }
  selectContact(run: number, record: number): void {
    this.selection.contact = { run, record };
    this.emit("selection");
  }
  follow(on: boolean): void {
    this.following = on && this.selection.body !== null;
    this.emit("follow");
  }
  show(ids: number[], visible: boolean): void {
    for (const id of ids) {
      if (visible) this.hidden.delete(id);
      else this.hidden.add(id);
    }
    this.emit("visibility");
  }
  setLayout(layout: Layout): void {
    this.layout = layout;
    this.emit("layout");
  }
  setTheme(theme: Theme): void {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
    this.emit("theme");
  }

  /** Goes to the step with the largest residual of the first run. */
  goToWorstStep(): void {
    const worst = this.first.steps.worst();
    if (!worst) return;
    this.player.pause();
    this.player.seek(worst.time);
  }

  /** Goes to the contact that went deepest, and shows contacts. */
  goToWorstContact(): Contact | null {
    let found: { run: number; contact: Contact } | null = null;
    this.runs.forEach((run, i) => {
      const contact = run.contacts.deepest();
      if (contact && (!found || contact.gap < found.contact.gap)) found = { run: i, contact };
    });
    if (!found) return null;
    const { run, contact } = found as { run: number; contact: Contact };
    this.toggle("contacts", true);
    this.player.pause();
    this.player.seek(this.runs[run].time[this.runs[run].contacts.frameOf(contact.record)]);
    this.selectContact(run, contact.record);
    return contact;
  }
}
