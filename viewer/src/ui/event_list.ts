import type { State } from "../state";
import { el } from "./dom";
import { seconds } from "./numbers";
import { eventClass } from "./timeline";

const MOST = 400;

/** Events as a list, for those who do not aim at marks. */
export function makeEventList(state: State): HTMLElement {
  const list = el("ol", { class: "events" });
  const note = el("p", { class: "muted pad" });
  const fill = () => {
    const all = state.runs.flatMap((run, i) => run.events.map((event) => ({ event, run: i }))).sort((a, b) => a.event.time - b.event.time);
    note.textContent = all.length === 0 ? "This run has no events." : all.length > MOST ? `The first ${MOST} of ${all.length.toLocaleString("en")} events; all are marked on the time line.` : "";
    note.hidden = note.textContent === "";
    list.replaceChildren(...all.slice(0, MOST).map(({ event, run }) => el("li", {}, el("button", { type: "button", class: "event", data: { time: String(event.time) }, on: { click: () => {
      state.player.pause();
      state.player.seek(event.time);
    } } }, el("span", { class: `mark-dot ${eventClass(event.kind)}` }), el("span", { class: "event-time" }, `${seconds(event.time, 1e-3)} s`),
      el("span", { class: "clip", title: event.contact }, state.comparing ? `${run === 0 ? "A" : "B"} ` : "", `${event.kind.replace("_", "-")} `, el("span", { class: "muted" }, event.contact))))));
  };
  const mark = () => {
    const t = state.player.t;
    for (const one of list.querySelectorAll<HTMLElement>("[data-time]")) {
      const here = Math.abs(Number(one.dataset.time) - t) < 1e-9;
      if (here) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
  };
  state.on(["data"], fill);
  state.player.onChange(() => {
    if (!state.player.playing) mark();
  });
  fill();
  return el("div", { class: "panel", data: { testid: "events" } }, note, list);
}
