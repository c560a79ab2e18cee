import { Vector3 } from "three";
import { wishesOf } from "./address";
import { follow, type Source } from "./data/load";
import type { Hook } from "./hook";
import { listenForPicks } from "./picking";
import { makePlots } from "./plots/panel";
import type { Layout, Options } from "./scene/options";
import { Stage } from "./scene/stage";
import { State } from "./state";
import { makeAbout, makeHelp } from "./ui/dialogs";
import { el } from "./ui/dom";
import { showError } from "./ui/errors";
import { makeHeader } from "./ui/header";
import { Labels } from "./ui/labels";
import { makeLeft, makeRight, makeTabs, makeView, togglePanel, type Panel } from "./ui/layout";
import { listen } from "./ui/shortcuts";
import { makeTransport } from "./ui/transport";

const NO_WEBGL = "This browser cannot draw in 3-D (no WebGL), so there is no picture. Plots, bodies, contacts and certificates are below.";

function stageOf(canvas: HTMLCanvasElement, state: State): Stage | null {
  try {
    return new Stage(canvas, state.runs);
  } catch (error) {
    showError("The scene cannot be drawn.", error);
    return null;
  }
}

function firstTheme(): "light" | "dark" {
  return window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Puts the page together; what it shows follows the state from then on. */
export function start(source: Source, hook: Hook): void {
  const state = new State(source.runs);
  const wishes = wishesOf(location);
  const canvas = el("canvas", { class: "scene-canvas", tabIndex: 0, aria: { label: "The scene. Keys A, D, W, S turn it, + and - zoom." } });
  const stage = stageOf(canvas, state);
  const labels = stage ? new Labels(state, stage) : null;
  const app = el("div", { class: wishes.render ? "app render" : "app" });
  const panel = (which: Panel) => togglePanel(app, which);
  const help = makeHelp();
  const about = makeAbout(state);
  const search = () => {
    app.classList.remove("no-left");
    app.querySelector<HTMLInputElement>(".search")?.focus();
  };
  app.append(makeHeader(state, { help: () => help.showModal(), info: about.open, panel }), makeLeft(state),
    makeView(state, stage, canvas, labels?.element ?? null, stage ? null : NO_WEBGL), makeRight(state), makeTransport(state), makeTabs(app), makePlots(state));
  document.getElementById("app")?.replaceChildren(app);
  document.title = `${state.runs.map((r) => r.label).join(" and ")} – Stiction`;
  listen({ state, stage, panel, help: () => help.showModal(), info: about.open, search });

  const draw = () => {
    if (!stage) return;
    if (state.following) stage.followBody(state.selection.body, state.player.t);
    stage.draw(state.player.t, state.options, state.selection, state.hidden);
    labels?.update();
  };
  if (stage) connect(state, stage);
  state.setTheme(wishes.theme ?? firstTheme());
  obey(state, stage, wishes);
  run(state, stage, draw);
  follow(source, () => state.dataCame(), (error) => showError("The page lost touch with its server.", error));
  fillHook(hook, state, canvas, stage, draw);
}

function connect(state: State, stage: Stage): void {
  const dirty = () => stage.invalidate();
  listenForPicks(state, stage);
  state.player.onChange(dirty);
  state.on(["options", "visibility", "data", "follow"], dirty);
  state.on(["data"], () => stage.grow());
  state.on(["theme"], () => stage.setTheme(state.theme, state.selection));
  state.on(["selection"], () => stage.recolor(state.selection));
  state.on(["layout"], () => stage.setLayout(state.layout, state.selection));
  state.on(["follow"], () => {
    stage.followBody(state.following ? state.selection.body : null, state.player.t);
    stage.showFollowed();
  });
  state.on(["selection"], () => {
    const chosen = state.contact;
    if (chosen && !stage.sees(new Vector3(...chosen.contact.point))) stage.rig.lookAt(new Vector3(...chosen.contact.point));
  });
  stage.canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault();
    showError("The graphics of this computer gave up.", "The picture comes back when they do; otherwise load the page again.");
  });
  stage.canvas.addEventListener("webglcontextrestored", dirty);
  let framed = false;
  new ResizeObserver(() => {
    stage.resize();
    if (!framed && stage.canvas.clientWidth > 0) stage.frame();
    framed = true;
  }).observe(stage.canvas.parentElement ?? stage.canvas);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => state.setTheme(firstTheme()));
}

function obey(state: State, stage: Stage | null, wishes: ReturnType<typeof wishesOf>): void {
  const layouts: Layout[] = ["overlay", "split", "first", "second"];
  state.setLayout(layouts.find((l) => l === wishes.layout) ?? state.layout);
  stage?.resize();
  stage?.frame((["front", "side", "top"] as const).find((v) => v === wishes.view) ?? "start");
  for (const layer of wishes.layers) if (layer in state.options && layer !== "scale") state.toggle(layer as Exclude<keyof Options, "scale">, true);
  const body = state.first.bodies.find((b) => b.name === wishes.body);
  if (body) state.selectBody(body.id);
  if (wishes.t !== null) state.player.seek(wishes.t);
  else if (state.runs.some((run) => run.status === "running")) state.player.goLive();
  window.addEventListener("hashchange", () => {
    const { t } = wishesOf(location);
    if (t !== null) state.player.seek(t);
  });
}

/** Draws when something changed, not sixty times a second for nothing. */
function run(state: State, stage: Stage | null, draw: () => void): void {
  let before = performance.now();
  const tick = (now: number) => {
    state.player.advance(Math.min((now - before) / 1000, 0.25));
    before = now;
    if (stage?.needsDraw) draw();
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

function fillHook(hook: Hook, state: State, canvas: HTMLCanvasElement, stage: Stage | null, draw: () => void): void {
  const { player } = state;
  const measureOne = () => {
    const before = performance.now();
    draw();
    const script = performance.now() - before;
    stage?.finish();
    return { script, whole: performance.now() - before };
  };
  Object.assign(hook, {
    start: player.start, end: player.end, duration: player.duration, frames: state.first.frames, state,
    setTime: (t: number) => {
      player.pause();
      player.seek(t);
    },
    renderFrame: () => {
      draw();
      return new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
    },
    capture: (type = "image/png", quality?: number) => {
      draw();
      return canvas.toDataURL(type, quality);
    },
    pick: (x: number, y: number) => {
      const hit = stage?.pick(x, y, false);
      return hit && "body" in hit ? hit.body.name : null;
    },
    measure: (n: number) => Array.from({ length: n }, (_, i) => {
      player.seek(player.start + ((i + 0.5) * player.duration) / n);
      return measureOne();
    }),
  } satisfies Partial<Hook>);
}
