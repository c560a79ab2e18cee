#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stiction/study/convergence.h"
#include "stiction/study/study_run.h"

namespace stiction {

/// The runs of one scheme that a table is made of.
struct StudyRuns {
  std::vector<StudyRun> rows;         ///< From the coarsest to the finest.
  std::optional<StudyRun> reference;  ///< None: the scene's exact motions.
  std::optional<StudyRun> own;        ///< At the scene's own h, where that is no row.
  std::optional<StudyRun> nudged;     ///< The finest row from a start nudged by `nudge`.
  double nudge = 0.0;
};

struct StudyRow {
  StudyRun run;
  /// Nothing where the run was not done. Against the reference; energy in J, of the end.
  std::optional<double> position_error, velocity_error, energy_error;
  std::optional<std::string> other_event;  ///< What the reference and this run do not share.
};

/// How wrong the run at the scene's own h is.
struct StudyEstimate {
  double h = 0.0;
  std::optional<double> position_error = {}, velocity_error = {};
  bool is_measured = false;  ///< From a run with this h; else by the order found.
};

/// What the runs of one scheme say.
struct StudyTable {
  std::string scheme;
  std::optional<double> reference_h;        ///< None: exact.
  std::vector<std::string> joints, bodies;  ///< Names to joint_errors and bodies of the runs.
  std::vector<StudyRow> rows;
  std::optional<StudyRun> reference;
  Convergence position, velocity;
  StudyEstimate estimate;
  std::string reason;                 ///< In words: why there is no order, or what to know of it.
  std::optional<double> sensitivity;  ///< How many times a change of the start's velocity is larger at the end.

  [[nodiscard]] bool is_asymptotic() const { return position.verdict == Verdict::asymptotic; }
  /// Every run came to its end, certified.
  [[nodiscard]] bool is_done() const;
};

[[nodiscard]] StudyTable make_table(const Scene& scene, StudyRuns runs);

/// Whether a nudged run would say more: the errors have no order, and not for want of runs.
[[nodiscard]] bool wants_nudge(const StudyTable& table);

}  // namespace stiction
