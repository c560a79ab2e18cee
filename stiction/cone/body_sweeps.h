#pragma once

#include <vector>

#include "stiction/cone/body_newton.h"
#include "stiction/cone/body_space.h"

namespace stiction::cone {

/// Gauss-Seidel over the units, each solved exactly or nearly so, in the order of the problem; accelerated as a
/// nonlinear conjugate gradient (Silcowitz, Niebe and Erleben 2010): a sweep is the step of a fixed-point iteration,
/// whose last direction is gone on with as long as sweeps get shorter. Only for problems whose nodes are not coupled by
/// M.
class BodySweeps {
 public:
  struct Options {
    int check_every = 10;     ///< Sweeps between looks at the error.
    int most_local = 8;       ///< Passes over the groups of a unit with several of them.
    double least_gain = 0.9;  ///< The error must fall by this between `patience` looks.
    int patience = 6;
  };

  static bool can_solve(const BodyProblem& problem) { return problem.coupled.empty(); }
  /// From the impulses of `state`; leaves the best found there. True when the tolerance is reached.
  bool solve(BodySpace& space, double tolerance, int most_sweeps, BodyState& state);
  /// Plain sweeps, to smooth a start.
  void smooth(BodySpace& space, int sweeps, BodyState& state);
  [[nodiscard]] int sweeps() const { return sweeps_; }

  Options options;

 private:
  template <int W>
  void sweep(const BodySpace& space, double* r, double* w) const;
  void sweep(const BodySpace& space, double* r, double* w) const;

  int sweeps_ = 0;
  BodyState at_;
  std::vector<double> last_r_, last_w_, along_r_, along_w_;
};

}  // namespace stiction::cone
