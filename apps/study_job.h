#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "stiction/scene/scene.h"
#include "stiction/study/study_table.h"

namespace stiction::apps {

/// What a study runs: each scene (one a scheme) with each step, and the reference.
struct StudyPlan {
  std::vector<Scene> scenes;
  std::vector<double> steps;               ///< From the coarsest to the finest.
  std::optional<double> reference_h = {};  ///< None: the exact motions of the scenes.
  int threads = 0;                         ///< 0: one a core.
};

struct StudyPosition {
  long steps = 0, all_steps = 0;
  int runs = 0, all_runs = 0;
};

/// The runs of a study, side by side. They share nothing, so that what comes out does not depend on the number of
/// threads.
class StudyJob {
 public:
  explicit StudyJob(StudyPlan plan);

  /// Ends when all runs have, or soon after `stop`.
  void run(const std::atomic<bool>& stop);

  [[nodiscard]] StudyPosition position() const;
  /// One for each scene, when run() has ended without `stop`.
  [[nodiscard]] const std::vector<StudyTable>& tables() const { return tables_; }

 private:
  enum class Role : std::uint8_t { row, reference, own, nudged };
  struct Task {
    std::size_t scene;
    Role role;
    std::size_t row;
    double h;
  };

  void add_task(std::size_t scene, Role role, std::size_t row, double h, std::vector<Task>& tasks);
  void run_all(std::vector<Task> tasks, const std::atomic<bool>& stop);
  void run_one(const Task& task, const std::atomic<bool>& stop);
  [[nodiscard]] bool needs_own_run(double h) const;

  const StudyPlan plan_;
  std::vector<StudyRuns> runs_;  ///< By scene.
  std::vector<StudyTable> tables_;
  std::atomic<long> steps_ = 0, all_steps_ = 0;
  std::atomic<int> done_ = 0, all_runs_ = 0;
};

}  // namespace stiction::apps
