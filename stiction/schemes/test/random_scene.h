#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "stiction/geometry/test/random_poses.h"
#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/model/state.h"
#include "stiction/schemes/options.h"

namespace stiction {

struct RandomSceneOptions {
  bool joints = true;
  bool springs = true;
  bool only_balls = false;   ///< Spheres that meet half-spaces alone.
  bool kinematic = false;    ///< One of the grounds moves.
  double restitution = 1.0;  ///< Largest.
  bool friction = true;
};

/// A few spheres, boxes and capsules of random mass near two half-spaces and each other, some without friction, some
/// joined, on their way to collide. Nothing overlaps at the start.
inline Model random_scene(Random& random, const RandomSceneOptions& options = {}) {
  ModelBuilder builder;
  const auto material = [&](const std::string& name) {
    const double mu = random.uniform() < 0.25 ? 0.0 : random.uniform(0.0, 1.2);
    return Material{
        .mu = options.friction ? mu : 0.0, .restitution = options.restitution * random.uniform(), .name = name};
  };
  const Vec3 up = (Vec3::UnitZ() + 0.4 * random_vector(random, 1.0)).normalized();
  builder.add_body({.name = "floor",
                    .shape = HalfSpace{up, 0.0},
                    .material = material("floor"),
                    .velocity = options.kinematic ? Vec3(random_vector(random, 0.3)) : Vec3(0, 0, 0),
                    .kinematic = options.kinematic,
                    .fixed = !options.kinematic});
  const Vec3 side = up.unitOrthogonal();
  builder.add_body({.name = "wall", .shape = HalfSpace{side, -0.35}, .material = material("wall"), .fixed = true});
  const int count = random.integer(2, 5);
  const Vec3 along = up.cross(side);
  std::vector<BodyId> bodies;
  std::vector<int> kinds;
  std::vector<Vec3> places;
  for (int i = 0; i < count; ++i) {
    const int kind = options.only_balls ? 0 : random.integer(0, 2);
    const double size = random.uniform(0.1, 0.15);
    const Quat turned = random_orientation(random);
    // Half the extent along a normal, so that the body starts a little above the floor.
    Shape shape = Sphere{size};
    double reach = size;
    if (kind == 1) {
      const Box box{size, 1.2 * size, 1.5 * size};
      shape = box;
      const Vec3 n = turned.conjugate() * up;
      reach = 0.5 * (box.x * std::abs(n.x()) + box.y * std::abs(n.y()) + box.z * std::abs(n.z()));
    } else if (kind == 2) {
      shape = Capsule{0.5 * size, size, Vec3::UnitX()};
      reach = 0.5 * size + 0.5 * size * std::abs((turned.conjugate() * up).x());
    }
    const double height = random.uniform() < 0.5 ? 0.0 : random.uniform(0.0, 0.02);
    places.emplace_back(0.31 * i * along + (reach + height) * up);
    kinds.push_back(kind);
    bodies.push_back(builder.add_body({.name = "b" + std::to_string(i),
                                       .mass = std::pow(10.0, random.uniform(-1.0, 1.0)),
                                       .shape = shape,
                                       .material = material("m" + std::to_string(i)),
                                       .position = places.back(),
                                       .orientation = turned,
                                       .velocity = Vec3(random_vector(random, 1.5) - up),
                                       .angular_velocity = random_vector(random, 3.0)}));
    if (i == 0) continue;
    if (options.joints && random.uniform() < 0.35) {
      JointDef joint{.kind = static_cast<JointKind>(random.integer(0, 4)), .body = bodies[i], .partner = bodies[i - 1]};
      joint.anchor = 0.5 * (places[i] + places[i - 1]);
      joint.axis = random_direction(random);
      if (joint.kind == JointKind::distance) {
        joint.anchor = places[i];
        joint.partner_anchor = places[i - 1];
      }
      builder.add_joint(joint);
    } else if (options.springs && random.uniform() < 0.3) {
      builder.add_spring({.body = bodies[i],
                          .partner = bodies[i - 1],
                          .anchor = places[i],
                          .partner_anchor = places[i - 1],
                          .stiffness = random.uniform(0.0, 50.0),
                          .damping = random.uniform(0.0, 1.0)});
    }
  }
  // Boxes meet boxes and capsules in no geometry yet.
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < i; ++j)
      if (options.only_balls || (kinds[i] == 1 && kinds[j] >= 1) || (kinds[j] == 1 && kinds[i] >= 1))
        builder.ignore_pair(bodies[i], bodies[j]);
  if (options.springs)
    builder.add_force({.body = bodies[0], .force = random_vector(random, 1.0), .torque = random_vector(random, 0.1)});
  return builder.build().value();
}

inline State start_of(const Multibody& system) {
  const Vector v = system.initial_velocities();
  return {0.0, system.initial_positions(), v, v};
}

/// Everything that can be chosen, at random.
inline SchemeOptions random_options(Random& random, Scheme scheme) {
  SchemeOptions options = preset(scheme);
  options.cone.turn = random.uniform() < 0.5;
  options.cone.facets = 2 * random.integer(2, 6);
  const GeometryAt explicit_ones[] = {GeometryAt::start, GeometryAt::midpoint, GeometryAt::predicted};
  if (scheme == Scheme::stewart_trinkle) {
    options.linear = random.uniform() < 0.5;
    options.geometry = options.linear           ? explicit_ones[random.integer(0, 2)]
                       : random.uniform() < 0.5 ? GeometryAt::end
                                                : GeometryAt::average;
    return options;
  }
  options.geometry = explicit_ones[random.integer(0, 2)];
  options.position_update = random.uniform() < 0.5 ? PositionUpdate::new_velocity : PositionUpdate::old_velocity;
  options.impact = static_cast<ImpactLaw>(random.integer(0, 2));
  options.stabilisation = random.uniform() < 0.5 ? 0.0 : random.uniform();
  return options;
}

}  // namespace stiction
