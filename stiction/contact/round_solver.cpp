#include "stiction/contact/round_solver.h"

#include <algorithm>
#include <cmath>

namespace stiction {

void RoundSolver::forget() {
  last_c_nu_.clear();
  stages_.clear();
  for (cone::BodyMemory& memory : memories_) memory.forget();
}

void RoundSolver::start(const StepProblem& problem, const ContactMemory& memory) {
  using List = BodyIslands::Source::List;
  const bool knows_rows = static_cast<int>(last_c_nu_.size()) == problem.joints();
  r_.clear();
  int last = -1;
  const ContactMemory::Entry* entry = nullptr;
  for (const BodyIslands::Source& source : sources_) {
    if (source.list == List::nu) {
      r_.push_back(knows_rows ? last_c_nu_[source.row] : 0.0);
      continue;
    }
    if (source.row != last) entry = memory.find(problem.contacts[source.row].id);
    last = source.row;
    double c = 0.0;
    if (entry != nullptr) c = source.list == List::n ? entry->c_n : source.list == List::t1 ? entry->c_t1 : entry->c_t2;
    r_.push_back(c / source.scale);
  }
}

void RoundSolver::write(const StepProblem& problem, int island, StepSolution& solution) const {
  using List = BodyIslands::Source::List;
  const cone::BodyState& state = solver_.state();
  const double over = 1.0 / problem.alpha;
  const std::span<const int> nodes = islands_.nodes(island);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const int first = islands_.first_velocity(nodes[i]);
    for (int k = 0; k < islands_.velocities(nodes[i]); ++k) {
      const double w = state.w[i * static_cast<std::size_t>(posed_.width) + static_cast<std::size_t>(k)];
      const double v = problem.v[first + k];
      solution.v[first + k] = problem.alpha == 1.0 ? w : v + (w - v) * over;
    }
  }
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const BodyIslands::Source& source = sources_[i];
    auto& list = source.list == List::nu   ? solution.c_nu
                 : source.list == List::n  ? solution.c_n
                 : source.list == List::t1 ? solution.c_t1
                                           : solution.c_t2;
    list[source.row] = source.scale * state.r[i];
  }
}

void RoundSolver::mark(int node, std::vector<bool>& unsolved) const {
  for (int i = 0; i < islands_.velocities(node); ++i)
    unsolved[static_cast<std::size_t>(islands_.first_velocity(node) + i)] = true;
}

bool RoundSolver::solve(const StepProblem& problem, double tolerance, double rough, bool finely,
                        const ContactMemory& memory, StepSolution& solution, std::vector<bool>& unsolved, Share share) {
  was_hard_ = is_rough_ = false;
  islands_.split(problem);
  stages_.resize(static_cast<std::size_t>(islands_.nodes()), cone::BodyStage::none);
  bool all = true;
  for (int island = 0; island < islands_.size(); ++island) {
    const std::span<const int> nodes = islands_.nodes(island);
    if (share == Share::without_contacts && islands_.has_contacts(island)) {
      for (const int node : nodes) mark(node, unsolved);
      all = false;
      continue;
    }
    islands_.pose(problem, island, posed_, sources_);
    start(problem, memory);
    const auto first = static_cast<std::size_t>(nodes.front());
    const bool found =
        solver_.solve(posed_, tolerance, finely, stages_[first], r_, &memories_[first % memories_.size()], rough);
    write(problem, island, solution);
    was_hard_ |= solver_.was_hard();
    is_rough_ |= found && solver_.state().error > tolerance;
    const cone::BodyStage stage = solver_.was_hard() ? cone::BodyStage::proximal : solver_.stage();
    for (const int node : nodes) {
      if (stage != cone::BodyStage::start && stage != cone::BodyStage::refined) stages_[node] = stage;
      if (!found) mark(node, unsolved);
    }
    all &= found;
  }
  last_c_nu_ = solution.c_nu;
  return all;
}

}  // namespace stiction
