#include "apps/failed_steps.h"

#include <fmt/core.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

#include "apps/log.h"
#include "apps/step_factors.h"
#include "stiction/cone/problem_file.h"
#include "stiction/contact/limit_surface.h"

namespace stiction::apps {

namespace {

/// The contact with the largest residual, by what the step reported or, where it got no answer, by what its solver
/// left.
std::optional<std::uint64_t> find_worst(Simulator& simulator, const StepProblem& problem) {
  StepCertificate certificate = simulator.report().certificate;
  const AnsweredProblem answered = simulator.last_answered();
  if (!certificate.has_worst && &answered.problem == &problem) certificate = certify(problem, answered.solution);
  return certificate.has_worst ? std::optional(certificate.worst_contact) : std::nullopt;
}

/// The contacts of an island by name, the first few of them, the worst before others.
std::string name_contacts(const Simulator& simulator, const StepProblem& problem, std::span<const int> contacts,
                          std::optional<std::uint64_t> worst) {
  constexpr std::size_t most = 4;
  const auto is_worst = [&](int j) { return worst && problem.contacts[j].id == *worst; };
  std::vector<int> order(contacts.begin(), contacts.end());
  std::stable_partition(order.begin(), order.end(), is_worst);
  std::string text;
  for (std::size_t i = 0; i < order.size() && i < most; ++i)
    text += (i == 0 ? "" : ", ") + simulator.system().contact_name(problem.contacts[order[i]].id) +
            (is_worst(order[i]) ? " (worst)" : "");
  return order.size() > most ? fmt::format("{} and {} more", text, order.size() - most) : text;
}

/// What makes a problem hard: how many of its rows depend on others, and how unlike the masses are.
std::string describe(const Model& model, const cone::FactorForm& form) {
  constexpr cone::Index too_large = 3000;  // the rank would take minutes
  std::string rank = fmt::format("{} contacts on {} velocities", form.contacts(), form.velocities());
  if (form.H.cols() <= too_large) {
    const Result<cone::Problem> condensed = cone::condense(form);
    if (!condensed) return rank + "; " + condensed.error();
    Eigen::ColPivHouseholderQR<linalg::DenseMatrix> factors(condensed.value().W.to_dense());
    factors.setThreshold(1e-10);
    rank = fmt::format("rank {} of {} rows", factors.rank(), condensed.value().size());
  }
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (const Body& body : model.bodies()) {
    if (!body.movable()) continue;
    least = std::min(least, body.mass);
    most = std::max(most, body.mass);
  }
  return fmt::format("{}, masses up to {:.3g} : 1", rank, most / least);
}

/// FCG1 has no facets: where the step has, what is written is another problem.
std::string name_cones(const StepProblem& problem, std::span<const int> contacts) {
  int facets = 0;
  for (const int j : contacts)
    if (problem.contacts[j].tangents > 1) facets = std::max(facets, problem.contacts[j].facets);
  if (facets == 0) return {};
  return fmt::format("; with the round friction cone, where the step has {} facets, which FCG1 cannot say", facets);
}

/// Joints alone are a linear system: nothing to store.
bool has_bounds(const cone::FactorForm& form) {
  for (cone::Index i = 0; i < form.rows(); ++i)
    if (std::isfinite(form.lower[i]) || std::isfinite(form.upper[i])) return true;
  return false;
}

/// FCG1 has no law of two blocks that share one set: they are written with the shares of it that their sliding gives.
/// False where there is no answer that says how they slide.
bool take_apart(Simulator& simulator, const StepProblem& problem, StepProblem& blocks) {
  const AnsweredProblem answered = simulator.last_answered();
  const StepSolution& solution = answered.solution;
  const auto contacts = static_cast<std::size_t>(problem.size());
  const bool fits = &answered.problem == &problem && solution.v.size() == problem.v.size() &&
                    solution.c_n.size() == contacts && solution.facets.size() == contacts && solution.v.allFinite();
  if (fits) share_out(problem, solution, blocks);
  return fits;
}

}  // namespace

std::optional<Error> FailedSteps::write(Simulator& simulator, Why why) {
  std::error_code code;
  std::filesystem::create_directories(folder_, code);
  if (code) return Error{fmt::format("{}: cannot be made a folder: {}", folder_.string(), code.message())};
  const StepProblem& whole = simulator.last_problem();
  StepProblem blocks;
  const bool has_pairs = whole.has_pairs();
  if (has_pairs && !take_apart(simulator, whole, blocks)) {
    log(LogLevel::warning,
        "not written: friction of a soft finger or a ball joint shares one set, which FCG1 cannot say, and no answer "
        "says how it slides");
    return std::nullopt;
  }
  const StepProblem& problem = has_pairs ? blocks : whole;
  islands_.split(problem);
  const std::optional<std::uint64_t> worst =
      why == Why::failed ? find_worst(simulator, whole) : std::optional<std::uint64_t>();
  int written = 0;
  for (int island = 0; island < islands_.size(); ++island) {
    const cone::FactorForm form = find_factors(problem, islands_, island);
    if (form.contacts() == 0 && !has_bounds(form)) continue;
    const std::string name = fmt::format("step_{:06}_island_{}", simulator.certificate().steps, island);
    const std::filesystem::path file = folder_ / (name + ".fcp");
    if (std::filesystem::exists(file, code))
      return Error{fmt::format("{}: is there already, and nothing is overwritten; empty the folder", file.string())};
    if (auto error = cone::write_problem(file, form)) return error;
    ++written;
    const std::string cones = name_cones(problem, islands_.contacts(island));
    const std::string contacts = name_contacts(simulator, problem, islands_.contacts(island), worst);
    if (why == Why::failed)
      log(LogLevel::warning, fmt::format("not certified: {} written; contacts {}; {}{}", file.string(), contacts,
                                         describe(simulator.model(), form), cones));
    else
      log(cones.empty() ? LogLevel::info : LogLevel::warning,
          fmt::format("{} written; contacts {}{}", file.string(), contacts, cones));
  }
  if (written == 0 && why == Why::asked)
    log(LogLevel::warning,
        fmt::format("step {}: nothing touches, and no problem is written", simulator.certificate().steps));
  return std::nullopt;
}

}  // namespace stiction::apps
