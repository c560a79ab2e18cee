import type { Run } from "../data/run";
import type { Stage } from "../scene/stage";
import type { State } from "../state";
import { button, el, press } from "./dom";
import { icon } from "./icons";

const LAYERS = [
  ["contacts", "Contacts", "Normals, friction cones and impulses (C)"],
  ["links", "Links", "Springs, ropes, rods and joints (M)"],
  ["joints", "Reactions", "Forces and torques of joints (J)"],
  ["velocities", "Velocities", "Velocities of bodies (V)"],
  ["trails", "Trails", "Where bodies came from (T)"],
  ["ghosts", "Ghosts", "Earlier poses (H)"],
  ["shadows", "Shadows", "Shadows (O)"],
] as const;

/** A layer that would never show anything. */
function isVain(name: string, state: State, stage: Stage | null): boolean {
  const without = (test: (run: Run) => boolean) => !state.runs.some(test);
  if (name === "joints") return without((r) => r.joints.length > 0);
  if (name === "links") return without((r) => r.joints.length + r.springs.length > 0);
  return name === "shadows" && stage?.flat === true;
}

/** Above the picture: what is drawn. */
export function makeLayers(state: State, stage: Stage | null): HTMLElement {
  const chips = LAYERS.filter(([name]) => !isVain(name, state, stage)).map(([name, label, title]) => {
    const chip = el("button", { type: "button", class: "chip", title, data: { layer: name }, on: { click: () => state.toggle(name) } }, label);
    const mark = () => press(chip, state.options[name]);
    state.on(["options"], mark);
    mark();
    return chip;
  });
  const scale = el("input", { type: "range", class: "scale", aria: { label: "Length of arrows" }, title: "Length of arrows", attr: { min: "-1.5", max: "1.5", step: "0.1" }, on: { input: () => state.setScale(2 ** (2 * Number(scale.value))) } });
  scale.value = "0";
  const scaleBox = el("label", { class: "scale-box" }, el("span", { class: "muted" }, "Arrows"), scale);
  const refresh = () => {
    const { contacts, joints, velocities } = state.options;
    scaleBox.hidden = !contacts && !joints && !velocities;
  };
  state.on(["options"], refresh);
  refresh();
  return el("div", { class: "layers", role: "toolbar", aria: { label: "What is drawn" } }, ...chips, scaleBox);
}

/** In the picture's corner, where a narrow screen shows them too. */
export function makeViewTools(state: State, stage: Stage | null): HTMLElement | null {
  if (!stage) return null;
  const follow = button("Follow the chosen body", () => state.follow(!state.following), { class: "tool", title: "Follow the chosen body (G)" }, icon("target"));
  const refresh = () => {
    press(follow, state.following);
    follow.disabled = state.body === null;
  };
  state.on(["selection", "follow"], refresh);
  refresh();
  return el("div", { class: "view-tools", role: "group", aria: { label: "Camera" } }, button("See everything", () => stage.frame(), { class: "tool", title: "See everything (F)" }, icon("frame")), follow);
}

/** What the colours of contacts mean. */
export function makeLegend(state: State): HTMLElement {
  const item = (kind: string, text: string) => el("span", { class: "legend-item" }, el("span", { class: `mark-dot ${kind}` }), text);
  const contacts = el("div", { class: "legend-line" }, item("stick", "sticks"), item("slip", "slips"), state.runs.some((r) => r.contacts.anyFrictionless) ? item("closed", "closed, no friction") : null, item("open", "open"));
  const runs = el("div", { class: "legend-line" }, el("span", { class: "legend-item" }, el("span", { class: "run-key a" }, "A"), "solid"), el("span", { class: "legend-item" }, el("span", { class: "run-key b" }, "B"), "seen through"));
  const legend = el("div", { class: "legend" }, runs, contacts);
  const refresh = () => {
    contacts.hidden = !state.options.contacts;
    runs.hidden = !state.comparing || state.layout !== "overlay";
    legend.hidden = contacts.hidden && runs.hidden;
  };
  state.on(["options", "layout"], refresh);
  refresh();
  return legend;
}
