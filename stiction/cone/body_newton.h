#pragma once

#include <vector>

#include "stiction/cone/body_matrix.h"
#include "stiction/cone/body_space.h"

namespace stiction::cone {

/// Impulses with the velocities and relative speeds they give.
struct BodyState {
  std::vector<double> r, w, u;
  double error = 0.0;  ///< BodySpace::error.
  void find(BodySpace& space);
};

/// A proximal point method whose steps are found by Newton's method. Each step makes the units a little soft about the
/// impulses so far, u + softness / rho (r - centre) in the place of u, which leaves the answer what it is, bounds
/// impulses where rows say the same twice, and lets them grow where they contradict each other until something slides.
/// The equations are those of Alart and Curnier 1991 with the impulses condensed: a unit gives dr = -c - D J dw, so
/// that one system (M + J'D J) dw = -J'c on the bodies is solved an iteration. Joints alone take one or two.
class BodyNewton {
 public:
  struct Options {
    int most_iterations = 300;  ///< Linear systems in all,
    int most_steps = 8;         ///< and about one centre.
    /// Of contacts at first, at most and at least; relative to their mobility. Larger bounds the way to the next
    /// centre, smaller lets impulses that balance each other go far.
    double softness = 1e-6, most_softness = 1e-1, least_softness = 1e-12;
    double most_start = 1e-2;      ///< A solve begins with no larger one: see next_softness().
    double joint_softness = 1e-8;  ///< Of joints and bounded rows at most.
    double softer = 5.0;           ///< Times the softness where the steps about a centre do not settle.
    double harder = 0.1;           ///< Times the softness where a centre leaves more than
    double fast = 0.1;             ///< this share of the error.
    double inner = 0.1;            ///< Share of the error to which the soft problem about a centre is solved.
    int most_idle = 20;            ///< Centres in a row that gain less than a half before it gives up.
    double near = 100.0;           ///< From an error of so many times the tolerance, which may be rounding,
    int few_idle = 3;              ///< so many are enough.
    int polish = 2;                ///< Further steps from where the tolerance is reached,
    double rounding = 2e-14;       ///< as long as the error is above this.
    double wedged = 1e8;           ///< Impulses that would cause so many times their unit's speed balance nothing.
  };

  /// From the impulses of `state` to the tolerance; leaves the best found there. True when it is reached.
  bool solve(BodySpace& space, BodyMatrix& matrix, double tolerance, BodyState& state) {
    return solve(space, matrix, tolerance, options.softness, state);
  }
  /// With this softness at first.
  bool solve(BodySpace& space, BodyMatrix& matrix, double tolerance, double softness, BodyState& state);
  /// What is exact is the best start of the next step: from an answer a few steps more, which cost little and leave
  /// rounding alone.
  void polish(BodySpace& space, BodyMatrix& matrix, BodyState& state);
  [[nodiscard]] int iterations() const { return iterations_; }
  /// What the next solve of the same island may begin with: the first softness about which the steps settled, or a
  /// smaller one where that was what the last solve began with.
  [[nodiscard]] double next_softness() const { return next_softness_; }
  /// The last solve ended because impulses grew without bound: a body is wedged, or rows contradict each other.
  [[nodiscard]] bool has_wedged() const { return has_wedged_; }

  Options options;

 private:
  bool settle(BodySpace& space, BodyMatrix& matrix, double softness, double sought, double tolerance, int most_steps,
              BodyState& best);
  void keep(BodySpace& space, BodyState& best);
  bool find_direction(BodySpace& space, BodyMatrix& matrix, double softness);
  void soften(const BodySpace& space, double softness);
  [[nodiscard]] bool is_wedged(const BodySpace& space) const;

  int iterations_ = 0;
  double next_softness_ = 0.0;
  bool has_wedged_ = false;
  BodyState at_, trial_;
  std::vector<double> centre_, soft_;  ///< Soft speeds.
  std::vector<double> D_, c_, dr_, dw_;
  std::vector<std::size_t> D_at_;
};

}  // namespace stiction::cone
