import type { State } from "../state";
import { Card } from "./card";
import { el, textButton } from "./dom";
import { digits, seconds } from "./numbers";

/** The certificate of the step at the cursor. */
export function makeStepCard(state: State): { element: HTMLElement; update: () => void } {
  const columns = state.comparing ? ["A", "B"] : [""];
  const card = new Card("Certificate of this step", [
    { label: "Verdict", key: "step.certified" }, { label: "Step", key: "step.index" }, { label: "Ends at", unit: "s", key: "step.time" },
    { label: "Residual", key: "step.residual" }, { label: "Penetration", unit: "m", key: "step.penetration" }, { label: "Contacts", key: "step.contacts" },
    { label: "Solver", key: "step.solver" }, { label: "Iterations", key: "step.iterations" },
  ], columns);
  card.element.dataset.testid = "step-card";
  const note = el("p", { class: "muted pad small" });
  card.element.append(note);
  card.act(textButton("Worst step", () => {
    const worst = state.first.steps.worst();
    if (!worst) return;
    state.player.pause();
    state.player.seek(worst.time);
  }, { class: "chip", title: "The step with the largest residual (Z)" }));

  const update = () => {
    const steps = state.runs.map((run) => run.steps.at(state.player.t));
    card.element.hidden = steps.every((s) => s === null);
    const put = (key: string, text: (s: NonNullable<(typeof steps)[0]>) => string) => card.set(key, ...steps.map((s) => (s ? text(s) : "–")));
    put("step.certified", (s) => (s.certified === null ? "–" : s.certified ? "certified" : "not certified"));
    card.mark("step.certified", steps.some((s) => s?.certified === false) ? "bad" : "good");
    put("step.index", (s) => (s.index + 1).toLocaleString("en"));
    put("step.time", (s) => seconds(s.time, 1e-4));
    put("step.residual", (s) => digits(s.residual, 3));
    put("step.penetration", (s) => digits(s.penetration, 3));
    put("step.contacts", (s) => digits(s.contacts));
    put("step.solver", (s) => s.solver ?? "–");
    put("step.iterations", (s) => digits(s.iterations));
    card.hideRow("step.solver", steps.every((s) => !s?.solver));
    card.hideRow("step.iterations", steps.every((s) => s?.iterations === null));
    note.textContent = "The largest error of the step's contact problem, judged apart from the solver.";
  };
  return { element: card.element, update };
}
