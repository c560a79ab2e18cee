import { STATE_NAMES } from "../data/contacts";
import { nearest } from "../data/search";
import { reactionsAt } from "../scene/joints";
import type { State } from "../state";
import { el, textButton } from "./dom";
import { digits } from "./numbers";

const MOST = 100;
/** To sort more than this ten times a second would slow the picture. */
const MOST_PLAYING = 2000;

/** Contacts and joint reactions of the frame, largest first. */
export function makeFrameTable(state: State): { element: HTMLElement; update: () => void } {
  const head = el("h2", {}, "Contacts");
  const list = el("ul", { class: "contact-rows" });
  const note = el("p", { class: "muted pad small" });
  const worst = textButton("Worst contact", () => {
    if (!state.goToWorstContact()) note.textContent = "This run has no contacts.";
  }, { class: "chip", title: "The deepest penetration of the whole run (X)", data: { testid: "worst" } });
  const contacts = el("section", { class: "card", data: { testid: "contacts" } }, el("div", { class: "card-head" }, head, el("div", { class: "card-actions" }, worst)), list, note);
  const joints = el("ul", { class: "contact-rows" });
  const jointCard = el("section", { class: "card", data: { testid: "joints" } }, el("div", { class: "card-head" }, el("h2", {}, "Joint reactions")), joints);

  const fillContacts = () => {
    const all = state.runs.flatMap((run, i) => run.contacts.ofFrame(nearest(run.time, state.player.t)).map((contact) => ({ contact, run: i })));
    all.sort((a, b) => Math.hypot(...b.contact.impulse) - Math.hypot(...a.contact.impulse));
    note.textContent = all.length === 0 ? "Nothing touches." : all.length > MOST ? `The ${MOST} largest of ${all.length.toLocaleString("en")}.` : "";
    note.hidden = note.textContent === "";
    list.replaceChildren(...all.slice(0, MOST).map(({ contact, run }) => {
      const kind = STATE_NAMES[contact.state] ?? "open";
      const row = el("button", { type: "button", class: "contact-row", data: { record: String(contact.record) }, on: { click: () => {
        state.toggle("contacts", true);
        state.selectContact(run, contact.record);
      } } }, el("span", { class: `mark-dot ${kind}` }), el("span", { class: "clip", title: contact.name }, state.comparing ? `${run === 0 ? "A" : "B"} ${contact.name}` : contact.name),
        el("span", { class: `state ${kind}` }, kind), el("span", { class: "number" }, `${digits(Math.hypot(...contact.impulse), 3)} N s`));
      if (state.selection.contact?.run === run && state.selection.contact.record === contact.record) row.setAttribute("aria-current", "true");
      return el("li", {}, row);
    }));
  };
  const fillJoints = () => {
    const rows = state.runs.flatMap((run, i) => {
      if (run.joints.length === 0 || !run.field("joint.force")) return [];
      return reactionsAt(run, nearest(run.time, state.player.t)).slice(0, MOST).map(({ name, type, force, torque }) => el("li", { class: "contact-row" }, el("span", { class: "mark-dot joint" }),
        el("span", { class: "clip", title: `${name} (${type})` }, state.comparing ? `${i === 0 ? "A" : "B"} ` : "", name, " ", el("span", { class: "muted" }, type)),
        el("span", { class: "number" }, `${digits(force.length(), 3)} N`), el("span", { class: "number" }, `${digits(torque.length(), 3)} N m`)));
    });
    jointCard.hidden = rows.length === 0;
    joints.replaceChildren(...rows);
  };
  let shown = false;
  const update = () => {
    shown = true;
    const [from, to] = state.first.contacts.range(nearest(state.first.time, state.player.t));
    if (state.player.playing && to - from > MOST_PLAYING) {
      note.hidden = false;
      note.textContent = `${(to - from).toLocaleString("en")} contacts; they are listed when the run stands still.`;
      list.replaceChildren();
    } else fillContacts();
    fillJoints();
  };
  state.on(["selection"], () => shown && fillContacts());
  return { element: el("div", {}, contacts, jointCard), update };
}
