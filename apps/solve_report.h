#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/watched_job.h"
#include "stiction/cone/solver.h"
#include "stiction/lcp/solver.h"

namespace stiction::apps {

/// One solver's work on one problem.
struct SolveRow {
  std::string file, name;
  lcp::Index size = 0;
  std::optional<lcp::Index> contacts = {};  ///< Of a contact problem.
  std::string solver;
  lcp::Status status = lcp::Status::invalid;
  lcp::Status expect = lcp::Status::solved;
  bool is_as_expected = true;
  double residual = lcp::infinity;
  std::optional<double> contact_residual = {};  ///< Of a contact problem: that of its worst contact.
  int iterations = 0;
  double seconds = 0.0;
  std::string remark = {};  ///< Why there is no answer, where the status does not say it.
  /// The path of the answer, where it was written: of the best point where the status is not `solved`.
  std::optional<std::string> solution = {};
  std::optional<std::string> proof = {};     ///< The path of the proof of infeasibility, where it was written.
  std::optional<double> bound = {};          ///< Of a contact problem that is infeasible: no answer has |r| below it.
  std::vector<cone::Attempt> attempts = {};  ///< Which methods were asked, in their order.
};

/// A problem, or with an empty name a whole file, that was not reached.
struct NotDone {
  std::string file, name;
};

struct SolveReport {
  std::vector<SolveRow> rows;
  std::vector<std::string> bad_inputs;  ///< One line each.
  std::vector<std::string> failures;    ///< What went wrong on our side, such as a full disk.
  std::vector<NotDone> not_done;
  JobEnd end = JobEnd::finished;
  double tolerance = 0.0;
  double seconds = 0.0;
};

/// Whether a solver ended as the problem says. With `--solver all` only the first, sure one is held to `expect`; the
/// others may fail on problems that are not of their class, but must not contradict it.
[[nodiscard]] bool is_as_expected(lcp::Status expect, lcp::Status status, bool is_judged);

/// 2: some input was bad. 1: something did not end as expected, was not done, or failed. 0: otherwise.
[[nodiscard]] int exit_code(const SolveReport& report);

[[nodiscard]] std::string to_table(const SolveReport& report);
[[nodiscard]] std::string to_json(const SolveReport& report);

}  // namespace stiction::apps
