import { type Contact, STATE_NAMES } from "../data/contacts";
import type { State } from "../state";
import { Card } from "./card";
import { button, el } from "./dom";
import { icon } from "./icons";
import { digits } from "./numbers";

/** The chosen contact; while time moves, the same pair in the frame that is shown. */
export function makeContactCard(state: State): { element: HTMLElement; update: (frame: number) => void } {
  const card = new Card("", [
    { label: "State", key: "contact.state" }, { label: "Gap", unit: "m", key: "contact.gap" },
    { label: "Normal impulse", unit: "N s", key: "contact.normal" }, { label: "Tangential", unit: "N s", key: "contact.tangent" },
    { label: "Friction μ", key: "contact.mu" }, { label: "Cone used", key: "contact.used" }, { label: "Point", unit: "m", key: "contact.point" },
  ]);
  card.element.dataset.testid = "contact-card";
  card.act(button("Let go of this contact", () => {
    state.selection.contact = null;
    state.emit("selection");
  }, { class: "quiet" }, icon("close")));
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
    card.set("contact.point", contact.point.map((x) => digits(x, 4)).join("  "));
    const limit = (contact.mu ?? 0) * contact.normalImpulse;
    const used = limit > 0 ? contact.tangentImpulse / limit : 0;
    card.set("contact.used", limit > 0 ? `${(100 * used).toFixed(1)} %` : "–");
    const fill = bar.firstElementChild as HTMLElement;
    fill.style.width = `${Math.min(100, 100 * used)}%`;
    fill.className = `meter-fill ${kind}`;
  };
  const update = (frame: number) => {
    const chosen = state.contact;
    card.element.hidden = !chosen;
    if (!chosen) return;
    const { run, contact } = chosen;
    const [from, to] = run.contacts.range(frame);
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
    for (const key of ["gap", "normal", "tangent", "used", "point"]) card.set(`contact.${key}`, "–");
  };
  return { element: card.element, update };
}
