#pragma once

#include <vector>

#include "stiction/contact/force_projection.h"
#include "stiction/contact/force_set.h"
#include "stiction/contact/islands.h"
#include "stiction/contact/step_problem.h"

namespace stiction {

/// Of one contact, the normal impulses that are possible.
struct ForceBound {
  int contact = 0;  ///< Of the problem.
  double least = 0.0,
         most = 0.0;     ///< `most` is infinite where the contact can be squeezed without end (a wedge that jams).
  bool is_tight = true;  ///< False: iterations ended early, and the interval may be wider.
};

/// How much the law leaves open: for each contact the least and the largest normal impulse among all impulses that obey
/// the law with the velocities of a solution. Linear programs where contacts slide or have no friction, second-order
/// cone programs where they stick; each is solved by the proximal point method,
///
///     x_k+1 = argmin 1/2 |x - x_k|^2 -+ sigma c_n   over the set,
///
/// with sigma growing. Every x_k is a possible answer, so the intervals found are never too wide. For whoever
/// asks; takes storage as it needs.
class ForceBounds {
 public:
  explicit ForceBounds(bool turns) : finder_(turns) {}

  /// One for each contact with a normal, in the problem's order.
  void find(const StepProblem& problem, const StepSolution& solution, std::vector<ForceBound>& bounds);

 private:
  void find_island(const StepProblem& problem, int island, double speed, const StepSolution& solution,
                   std::vector<ForceBound>& bounds);
  void find_choices();
  bool can_grow(int component);
  double find_end(int component, double sign, bool& is_tight);

  ForceSetFinder finder_;
  Islands islands_;
  StepProblem blocks_;  ///< The problem without pairs, where it has any.
  ForceSet set_, recession_;
  ForceProjection projection_;
  std::vector<double> target_, x_, start_;
  std::vector<char> has_choice_;  ///< By component.
};

}  // namespace stiction
