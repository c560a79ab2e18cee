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
    int most_iterations = 15;  ///< Linear systems in all,
    int most_inner = 8;        ///< and about one centre.
    int most_halvings = 10;
    /// Of contacts at first, and at most and least; relative to their mobility. Smaller loses digits, larger takes more
    /// steps.
    double softness = 1e-6, most_softness = 1e-4, least_softness = 1e-10;
    double joint_softness = 1e-8;
    int most_idle = 2;   ///< Steps that gain less than a half before it gives up.
    int few = 3;         ///< Iterations about one centre that ask for a harder step next.
    double inner = 0.1;  ///< The error of a step may be this share of what is sought.
  };

  /// From the impulses of `state` to the tolerance; leaves the best found there. True when it is reached.
  bool solve(BodySpace& space, BodyMatrix& matrix, double tolerance, BodyState& state);
  [[nodiscard]] int iterations() const { return iterations_; }

  Options options;

 private:
  bool find_step(BodySpace& space, BodyMatrix& matrix, double softness, double sought, int most, int& inner);
  bool keep(BodySpace& space, BodyState& best);
  bool find_direction(BodySpace& space, BodyMatrix& matrix, double softness);
  void soften(const BodySpace& space, double softness, const double* r, const double* u, double* soft) const;
  [[nodiscard]] double merit(const BodySpace& space, const double* r, const double* u) const;

  int iterations_ = 0;
  BodyState at_, trial_;
  std::vector<double> centre_, soft_;  ///< Soft speeds.
  std::vector<double> D_, c_, dr_, dw_, du_;
  std::vector<std::size_t> D_at_;
};

}  // namespace stiction::cone
