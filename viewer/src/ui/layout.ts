import type { Stage } from "../scene/stage";
import type { State } from "../state";
import { makeBodyList } from "./body_list";
import { makeDetails } from "./details";
import { el } from "./dom";
import { makeEventList } from "./event_list";
import { makeLayers, makeLegend, makeViewTools } from "./layers";

export type Panel = "left" | "right" | "plots";

function choose(buttons: HTMLButtonElement[], at: number): void {
  buttons.forEach((b, i) => b.setAttribute("aria-selected", String(i === at)));
}

/** Bodies and events, one at a time. */
export function makeLeft(state: State): HTMLElement {
  const panels = [makeBodyList(state), makeEventList(state)];
  const pick = (at: number) => {
    panels.forEach((p, i) => { p.hidden = i !== at; });
    choose(tabs, at);
  };
  const tabs = ["Bodies", "Events"].map((label, i) => el("button", { type: "button", role: "tab", on: { click: () => pick(i) } }, label));
  pick(0);
  return el("aside", { class: "side left", aria: { label: "Bodies and events" } }, el("div", { class: "tab-row", role: "tablist" }, ...tabs), ...panels);
}

export function makeRight(state: State): HTMLElement {
  return el("aside", { class: "side right", aria: { label: "Details" } }, makeDetails(state));
}

/** The picture with its tool bar; `labels` and `canvas` lie over each other. */
export function makeView(state: State, stage: Stage | null, canvas: HTMLCanvasElement, labels: HTMLElement | null, problem: string | null): HTMLElement {
  const line = el("div", { class: "split-line", hidden: true });
  const names = state.runs.map((run, i) => {
    const name = el("div", { class: "split-name", hidden: true }, el("span", { class: `run-key ${i === 0 ? "a" : "b"}` }, i === 0 ? "A" : "B"), el("span", { class: "clip" }, run.label));
    name.style.left = i === 0 ? "10px" : "calc(50% + 10px)";
    return name;
  });
  state.on(["layout"], () => {
    const split = state.comparing && state.layout === "split";
    box.classList.toggle("split", split);
    line.hidden = !split;
    for (const name of names) name.hidden = !split;
  });
  const box = el("div", { class: stage?.flat ? "canvas-box flat" : "canvas-box" }, canvas, labels, makeLegend(state), makeViewTools(state, stage), line, ...names, problem ? el("p", { class: "no-picture" }, problem) : null);
  return el("section", { class: "view", aria: { label: "Scene" } }, makeLayers(state, stage), box);
}

/** On narrow screens one panel at a time lies under the picture. */
export function makeTabs(app: HTMLElement): HTMLElement {
  const panels: [Panel, string][] = [["plots", "Plots"], ["left", "Bodies"], ["right", "Details"]];
  const buttons = panels.map(([panel, label], i) => el("button", { type: "button", role: "tab", data: { tab: panel }, on: { click: () => pick(panel, i) } }, label));
  const pick = (panel: Panel, at: number) => {
    for (const [name] of panels) app.classList.toggle(`tab-${name}`, name === panel);
    choose(buttons, at);
  };
  pick("plots", 0);
  return el("div", { class: "tabs", role: "tablist", aria: { label: "Panels" } }, ...buttons);
}

/** Shows or hides a side on wide screens; on narrow ones brings it forward. */
export function togglePanel(app: HTMLElement, panel: Panel): void {
  if (window.matchMedia("(max-width: 999px)").matches) app.querySelector<HTMLElement>(`[data-tab="${panel}"]`)?.click();
  else app.classList.toggle(`no-${panel}`);
}
