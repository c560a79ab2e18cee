import { lastAtOrBefore } from "../data/search";

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

type Listener = () => void;

/** The one clock of the page: everything shown belongs to `t`. */
export class Player {
  t: number;
  playing = false;
  loop = false;
  speed = 1;
  /** Stays at the newest frame of a run that goes on. */
  live = false;
  private frames: ArrayLike<number> = [];
  private events: number[] = [];
  private listeners: Listener[] = [];

  constructor(frames: ArrayLike<number>, events: number[]) {
    this.setTimes(frames, events);
    this.t = this.start;
  }

  get start(): number {
    return this.frames[0] ?? 0;
  }
  get end(): number {
    return this.frames[this.frames.length - 1] ?? 0;
  }
  get duration(): number {
    return this.end - this.start;
  }

  setTimes(frames: ArrayLike<number>, events: number[]): void {
    this.frames = frames;
    this.events = [...new Set(events)].sort((a, b) => a - b);
    if (this.live) this.t = this.end;
  }

  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }
  changed(): void {
    for (const listener of this.listeners) listener();
  }

  seek(t: number): void {
    if (!Number.isFinite(t)) return;
    this.t = Math.min(Math.max(t, this.start), this.end);
    this.live = false;
    this.changed();
  }
  /** To the newest frame, and with it from now on. */
  goLive(): void {
    this.playing = false;
    this.t = this.end;
    this.live = true;
    this.changed();
  }
  play(): void {
    if (this.duration <= 0) return;
    if (this.t >= this.end) this.t = this.start;
    this.playing = true;
    this.live = false;
    this.changed();
  }
  pause(): void {
    this.playing = false;
    this.changed();
  }
  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Wall time went on by so many seconds. */
  advance(seconds: number): void {
    if (!this.playing) return;
    const t = this.t + seconds * this.speed;
    if (t < this.end) this.t = t;
    else if (this.loop && this.duration > 0) this.t = this.start + ((t - this.start) % this.duration);
    else {
      this.t = this.end;
      this.playing = false;
    }
    this.changed();
  }

  stepFrame(by: number): void {
    this.playing = false;
    const at = lastAtOrBefore(this.frames, this.t + this.grain());
    const onFrame = at >= 0 && Math.abs(this.frames[at] - this.t) <= this.grain();
    // Between two frames a step back goes to the earlier of them.
    const target = by < 0 && !onFrame ? at + 1 + by : at + by;
    this.seek(this.frames[Math.min(Math.max(target, 0), this.frames.length - 1)]);
  }

  /** To the next event, or the one before; false where there is none. */
  stepEvent(direction: 1 | -1): boolean {
    const grain = this.grain();
    const target = direction > 0
      ? this.events.find((e) => e > this.t + grain)
      : this.events.findLast((e) => e < this.t - grain);
    this.playing = false;
    if (target === undefined) {
      this.changed();
      return false;
    }
    this.seek(target);
    return true;
  }

  faster(direction: 1 | -1): void {
    const at = SPEEDS.indexOf(this.speed);
    this.speed = SPEEDS[Math.min(Math.max(at + direction, 0), SPEEDS.length - 1)];
    this.changed();
  }

  /** Times closer than this are the same. */
  private grain(): number {
    return 1e-9 * Math.max(this.duration, 1e-3);
  }
}
