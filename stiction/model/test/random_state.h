#pragma once

#include "stiction/geometry/test/random_poses.h"
#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"

namespace stiction {

inline Vector random_velocities(const System& system, Random& random) {
  Vector v(system.velocities());
  for (int i = 0; i < v.size(); ++i) v[i] = random.uniform(-1.0, 1.0);
  return v;
}

/// Somewhere the system can get to from its start, far from it.
inline Vector random_positions(const Multibody& system, Random& random) {
  Vector q = system.initial_positions(), next;
  for (int i = 0; i < 3; ++i) {
    system.advance(q, random_velocities(system, random), 1.0, next);
    q = next;
  }
  return q;
}

/// d/ds f(t + s, q (+) s v) at s = 0, by fourth-order differences.
template <class F>
double slope_along(const System& system, double t, const Vector& q, const Vector& v, F&& f) {
  constexpr double step = 1e-3;
  const auto at = [&](double s) {
    Vector moved;
    system.advance(q, v, s, moved);
    return f(t + s, moved);
  };
  return (8.0 * (at(step) - at(-step)) - (at(2.0 * step) - at(-2.0 * step))) / (12.0 * step);
}

/// A brick that no axis is special for.
inline BodyDef brick(Random& random, const std::string& name) {
  BodyDef body{.name = name, .mass = 2.0, .position = random_vector(random, 1.0)};
  body.inertia = Vec3(0.3, 0.4, 0.5).asDiagonal();
  body.orientation = random_orientation(random);
  return body;
}

inline BodyDef kinematic(BodyDef body, Random& random) {
  body.kinematic = true;
  body.velocity = random_vector(random, 1.0);
  body.angular_velocity = random_vector(random, 1.0);
  return body;
}

}  // namespace stiction
