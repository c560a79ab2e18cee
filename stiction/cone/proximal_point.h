#pragma once

#include "stiction/cone/alart_curnier.h"
#include "stiction/cone/solver.h"

namespace stiction::cone {

/// A proximal point method (Rockafellar 1976): the problem with a little softness about the last point, by Newton's
/// method, then about the point found, and so on. Redundant contacts leave forces open and states undecided on ever
/// smaller scales; the softness decides them, and what it changes vanishes as the points converge. Softer where
/// Newton's method does not arrive, harder where it does.
class ProximalPoint final : public Solver {
 public:
  struct Options {
    int most = 60;              ///< Points.
    int most_iterations = 400;  ///< Of Newton's method, over all points.
    double softness = 1e-2;
    /// Of Newton's equations. Forces are some ten times q in scaled units, and a line search that weighs both alike
    /// arrives where one with rho = 1 cycles.
    double rho = 10.0;
  };

  ProximalPoint() : ProximalPoint(Options{}) {}
  explicit ProximalPoint(const Options& options);
  [[nodiscard]] std::string_view name() const override { return "proximal_point"; }
  int improve(const ScaledProblem& problem, double target, Vector& s) override;

 private:
  Options options_;
  AlartCurnier newton_;
  Vector centre_, trial_, u_;
};

}  // namespace stiction::cone
