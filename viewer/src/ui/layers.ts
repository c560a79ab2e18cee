import type { Stage } from "../scene/stage";
import type { State } from "../state";
import { button, el, press } from "./dom";
import { icon } from "./icons";

const LAYERS = [
  ["contacts", "Contacts", "Normals, friction cones and impulses (C)"],
  ["joints", "Reactions", "Forces and torques of joints (J)"],
  ["velocities", "Velocities", "Velocities of bodies (V)"],
  ["trails", "Trails", "Where bodies came from (T)"],
  ["ghosts", "Ghosts", "Earlier poses (H)"],
  ["shadows", "Shadows", "Shadows (O)"],
] as const;

/** Above the picture: what is drawn, and where one looks from. */
export function makeLayers(state: State, stage: Stage | null): HTMLElement {
  const chips = LAYERS.filter(([name]) => !(name === "joints" && state.runs.every((r) => r.joints.length === 0)) && !(name === "shadows" && stage?.flat)).map(([name, label, title]) => {
    const chip = el("button", { type: "button", class: "chip", title, data: { layer: name }, on: { click: () => state.toggle(name) } }, label);
    const mark = () => press(chip, state.options[name]);
    state.on(["options"], mark);
    mark();
    return chip;
  });
  const scale = el("input", { type: "range", class: "scale", aria: { label: "Length of arrows" }, title: "Length of arrows", attr: { min: "-1.5", max: "1.5", step: "0.1" }, on: { input: () => state.setScale(2 ** (2 * Number(scale.value))) } });
  scale.value = "0";
  const scaleBox = el("label", { class: "scale-box" }, el("span", { class: "muted" }, "Arrows"), scale);
  const follow = button("Follow the chosen body", () => state.follow(!state.following), { class: "tool", title: "Follow the chosen body (G)" }, icon("target"));
  const refresh = () => {
    press(follow, state.following);
    follow.disabled = state.body === null;
    const { contacts, joints, velocities } = state.options;
    scaleBox.hidden = !contacts && !joints && !velocities;
  };
  state.on(["options", "selection", "follow"], refresh);
  refresh();
  return el("div", { class: "layers", role: "toolbar", aria: { label: "What is drawn" } }, ...chips, scaleBox, el("span", { class: "gap" }),
    button("See everything", () => stage?.frame(), { class: "tool", title: "See everything (F)" }, icon("frame")), follow);
}

/** What the colours of contacts mean. */
export function makeLegend(state: State): HTMLElement {
  const item = (kind: string, text: string) => el("span", { class: "legend-item" }, el("span", { class: `mark-dot ${kind}` }), text);
  const contacts = el("div", { class: "legend-line" }, item("stick", "sticks"), item("slip", "slips"), item("open", "open"));
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
