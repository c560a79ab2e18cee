import type { Body, Run } from "../data/run";
import { momentAt, samplePose, sampleVector } from "../data/sample";
import type { State } from "../state";
import { Card } from "./card";
import { button, el, press, textButton } from "./dom";
import { icon } from "./icons";
import { digits, vector } from "./numbers";

const AXES = ["x", "y", "z"];
const VECTORS = [["position", "position", "m"], ["velocity", "velocity", "m/s"], ["angular_velocity", "spin", "rad/s"]] as const;

/** Three vectors beside each other: ten digits and an exponent have room. */
function makeTriples(): { element: HTMLElement; set: (key: string, vector: number[] | null) => void } {
  const cells = new Map<string, HTMLElement[]>(VECTORS.map(([key]) => [key, AXES.map((_, k) => el("td", { data: { value: `${key}.${k}` } }))]));
  const head = el("tr", {}, el("th", {}), ...VECTORS.map(([, label, unit]) => el("th", { attr: { scope: "col" } }, label, el("span", { class: "unit" }, unit))));
  const rows = AXES.map((axis, k) => el("tr", {}, el("th", { attr: { scope: "row" } }, axis), ...VECTORS.map(([key]) => cells.get(key)![k])));
  return { element: el("table", { class: "triples" }, el("thead", {}, head), el("tbody", {}, ...rows)), set: (key, vector) => {
    cells.get(key)?.forEach((cell, k) => {
      const text = digits(vector?.[k]);
      if (cell.textContent !== text) cell.textContent = text;
    });
  } };
}

/** From the frame in which the body's axes are the world's; at most a half turn. */
export function turnOf([w, x, y, z]: number[]): { angle: number; axis: number[] } {
  const size = Math.hypot(x, y, z);
  const sign = w < 0 ? -1 : 1;
  return { angle: 2 * Math.atan2(size, Math.abs(w)), axis: size > 0 ? [x, y, z].map((v) => (sign * v) / size) : [0, 0, 0] };
}

/** The state of the chosen body at the cursor: interpolated between frames, as recorded on a frame. */
export function makeBodyCard(state: State): { element: HTMLElement; update: () => void } {
  const card = new Card("", [
    { label: "Speed", unit: "m/s", key: "speed" }, { label: "Turned by", key: "turned" }, { label: "About the axis", key: "axis" }, { label: "Mass", unit: "kg", key: "mass" },
    { label: "Motion", key: "motion" }, { label: "B − A", unit: "m", key: "difference" },
  ]);
  const triples = makeTriples();
  card.element.querySelector("table")?.before(triples.element);
  card.element.dataset.testid = "body-card";
  const follow = textButton("Follow", () => state.follow(!state.following), { class: "chip", title: "The camera goes with this body (G)" });
  const hide = textButton("Hide", () => state.body && state.show([state.body.id], state.hidden.has(state.body.id)), { class: "chip" });
  card.act(follow, hide, button("Let go of this body", () => state.selectBody(null), { class: "quiet" }, icon("close")));

  const update = () => {
    const body = state.body;
    card.element.hidden = !body;
    if (!body) return;
    press(follow, state.following);
    press(hide, state.hidden.has(body.id));
    card.title(body.name);
    const here = poseOf(state.first, body, state.player.t);
    triples.set("position", here.position);
    const { angle, axis } = turnOf(here.orientation);
    card.set("turned", `${digits(angle, 5)} rad, ${digits((angle * 180) / Math.PI, 4)}°`);
    card.set("axis", vector(axis));
    card.tip("turned", `quaternion w x y z: ${here.orientation.join(" ")}`);
    const moment = momentAt(state.first, state.player.t);
    const velocity = sampleVector(state.first, "velocity", body, moment);
    const spin = sampleVector(state.first, "angular_velocity", body, moment);
    triples.set("velocity", velocity);
    triples.set("angular_velocity", spin);
    card.set("speed", velocity ? digits(Math.hypot(...velocity)) : "–");
    card.hideRow("speed", !velocity);
    card.set("mass", digits(body.mass));
    card.hideRow("mass", body.mass === null);
    card.set("motion", body.row === null ? "static" : body.motion === "kinematic" ? "prescribed" : "free");
    const other = state.runs[1]?.bodies.find((b) => b.name === body.name);
    card.hideRow("difference", !other);
    if (other) {
      const there = poseOf(state.runs[1], other, state.player.t);
      card.set("difference", digits(Math.hypot(...there.position.map((x, k) => x - here.position[k]))));
    }
  };
  return { element: card.element, update };
}

function poseOf(run: Run, body: Body, t: number): { position: number[]; orientation: number[] } {
  const pose = new Float64Array(7);
  samplePose(run, body, momentAt(run, t), pose);
  return { position: [...pose.slice(0, 3)], orientation: [...pose.slice(3)] };
}
