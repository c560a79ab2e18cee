#pragma once

#include <vector>

#include "stiction/cone/body_newton.h"
#include "stiction/cone/body_space.h"

namespace stiction::cone {

/// Accelerated projected gradient (Nesterov 1983, restarts by O'Donoghue and Candes 2015) on the impulses, with the
/// lift mu |u_T| of De Saxce renewed in every iteration. It may drift away again, so the best point is kept. Slow and
/// sure to a few digits, where nothing else arrives.
class BodyGradient {
 public:
  struct Options {
    int check_every = 10;
    int patience = 100;          ///< Looks without a gain before it gives up,
    double few_digits = 2e-6;    ///< or, once it is as near as this,
    int contented_after = 3000;  ///< after so many iterations.
    double first_step = 0.5;     ///< Of rho; found by trying from there.
    double shrink = 0.7, grow = 1.02;
  };

  /// Contacts with one group of friction at most; M without couplings.
  static bool can_solve(const BodyProblem& problem);
  bool solve(BodySpace& space, double tolerance, int most_iterations, BodyState& state);
  [[nodiscard]] int iterations() const { return iterations_; }

  Options options;

 private:
  void find_gradient(const BodySpace& space);
  void step(const BodySpace& space, double share);

  int iterations_ = 0;
  BodyState trial_;
  std::vector<double> z_, w_z_, u_;  ///< Where the gradient is taken, its velocities and lifted speeds.
  std::vector<double> next_, w_next_, last_, w_last_;
};

}  // namespace stiction::cone
