#include "apps/study_job.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "stiction/base/tasks.h"

namespace stiction::apps {

namespace {

/// m/s and rad/s. Far above rounding, and far below what a person could measure.
constexpr double nudge = 1e-9;

}  // namespace

StudyJob::StudyJob(StudyPlan plan) : plan_(std::move(plan)), runs_(plan_.scenes.size()) {
  for (StudyRuns& runs : runs_) runs.rows.resize(plan_.steps.size());
}

bool StudyJob::needs_own_run(double h) const {
  const bool is_row = std::find(plan_.steps.begin(), plan_.steps.end(), h) != plan_.steps.end();
  // Against a reference that is no better, a run says nothing of its own error.
  return !is_row && (!plan_.reference_h || h >= 2.0 * *plan_.reference_h);
}

void StudyJob::add_task(std::size_t scene, Role role, std::size_t row, double h, std::vector<Task>& tasks) {
  tasks.push_back({scene, role, row, h});
  all_steps_ += std::lround(plan_.scenes[scene].settings.simulation.end / h);
  ++all_runs_;
}

void StudyJob::run(const std::atomic<bool>& stop) {
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < plan_.scenes.size(); ++i) {
    for (std::size_t k = 0; k < plan_.steps.size(); ++k) add_task(i, Role::row, k, plan_.steps[k], tasks);
    if (plan_.reference_h) add_task(i, Role::reference, 0, *plan_.reference_h, tasks);
    const double own = plan_.scenes[i].settings.simulation.h;
    if (needs_own_run(own)) add_task(i, Role::own, 0, own, tasks);
  }
  run_all(std::move(tasks), stop);
  if (stop) return;
  for (std::size_t i = 0; i < plan_.scenes.size(); ++i) tables_.push_back(make_table(plan_.scenes[i], runs_[i]));

  std::vector<Task> more;
  for (std::size_t i = 0; i < tables_.size(); ++i)
    if (wants_nudge(tables_[i])) add_task(i, Role::nudged, 0, plan_.steps.back(), more);
  run_all(more, stop);
  if (stop) return;
  for (const Task& task : more) tables_[task.scene] = make_table(plan_.scenes[task.scene], runs_[task.scene]);
}

void StudyJob::run_all(std::vector<Task> tasks, const std::atomic<bool>& stop) {
  // The longest first, so that none is left alone at the end.
  std::sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) {
    return std::tie(a.h, a.scene, a.role, a.row) < std::tie(b.h, b.scene, b.role, b.row);
  });
  run_tasks(static_cast<int>(tasks.size()), plan_.threads,
            [&](int i) { run_one(tasks[static_cast<std::size_t>(i)], stop); });
}

void StudyJob::run_one(const Task& task, const std::atomic<bool>& stop) {
  if (stop) return;
  const bool is_nudged = task.role == Role::nudged;
  StudyRun run = run_for_study(plan_.scenes[task.scene], task.h, is_nudged ? nudge : 0.0, stop, steps_);
  StudyRuns& runs = runs_[task.scene];
  switch (task.role) {
    case Role::row:
      runs.rows[task.row] = std::move(run);
      break;
    case Role::reference:
      runs.reference = std::move(run);
      break;
    case Role::own:
      runs.own = std::move(run);
      break;
    case Role::nudged:
    default:
      runs.nudged = std::move(run);
      runs.nudge = nudge;
  }
  ++done_;
}

StudyPosition StudyJob::position() const {
  return {steps_, all_steps_, done_, all_runs_};
}

}  // namespace stiction::apps
