import uPlot from "uplot";
import { nearest } from "../data/search";
import type { State } from "../state";
import { button, el, textButton } from "../ui/dom";
import { icon } from "../ui/icons";
import { digits } from "../ui/numbers";
import { downloadCsv, downloadPng } from "./download";
import { decades, powers, room, tick } from "./scale";
import { type Chart, valueAt } from "./series";
import { floorOf, joined } from "./table";

export interface Shared {
  /** The window of time all plots show; null: everything. */
  zoom: [number, number] | null;
  zoomed: () => void;
}

/** One chart: lines, a cursor at the page's time, values under the pointer, and its exports. */
export class Plot {
  readonly element: HTMLElement;
  private box = el("div", { class: "plot-box" });
  private heading = el("h2", {});
  private keys = el("div", { class: "plot-keys" });
  private cursor = el("div", { class: "plot-cursor" });
  private plot: uPlot | null = null;
  private chart: Chart | null = null;
  private values: HTMLElement[] = [];
  private hover: number | null = null;
  private quiet = false;

  constructor(private state: State, private shared: Shared, private make: () => Chart, controls: HTMLElement[], kind: string) {
    const tools = el("div", { class: "plot-tools" }, textButton("All", () => this.reset(), { class: "link", title: "Show the whole time (double click)" }),
      textButton("CSV", () => this.chart && downloadCsv(this.chart), { class: "link", title: "Save the numbers" }),
      button("Save the picture", () => this.chart && this.plot && downloadPng(this.chart, this.plot.ctx.canvas, this.colors()), { class: "quiet", title: "Save the picture (PNG)" }, icon("picture")));
    this.element = el("section", { class: "plot", data: { plot: kind } }, el("div", { class: "plot-head" }, this.heading, ...controls, el("span", { class: "gap" }), tools), this.keys, this.box);
    new ResizeObserver(() => this.fit()).observe(this.box);
  }

  private css(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }
  private colors(): string[] {
    return (this.chart?.series ?? []).map((s) => this.css(`--plot-${s.color.slice(4)}`));
  }

  /** From the data anew. */
  rebuild(): void {
    this.chart = this.make();
    this.plot?.destroy();
    this.plot = null;
    const { chart } = this;
    const heading = chart.heading ?? chart.title;
    this.heading.textContent = chart.unit ? `${heading} [${chart.unit}]` : heading;
    this.heading.title = this.heading.textContent;
    const colors = this.colors();
    this.values = chart.series.map(() => el("span", { class: "plot-value" }));
    this.keys.replaceChildren(...chart.series.map((s, i) => {
      const swatch = el("span", { class: s.dashed ? "swatch dashed" : "swatch" });
      swatch.style.color = colors[i];
      return el("span", { class: "plot-key" }, swatch, s.label, this.values[i]);
    }));
    this.box.replaceChildren();
    const empty = chart.series.every((s) => s.values.length === 0);
    if (chart.note || empty) {
      this.box.append(el("p", { class: "muted pad" }, chart.note ?? "This run has no such numbers."));
      return;
    }
    const { x, columns } = joined(chart);
    this.plot = new uPlot(this.options(chart, colors), [x as unknown as number[], ...columns], this.box);
    this.plot.over.append(this.cursor);
    this.listen(this.plot);
    this.applyZoom();
    this.move();
  }

  private options(chart: Chart, colors: string[]): uPlot.Options {
    const axis = { stroke: this.css("--muted"), font: `12px ${this.css("--font")}`, grid: { stroke: this.css("--line"), width: 1 }, ticks: { show: false } };
    const floor = chart.log ? floorOf(chart.series) : null;
    return {
      width: Math.max(120, this.box.clientWidth), height: Math.max(80, this.box.clientHeight),
      legend: { show: false },
      padding: [8, 18, 0, 0],
      cursor: { points: { size: 6 }, drag: { x: true, y: false }, y: false },
      scales: { x: { time: false }, y: chart.log ? { distr: 3, range: (_u, low, high) => decades(low, high) } : { range: (_u, low, high) => room(low, high) } },
      axes: [
        { ...axis, size: 24, gap: 4, values: (_u, ticks) => ticks.map((t) => `${Number(t.toPrecision(6))} s`) },
        { ...axis, size: 62, gap: 4, space: 34, ...(chart.log ? { splits: powers, filter: (_u: uPlot, all: number[]) => all } : {}), values: (_u, ticks) => ticks.map((v) => (v === null ? "" : floor !== null && v <= 1.01 * floor ? `≤${tick(v)}` : tick(v))) },
      ],
      series: [{}, ...chart.series.map((s, i): uPlot.Series => ({ label: s.label, stroke: colors[i], width: 1.6, dash: s.dashed ? [6, 4] : undefined, spanGaps: true, points: { show: s.values.length < 2 } }))],
      hooks: {
        setCursor: [(u) => {
          const { left } = u.cursor;
          this.hover = left !== undefined && left !== null && left >= 0 ? u.posToVal(left, "x") : null;
          this.showValues();
        }],
        setScale: [(u, key) => {
          if (key !== "x" || this.quiet) return;
          const { min, max } = u.scales.x;
          const [first, last] = [u.data[0][0], u.data[0][u.data[0].length - 1]];
          if (min === undefined || max === undefined || min === null || max === null) return;
          this.shared.zoom = min <= first && max >= last ? null : [min, max];
          this.shared.zoomed();
          this.move();
        }],
      },
    };
  }

  /** A click goes to that time; a drag was a zoom. */
  private listen(plot: uPlot): void {
    let down = 0;
    plot.over.addEventListener("pointerdown", (event) => { down = event.clientX; });
    plot.over.addEventListener("click", (event) => {
      if (Math.abs(event.clientX - down) > 4) return;
      this.state.player.pause();
      this.state.player.seek(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, "x"));
    });
  }

  applyZoom(): void {
    if (!this.plot) return;
    const x = this.plot.data[0];
    const [min, max] = this.shared.zoom ?? [x[0], x[x.length - 1]];
    this.quiet = true;
    if (max > min) this.plot.setScale("x", { min, max });
    this.quiet = false;
    this.move();
  }
  private reset(): void {
    this.shared.zoom = null;
    this.shared.zoomed();
    this.applyZoom();
  }

  private fit(): void {
    if (!this.plot || this.box.clientWidth < 20 || this.box.clientHeight < 20) return;
    this.plot.setSize({ width: this.box.clientWidth, height: this.box.clientHeight });
    this.move();
  }

  /** The cursor at the page's time. */
  move(): void {
    if (!this.plot) return;
    const left = this.plot.valToPos(this.state.player.t, "x");
    this.cursor.hidden = !(left >= 0 && left <= this.plot.over.clientWidth);
    this.cursor.style.transform = `translateX(${left.toFixed(1)}px)`;
    if (this.hover === null) this.showValues();
  }

  private showValues(): void {
    const t = this.hover ?? this.state.player.t;
    this.chart?.series.forEach((s, i) => {
      const value = this.chart?.between ? valueAt(s.time, s.values, t) : s.values[nearest(s.time, t)];
      const text = value === undefined ? "" : digits(value, 5);
      if (this.values[i] && this.values[i].textContent !== text) this.values[i].textContent = text;
    });
  }
}
