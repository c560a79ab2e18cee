#pragma once

#include "stiction/lcp/scaled_problem.h"
#include "stiction/lcp/solver.h"
#include "stiction/linalg/rank_revealing_lu.h"

namespace stiction::lcp {

/// A complementary basis of a dense problem in equilibrated units: every variable on a bound or basic, the basic ones
/// from a fresh factorisation of their block of M with one step of refinement, so that no error is carried from basis
/// to basis.
class PrincipalBasis {
 public:
  /// A sign that is wrong: that of w_k for a resting variable, or of z_k against a bound for a basic one. The quantity
  /// must grow (direction 1) or shrink (-1).
  struct Wrong {
    Index index = -1;
    double direction = 0.0;
  };

  /// Pivots below `pivot_tolerance` times the block's largest entry make a basis singular.
  void load(const Problem& problem, double pivot_tolerance);
  /// Every variable at rest, on its lower bound if it has one; free ones basic if their block allows it.
  void start_cold();
  /// False when the suggestion has the wrong size or is singular.
  bool start_warm(const std::vector<Place>& suggested);

  /// Solves the basis; false when it is singular. With k >= 0, the nonbasic one of z_k and w_k has this value instead
  /// of its resting one.
  bool evaluate(Index k = -1, double value = 0.0);
  /// After a singular evaluate: takes out the variables whose columns depend on the others. What is left of a symmetric
  /// positive semidefinite block is nonsingular. False when a free variable would have to go.
  bool drop_dependent();

  /// The first wrong sign from `first` on, or the worst of all; wrong by more than `tolerance` over max(|z|, |q|).
  [[nodiscard]] Wrong find_wrong(Index first, double tolerance) const;
  [[nodiscard]] Wrong find_worst(double tolerance) const;
  /// Where the variable of a wrong sign goes when it changes place alone.
  [[nodiscard]] Place mended_place(const Wrong& wrong) const;

  /// Row of the tableau of w_k, or of z_k if basic: how it changes with w_j for basic j and with z_j for the others.
  void tableau_row(Index k, Vector& row);
  /// How z and w change with the nonbasic one of z_k and w_k.
  void tableau_column(Index k, Vector& dz, Vector& dw);

  [[nodiscard]] const ScaledProblem& problem() const { return scaled_; }
  [[nodiscard]] const Vector& z() const { return z_; }
  [[nodiscard]] const Vector& w() const { return w_; }
  [[nodiscard]] bool is_basic(Index i) const { return places[i] == Place::basic; }
  /// How many bases were evaluated since the problem was loaded.
  [[nodiscard]] int evaluated() const { return evaluated_; }

  std::vector<Place> places;  ///< Change freely, then evaluate.

 private:
  /// By how much the sign of i is wrong, as a step that would mend it: positive to grow, negative to shrink.
  [[nodiscard]] double wrongness(Index i) const;

  ScaledProblem scaled_;
  linalg::RankRevealingLu lu_;
  std::vector<Index> basic_;
  Vector z_, w_, right_side_, values_;
  double pivot_tolerance_ = 0.0;
  int evaluated_ = 0;
};

}  // namespace stiction::lcp
