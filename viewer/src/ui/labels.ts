import { Vector3 } from "three";
import { gridStep } from "../scene/grid_material";
import type { Stage } from "../scene/stage";
import { axesIn } from "../scene/unbounded";
import type { State } from "../state";
import { el } from "./dom";
import { metres } from "./numbers";

const MOST = 60;
/** Numbers nearer to each other than this, in pixels, are left out. */
const CLOSE = 40;
/** Narrower pictures than this have small axes, or none where there are rulers. */
const SMALL = 480;
const AXIS_NAMES = ["x", "y", "z"];

/** Numbers at the grid, the grid's pitch, and which way the axes point. Text in the page, so it stays sharp. */
export class Labels {
  readonly element: HTMLElement;
  private pool: HTMLElement[] = [];
  private used = 0;
  private taken: number[][] = [];
  private known = new Map<string, boolean>();
  private updates = 0;
  private caption = el("div", { class: "grid-caption" });
  private triad: SVGSVGElement;

  constructor(private state: State, private stage: Stage) {
    this.triad = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.triad.setAttribute("class", "triad");
    this.triad.setAttribute("viewBox", "-36 -36 72 72");
    this.element = el("div", { class: "labels", aria: { hidden: "true" } }, this.caption);
    this.element.append(this.triad);
  }

  update(): void {
    this.used = 0;
    if (!this.state.player.playing || ++this.updates % 15 === 0) this.known.clear();
    this.element.classList.toggle("small", this.stage.canvas.clientWidth < SMALL);
    this.caption.textContent = this.stage.flat ? "" : `Grid ${metres(gridStep.value)}`; // rulers say as much
    this.taken = [this.triad, this.caption].map((part) => {
      const [box, whole] = [part.getBoundingClientRect(), this.element.getBoundingClientRect()];
      return [box.left - whole.left, box.top - whole.top, box.right - whole.left, box.bottom - whole.top];
    }).filter(([left, , right]) => right > left);
    const split = this.state.layout === "split" && this.state.comparing;
    if (this.state.options.grid && !split) {
      if (this.stage.flat) this.rulers();
      else this.ground();
    }
    for (let i = this.used; i < this.pool.length; ++i) this.pool[i].hidden = true;
    this.drawTriad();
  }

  /** Left, top, right and bottom of a text as it will lie, by the pixels a character takes at most. */
  private rect(text: string, x: number, y: number, kind: string): number[] {
    const wide = 8 * text.length + 2;
    const left = kind === "ruler-x" ? x - wide / 2 : kind === "ruler-unit" ? x - wide : kind === "tick" ? x + 2 : x - 2;
    const top = kind === "ruler-y" ? y - 10 : kind === "tick" ? y + 2 : y - 16;
    return [left, top, left + wide, top + 20];
  }

  /** Where nothing else is written. */
  private put(text: string, x: number, y: number, kind: string): void {
    const rect = this.rect(text, x, y, kind);
    if (this.used >= MOST || this.taken.some((other) => rect[0] < other[2] && other[0] < rect[2] && rect[1] < other[3] && other[1] < rect[3])) return;
    this.taken.push(rect);
    let label = this.pool[this.used];
    if (!label) {
      label = el("span", {});
      this.pool.push(label);
      this.element.append(label);
    }
    ++this.used;
    label.hidden = false;
    label.className = `label ${kind}`;
    if (label.textContent !== text) label.textContent = text;
    label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }

  private place(at: Vector3): { x: number; y: number; behind: boolean } {
    const p = at.clone().project(this.stage.rig.camera);
    const { clientWidth, clientHeight } = this.stage.canvas;
    return { x: ((p.x + 1) / 2) * clientWidth, y: ((1 - p.y) / 2) * clientHeight, behind: p.z > 1 };
  }

  /** Along the edges of the flat picture. */
  private rulers(): void {
    const { clientWidth, clientHeight } = this.stage.canvas;
    const camera = this.stage.rig.camera;
    const low = new Vector3(-1, -1, 0).unproject(camera);
    const high = new Vector3(1, 1, 0).unproject(camera);
    const step = gridStep.value;
    // At the lower right, or above where a body is there.
    const taken = [80, 45].some((left) => this.covered({ x: clientWidth - left, y: clientHeight - 28 }));
    this.put("x, y in m", clientWidth - 8, taken ? 22 : clientHeight - 8, "ruler-unit");
    const text = (x: number) => String(Number((Math.abs(x) < step * 1e-6 ? 0 : x).toPrecision(6)));
    for (let i = Math.ceil(low.x / step); i * step <= high.x && this.used < 30; ++i) {
      const x = this.place(new Vector3(i * step, 0, 0)).x;
      if (x > 40 && x < clientWidth - 90 && !this.covered({ x: x - 20, y: clientHeight - 25 })) this.put(text(i * step), x, clientHeight - 8, "ruler-x");
    }
    for (let i = Math.ceil(low.y / step); i * step <= high.y && this.used < MOST; ++i) {
      const y = this.place(new Vector3(0, i * step, 0)).y;
      if (y > 14 && y < clientHeight - 30 && !this.underLegend(y) && !this.covered({ x: 4, y: y - 12 })) this.put(text(i * step), 8, y, "ruler-y");
    }
  }

