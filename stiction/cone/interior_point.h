#pragma once

#include "stiction/cone/interior_system.h"
#include "stiction/cone/solver.h"

namespace stiction::cone {

/// A primal-dual interior-point method, predictor and corrector in Nesterov and Todd's scaling, on
///
///     x = (mu s_n, s_T),   y = (u_n / mu + g, u_T),   x o y = 0,   x and y in { x_0 >= |x_T| },
///
/// where g = |u_T| makes the cone programme the contact law (De Saxce's correction). g is smoothed,
/// sqrt(|u_T|^2 + d^2), and differentiated inside the Newton step: one that lags behind stalls. Globally it needs no
/// good start; the answer is polished by Newton's method where more digits are wanted. Where the barrier would have to
/// grow for a while it stalls: see central_path.h.
class InteriorPoint final : public Solver {
 public:
  struct Options {
    int most = 60;
    double start = 10.0;  ///< x = y = start e, in units of the scaled problem.
  };

  InteriorPoint() = default;
  explicit InteriorPoint(const Options& options) : options_(options) {}
  [[nodiscard]] std::string_view name() const override { return "interior_point"; }
  /// Starts from its own point whatever s is, and leaves the best point found of the two.
  int improve(const ScaledProblem& problem, double target, Vector& s) override;

  /// The cone programme in which g, one number a contact, is held: convex for symmetric W, so it needs no luck. Its
  /// answer, to `accuracy` in gap and defect where rounding allows, is written to s; it is one of the contact problem
  /// where g = |u_T|.
  int solve_held(const ScaledProblem& problem, const Vector& g, double accuracy, Vector& s);

 private:
  void load(const ScaledProblem& problem);
  void find_defect(const ScaledProblem& problem, double smoothing);
  /// dx_, dy_ for x o y = centre e, with the second-order term of the last direction where `corrects`.
  bool find_direction(double centre, bool corrects);
  /// One predictor and corrector; false where it cannot move.
  bool advance(const ScaledProblem& problem, double barrier);
  [[nodiscard]] double longest_step() const;
  [[nodiscard]] double gap() const;

  Options options_ = {};
  const Vector* held_ = nullptr;
  InteriorSystem system_;
  Vector x_, y_, dx_, dy_, defect_, right_, s_, u_;
};

}  // namespace stiction::cone
