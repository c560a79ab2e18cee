import type { EventJson } from "../data/format";
import type { State } from "../state";
import { el } from "./dom";
import { seconds } from "./numbers";

const NEAR = 6;
const ORDER = ["impact", "slip", "stick", "take_off"];

/** How a kind of event is marked: also in the list of events. */
export function eventClass(kind: string): string {
  return ORDER.includes(kind) ? kind : "other";
}

/** A slider with every event on it. Marks are drawn, not elements: a run may have a hundred thousand. */
export function makeTimeline(state: State): HTMLElement {
  const { player } = state;
  const canvas = el("canvas", { class: "marks", aria: { hidden: "true" } });
  const done = el("div", { class: "done" });
  const knob = el("div", { class: "knob" });
  const tip = el("div", { class: "tip", hidden: true });
  const track = el("div", { class: "timeline", role: "slider", tabIndex: 0, aria: { label: "Time" }, data: { testid: "timeline" } }, el("div", { class: "rail" }, done), canvas, knob, tip);
  const events = () => state.runs.flatMap((run) => run.events);

  const share = (t: number) => (player.duration > 0 ? (t - player.start) / player.duration : 0);
  const timeAt = (x: number) => player.start + Math.min(Math.max(x / Math.max(1, track.clientWidth), 0), 1) * player.duration;
  const eventNear = (x: number): EventJson | null => {
    let best: EventJson | null = null;
    for (const e of events()) {
      const off = Math.abs(share(e.time) * track.clientWidth - x);
      if (off <= NEAR && (!best || off < Math.abs(share(best.time) * track.clientWidth - x))) best = e;
    }
    return best;
  };

  const paint = () => {
    const ratio = window.devicePixelRatio || 1;
    const width = track.clientWidth;
    const height = track.clientHeight;
    canvas.width = Math.max(1, Math.round(width * ratio));
    canvas.height = Math.max(1, Math.round(height * ratio));
    const pen = canvas.getContext("2d");
    if (!pen) return;
    const style = getComputedStyle(track);
    pen.scale(ratio, ratio);
    const taken = new Set<string>();
    for (const e of events()) {
      const kind = eventClass(e.kind);
      const x = Math.round(share(e.time) * width);
      if (taken.has(`${x}${kind}`)) continue;
      taken.add(`${x}${kind}`);
      pen.fillStyle = style.getPropertyValue(`--event-${kind}`);
      const row = kind === "impact" ? 0 : 1;
      pen.fillRect(x - 1, row === 0 ? 3 : height - 10, 2, 7);
    }
  };
  const move = () => {
    const at = `${(100 * share(player.t)).toFixed(3)}%`;
    done.style.width = at;
    knob.style.left = at;
    track.setAttribute("aria-valuemin", String(player.start));
    track.setAttribute("aria-valuemax", String(player.end));
    track.setAttribute("aria-valuenow", String(player.t));
    track.setAttribute("aria-valuetext", `${player.t.toFixed(3)} seconds`);
  };
  const at = (event: PointerEvent) => event.clientX - track.getBoundingClientRect().left;

  track.addEventListener("pointerdown", (event) => {
    track.setPointerCapture(event.pointerId);
    const hit = eventNear(at(event));
    player.pause();
    player.seek(hit ? hit.time : timeAt(at(event)));
  });
  track.addEventListener("pointermove", (event) => {
    if (track.hasPointerCapture(event.pointerId)) player.seek(timeAt(at(event)));
    const hit = eventNear(at(event));
    tip.hidden = false;
    const t = hit ? hit.time : timeAt(at(event));
    tip.textContent = hit ? `${hit.kind.replace("_", "-")} ${hit.contact}, ${seconds(t, 1e-3)} s` : `${seconds(t, 1e-2)} s`;
    tip.style.left = `${Math.min(Math.max(at(event), 40), track.clientWidth - 40)}px`;
  });
  track.addEventListener("pointerleave", () => { tip.hidden = true; });
  new ResizeObserver(paint).observe(track);
  player.onChange(move);
  state.on(["data", "theme"], () => {
    paint();
    move();
  });
  move();
  return track;
}
