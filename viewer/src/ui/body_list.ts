import type { Body } from "../data/run";
import { bodyColor, cssColor, paletteOf } from "../scene/palette";
import type { State } from "../state";
import { button, el, textButton } from "./dom";
import { icon } from "./icons";
import { count } from "./numbers";

const ROW = 32;

/** All bodies with search and visibility; only the rows in sight exist, whatever their number. */
export function makeBodyList(state: State): HTMLElement {
  const search = el("input", { type: "search", class: "search", placeholder: "Search bodies", aria: { label: "Search bodies" }, attr: { autocomplete: "off", spellcheck: "false" } });
  const spacer = el("div", { class: "spacer" });
  const rows = el("ul", { class: "rows" });
  const scroll = el("div", { class: "scroll", tabIndex: -1 }, spacer, rows);
  const tally = el("span", { class: "muted" });
  let found: Body[] = state.first.bodies;

  const row = (body: Body): HTMLElement => {
    const off = state.hidden.has(body.id);
    const palette = paletteOf(state.theme);
    const dot = el("span", { class: "dot" });
    dot.style.background = cssColor(body.motion === "kinematic" ? palette.kinematic : body.row === null ? palette.still : bodyColor(body.row));
    const name = el("button", { type: "button", class: "name", title: body.name, data: { body: String(body.id) }, on: { click: () => state.selectBody(body.id), dblclick: () => state.follow(true) } }, dot, el("span", { class: "clip" }, body.name));
    if (state.selection.body === body.id) name.setAttribute("aria-current", "true");
    const eye = button(`${off ? "Show" : "Hide"} ${body.name}`, () => state.show([body.id], off), { class: "quiet" }, icon(off ? "eyeOff" : "eye"));
    return el("li", { class: off ? "row off" : "row" }, name, body.row === null ? el("span", { class: "muted tag" }, "static") : body.motion === "kinematic" ? el("span", { class: "muted tag" }, "moved") : null, eye);
  };
  const draw = () => {
    const from = Math.max(0, Math.floor(scroll.scrollTop / ROW) - 4);
    const to = Math.min(found.length, from + Math.ceil((scroll.clientHeight || 400) / ROW) + 8);
    const focused = (document.activeElement as HTMLElement | null)?.dataset?.body;
    spacer.style.height = `${found.length * ROW}px`;
    rows.style.top = `${from * ROW}px`;
    rows.replaceChildren(...found.slice(from, to).map(row));
    if (focused) rows.querySelector<HTMLElement>(`[data-body="${focused}"]`)?.focus({ preventScroll: true });
  };
  const filter = () => {
    const wanted = search.value.trim().toLowerCase();
    found = wanted ? state.first.bodies.filter((b) => b.name.toLowerCase().includes(wanted)) : state.first.bodies;
    tally.textContent = wanted ? `${found.length} of ${count(state.first.bodies.length, "body").replace("bodys", "bodies")}` : count(found.length, "body").replace("bodys", "bodies");
    scroll.scrollTop = 0;
    draw();
  };
  search.addEventListener("input", filter);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && found[0]) state.selectBody(found[0].id);
  });
  rows.addEventListener("keydown", (event) => walk(event, rows));
  scroll.addEventListener("scroll", draw);
  new ResizeObserver(draw).observe(scroll);
  state.on(["visibility", "theme"], draw);
  state.on(["selection"], () => {
    const place = found.findIndex((b) => b.id === state.selection.body);
    const top = place * ROW;
    if (place >= 0 && (top < scroll.scrollTop || top + ROW > scroll.scrollTop + scroll.clientHeight)) scroll.scrollTop = top - scroll.clientHeight / 2;
    draw();
  });
  filter();
  const all = (visible: boolean) => state.show(found.map((b) => b.id), visible);
  return el("div", { class: "panel bodies", data: { testid: "bodies" } }, search,
    el("div", { class: "line" }, tally, el("span", { class: "gap" }), textButton("Show all", () => all(true), { class: "link" }), textButton("Hide all", () => all(false), { class: "link" })), scroll);
}

/** Up and down between rows. */
function walk(event: KeyboardEvent, rows: HTMLElement): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const names = [...rows.querySelectorAll<HTMLElement>(".name")];
  const at = names.indexOf(document.activeElement as HTMLElement);
  const next = names[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (at < 0 || !next) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}
