import type { Run } from "../data/run";
import type { Layout } from "../scene/options";
import type { State } from "../state";
import { button, el, press } from "./dom";
import { icon } from "./icons";
import { count } from "./numbers";

const LAYOUTS: [Layout, string, string][] = [
  ["overlay", "Overlay", "Both runs in one picture; the second is seen through"],
  ["split", "Side by side", "Both runs beside each other, with one camera"],
  ["first", "A", "The first run alone"],
  ["second", "B", "The second run alone"],
];

export interface Verdict {
  kind: "good" | "fair" | "bad" | "busy";
  text: string;
  /** For narrow screens. */
  short: string;
}

export function verdictOf(run: Run): Verdict {
  const steps = run.steps.count;
  const bad = run.steps.uncertified();
  if (run.status === "running") return { kind: "busy", text: `Running: ${count(steps, "step")} so far`, short: "Running" };
  if (run.status === "failed") return { kind: "bad", text: "The run failed", short: "Failed" };
  const weaker = run.steps.weaker();
  const named = weaker.map(([name, n]) => `${n.toLocaleString("en")} ${name}`).join(", ");
  const looseOnly = weaker.length > 0 && weaker.every(([name]) => name !== "failed");
  if (bad > 0 && looseOnly && run.status !== "interrupted") return { kind: "fair", text: `${bad.toLocaleString("en")} of ${count(steps, "step")} not certified (${named})`, short: `${bad} not certified` };
  if (bad > 0) return { kind: "bad", text: `${bad.toLocaleString("en")} of ${count(steps, "step")} not certified`, short: `${bad} not certified` };
  if (run.status === "not_certified") return { kind: "bad", text: "Not certified", short: "Not certified" };
  if (run.status === "interrupted") return { kind: "bad", text: `Interrupted after ${count(steps, "step")}`, short: "Interrupted" };
  if (weaker.length > 0) return { kind: "fair", text: `${count(steps, "step")} certified, not all in full: ${named}`, short: "Certified in part" };
  return { kind: "good", text: steps > 0 ? `All ${count(steps, "step")} certified` : "Done", short: steps > 0 ? "Certified" : "Done" };
}

function badge(run: Run): HTMLElement {
  const verdict = verdictOf(run);
  return el("span", { class: `badge ${verdict.kind}`, title: verdict.text, data: { testid: "verdict" } }, verdict.kind === "busy" ? el("span", { class: "pulse" }) : icon(verdict.kind === "good" ? "check" : "warning"), el("span", { class: "long" }, verdict.text), el("span", { class: "short" }, verdict.short));
}

export interface HeaderActions {
  help: () => void;
  info: () => void;
  panel: (which: "left" | "right" | "plots") => void;
}

export function makeHeader(state: State, actions: HeaderActions): HTMLElement {
  const badges = el("div", { class: "badges" });
  const fill = () => {
    badges.replaceChildren(...state.runs.map((run, i) => {
      const name = state.comparing ? el("span", { class: `run-key ${i === 0 ? "a" : "b"}` }, i === 0 ? "A" : "B") : null;
      return el("div", { class: "run" }, name, el("span", { class: "run-name", title: run.label }, run.label), badge(run));
    }));
  };
  const theme = button("Dark or light", () => state.setTheme(state.theme === "dark" ? "light" : "dark"), { class: "tool", title: "Dark or light (N)" });
  const paintTheme = () => theme.replaceChildren(icon(state.theme === "dark" ? "sun" : "moon"));
  const layouts = el("div", { class: "segments", role: "group", aria: { label: "Comparison" } });
  if (state.comparing) {
    for (const [layout, label, title] of LAYOUTS) {
      const one = el("button", { type: "button", title, data: { layout }, on: { click: () => state.setLayout(layout) } }, label);
      layouts.append(one);
      const mark = () => press(one, state.layout === layout);
      state.on(["layout"], mark);
      mark();
    }
  }
  state.on(["data"], fill);
  state.on(["theme"], paintTheme);
  fill();
  paintTheme();
  return el("header", { class: "bar" },
    el("span", { class: "brand" }, mark(), el("span", { class: "brand-name" }, "Stiction")), badges, el("span", { class: "gap" }), state.comparing ? layouts : null,
    el("div", { class: "tools" },
      button("Bodies and events", () => actions.panel("left"), { class: "tool wide-only", title: "Bodies and events (B)" }, icon("left")),
      button("Plots", () => actions.panel("plots"), { class: "tool wide-only", title: "Plots (P)" }, icon("bottom")),
      button("Details", () => actions.panel("right"), { class: "tool wide-only", title: "Details (I)" }, icon("right")),
      button("About this run", actions.info, { class: "tool", title: "About this run (R)" }, icon("info")),
      theme,
      button("Keyboard shortcuts", actions.help, { class: "tool", title: "Keyboard shortcuts (?)" }, icon("help"))));
}

/** A block at rest on a slope, inside its cone. */
function mark(): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "mark");
  svg.setAttribute("aria-hidden", "true");
  for (const [d, name] of [["M2 21 22 15v6z", "mark-slope"], ["M8.300 9.500l8.600-2.600 2.300 7.700-8.600 2.600z", "mark-block"]]) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", d);
    path.setAttribute("class", name);
    svg.append(path);
  }
  return svg;
}
