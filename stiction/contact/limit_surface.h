#pragma once

#include <vector>

#include "stiction/contact/step_problem.h"

namespace stiction {

/// How friction of two blocks that share one convex set (StepProblem::Contact::partner) is found by solvers that know
/// blocks of two directions. Each block is given its share of the set, r_1 cos(a) and r_2 sin(a), which lies within it
/// whatever a is; among these the one with the friction of most dissipation has tan(a) = r_2 |u_2| / (r_1 |u_1|). It is
/// found by regula falsi on a, one problem solved for each try.
class LimitSurfaces {
 public:
  /// The problem's pairs, and in `blocks` the problem without them, each block with the whole of its radius: what does
  /// not slide then, and lies within the set, is the answer.
  void begin(const StepProblem& problem, StepProblem& blocks);
  /// Sets the shares of `blocks` after a solution of it. True when they are as they should be, up to `aligned` rad.
  bool adjust(const StepSolution& solution, double aligned, StepProblem& blocks);

 private:
  struct Block {
    int at = 0;
    double mu = 0.0, mu2 = 0.0, hf = 0.0;
    void set(StepProblem& blocks, double share) const;
    /// Impulse over radius, and radius times sliding speed.
    void measure(const StepProblem& blocks, const StepSolution& solution, double& used, double& power) const;
  };
  struct Pair {
    Block first, second;
    double angle = -1.0;  ///< a, or -1 while both have the whole.
    double low = 0.0, high = 0.0, low_off = 0.0, high_off = 0.0;
    int side = 0;
  };
  [[nodiscard]] static double wanted(const Pair& pair, const StepProblem& blocks, const StepSolution& solution);
  static double next(Pair& pair, double off);

  std::vector<Pair> pairs_;
};

/// The problem without pairs for those who change impulses and leave velocities: blocks of a pair that slides have the
/// shares that its sliding gives them, and those of one at rest their whole radii, which is more than the pair may
/// have.
void share_out(const StepProblem& problem, const StepSolution& solution, StepProblem& blocks);

}  // namespace stiction
