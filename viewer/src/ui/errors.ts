import { button, el } from "./dom";
import { icon } from "./icons";

const seen = new Map<string, { count: number; badge: HTMLElement }>();

function area(): HTMLElement {
  const there = document.getElementById("errors");
  if (there) return there;
  const made = el("div", { id: "errors", class: "errors", role: "alert", attr: { "aria-live": "assertive" } });
  document.body.prepend(made);
  return made;
}

/** Says it in the page; the same thing again only counts. */
export function showError(what: string, error?: unknown): void {
  const detail = error === undefined ? "" : error instanceof Error ? error.message : String(error);
  const key = `${what}|${detail}`;
  const before = seen.get(key);
  if (before) {
    before.badge.textContent = `${++before.count} times`;
    return;
  }
  const badge = el("span", { class: "muted" });
  const box = el("div", { class: "error" }, icon("warning"), el("div", { class: "error-text" }, el("strong", {}, what), detail ? el("div", {}, detail) : null, badge));
  box.append(button("Close this message", () => {
    box.remove();
    seen.delete(key);
  }, { class: "quiet" }, icon("close")));
  seen.set(key, { count: 1, badge });
  area().append(box);
}

/** The browser's way to say that a size is looked at again in the next frame. */
const HARMLESS = /^ResizeObserver loop/;

/** Nothing that goes wrong in the page is silent. */
export function catchErrors(): void {
  window.addEventListener("error", (event) => {
    if (!HARMLESS.test(event.message)) showError("Something went wrong in this page.", event.error ?? event.message);
  });
  window.addEventListener("unhandledrejection", (event) => showError("Something went wrong in this page.", event.reason));
}
