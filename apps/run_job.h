#pragma once

#include <atomic>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apps/failed_steps.h"
#include "apps/force_bounds_table.h"
#include "apps/run_report.h"
#include "stiction/record/run_record.h"
#include "stiction/record/run_writer.h"
#include "stiction/scene/scene.h"

namespace stiction::apps {

/// How far a run is.
struct RunPosition {
  double time = 0.0, end = 0.0;
  long steps = 0;
  double max_residual = 0.0;
};

/// A run on a thread of its own. Everything told to others comes from a snapshot after a whole step, so that a run can
/// be ended in the middle of a step that takes too long.
class RunJob {
 public:
  /// States and contacts of every `every`-th step are recorded.
  RunJob(const Scene& scene, long every);

  /// Before the run: where it is recorded.
  [[nodiscard]] std::optional<Error> record_to(const std::filesystem::path& folder, const RunHeading& heading,
                                               double flush_seconds);
  /// Tables beside the record.
  [[nodiscard]] std::optional<Error> add_tables(const std::filesystem::path& folder);

  /// Contact problems of steps that are not certified are written to this folder.
  void dump_failed_to(const std::filesystem::path& folder) { failed_.emplace(folder); }
  /// And those of these steps, which count from 1, to this one.
  void dump_steps_to(const std::filesystem::path& folder, const std::vector<long>& steps) {
    asked_.emplace(folder);
    asked_steps_.insert(steps.begin(), steps.end());
  }
  /// Of these steps, those that the run did not come to.
  [[nodiscard]] std::set<long> steps_not_dumped() const {
    const std::scoped_lock lock(mutex_);
    return asked_steps_;
  }

  /// A table of the bounds of contact forces, as often as contacts are recorded, and at the end.
  [[nodiscard]] std::optional<Error> bound_forces(const std::filesystem::path& folder);

  /// Ends at the scene's end, when a step fails, when the record cannot be written, or soon after `stop`.
  void run(const std::atomic<bool>& stop);

  [[nodiscard]] RunPosition position() const;
  /// Writes what is not yet in the record and tells what was done; a step still under way is dropped. `why` is the
  /// reason for a run that neither failed nor came to its end.
  [[nodiscard]] RunSummary finish(RunEnd why);
  /// The record's last word, after finish().
  [[nodiscard]] std::optional<Error> close_record(const RunSummary& summary);

 private:
  struct Snapshot {
    State state;
    RunCertificate certificate;
    EnergyLedger energy;
    SolveCounts counts;
    std::vector<Event> events;
  };

  void record_start();
  [[nodiscard]] bool record_step();
  void record_end(const Result<long>& outcome);
  void add_frame();
  [[nodiscard]] std::optional<Error> record_last_step(bool is_due);
  void take_snapshot();
  void dump_failed();
  void add_failure(const std::string& why);
  [[nodiscard]] std::string find_contact_name(bool is_there, std::uint64_t id) const;

  const long every_;
  RunSummary heading_;  ///< What is known before the run.
  Simulator simulator_;

  std::optional<FailedSteps> failed_;
  std::optional<FailedSteps> asked_;
  std::set<long> asked_steps_;  ///< Still to come.
  long uncertified_ = 0;        ///< Steps so far, all of them dumped where they are.

  mutable std::mutex mutex_;  ///< Of what follows.
  std::optional<RunWriter> record_;
  std::optional<RunRecord> tables_;
  std::optional<ForceBoundsTable> bounds_;
  Snapshot last_;
  double recorded_time_ = 0.0;   ///< Of the last row of states.
  double record_seconds_ = 0.0;  ///< Spent on the record.
  std::string failure_;
  bool is_finished_ = false;
};

}  // namespace stiction::apps
