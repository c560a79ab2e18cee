#include "problems/generator/trials.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "problems/generator/scene.h"
#include "stiction/lcp/enumeration.h"
#include "stiction/lcp/lemke.h"
#include "stiction/lcp/solvers.h"

namespace stiction::families {

namespace {

using lcp::Solution;
using lcp::Status;

constexpr double tolerance = 1e-8;
constexpr int octagon = 8;

/// Solves and keeps the books; nothing the solver says is taken on trust. True when solved.
bool attempt(lcp::Solver& solver, const lcp::Problem& problem, Solution& solution, Tally& tally, std::string& reason) {
  solution.basis.clear();
  solution.z.resize(0);
  const auto start = std::chrono::steady_clock::now();
  solver.solve(problem, solution);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  tally.seconds.push_back(seconds);
  if (seconds > tally.slowest) {
    tally.slowest = seconds;
    tally.slowest_name = problem.name;
  }
  ++tally.tried;
  if (solution.status == Status::solved) {
    const lcp::Certificate certificate = lcp::certify(problem, solution.z);
    if (!certificate.certified(tolerance)) {
      reason = "claims solved, but the answer does not certify";
      return false;
    }
    tally.worst_residual = std::max(tally.worst_residual, certificate.residual);
    ++tally.solved;
    return true;
  }
  if (solution.status == Status::infeasible) {
    if (lcp::certify_infeasible(problem, solution.proof).valid)
      ++tally.proven;
    else
      reason = "claims infeasible without a valid proof";
  } else {
    ++tally.gave_up;
  }
  return false;
}

void report(Tally& tally, const lcp::Problem& problem, const std::string& reason, const OnBroken& on_broken) {
  if (reason.empty()) return;
  ++tally.broken;
  if (on_broken) on_broken(problem, tally.solver + ": " + reason);
}

Vector slack(const lcp::Problem& problem, const Vector& z) {
  Vector w = problem.q;
  problem.M.multiply_add(z, 1.0, w);
  return w;
}

/// `scale` is the size of the answer: the certificate's residual is relative to it. A pivoting method ends with a
/// linear solve; the others stop at a residual of 1e-8, which the classes' condition turns into an error of at most
/// 1e-5.
bool agree(const Vector& a, const Vector& b, double scale, bool is_sure) {
  return (a - b).cwiseAbs().maxCoeff() <= (is_sure ? 1e-9 : 1e-5) * (1.0 + scale);
}

/// Which promise an end breaks, in words, or nothing.
std::string judge(SmallClass small_class, bool is_sure, const lcp::Problem& problem, const Solution& solution,
                  const std::vector<Vector>& all) {
  const bool solved = solution.status == Status::solved, infeasible = solution.status == Status::infeasible;
  if (solved && all.empty()) return "claims solved where enumeration finds nothing";
  if (infeasible && !all.empty()) return "claims infeasible where enumeration has a solution";
  const double scale = all.empty() ? 0.0 : all.front().cwiseAbs().maxCoeff();
  if (small_class == SmallClass::p) {
    if (all.size() != 1) return "enumeration does not find the one solution of a P-matrix";
    if (is_sure && !solved) return "must solve every P-matrix";
    if (solved && !agree(solution.z, all.front(), scale, is_sure)) return "another z than enumeration on a P-matrix";
  }
  if (small_class == SmallClass::positive_semidefinite) {
    // Where enumeration finds nothing no claim is made: B'B in double precision may have a solution at 1e15 after all,
    // and then M'y <= 0 does not hold to the last bits (1 of 18,118).
    if (is_sure && !solved && !all.empty()) return "must solve every solvable positive semidefinite problem";
    if (solved && !agree(slack(problem, solution.z), slack(problem, all.front()), scale, is_sure))
      return "another w than enumeration on a positive semidefinite matrix";
  }
  return {};
}

std::uint64_t scatter(std::uint64_t i) {
  return Random(i).bits();
}

lcp::Problem in_form(const ContactProblem& problem, Form form) {
  return form == Form::dense ? to_dense_lcp(problem, octagon) : to_mixed(problem, octagon);
}

}  // namespace

double Tally::median_seconds() const {
  if (seconds.empty()) return 0.0;
  std::vector<double> sorted = seconds;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

std::vector<Tally> try_small(SmallClass small_class, std::uint64_t first, int count, const OnBroken& on_broken) {
  lcp::Enumeration enumeration;
  std::vector<std::unique_ptr<lcp::Solver>> solvers;
  std::vector<Tally> tallies;
  for (const std::string_view name : lcp::solver_names()) {
    if (name == enumeration.name()) continue;
    solvers.push_back(lcp::make_solver(name));
    tallies.push_back({.solver = std::string(name)});
  }
  Solution solution;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    const lcp::Problem problem = make_small(small_class, seed);
    const std::vector<Vector> all = enumeration.all_solutions(problem);
    for (std::size_t s = 0; s < solvers.size(); ++s) {
      std::string reason;
      attempt(*solvers[s], problem, solution, tallies[s], reason);
      const bool claims_nothing = solution.status != Status::solved && solution.status != Status::infeasible;
      tallies[s].missed += claims_nothing && !all.empty();
      const bool is_sure = tallies[s].solver == "lemke" || tallies[s].solver == "principal_pivoting";
      if (reason.empty()) reason = judge(small_class, is_sure, problem, solution, all);
      report(tallies[s], problem, reason, on_broken);
    }
  }
  return tallies;
}

ContactProblem nth_contact_problem(std::uint64_t i, double largest_ratio) {
  const auto all = solvable_families();
  Random random(scatter(i));
  Request request{.seed = i};
  request.contacts = random.integer(1, 24);
  request.mass_ratio = log_scale(largest_ratio, random.uniform());
  return all[i % all.size()].make(request);
}

ContactProblem nth_infeasible_problem(std::uint64_t i) {
  const auto all = infeasible_families();
  Random random(scatter(i));
  Request request{.seed = i};
  request.contacts = random.integer(2, 24);
  request.mass_ratio = log_scale(1000.0, random.uniform());
  return all[i % all.size()].make(request);
}

Tally try_contacts(Form form, int count, double largest_ratio, const OnBroken& on_broken) {
  lcp::Lemke lemke;
  Tally tally{.solver = form == Form::dense ? "lemke, dense" : "lemke, mixed"};
  Solution solution;
  for (int i = 0; i < count; ++i) {
    const ContactProblem contact_problem = nth_contact_problem(static_cast<std::uint64_t>(i), largest_ratio);
    const lcp::Problem problem = in_form(contact_problem, form);
    std::string reason;
    const bool solved = attempt(lemke, problem, solution, tally, reason);
    tally.beyond_first += solved && lemke.rung() > 0;
    if (!solved && reason.empty()) reason = "ends with " + std::string(to_string(solution.status));
    report(tally, problem, reason, on_broken);
  }
  return tally;
}

Tally try_infeasible(Form form, int count, const OnBroken& on_broken) {
  lcp::Lemke lemke;
  Tally tally{.solver = form == Form::dense ? "lemke, dense" : "lemke, mixed"};
  Solution solution;
  for (int i = 0; i < count; ++i) {
    const lcp::Problem problem = in_form(nth_infeasible_problem(static_cast<std::uint64_t>(i)), form);
    std::string reason;
    if (attempt(lemke, problem, solution, tally, reason)) reason = "claims to solve an infeasible problem";
    report(tally, problem, reason, on_broken);
  }
  return tally;
}

}  // namespace stiction::families
