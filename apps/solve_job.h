#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "apps/contact_problem.h"
#include "apps/solve_command.h"
#include "apps/solve_report.h"
#include "stiction/cone/solver.h"
#include "stiction/lcp/problem_file.h"
#include "stiction/lcp/solver.h"

namespace stiction::apps {

/// The work of `stiction solve`: one file after another, each problem by each chosen solver. `run` belongs to one
/// thread; `report` and `progress` may be asked from another at any time.
class SolveJob {
 public:
  explicit SolveJob(const SolveOptions& options);

  void run(const std::atomic<bool>& stop);

  /// What is done so far, and what is not.
  [[nodiscard]] SolveReport report() const;
  [[nodiscard]] std::string progress(double seconds) const;

 private:
  void solve_file(const std::filesystem::path& file, const std::atomic<bool>& stop);
  void solve_contact_file(const std::filesystem::path& file, const std::atomic<bool>& stop);
  /// What is wrong with the problem, or nothing and a row.
  [[nodiscard]] static std::string solve_contacts(ContactProblem& problem, cone::Solver& solver,
                                                  cone::Solution& solution, SolveRow& row);
  void begin_file(std::vector<std::string> names);
  void add_rows(const std::vector<SolveRow>& rows);
  [[nodiscard]] SolveRow solve(const lcp::StoredProblem& stored, lcp::Solver& solver, lcp::Solution& solution);
  void write_answer(SolveRow& row, const lcp::Solution& solution);
  std::optional<std::string> write_numbers(const SolveRow& row, const lcp::Vector& numbers, const char* kind,
                                           bool several);
  void add_bad_input(const std::string& message);
  void add_failure(const std::string& message);

  SolveOptions options_;
  std::vector<std::unique_ptr<lcp::Solver>> solvers_;
  std::vector<std::unique_ptr<cone::Solver>> contact_solvers_;
  std::set<std::string> written_;  ///< File names taken in the output folder.

  mutable std::mutex mutex_;  ///< Guards what follows.
  SolveReport report_;
  std::vector<std::string> files_;
  std::size_t files_done_ = 0;
  std::vector<std::string> names_;  ///< The problems of the file in work.
  std::size_t names_done_ = 0;
};

}  // namespace stiction::apps
