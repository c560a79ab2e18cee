import { type Contact, STATE_NAMES } from "../data/contacts";
import { nearest } from "../data/search";
import type { State } from "../state";
import { Card } from "./card";
import { button, el } from "./dom";
import { icon } from "./icons";
import { digits, metres, vector } from "./numbers";

/** Nearer than this is touching. */
const TOUCHING = 1e-9;

/** What the numbers say. */
export function wordsOf(contact: Contact): string {
  const { gap, slipSpeed, normalImpulse } = contact;
  const place = gap < -TOUCHING ? ` It is ${metres(-gap)} deep.` : "";
  const limit = (contact.mu ?? 0) * normalImpulse;
  switch (STATE_NAMES[contact.state]) {
    case "stick":
      return `Sticks: friction holds it${limit > 0 ? `, with ${(100 * contact.tangentImpulse / limit).toFixed(0)} % of what it could do` : ""}.${place}`;
    case "slip":
      return `Slips${slipSpeed === null ? "" : ` at ${digits(slipSpeed, 3)} m/s`}: friction is at its limit, μ times the normal impulse.${place}`;
    case "closed":
      return `Closed, without friction: it pushes along the normal alone.${place}`;
    default:
      return normalImpulse > 0 ? `Open again: it touched within the step.${place}` : gap > TOUCHING ? `Open: ${metres(gap)} apart.` : `Open: it touches, but nothing pushes.${place}`;
  }
}

/** The chosen contact; while time moves, the same pair in the frame that is shown. */
export function makeContactCard(state: State): { element: HTMLElement; update: () => void } {
  const card = new Card("", [
    { label: "State", key: "contact.state" }, { label: "Gap", unit: "m", key: "contact.gap" },
    { label: "Normal impulse", unit: "N s", key: "contact.normal" }, { label: "Friction impulse", unit: "N s", key: "contact.tangent" },
    { label: "Friction μ", key: "contact.mu" }, { label: "Cone used", key: "contact.used" }, { label: "Slip speed", unit: "m/s", key: "contact.slip" },
    { label: "Point", unit: "m", key: "contact.point" }, { label: "Normal", key: "contact.direction" }, { label: "Impulse", unit: "N s", key: "contact.impulse" },
  ]);
  card.element.dataset.testid = "contact-card";
  card.act(button("Let go of this contact", () => {
    state.selection.contact = null;
    state.emit("selection");
  }, { class: "quiet" }, icon("close")));
  const words = el("p", { class: "small", data: { testid: "contact-words" } });
  card.element.querySelector("table")?.before(words);
  const bar = el("div", { class: "meter" }, el("div", { class: "meter-fill" }));
  card.element.append(bar);

  const show = (contact: Contact) => {
    const kind = STATE_NAMES[contact.state] ?? "open";
    card.title(contact.name);
    card.set("contact.state", kind);
    card.mark("contact.state", `state ${kind}`);
    card.set("contact.gap", digits(contact.gap));
    card.set("contact.normal", digits(contact.normalImpulse));
    card.set("contact.tangent", digits(contact.tangentImpulse));
    card.set("contact.mu", digits(contact.mu));
    for (const [key, parts] of [["point", contact.point], ["direction", contact.normal], ["impulse", contact.impulse]] as const) card.set(`contact.${key}`, vector(parts));
    card.set("contact.slip", digits(contact.slipSpeed, 4));
    card.hideRow("contact.slip", contact.slipSpeed === null);
    words.textContent = wordsOf(contact);
    const limit = (contact.mu ?? 0) * contact.normalImpulse;
    const used = limit > 0 ? contact.tangentImpulse / limit : 0;
    card.set("contact.used", limit > 0 ? `${(100 * used).toFixed(1)} %` : "–");
    const fill = bar.firstElementChild as HTMLElement;
    fill.style.width = `${Math.min(100, 100 * used)}%`;
    fill.className = `meter-fill ${kind}`;
  };
  const update = () => {
    const chosen = state.contact;
    card.element.hidden = !chosen;
    if (!chosen) return;
    const { run, contact } = chosen;
    const [from, to] = run.contacts.range(nearest(run.time, state.player.t));
    if (contact.record >= from && contact.record < to) return show(contact);
    // The nearest record of the same pair: contact points of one pair have no names of their own.
    let best: Contact | null = null;
    const off = (c: Contact) => Math.hypot(...c.point.map((x, k) => x - contact.point[k]));
    for (let r = from; r < to; ++r) {
      if (run.contacts.id(r) !== run.contacts.id(contact.record)) continue;
      const one = run.contacts.get(r);
      if (!best || off(one) < off(best)) best = one;
    }
    if (best) {
      state.selection.contact = { run: state.runs.indexOf(run), record: best.record };
      return show(best);
    }
    card.set("contact.state", "not in this frame");
    words.textContent = "The two are not near each other at this time.";
    for (const key of ["gap", "normal", "tangent", "used", "slip", "point", "direction", "impulse"]) card.set(`contact.${key}`, "–");
  };
  return { element: card.element, update };
}
