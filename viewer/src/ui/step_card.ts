import type { State } from "../state";
import { Card } from "./card";
import { el, textButton } from "./dom";
import { digits, seconds } from "./numbers";

/** The certificate of the step at the cursor. */
export function makeStepCard(state: State): { element: HTMLElement; update: () => void } {
  const columns = state.comparing ? ["A", "B"] : [""];
  const card = new Card("Certificate of this step", [
    { label: "Verdict", key: "step.certified" }, { label: "Step", key: "step.index" }, { label: "Ends at", unit: "s", key: "step.time" },
    { label: "Grade", key: "step.grade" }, { label: "Residual", key: "step.residual" }, { label: "In the worst contact", key: "step.contact_residual" }, { label: "Penetration", unit: "m", key: "step.penetration" }, { label: "Joint error", unit: "m, rad", key: "step.joint_error" },
    { label: "Momentum defect", key: "step.momentum_defect" }, { label: "Energy defect", key: "step.energy_defect" }, { label: "Contacts", key: "step.contacts" },
    { label: "Solver", key: "step.solver" }, { label: "Pivots", key: "step.iterations" },
  ], columns);
  card.element.dataset.testid = "step-card";
  const note = el("p", { class: "muted pad small" });
  card.element.append(note);
  card.act(textButton("Worst step", () => state.goToWorstStep(), { class: "chip", title: "The step with the largest residual (Z)" }));

  const update = () => {
    const steps = state.runs.map((run) => run.steps.at(state.player.t));
    card.element.hidden = steps.every((s) => s === null);
    const put = (key: string, text: (s: NonNullable<(typeof steps)[0]>) => string) => card.set(key, ...steps.map((s) => (s ? text(s) : "–")));
    put("step.certified", (s) => (s.certified === null ? "–" : s.certified ? "certified" : "not certified"));
    card.mark("step.certified", steps.some((s) => s?.certified === false) ? "bad" : "good");
    put("step.grade", (s) => s.grade ?? "–");
    card.mark("step.grade", steps.some((s) => s?.grade !== null && s?.grade !== "full") ? "fair" : "good");
    card.hideRow("step.grade", steps.every((s) => !s?.grade));
    put("step.contact_residual", (s) => digits(s.contactResidual, 3));
    card.hideRow("step.contact_residual", steps.every((s) => (s?.contactResidual ?? null) === null));
    put("step.index", (s) => (s.index + 1).toLocaleString("en"));
    put("step.time", (s) => seconds(s.time, 1e-4));
    put("step.residual", (s) => digits(s.residual, 3));
    put("step.penetration", (s) => digits(s.penetration, 3));
    put("step.joint_error", (s) => digits(s.jointError, 3));
    put("step.momentum_defect", (s) => digits(s.momentumDefect, 3));
    put("step.energy_defect", (s) => digits(s.energyDefect, 3));
    put("step.contacts", (s) => digits(s.contacts));
    put("step.solver", (s) => s.solver ?? "–");
    put("step.iterations", (s) => digits(s.iterations));
    card.hideRow("step.solver", steps.every((s) => !s?.solver));
    card.hideRow("step.iterations", steps.every((s) => !s?.iterations));
    card.hideRow("step.joint_error", state.runs.every((run) => run.joints.length === 0) || steps.every((s) => (s?.jointError ?? null) === null));
    card.hideRow("step.momentum_defect", steps.every((s) => (s?.momentumDefect ?? null) === null));
    card.hideRow("step.energy_defect", steps.every((s) => (s?.energyDefect ?? null) === null));
    note.textContent = "Judged apart from the solver. The residual is the largest error of the step's contact problem; residual and defects are relative.";
  };
  return { element: card.element, update };
}
