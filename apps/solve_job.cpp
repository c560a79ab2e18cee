#include "apps/solve_job.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <new>

#include "apps/contact_problem.h"
#include "apps/fclib_file.h"
#include "apps/log.h"
#include "apps/problem_list.h"
#include "stiction/base/file.h"
#include "stiction/cone/problem_file.h"
#include "stiction/cone/solvers.h"
#include "stiction/lcp/solvers.h"

namespace stiction::apps {

namespace {

/// A problem's name may hold anything; a file name should not.
std::string as_file_name(std::string text) {
  constexpr std::size_t longest = 80;
  if (text.size() > longest) text.resize(longest);
  for (char& c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                          c == '_' || c == '+' || c == '.';
    if (!is_plain) c = '_';
  }
  return text;
}

/// What a solver leaves where it did not arrive is written too: its best point, whose residual the row has. Where there
/// is a proof that nothing solves the problem, or the solver did not take it, there is no such point.
bool has_answer(const SolveRow& row, const lcp::Vector& answer) {
  return row.status != lcp::Status::infeasible && row.status != lcp::Status::invalid && answer.size() == row.size &&
         answer.allFinite();
}

}  // namespace

SolveJob::SolveJob(const SolveOptions& options) : options_(options) {
  report_.tolerance = options.tolerance;
  if (options.solver == "all") {
    solvers_.push_back(lcp::make_solver("auto"));
    for (const std::string_view name : lcp::solver_names()) solvers_.push_back(lcp::make_solver(name));
    for (const std::string_view name : cone::solver_names()) contact_solvers_.push_back(cone::make_solver(name));
  } else {
    if (auto solver = lcp::make_solver(options.solver)) solvers_.push_back(std::move(solver));
    if (auto solver = cone::make_solver(options.solver)) contact_solvers_.push_back(std::move(solver));
  }
  for (const auto& solver : solvers_) solver->tolerance = options.tolerance;
  for (const auto& solver : contact_solvers_) solver->tolerance = options.tolerance;
}

void SolveJob::add_bad_input(const std::string& message) {
  log(LogLevel::error, message);
  const std::scoped_lock lock(mutex_);
  report_.bad_inputs.push_back(message);
}

void SolveJob::add_failure(const std::string& message) {
  log(LogLevel::error, message);
  const std::scoped_lock lock(mutex_);
  report_.failures.push_back(message);
}

void SolveJob::run(const std::atomic<bool>& stop) {
  const ProblemList list = list_problem_files(options_.inputs);
  for (const std::string& error : list.errors) add_bad_input(error);
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& file : list.files) files_.push_back(file.string());
  }
  for (const auto& file : list.files) {
    if (stop) return;
    solve_file(file, stop);
    if (stop) return;
    const std::scoped_lock lock(mutex_);
    ++files_done_;
    names_.clear();
    names_done_ = 0;
  }
}

void SolveJob::begin_file(std::vector<std::string> names) {
  const std::scoped_lock lock(mutex_);
  names_ = std::move(names);
}

void SolveJob::add_rows(const std::vector<SolveRow>& rows) {
  const std::scoped_lock lock(mutex_);
  report_.rows.insert(report_.rows.end(), rows.begin(), rows.end());
  ++names_done_;
}

void SolveJob::solve_contact_file(const std::filesystem::path& file, const std::atomic<bool>& stop) {
  const Result<cone::StoredProblem> stored = is_fclib(file) ? read_fclib(file) : cone::read_stored(file);
  if (!stored) {
    add_bad_input(stored.error());
    return;
  }
  if (contact_solvers_.empty()) {
    add_bad_input(
        fmt::format("{}: a contact problem, which --solver {} does not take", file.string(), options_.solver));
    return;
  }
  begin_file({std::visit([](const auto& problem) { return problem.name; }, stored.value())});
  ContactProblem problem(stored.value());
  std::vector<SolveRow> rows;
  for (const auto& solver : contact_solvers_) {
    if (stop) return;
    log(LogLevel::debug, fmt::format("{} by {}", file.string(), solver->name()));
    cone::Solution solution;
    SolveRow row;
    if (const std::string defect = solve_contacts(problem, *solver, solution, row); !defect.empty()) {
      add_bad_input(file.string() + ": " + defect);
      return;
    }
    row.file = file.string();
    row.is_as_expected = is_as_expected(row.expect, row.status, solver == contact_solvers_.front());
    if (options_.out && has_answer(row, solution.r))
      row.solution = write_numbers(row, solution.r, "", contact_solvers_.size() > 1);
    if (options_.out && row.status == lcp::Status::infeasible)
      row.proof = write_numbers(row, solution.proof, ".proof", contact_solvers_.size() > 1);
    rows.push_back(std::move(row));
  }
  add_rows(rows);
}

