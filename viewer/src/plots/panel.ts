import type { State } from "../state";
import { el, press } from "../ui/dom";
import { differenceChart } from "./difference";
import { Plot, type Shared } from "./plot";
import { bodyChart, type Chart, type ChartKind, energyChart, KINDS, quantitiesOf, type Quantity, stepChart, tellingQuantity } from "./series";

const ALL = "all bodies";

function select(label: string, options: string[], changed: (value: string) => void): HTMLSelectElement {
  const box = el("select", { aria: { label }, on: { change: () => changed(box.value) } }, ...options.map((o) => el("option", { value: o }, o)));
  return box;
}

/** Under the scene: the charts one has chosen, all with one window of time. */
export function makePlots(state: State): HTMLElement {
  const shown = new Set<ChartKind>(state.comparing ? ["energy", "body", "difference"] : ["energy", "residual", "body"]);
  const moving = state.first.bodies.filter((b) => b.row !== null).map((b) => b.name);
  const quantities = quantitiesOf(state.first);
  const upward = state.first.planar || Math.abs(state.first.up[1]) > 0.7 ? "y" : "z";
  let bodyName = (state.first.bodies.find((b) => b.row !== null && b.motion !== "kinematic")?.name ?? moving[0]) || "";
  let quantity: Quantity = tellingQuantity(state.first, state.first.bodies.find((b) => b.name === bodyName), upward);
  let differing: string | null = null;

  const bodyPick = select("Body", moving.slice(0, 2000), (name) => {
    bodyName = name;
    rebuild(["body"]);
  });
  const quantityPick = select("Quantity", quantities, (q) => {
    quantity = q as Quantity;
    rebuild(["body"]);
  });
  quantityPick.value = quantity;
  bodyPick.value = bodyName;
  const differencePick = select("Body that is compared", [ALL, ...moving.slice(0, 2000)], (name) => {
    differing = name === ALL ? null : name;
    rebuild(["difference"]);
  });
  const charts: Record<ChartKind, () => Chart> = {
    energy: () => energyChart(state), residual: () => stepChart(state, "residual"), penetration: () => stepChart(state, "penetration"), contacts: () => stepChart(state, "contacts"),
    body: () => bodyChart(state, bodyName, quantity), difference: () => differenceChart(state, differing),
  };
  const controls: Partial<Record<ChartKind, HTMLElement[]>> = { body: [bodyPick, quantityPick], difference: [differencePick] };
  const shared: Shared = { zoom: null, zoomed: () => each((plot, kind) => shown.has(kind) && plot.applyZoom()) };
  const plots = new Map<ChartKind, Plot>();
  const each = (act: (plot: Plot, kind: ChartKind) => void) => plots.forEach((plot, kind) => act(plot, kind));
  const rebuild = (kinds: ChartKind[]) => {
    for (const kind of kinds) if (shown.has(kind)) plots.get(kind)?.rebuild();
  };

  const row = el("div", { class: "plot-row" });
  const kinds = KINDS.filter(([kind]) => kind !== "difference" || state.comparing);
  const chips = kinds.map(([kind, label]) => {
    const plot = new Plot(state, shared, charts[kind], controls[kind] ?? [], kind);
    plots.set(kind, plot);
    plot.element.hidden = !shown.has(kind);
    row.append(plot.element);
    const chip = el("button", { type: "button", class: "chip", data: { chart: kind }, on: { click: () => {
      if (!shown.delete(kind)) shown.add(kind);
      plot.element.hidden = !shown.has(kind);
      press(chip, shown.has(kind));
      rebuild([kind]);
    } } }, label);
    press(chip, shown.has(kind));
    return chip;
  });

  state.player.onChange(() => each((plot, kind) => shown.has(kind) && plot.move()));
  state.on(["data", "theme"], () => rebuild([...shown]));
  state.on(["selection"], () => {
    const body = state.body;
    if (!body || body.row === null || body.name === bodyName) return;
    bodyName = body.name;
    bodyPick.value = body.name;
    rebuild(["body"]);
  });
  return el("section", { class: "plots", aria: { label: "Plots" } }, el("div", { class: "plot-chips", role: "group", aria: { label: "Which plots" } }, ...chips), row);
}
