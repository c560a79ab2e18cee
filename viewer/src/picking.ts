import type { Stage } from "./scene/stage";
import type { State } from "./state";

/** Farther than this is a drag, not a click; pixels. */
const STILL = 5;

/** A click chooses the body or the contact under it. */
export function listenForPicks(state: State, stage: Stage): void {
  let down: { x: number; y: number } | null = null;
  stage.canvas.addEventListener("pointerdown", (event) => {
    down = { x: event.clientX, y: event.clientY };
  });
  stage.canvas.addEventListener("pointerup", (event) => {
    const from = down;
    down = null;
    if (!from || event.button !== 0 || Math.hypot(event.clientX - from.x, event.clientY - from.y) > STILL) return;
    const box = stage.canvas.getBoundingClientRect();
    const hit = stage.pick(event.clientX - box.left, event.clientY - box.top, state.options.contacts);
    if (!hit) return state.selectBody(null);
    if ("contact" in hit) return state.selectContact(hit.run ?? 0, hit.contact.record);
    const name = hit.body.name;
    const id = hit.run === 0 ? hit.body.id : state.first.bodies.find((b) => b.name === name)?.id;
    if (id !== undefined) state.selectBody(id);
  });
}
