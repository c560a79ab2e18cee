#pragma once

#include <vector>

#include "stiction/cone/body_matrix.h"
#include "stiction/cone/body_newton.h"
#include "stiction/cone/body_space.h"

namespace stiction::cone {

/// A proximal point method on velocities, for what is hard: large redundant islands in an impact. About a centre each
/// unit is a spring of softness e / rho with its law, r = P(centre - rho / e u(w)), P the projection of Alart and
/// Curnier 1991, and what is left is one equation on the bodies,
///
///     d(w) = w - w0 - M^-1 J'r(w) = 0,
///
/// solved by Newton's method with D = -dr/du: (M + J'D J) y = J'D J d, dw = y - d. The centre moves to r(w) then. The
/// softness is large while this takes many iterations, and falls where it takes few. In redundant islands impulses go
/// along self-stress in straight lines, from one change of state of a contact to the next, faster the smaller it is.
class BodyProximal {
 public:
  struct Options {
    double softness = 1e-2, most_softness = 0.1, least_softness = 1e-8;  ///< e, over the mobility.
    double joint_softness = 1e-6;                                        ///< Of joints at most.
    int most_inner = 15;                                                 ///< Linear systems about one centre.
    int most_halvings = 8;                                               ///< Of a step of Newton's method.
    int few = 3, many = 6;                                               ///< Systems about a centre after which
    double harden = 0.5, soften = 2.0;                                   ///< e is multiplied by this,
    double retreat = 10.0;                                               ///< and after a centre that was not reached.
    /// A centre is reached at this share of the error, or at that one of the tolerance.
    double loose = 0.3, inner = 0.1;
    double most_momentum = 0.98;  ///< Of the centre (Guler 1992).
    int polish = 30;              ///< Systems from where the error is accepted: rounding may leave it there.
  };

  /// Linear systems: all, and those in a row in which the error does not fall by half.
  struct Budget {
    int most = 4000, idle = 4000;
  };
  /// From the impulses of `state`; leaves the best found there. True when the tolerance is reached; from where the
  /// error is `accepted` it may take `polish` systems more.
  bool solve(BodySpace& space, BodyMatrix& matrix, double tolerance, double accepted, Budget budget, BodyState& state);
  /// Linear systems solved.
  [[nodiscard]] int iterations() const { return iterations_; }

  Options options;

 private:
  using Unit = BodyProblem::Unit;
  void move_centre(const BodySpace& space);
  bool find_step(BodySpace& space, BodyMatrix& matrix, double softness, double sought, int most, int& inner);
  bool find_direction(BodySpace& space, BodyMatrix& matrix);
  void evaluate(BodySpace& space, double softness, const std::vector<double>& w, bool with_blocks);

  int iterations_ = 0;
  double momentum_ = 1.0;
  std::vector<double> centre_, last_, w_, good_, trial_w_, w_of_r_;
  std::vector<double> r_, gap_;       ///< Impulses at the velocities, and J d;
  double merit_ = 0.0, worst_ = 0.0;  ///< of d: its energy, and the worst unit's speed over its own.
  std::vector<double> D_, dw_;
  std::vector<std::size_t> D_at_;
  BodyState trial_;
};

}  // namespace stiction::cone
