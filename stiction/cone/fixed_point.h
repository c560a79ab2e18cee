#pragma once

#include "stiction/cone/alart_curnier.h"
#include "stiction/cone/anderson.h"
#include "stiction/cone/interior_point.h"
#include "stiction/cone/solver.h"

namespace stiction::cone {

/// The fixed point of g -> |u_T(g)|, where u(g) solves the cone programme with g held (Cadoux 2009): a convex problem
/// each, by the interior point, Anderson's acceleration of g, and after each Newton's method to the end. Where nothing
/// slides g = 0 is the answer already, so a heap at rest takes one programme however redundant it is.
class FixedPoint final : public Solver {
 public:
  struct Options {
    int most = 20;            ///< Programmes.
    int window = 5;           ///< Of the acceleration; 0: none.
    double damping = 1.0;     ///< The share of the way from g to |u_T(g)|.
    double accuracy = 1e-6;   ///< Of a programme: Newton's method gives the other digits.
    bool from_start = false;  ///< Begin with g = |u_T| of the start instead of 0.
  };

  FixedPoint() : FixedPoint(Options{}) {}
  explicit FixedPoint(const Options& options);
  [[nodiscard]] std::string_view name() const override { return "fixed_point"; }
  int improve(const ScaledProblem& problem, double target, Vector& s) override;

 private:
  /// Keeps `found` in s where it is the best so far.
  void keep(const ScaledProblem& problem, const Vector& found, Vector& s);

  Options options_;
  Anderson anderson_;
  InteriorPoint programme_;
  AlartCurnier newton_;
  double best_ = 0.0;
  Vector g_, next_, s_, u_;
};

}  // namespace stiction::cone
