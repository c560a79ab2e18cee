#pragma once

#include "stiction/cone/test/random_body_problem.h"

namespace stiction::cone {

constexpr double slow_speed = 1e-7;

/// A body in the plane on two points of one height, pushed along the ground. The ground below the second runs away at
/// 1e-7 m/s, as what a last step left in a redundant network does: both rows say the same of the body and differ in b.
inline BodyProblem slow_slider(double force) {
  BodyProblem problem = make_bodies(3, 1);
  problem.k = {force, -1.0, 0.0};
  for (const double x : {-1.0, 1.0}) {
    DenseMatrix J(2, 3);
    J.row(0) = motion(3, {x, -0.5, 0.0}, Eigen::Vector3d::UnitY());
    J.row(1) = motion(3, {x, -0.5, 0.0}, Eigen::Vector3d::UnitX());
    add_unit(problem, BodyProblem::Kind::contact, {0}, {J}, Eigen::Vector2d(0.0, x > 0.0 ? slow_speed : 0.0), true);
    add_group(problem, 1, 1, 0.5);
  }
  return problem;
}

}  // namespace stiction::cone
