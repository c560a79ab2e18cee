#pragma once

#include <utility>
#include <vector>

#include "stiction/contact/step_problem.h"

namespace stiction {

/// A body of unit mass and inertia about the origin of its six velocities, touched by the world at points with normals.
inline StepProblem one_body_problem(const std::vector<std::pair<Vec3, Vec3>>& touches, double mu) {
  StepProblem problem;
  problem.M.resize(6, 6);
  problem.M.setIdentity();
  problem.v = Vector::Zero(6);
  problem.k = Vector::Zero(6);
  const auto push = [](linalg::Rows& rows, const Vec3& at, const Vec3& along) {
    const Vec3 turn = at.cross(along);
    for (int c = 0; c < 3; ++c) rows.push(c, along[c]);
    for (int c = 0; c < 3; ++c) rows.push(3 + c, turn[c]);
    rows.end_row();
  };
  for (std::size_t j = 0; j < touches.size(); ++j) {
    const auto& [at, n] = touches[j];
    const Vec3 t1 = n.unitOrthogonal();
    push(problem.n, at, n);
    push(problem.t1, at, t1);
    push(problem.t2, at, n.cross(t1));
    problem.contacts.push_back({static_cast<std::uint64_t>(j + 1), mu, mu, 0.0, mu > 0.0 ? 2 : 0});
    problem.b_n.push_back(0.0);
    problem.b_t1.push_back(0.0);
    problem.b_t2.push_back(0.0);
  }
  return problem;
}

/// Four corners of a square of side 2 below the origin, under a load that pulls down at (x, y).
inline StepProblem table_problem(double mu, double load, double x, double y, double height = 1.0) {
  std::vector<std::pair<Vec3, Vec3>> legs;
  for (const double a : {-1.0, 1.0})
    for (const double b : {-1.0, 1.0}) legs.emplace_back(Vec3(a, b, -height), Vec3::UnitZ());
  StepProblem problem = one_body_problem(legs, mu);
  const Vec3 turn = Vec3(x, y, 0.0).cross(Vec3(0.0, 0.0, -load));
  problem.k << 0.0, 0.0, -load, turn.x(), turn.y(), turn.z();
  return problem;
}

}  // namespace stiction
