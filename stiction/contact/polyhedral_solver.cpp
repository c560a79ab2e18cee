#include "stiction/contact/polyhedral_solver.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "stiction/base/phase_times.h"
#include "stiction/contact/island_solver.h"
#include "stiction/contact/round_solver.h"

namespace stiction {

namespace {

/// In the metric in which the cone is round.
double sliding_speed(const StepProblem& problem, int j, const Vector& v) {
  const int tangents = problem.contacts[j].tangents;
  const double slip1 = tangents > 0 ? problem.speed(problem.t1, j, v) + problem.b_t1[j] : 0.0;
  const double slip2 = tangents > 1 ? problem.speed(problem.t2, j, v) + problem.b_t2[j] : 0.0;
  return std::hypot(slip1, problem.contacts[j].ratio() * slip2);
}

}  // namespace

PolyhedralSolver::PolyhedralSolver(const PolyhedralOptions& options)
    : options_(options), round_(std::make_unique<RoundSolver>()) {}
PolyhedralSolver::~PolyhedralSolver() = default;
PolyhedralSolver::PolyhedralSolver(PolyhedralSolver&&) noexcept = default;
PolyhedralSolver& PolyhedralSolver::operator=(PolyhedralSolver&&) noexcept = default;

void PolyhedralSolver::forget() {
  memory_.clear();
  round_->forget();
  futile_.clear();
}

/// Sizes the answer and gives every contact the facets it had, or unturned ones.
void PolyhedralSolver::prepare(const StepProblem& problem, StepSolution& solution) {
  const auto contacts = static_cast<std::size_t>(problem.size());
  solution.v = problem.v;
  solution.c_nu.assign(static_cast<std::size_t>(problem.joints()), 0.0);
  for (auto* list : {&solution.c_n, &solution.c_t1, &solution.c_t2, &solution.lambda}) list->assign(contacts, 0.0);
  solution.facets.assign(contacts, {});
  solution.beta_start.assign(1, 0);
  for (int j = 0; j < problem.size(); ++j) {
    Facets& facets = solution.facets[j];
    const StepProblem::Contact& contact = problem.contacts[j];
    facets.has_normal = problem.has_normal(j);
    facets.count = contact.tangents == 0 ? 0 : contact.tangents == 1 ? 2 : options_.facets;
    if (const auto* entry = memory_.find(contact.id); entry && entry->facets.count == facets.count && options_.turn)
      facets.turn = entry->facets.turn;
    solution.beta_start.push_back(solution.beta_start.back() + facets.count);
  }
  solution.beta.assign(static_cast<std::size_t>(solution.beta_start.back()), 0.0);
}

IslandSolver& PolyhedralSolver::workspace_for(int island, const StepSolution& solution) {
  constexpr std::size_t most_workspaces = 200;  // a pile that grows and shrinks must not fill the memory
  auto unknowns = static_cast<int>(islands_.velocities(island).size() + islands_.joints(island).size());
  for (const int j : islands_.contacts(island)) unknowns += solution.facets[j].unknowns();
  const auto at = [&] {
    return std::lower_bound(workspaces_.begin(), workspaces_.end(), unknowns,
                            [](const Workspace& workspace, int value) { return workspace.unknowns < value; });
  };
  if (const auto it = at(); it != workspaces_.end() && it->unknowns == unknowns) return *it->solver;
  if (workspaces_.size() == most_workspaces) workspaces_.clear();
  return *workspaces_.insert(at(), {unknowns, std::make_unique<IslandSolver>(options_)})->solver;
}

/// For facets: answers of joints alone, which are the same by every law of friction, and where facets may turn what the
/// true cone says of the others.
void PolyhedralSolver::look_on_bodies(const StepProblem& problem) {
  prepare(problem, found_);
  open_.assign(static_cast<std::size_t>(problem.velocities()), false);
  round_->solve(problem, options_.tolerance, 0.0, false, memory_, found_, open_,
                options_.turn ? RoundSolver::Share::all : RoundSolver::Share::without_contacts);
}

/// The answer of an island that was found on the bodies, where there is one by the law that is asked for.
bool PolyhedralSolver::take_found(int island, StepSolution& solution) {
  const std::span<const int> velocities = islands_.velocities(island);
  const auto is_open = [&](int velocity) { return open_[static_cast<std::size_t>(velocity)]; };
  const bool has_contacts = !islands_.contacts(island).empty();
  if (has_contacts && !options_.asks_round()) return false;
  if (open_.empty() || std::any_of(velocities.begin(), velocities.end(), is_open)) return false;
  for (const int velocity : velocities) solution.v[velocity] = found_.v[velocity];
  for (const int i : islands_.joints(island)) solution.c_nu[i] = found_.c_nu[i];
  for (const int j : islands_.contacts(island)) {
    solution.facets[j] = found_.facets[j];
    solution.c_n[j] = found_.c_n[j];
    solution.c_t1[j] = found_.c_t1[j];
    solution.c_t2[j] = found_.c_t2[j];
    solution.lambda[j] = found_.lambda[j];
    remember_contact(j, solution);
  }
  const bool counts = !islands_.joints(island).empty() || has_contacts;
  counts_.problems += counts;
  counts_.reused += counts;
  counts_.round += counts && options_.asks_round();
  return true;
}

/// Begins anew where it is another island.
PolyhedralSolver::Futile* PolyhedralSolver::futile_of(int island) {
  if (islands_.velocities(island).empty()) return nullptr;
  Futile& futile = futile_[static_cast<std::size_t>(islands_.velocities(island).front())];
  const std::size_t velocities = islands_.velocities(island).size(), contacts = islands_.contacts(island).size();
  if (futile.velocities != velocities || futile.contacts != contacts) futile = {velocities, contacts};
  return &futile;
}

/// Whether facets are left out for this island, which then has no answer.
bool PolyhedralSolver::is_futile(int island) {
  Futile* const futile = effort_.always ? nullptr : futile_of(island);
  if (futile == nullptr || futile->left_out == 0) return false;
  --futile->left_out;
  return true;
}

/// Each time in a row that they found nothing they are left out twice as often as the last.
void PolyhedralSolver::note_facets(int island, bool found) {
  constexpr int most = 6;
  Futile* const futile = futile_of(island);
  if (futile == nullptr) return;
  futile->times = found ? 0 : std::min(futile->times + 1, most);
  futile->left_out = found ? 0 : (1 << futile->times) - 1;
}

bool PolyhedralSolver::solve_islands(const StepProblem& problem, StepSolution& solution) {
  prepare(problem, solution);
  islands_.split(problem);
  next_memory_.reset(problem, solution);
  unsolved_.assign(static_cast<std::size_t>(problem.velocities()), false);
  bool solved = true;
  for (int island = 0; island < islands_.size(); ++island) {
    if (take_found(island, solution)) continue;
    bool found = false;
    if (!is_futile(island)) {
      IslandSolver& solver = workspace_for(island, solution);
      found = solver.solve(problem, islands_, island, memory_, found_, !effort_.turns, solution, next_memory_);
      counts_.add(solver.take_counts());
      note_facets(island, found);
    }
    if (found) continue;
    solved = false;
    for (const int velocity : islands_.velocities(island)) unsolved_[static_cast<std::size_t>(velocity)] = true;
  }
  if (solved) {
    next_memory_.finish();
    std::swap(memory_, next_memory_);
  }
  return solved;
}

/// row_speed + softness * mobility * (c - last c) = 0 for the joints, harder from pass to pass. Keeps the answer that
/// certifies best.
bool PolyhedralSolver::solve_softly(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate) {
  constexpr int most_passes = 6;
  double softness = 1e-7;
  const auto worst = [](const StepCertificate& c) {
    return std::max(
        {c.residual * 1e-2, c.contact_residual * 1e-2, c.equality_residual, c.momentum_defect, c.energy_defect});
  };
  soft_ = problem;
  open_.clear();
  soft_.row_laws.resize(static_cast<std::size_t>(problem.joints()));
  bool any = false;
  for (int pass = 0; pass < most_passes; ++pass, softness *= 0.1) {
    for (int i = 0; i < problem.joints(); ++i) {
      const StepProblem::RowLaw law = problem.row_law(i);
      if (!law.is_joint() || law.compliance > 0.0) continue;
      soft_.row_laws[i].compliance = softness * problem.nu.mobility(i, problem.M);
      const double last = any ? soft_solution_.c_nu[i] : 0.0;
      soft_.b_nu[i] = problem.b_nu[i] - soft_.row_laws[i].compliance * last;
    }
    if (!solve_islands(soft_, soft_solution_)) break;
    StepCertificate found;
    judge(problem, soft_solution_, found);
    if (worst(found) < worst(certificate)) {
      solution = soft_solution_;
      certificate = found;
    }
    any = true;
    if (certificate.certified(options_.tolerance)) return true;
  }
  return false;
}

/// By the problem's own law. Where the answer has facets and the true cone is asked for, it is read as one of the true
/// cone if it is one: in the plane, where it sticks, and where facets were turned to the sliding. Otherwise by the law
/// of its facets, and said to be so.
void PolyhedralSolver::judge(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate) {
  const auto is_true = [&](int j) { return problem.contacts[j].facets == 0 || problem.contacts[j].tangents < 2; };
  const auto is_read = [&](int j) { return is_true(j) && !solution.facets[j].round; };
  bool any = false, weaker = false;
  as_true_ = solution;
  for (int j = 0; j < problem.size(); ++j) {
    if (!is_read(j)) continue;
    any = true;
    weaker |= problem.contacts[j].tangents == 2;
    as_true_.facets[j].round = true;
    as_true_.lambda[j] = sliding_speed(problem, j, solution.v);
    std::fill_n(as_true_.beta.begin() + as_true_.beta_start[j], as_true_.facets[j].count, 0.0);
  }
  certificate = certify(problem, as_true_, certify_work_);
  if (!any) return;
  if (!weaker || certificate.certified(options_.tolerance)) {
    std::swap(solution, as_true_);
    return;
  }
  const StepCertificate own = certificate;
  certificate = certify_polyhedral(problem, solution, certify_work_);
  certificate.own_residual = std::max(own.residual, own.contact_residual);
  certificate.own_worst = own.worst_contact;
}

/// On the true cone, island by island on their bodies. True when the answer certifies, or is as rough as it may be.
bool PolyhedralSolver::solve_round(const StepProblem& problem, double rough, StepSolution& solution,
                                   StepCertificate& certificate) {
  const long islands = round_->counts().islands;
  // What is near enough island by island may add up to too much: once more, as finely as rounding lets it.
  for (const bool finely : {false, true}) {
    prepare(problem, solution);
    unsolved_.assign(static_cast<std::size_t>(problem.velocities()), false);
    const bool solved = round_->solve(problem, options_.tolerance, rough, finely, memory_, solution, unsolved_);
    for (int j = 0; j < problem.size(); ++j) {
      Facets& facets = solution.facets[j];
      facets.round = problem.contacts[j].tangents > 0;
      const double ratio = problem.contacts[j].ratio();
      if (facets.count > 2 && ratio > 0.0) facets.turn = std::atan2(solution.c_t2[j] / ratio, solution.c_t1[j]);
      solution.lambda[j] = sliding_speed(problem, j, solution.v);
    }
    certificate = certify(problem, solution, certify_work_);
    if (certificate.certified(options_.tolerance) || (solved && round_->is_rough())) break;
    if (!solved) return false;
    if (!finely) {
      remember(problem, solution);  // where the finer solve begins
      continue;
    }
    // Solved, and not certified: it is not known where.
    unsolved_.assign(unsolved_.size(), true);
    return false;
  }
  remember(problem, solution);
  counts_.problems += round_->counts().islands - islands;
  counts_.reused += round_->counts().islands - islands;
  counts_.round += round_->counts().islands - islands;
  return true;
}

void PolyhedralSolver::remember_contact(int j, const StepSolution& solution) {
  ContactMemory::Entry& entry = next_memory_.at(j);
  entry.facets = solution.facets[j];
  entry.c_n = solution.c_n[j];
  entry.c_t1 = solution.c_t1[j];
  entry.c_t2 = solution.c_t2[j];
}

/// The impulses as the next start.
void PolyhedralSolver::remember(const StepProblem& problem, const StepSolution& solution) {
  next_memory_.reset(problem, solution);
  for (int j = 0; j < problem.size(); ++j) remember_contact(j, solution);
  next_memory_.finish();
  std::swap(memory_, next_memory_);
}

void PolyhedralSolver::start_from(const StepProblem& problem, const StepSolution& solution) {
  for (int j = 0; j < problem.size(); ++j)
    memory_.set_impulse(problem.contacts[j].id, solution.c_n[j], solution.c_t1[j], solution.c_t2[j]);
  round_->start_rows_from(solution.c_nu);
}

bool PolyhedralSolver::is_rough() const {
  return options_.asks_round() && round_->is_rough();
}

bool PolyhedralSolver::was_hard() const {
  return options_.asks_round() && round_->was_hard();
}

/// Whether an island without an answer has so many contacts that Lemke's path would be hopelessly long.
bool PolyhedralSolver::is_out_of_reach(const StepProblem& problem) const {
  constexpr int most_contacts = 150;
  int contacts = 0;
  for (int j = 0; j < problem.size(); ++j) {
    const std::span<const int> columns = problem.n.columns(j);
    contacts +=
        std::any_of(columns.begin(), columns.end(), [&](int i) { return unsolved_[static_cast<std::size_t>(i)]; });
  }
  return contacts > most_contacts;
}

void PolyhedralSolver::Loose::keep(const StepSolution& found, const StepCertificate& of_it) {
  any = of_it.is_loose();
  if (!any) return;
  solution = found;
  certificate = of_it;
}

bool PolyhedralSolver::Loose::put_back(bool is_certified, StepSolution& found, StepCertificate& of_it) {
  if (!any || is_certified) return false;
  std::swap(solution, found);
  of_it = certificate;
  return true;
}

bool PolyhedralSolver::solve(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate,
                             Effort effort, double rough) {
  const PhaseScope scope(Phase::solve);
  effort_ = options_.asks_round() ? effort : Effort{};
  futile_.resize(static_cast<std::size_t>(problem.velocities()));
  tries_ = 1;
  open_.clear();
  loose_.any = false;
  if (options_.asks_round()) {
    if (solve_round(problem, rough, solution, certificate)) return true;
    if (is_out_of_reach(problem)) {
      if (certificate.is_loose()) remember(problem, solution);
      return certificate.is_loose();
    }
    loose_.keep(solution, certificate);
    found_ = solution;
    open_ = unsolved_;
  }
  const bool solved =
      problem.has_pairs() ? solve_pairs(problem, solution, certificate) : solve_blocks(problem, solution, certificate);
  if (!loose_.put_back(solved && certificate.certified(options_.tolerance), solution, certificate)) return solved;
  remember(problem, solution);
  return true;
}

/// Shares that are right to 1e-8 are right for most; where the answer does not certify with them, to more.
bool PolyhedralSolver::solve_pairs(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate) {
  constexpr int most_tries = 60;
  double aligned = 1e-8;  // rad: the power of friction is right to the square of it
  constexpr double finest = 1e-14;
  surfaces_.begin(problem, shares_);
  for (;; ++tries_) {
    const bool solved = solve_blocks(shares_, solution, certificate);
    bool settles = solved && surfaces_.adjust(solution, aligned, shares_);
    if (!solved || settles || tries_ == most_tries) judge(problem, solution, certificate);
    if (!solved || tries_ == most_tries) return solved;
    while (settles && aligned > finest && !certificate.certified(options_.tolerance)) {
      aligned *= 0.1;
      settles = surfaces_.adjust(solution, aligned, shares_);
    }
    if (settles) return true;
  }
}

bool PolyhedralSolver::solve_blocks(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate) {
  if (!options_.asks_round()) look_on_bodies(problem);
  const bool solved = solve_islands(problem, solution);
  judge(problem, solution, certificate);
  if (problem.joints() == 0 || (solved && certificate.certified(options_.tolerance))) return solved;
  if (!effort_.turns) return solved;
  return solve_softly(problem, solution, certificate) || solved;
}

}  // namespace stiction
