import type { State } from "../state";
import { SPEEDS } from "../time/player";
import { button, el, press } from "./dom";
import { icon } from "./icons";
import { seconds } from "./numbers";
import { makeTimeline } from "./timeline";

/** Play, steps, speed, loop and the time line. */
export function makeTransport(state: State): HTMLElement {
  const { player } = state;
  const play = button("Play", () => player.toggle(), { class: "tool play", title: "Play or pause (space)", data: { testid: "play" } });
  const loop = button("Loop", () => {
    player.loop = !player.loop;
    player.changed();
  }, { class: "tool", title: "Loop (L)" }, icon("loop"));
  const speed = el("select", { class: "speed", aria: { label: "Speed" }, title: "Speed ([ and ])", on: { change: () => {
    player.speed = Number(speed.value);
    player.changed();
  } } }, ...SPEEDS.map((s) => el("option", { value: String(s) }, `${s}×`)));
  const now = el("output", { class: "now", data: { testid: "time" } });
  const end = el("span", { class: "muted end" });
  const live = el("button", { type: "button", class: "live", title: "Stay at the newest frame", on: { click: () => player.goLive() } }, "Live");
  const show = () => {
    const run = state.first;
    const frame = run.frames > 1 ? (run.end - run.start) / (run.frames - 1) : 0;
    now.textContent = `${seconds(player.t, frame)} s`;
    end.textContent = `/ ${seconds(player.end, frame)} s`;
    if (play.dataset.playing !== String(player.playing)) {
      play.dataset.playing = String(player.playing);
      play.replaceChildren(icon(player.playing ? "pause" : "play"));
      play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
    }
    press(loop, player.loop);
    press(live, player.live);
    if (speed.value !== String(player.speed)) speed.value = String(player.speed);
    live.hidden = !state.runs.some((r) => r.status === "running");
  };
  player.onChange(show);
  state.on(["data"], show);
  show();
  return el("section", { class: "transport", aria: { label: "Time" } },
    el("div", { class: "transport-buttons" },
      button("To the start", () => player.seek(player.start), { class: "tool narrow-off", title: "To the start (Home)" }, icon("start")),
      button("Event before", () => player.stepEvent(-1), { class: "tool", title: "Event before (Shift ←)" }, icon("eventBack")),
      button("Frame before", () => player.stepFrame(-1), { class: "tool", title: "Frame before (←)" }, icon("frameBack")),
      play,
      button("Next frame", () => player.stepFrame(1), { class: "tool", title: "Next frame (→)" }, icon("frameOn")),
      button("Next event", () => player.stepEvent(1), { class: "tool", title: "Next event (Shift →)" }, icon("eventOn")),
      speed, loop, live),
    makeTimeline(state),
    el("div", { class: "clock" }, now, end));
}
