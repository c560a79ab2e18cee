import { nearest } from "../data/search";
import type { State } from "../state";
import { makeBodyCard } from "./body_card";
import { makeContactCard } from "./contact_card";
import { makeFrameTable } from "./contact_table";
import { el } from "./dom";
import { makeStepCard } from "./step_card";

/** While playing, numbers change ten times a second: nobody reads faster. */
const PLAYING_MS = 100;

/** The right side: what is chosen, what touches, how well it was computed. */
export function makeDetails(state: State): HTMLElement {
  const body = makeBodyCard(state);
  const contact = makeContactCard(state);
  const step = makeStepCard(state);
  const frame = makeFrameTable(state);
  const hint = el("p", { class: "muted pad" }, "Choose a body in the picture or in the list to see its state.");
  let last = 0;
  let table = "";
  let wasPlaying = false;
  let chosen = "";
  const update = (force: boolean) => {
    const now = performance.now();
    if (!force && state.player.playing && now - last < PLAYING_MS) return;
    last = now;
    const at = state.runs.map((run) => nearest(run.time, state.player.t)).join();
    body.update();
    contact.update();
    step.update();
    if (at !== table || force || wasPlaying !== state.player.playing) frame.update();
    table = at;
    wasPlaying = state.player.playing;
    hint.hidden = state.body !== null || state.contact !== null;
  };
  state.player.onChange(() => update(false));
  state.on(["selection"], () => {
    update(true);
    const key = `${state.selection.body} ${state.selection.contact?.run} ${state.selection.contact?.record}`;
    const card = state.contact ? contact.element : state.body ? body.element : null;
    if (key !== chosen) card?.scrollIntoView({ block: card.clientHeight > (card.closest(".side")?.clientHeight ?? 0) ? "start" : "nearest" });
    chosen = key;
  });
  state.on(["visibility", "follow", "data"], () => update(true));
  update(true);
  return el("div", { class: "panel details" }, body.element, contact.element, hint, step.element, frame.element);
}
