#pragma once

#include <cstddef>
#include <vector>

#include "stiction/cone/body_matrix.h"
#include "stiction/cone/body_newton.h"
#include "stiction/cone/body_space.h"
#include "stiction/cone/unit_newton.h"

namespace stiction::cone {

/// Steps of Newton's method with the factors of an earlier one of the same island: the next iteration of a step, or the
/// next step of what rests. Where Jacobians, masses and mobilities differ from those of the factors by a share d and
/// all contacts are in the states they were in, each step leaves d of the error, and costs a substitution.
class BodyRefiner {
 public:
  struct Options {
    int most_steps = 6;       ///< With the same factors.
    double least_gain = 0.1;  ///< What a step leaves of the error at most, or it is the last with these factors.
    double softness = 1e-6, joint_softness = 1e-8;  ///< As those of BodyNewton.
  };

  /// From the impulses of `state` to the error `sought`; new factors, at most once, where the old ones do not lead to
  /// `enough` and a factorisation takes no more than so many products of blocks. Leaves the best found in `state`.
  /// True when `enough` is reached.
  bool refine(BodySpace& space, double sought, double enough, double most_products, BodyState& state);
  /// Substitutions and factorisations of the last call.
  [[nodiscard]] int steps() const { return steps_; }
  [[nodiscard]] int factorisations() const { return factorisations_; }
  void forget() { has_factors_ = false; }

  Options options;

 private:
  [[nodiscard]] bool fits(const BodyProblem& problem) const;
  bool factorise(const BodySpace& space, double most_products, const BodyState& state);
  void run(BodySpace& space, double sought, BodyState& state);
  void find_step(const BodySpace& space, const BodyState& state);

  int steps_ = 0, factorisations_ = 0;
  bool has_factors_ = false;
  BodyProblem kept_;  ///< The problem of the factors,
  BodyMatrix matrix_;
  std::vector<double> D_;  ///< and the derivatives of its units.
  std::vector<std::size_t> D_at_;
  std::vector<UnitState> states_;  ///< In which they were.
  BodyState trial_;
  std::vector<double> c_, dr_, dw_;
};

}  // namespace stiction::cone
