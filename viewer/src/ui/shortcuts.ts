import type { Stage } from "../scene/stage";
import type { State } from "../state";

export interface Shortcut {
  group: string;
  keys: string[];
  show: string[];
  what: string;
  act: (c: Context) => void;
}
export interface Context {
  state: State;
  stage: Stage | null;
  panel: (which: "left" | "right" | "plots") => void;
  help: () => void;
  info: () => void;
  search: () => void;
}

const make = (group: string, keys: string[], show: string[], what: string, act: (c: Context) => void): Shortcut => ({ group, keys, show, what, act });

/** The one list: the page obeys it and the help shows it. */
export const SHORTCUTS: Shortcut[] = [
  make("Time", [" ", "k"], ["space"], "play or pause", (c) => c.state.player.toggle()),
  make("Time", ["ArrowLeft", ","], ["←"], "frame before", (c) => c.state.player.stepFrame(-1)),
  make("Time", ["ArrowRight", "."], ["→"], "next frame", (c) => c.state.player.stepFrame(1)),
  make("Time", ["Shift+ArrowLeft"], ["Shift", "←"], "event before", (c) => c.state.player.stepEvent(-1)),
  make("Time", ["Shift+ArrowRight"], ["Shift", "→"], "next event", (c) => c.state.player.stepEvent(1)),
  make("Time", ["Home"], ["Home"], "to the start", (c) => c.state.player.seek(c.state.player.start)),
  make("Time", ["End"], ["End"], "to the end", (c) => c.state.player.seek(c.state.player.end)),
  make("Time", ["["], ["["], "slower", (c) => c.state.player.faster(-1)),
  make("Time", ["]"], ["]"], "faster", (c) => c.state.player.faster(1)),
  make("Time", ["l"], ["L"], "loop", (c) => {
    c.state.player.loop = !c.state.player.loop;
    c.state.player.changed();
  }),
  make("What is drawn", ["c"], ["C"], "contacts", (c) => c.state.toggle("contacts")),
  make("What is drawn", ["m"], ["M"], "springs, ropes, rods and joints", (c) => c.state.toggle("links")),
  make("What is drawn", ["j"], ["J"], "joint reactions", (c) => c.state.toggle("joints")),
  make("What is drawn", ["v"], ["V"], "velocities", (c) => c.state.toggle("velocities")),
  make("What is drawn", ["t"], ["T"], "trails", (c) => c.state.toggle("trails")),
  make("What is drawn", ["h"], ["H"], "ghosts of earlier poses", (c) => c.state.toggle("ghosts")),
  make("What is drawn", ["o"], ["O"], "shadows", (c) => c.state.toggle("shadows")),
  make("What is drawn", ["#"], ["#"], "grid and numbers", (c) => c.state.toggle("grid")),
  make("Camera", ["a"], ["A"], "turn left", (c) => c.stage?.rig.nudge(-1, 0)),
  make("Camera", ["d"], ["D"], "turn right", (c) => c.stage?.rig.nudge(1, 0)),
  make("Camera", ["w"], ["W"], "look from higher", (c) => c.stage?.rig.nudge(0, 1)),
  make("Camera", ["s"], ["S"], "look from lower", (c) => c.stage?.rig.nudge(0, -1)),
  make("Camera", ["+", "="], ["+"], "nearer", (c) => c.stage?.rig.zoom(1.15)),
  make("Camera", ["-"], ["-"], "farther", (c) => c.stage?.rig.zoom(1 / 1.15)),
  make("Camera", ["f"], ["F"], "see everything", (c) => c.stage?.frame()),
  make("Camera", ["1"], ["1"], "from the front", (c) => c.stage?.frame("front")),
  make("Camera", ["2"], ["2"], "from the side", (c) => c.stage?.frame("side")),
  make("Camera", ["3"], ["3"], "from above", (c) => c.stage?.frame("top")),
  make("Camera", ["g"], ["G"], "follow the chosen body", (c) => c.state.follow(!c.state.following)),
  make("Find", ["x"], ["X"], "the worst contact of the run", (c) => c.state.goToWorstContact()),
  make("Find", ["z"], ["Z"], "the worst step of the run", (c) => c.state.goToWorstStep()),
  make("Find", ["/"], ["/"], "search bodies", (c) => c.search()),
  make("Find", ["Escape"], ["Esc"], "let go of body and contact", (c) => c.state.selectBody(null)),
  make("Page", ["b"], ["B"], "bodies and events", (c) => c.panel("left")),
  make("Page", ["i"], ["I"], "details", (c) => c.panel("right")),
  make("Page", ["p"], ["P"], "plots", (c) => c.panel("plots")),
  make("Page", ["r"], ["R"], "about this run", (c) => c.info()),
  make("Page", ["n"], ["N"], "dark or light", (c) => c.state.setTheme(c.state.theme === "dark" ? "light" : "dark")),
  make("Page", ["?"], ["?"], "this list", (c) => c.help()),
];

const TYPING = new Set(["INPUT", "SELECT", "TEXTAREA"]);

export function listen(context: Context): void {
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = event.target as HTMLElement;
    const typing = TYPING.has(target.tagName) && (target as HTMLInputElement).type !== "range";
    if (typing && event.key !== "Escape") return;
    if (target.tagName === "INPUT" && event.key.startsWith("Arrow")) return;
    if (event.key === " " && (target.tagName === "BUTTON" || target.tagName === "SUMMARY")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.shiftKey ? `Shift+${event.key}` : event.key;
    const found = SHORTCUTS.find((s) => s.keys.includes(key));
    if (!found) return;
    event.preventDefault();
    if (typing) target.blur();
    found.act(context);
  });
}