std::string SolveJob::solve_contacts(ContactProblem& problem, cone::Solver& solver, cone::Solution& solution,
                                     SolveRow& row) {
  const auto start = std::chrono::steady_clock::now();
  try {
    if (std::string defect = problem.solve(solver, solution); !defect.empty()) return defect;
  } catch (const std::bad_alloc&) {
    solution = {};
    row.remark = "not enough memory";
  }
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const cone::Problem& solved = problem.solved();
  row.name = solved.name;
  row.size = solved.size();
  row.contacts = solved.contacts();
  row.expect = solved.expect;
  row.solver = solver.name();
  row.status = solution.status;
  row.residual = solution.certificate.residual;
  row.contact_residual = solution.certificate.contact_residual;
  if (row.status == lcp::Status::infeasible) row.bound = solution.bound;
  if (row.status == lcp::Status::iteration_limit && solved.disagreement > solver.tolerance)
    row.remark = fmt::format("joints disagree by {:.1e} of their speeds", solved.disagreement);
  row.iterations = solution.iterations;
  row.attempts = solution.attempts;
  return {};
}

void SolveJob::solve_file(const std::filesystem::path& file, const std::atomic<bool>& stop) {
  if (is_contact_problem(file)) {
    solve_contact_file(file, stop);
    return;
  }
  const Result<std::vector<lcp::StoredProblem>> problems = lcp::read_problems(file);
  if (!problems) {
    add_bad_input(problems.error());
    return;
  }
  if (solvers_.empty()) {
    add_bad_input(
        fmt::format("{}: complementarity problems, which --solver {} does not take", file.string(), options_.solver));
    return;
  }
  log(LogLevel::info, fmt::format("{}: {} problems", file.string(), problems.value().size()));
  std::vector<std::string> names;
  for (const auto& stored : problems.value()) names.push_back(stored.problem.name);
  begin_file(std::move(names));
  for (const auto& stored : problems.value()) {
    if (stop) return;
    std::vector<SolveRow> rows;
    for (const auto& solver : solvers_) {
      if (stop) return;
      log(LogLevel::debug, fmt::format("{}: {} by {}", file.string(), stored.problem.name, solver->name()));
      lcp::Solution solution;
      SolveRow row = solve(stored, *solver, solution);
      row.file = file.string();
      row.is_as_expected = is_as_expected(row.expect, row.status, solver == solvers_.front());
      if (options_.out) write_answer(row, solution);
      rows.push_back(std::move(row));
    }
    add_rows(rows);
  }
}

SolveRow SolveJob::solve(const lcp::StoredProblem& stored, lcp::Solver& solver, lcp::Solution& solution) {
  SolveRow row;
  row.name = stored.problem.name;
  row.size = stored.problem.size();
  row.solver = solver.name();
  row.expect = stored.expect;
  const auto start = std::chrono::steady_clock::now();
  try {
    solver.solve(stored.problem, solution);
  } catch (const std::bad_alloc&) {
    solution = {};
    row.remark = "not enough memory";
  }
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  row.status = solution.status;
  row.residual = solution.certificate.residual;
  row.iterations = solution.iterations;
  for (const lcp::Attempt& attempt : solution.attempts)
    row.attempts.push_back({attempt.method, attempt.iterations, attempt.residual});
  if (row.status == lcp::Status::invalid && row.remark.empty())
    row.remark = "not of the class or size this solver takes";
  return row;
}

void SolveJob::write_answer(SolveRow& row, const lcp::Solution& solution) {
  const bool several = solvers_.size() > 1;
  if (has_answer(row, solution.z)) row.solution = write_numbers(row, solution.z, "", several);
  if (solution.status == lcp::Status::infeasible) row.proof = write_numbers(row, solution.proof, ".proof", several);
}

std::optional<std::string> SolveJob::write_numbers(const SolveRow& row, const lcp::Vector& numbers, const char* kind,
                                                   bool several) {
  const std::string stem = as_file_name(std::filesystem::path(row.file).stem().string()) + "." +
                           as_file_name(row.name) + (several ? "." + row.solver : "") + kind;
  std::string name = stem + ".txt";
  for (int copy = 2; !written_.insert(name).second; ++copy) name = fmt::format("{}-{}.txt", stem, copy);

  std::string text;
  for (const double number : numbers) text += fmt::format("{:.17g}\n", number);
  const std::filesystem::path path = std::filesystem::path(options_.out.value_or(".")) / name;
  if (const auto error = write_file(path, text)) {
    add_failure(error->message);
    return std::nullopt;
  }
  return path.string();
}

SolveReport SolveJob::report() const {
  const std::scoped_lock lock(mutex_);
  SolveReport report = report_;
  for (std::size_t i = files_done_; i < files_.size(); ++i) {
    if (i > files_done_ || names_.empty()) {
      report.not_done.push_back({files_[i], {}});
    } else {
      for (std::size_t k = names_done_; k < names_.size(); ++k) report.not_done.push_back({files_[i], names_[k]});
    }
  }
  return report;
}

std::string SolveJob::progress(double seconds) const {
  const std::scoped_lock lock(mutex_);
  const std::string current = names_done_ < names_.size() ? names_[names_done_] : "reading";
  return fmt::format("{:.0f} s  {} done  file {} of {}  {}", seconds, report_.rows.size(),
                     std::min(files_done_ + 1, files_.size()), files_.size(), current);
}

}  // namespace stiction::apps