  /** Along the two lines of the ground that pass through the origin. */
  private ground(): void {
    const up = new Vector3(...this.state.first.up);
    const origin = up.clone().multiplyScalar(this.stage.ground);
    const { clientWidth, clientHeight } = this.stage.canvas;
    const center = this.stage.box.getCenter(new Vector3());
    const reach = 0.6 * this.stage.box.getSize(new Vector3()).length();
    for (const axis of axesIn(up)) {
      const middle = Math.round(center.dot(axis) / gridStep.value) * gridStep.value;
      const step = this.tickStep(origin, axis, middle);
      const name = AXIS_NAMES[[axis.x, axis.y, axis.z].findIndex((x) => Math.abs(x) > 0.9)] ?? "";
      const first = Math.round(middle / step);
      for (const way of [1, -1]) {
        let last: { x: number; y: number } | null = null;
        for (let i = way > 0 ? first : first - 1; Math.abs(i * step - middle) <= reach; i += way) {
          const at = this.place(origin.clone().addScaledVector(axis, i * step));
          const near = last !== null && Math.hypot(at.x - last.x, at.y - last.y) < CLOSE;
          if (at.behind || near) break;
          last = at;
          const free = at.x > 20 && at.y > 50 && at.x < clientWidth - 60 && at.y < clientHeight - 24;
          if (free && !this.covered(at)) this.put(i === 0 ? "0" : `${name} ${metres(i * step, step)}`, at.x, at.y, "tick");
        }
      }
    }
  }

  /** Lines of the grid from one number to the next, so that they stand well apart where one looks. */
  private tickStep(origin: Vector3, axis: Vector3, middle: number): number {
    const here = this.place(origin.clone().addScaledVector(axis, middle));
    for (const times of [1, 2, 5, 10, 20, 50]) {
      const there = this.place(origin.clone().addScaledVector(axis, middle + times * gridStep.value));
      if (Math.hypot(there.x - here.x, there.y - here.y) >= 2 * CLOSE) return times * gridStep.value;
    }
    return 100 * gridStep.value;
  }

  /** A number over a body would read as the body's. While the run plays one looks for that a few times a second only. */
  private covered(at: { x: number; y: number }): boolean {
    if (this.state.first.bodies.length > 200) return false;
    const key = `${Math.round(at.x / 4)} ${Math.round(at.y / 4)}`;
    const known = this.state.player.playing ? this.known.get(key) : undefined;
    if (known !== undefined) return known;
    const found = [4, 20, 38].some((right) => [5, 16].some((down) => this.stage.pick(at.x + right, at.y + down, false) !== null));
    this.known.set(key, found);
    return found;
  }

  /** The legend lies in the upper left corner. */
  private underLegend(y: number): boolean {
    return y < 60 && (this.state.options.contacts || this.state.comparing);
  }

  private drawTriad(): void {
    const turn = this.stage.rig.camera.quaternion.clone().invert();
    const axes = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].map((v) => v.applyQuaternion(turn));
    const order = [0, 1, 2].filter((k) => !this.stage.flat || k < 2).sort((a, b) => axes[a].z - axes[b].z);
    this.triad.replaceChildren(...order.flatMap((k) => {
      const { x, y } = axes[k];
      const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
      const name = document.createElementNS("http://www.w3.org/2000/svg", "text");
      for (const [key, value] of Object.entries({ x1: 0, y1: 0, x2: 20 * x, y2: -20 * y, class: `axis-${AXIS_NAMES[k]}` })) line.setAttribute(key, String(value));
      for (const [key, value] of Object.entries({ x: 28 * x, y: -28 * y, class: `axis-${AXIS_NAMES[k]}` })) name.setAttribute(key, String(value));
      name.textContent = AXIS_NAMES[k];
      return [line, name];
    }));
  }
}
