import type { Body, Run } from "../data/run";
import { momentAt, samplePose, sampleVector } from "../data/sample";
import type { State } from "../state";
import { Card } from "./card";
import { button, press, textButton } from "./dom";
import { icon } from "./icons";
import { digits } from "./numbers";

const AXES = ["x", "y", "z"];

/** The state of the chosen body at the cursor: interpolated between frames, as recorded on a frame. */
export function makeBodyCard(state: State): { element: HTMLElement; update: () => void } {
  const card = new Card("", [
    { label: "x", unit: "m", key: "position" }, { label: "v", unit: "m/s", key: "velocity" },
    { label: "ω", unit: "rad/s", key: "angular_velocity" },
  ], AXES);
  const extra = new Card("", [
    { label: "Speed", unit: "m/s", key: "speed" }, { label: "Orientation", unit: "w x y z", key: "orientation" }, { label: "Mass", unit: "kg", key: "mass" },
    { label: "Motion", key: "motion" }, { label: "B − A", unit: "m", key: "difference" },
  ]);
  card.element.classList.add("triples");
  card.element.append(...extra.element.querySelectorAll("table"));
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
    card.set("position", ...here.position.map((x) => digits(x)));
    extra.set("orientation", here.orientation.map((x) => digits(x, 3)).join("  "));
    const moment = momentAt(state.first, state.player.t);
    const velocity = sampleVector(state.first, "velocity", body, moment);
    const spin = sampleVector(state.first, "angular_velocity", body, moment);
    card.set("velocity", ...(velocity ?? [null, null, null]).map((x) => digits(x)));
    card.set("angular_velocity", ...(spin ?? [null, null, null]).map((x) => digits(x)));
    card.hideRow("velocity", !velocity);
    card.hideRow("angular_velocity", !spin);
    extra.set("speed", velocity ? digits(Math.hypot(...velocity)) : "–");
    extra.hideRow("speed", !velocity);
    extra.set("mass", digits(body.mass));
    extra.hideRow("mass", body.mass === null);
    extra.set("motion", body.row === null ? "static" : body.motion === "kinematic" ? "prescribed" : "free");
    const other = state.runs[1]?.bodies.find((b) => b.name === body.name);
    extra.hideRow("difference", !other);
    if (other) {
      const there = poseOf(state.runs[1], other, state.player.t);
      extra.set("difference", digits(Math.hypot(...there.position.map((x, k) => x - here.position[k]))));
    }
  };
  return { element: card.element, update };
}

function poseOf(run: Run, body: Body, t: number): { position: number[]; orientation: number[] } {
  const pose = new Float64Array(7);
  samplePose(run, body, momentAt(run, t), pose);
  return { position: [...pose.slice(0, 3)], orientation: [...pose.slice(3)] };
}
