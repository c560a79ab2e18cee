import type { Run } from "../data/run";
import type { State } from "../state";
import { button, el } from "./dom";
import { icon } from "./icons";
import { digits } from "./numbers";
import { SHORTCUTS } from "./shortcuts";

function dialog(title: string, ...content: Node[]): HTMLDialogElement {
  const box: HTMLDialogElement = el("dialog", { class: "dialog", aria: { label: title } });
  box.append(el("div", { class: "dialog-head" }, el("h2", {}, title), button("Close", () => box.close(), { class: "tool" }, icon("close"))), el("div", { class: "dialog-body" }, ...content));
  box.addEventListener("click", (event) => {
    if (event.target === box) box.close();
  });
  document.body.append(box);
  return box;
}

export function makeHelp(): HTMLDialogElement {
  const groups = [...new Set(SHORTCUTS.map((s) => s.group))];
  return dialog("Keyboard shortcuts", el("div", { class: "help" }, ...groups.map((group) => el("section", {}, el("h3", {}, group), el("dl", {}, ...SHORTCUTS.filter((s) => s.group === group).flatMap((s) => [
    el("dt", {}, ...s.show.map((k) => el("kbd", {}, k))), el("dd", {}, s.what)]))))),
    el("p", { class: "muted" }, "Mouse: drag turns, right drag (or two fingers) moves, the wheel (or a pinch) zooms, a click chooses a body or a contact. In a plot: drag zooms, a double click shows all, a click goes to that time."));
}

function table(rows: [string, string][]): HTMLElement {
  return el("table", { class: "facts" }, el("tbody", {}, ...rows.map(([key, value]) => el("tr", {}, el("th", { attr: { scope: "row" } }, key), el("td", {}, value)))));
}

/** Numbers and texts of the summary, nested ones with their keys joined. */
function facts(value: Record<string, unknown>, before = ""): [string, string][] {
  return Object.entries(value).flatMap(([key, x]): [string, string][] => {
    if (key === "folder") return []; // a place on the machine that ran it
    if (typeof x === "number") return [[before + key, digits(x)]];
    if (typeof x === "string" || typeof x === "boolean") return [[before + key, String(x)]];
    if (x && typeof x === "object" && !Array.isArray(x)) return facts(x as Record<string, unknown>, `${before}${key}.`);
    return [];
  });
}

function about(run: Run): HTMLElement {
  const scene = el("pre", { class: "scene", tabIndex: 0 });
  scene.textContent = run.json.scene ?? "";
  return el("section", { class: "about" }, el("h3", {}, run.label),
    table([["status", run.status], ["frames", String(run.frames)], ["bodies", String(run.bodies.length)], ...facts(run.summary), ["fingerprint", run.json.fingerprint ?? "–"], ...facts(run.json.versions ?? {}, "version of ")]),
    el("h3", {}, "Scene file"), scene);
}

export function makeAbout(state: State): { open: () => void } {
  const body = el("div", { class: "abouts" });
  const box = dialog("About this run", body);
  box.classList.add("wide");
  return { open: () => {
    body.replaceChildren(...state.runs.map(about));
    box.showModal();
  } };
}
