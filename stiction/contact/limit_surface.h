#pragma once

#include <vector>

#include "stiction/contact/step_problem.h"

namespace stiction {

/// Friction of two blocks of a step problem that share one convex set (1996, section 3.5):
///
///     |c_1|^2/r_1^2 + |c_2|^2/r_2^2 <= 1,   r = mu c_n + hf,
///
/// the ellipsoid of a soft finger (slip and spin), or the ball of a spherical joint. The solver knows blocks of two
/// directions, so each block is given its share of the set, r_1 cos(a) and r_2 sin(a), which lies within it whatever a
/// is; among these the one with the friction of most dissipation has tan(a) = r_2 |u_2| / (r_1 |u_1|). It is found by
/// regula falsi on a, one problem solved for each try.
class LimitSurfaces {
 public:
  void clear() { pairs_.clear(); }
  /// Two blocks of the problem, by their places.
  void add(const StepProblem& problem, int first, int second);
  [[nodiscard]] bool empty() const { return pairs_.empty(); }

  /// Gives all blocks the whole of their radii: what does not slide then, and lies within the set, is the answer.
  void begin(StepProblem& problem);
  /// Sets the blocks' shares after a solution. True when they are as they should be; off() says by what angle at most.
  bool adjust(StepProblem& problem, const StepSolution& solution);
  [[nodiscard]] double off() const { return off_; }
  /// Whether other impulses with the same velocities lie within the sets too.
  [[nodiscard]] bool hold(const StepProblem& problem, const StepSolution& solution) const;

 private:
  struct Block {
    int at = 0;
    double mu = 0.0, mu2 = 0.0, hf = 0.0;
    void set(StepProblem& problem, double share) const;
    /// Impulse over radius, and radius times sliding speed.
    void measure(const StepProblem& problem, const StepSolution& solution, double& used, double& power) const;
  };
  struct Pair {
    Block first, second;
    double angle = -1.0;  ///< a, or -1 while both have the whole.
    double low = 0.0, high = 0.0, low_off = 0.0, high_off = 0.0;
    int side = 0;
  };
  [[nodiscard]] static double wanted(const Pair& pair, const StepProblem& problem, const StepSolution& solution);
  static double next(Pair& pair, double off);

  std::vector<Pair> pairs_;
  double off_ = 0.0;
};

}  // namespace stiction
