#pragma once

#include <vector>

#include "stiction/cone/anderson.h"
#include "stiction/cone/body_matrix.h"
#include "stiction/cone/body_newton.h"
#include "stiction/cone/body_space.h"

namespace stiction::cone {

/// Alternating directions on the bodies: impulses z in their cones and impulses r that balance the bodies are drawn
/// together, with the lift mu |u_T| of De Saxce taken from the multiplier. One factorisation of M + J'J / penalty
/// serves all iterations, which Anderson's method accelerates.
class BodyAdmm {
 public:
  struct Options {
    double penalty = 0.01;        ///< Of contacts, relative to their mobility.
    double joint_penalty = 1e-6;  ///< Of joints, which have no cone to be drawn to.
    int check_every = 5;
    int window = 10;  ///< Of Anderson's method.
  };

  /// Contacts with one group of friction at most.
  static bool can_solve(const BodyProblem& problem);
  bool solve(BodySpace& space, BodyMatrix& matrix, double tolerance, int most_iterations, BodyState& state);
  [[nodiscard]] int iterations() const { return iterations_; }

  Options options;

 private:
  bool factorise(const BodySpace& space, BodyMatrix& matrix);
  void begin(const BodySpace& space, const BodyState& state);
  void project(const BodyProblem& problem);
  void advance(const BodySpace& space, const BodyMatrix& matrix);

  int iterations_ = 0;
  BodyState trial_;
  Anderson anderson_{10};
  linalg::Vector x_, next_;                    ///< v over sqrt(rho).
  std::vector<double> v_, z_, gamma_, c_, y_;  ///< The point, its projection, its multiplier.
  std::vector<double> penalty_, root_, free_;  ///< One a row; u without any impulse.
};

}  // namespace stiction::cone
