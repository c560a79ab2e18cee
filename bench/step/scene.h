#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stiction/geometry/shape.h"
#include "stiction/linalg/pose.h"

namespace stiction::bench {

/// One solid in its own frame, whose origin is the centre of mass. Sphere, Box, Capsule or Cylinder along z.
struct SceneBody {
  Shape shape;
  double mass = 1.0;
  Pose pose = {};
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();
};

struct SceneJoint {
  enum class Kind : std::uint8_t { ball, hinge };
  Kind kind = Kind::ball;
  int body = 0;
  int partner = -1;                                  ///< Of a smaller index, so that joints make a tree; -1: the world.
  Vec3 anchor = Vec3::Zero(), axis = Vec3::UnitX();  ///< World coordinates at the start.
};

/// A scene that no engine owns: each makes its world from this. Joined bodies do not touch each other.
struct StepScene {
  std::string name;
  std::uint64_t seed = 0;
  double mu = 0.5;  ///< Of every pair.
  double h = 5e-3;
  Vec3 gravity = {0.0, 0.0, -9.81};
  double tolerance = 1e-8;  ///< Of our certificate.
  bool collide = true;      ///< False: nothing touches anything.
  std::vector<HalfSpace> planes;
  std::vector<SceneBody> bodies;
  std::vector<SceneJoint> joints;
};

/// What a scene is made from; the same key makes the same scene, bit for bit.
struct SceneKey {
  std::uint64_t seed = 1;
  double mu = 0.5;
};

/// A scene of the benchmark by name.
struct SceneKind {
  std::string name;
  bool has_contacts = true;  ///< False: mu does not matter.
  StepScene (*make)(int size, const SceneKey& key) = nullptr;
  int size = 0;
};

/// In the order of the table.
[[nodiscard]] const std::vector<SceneKind>& scene_kinds();
[[nodiscard]] std::optional<StepScene> make_scene(const std::string& name, const SceneKey& key);

/// Running bond with head joints of 1 mm, half bricks at the ends of every other course; 21 or 105 bricks. Masses
/// differ by the seed.
[[nodiscard]] StepScene make_wall(int bricks, const SceneKey& key);
/// The same without a gap between neighbours, which then push each other or do not.
[[nodiscard]] StepScene make_tight_wall(int bricks, const SceneKey& key);
/// The wall hit in the middle by a ball of 28 kg at 6 m/s; the tolerance is 1e-6.
[[nodiscard]] StepScene make_hit_wall(int bricks, const SceneKey& key);
/// Spheres in a bin, n to a side, almost touching, at 1 m/s towards the floor.
[[nodiscard]] StepScene make_falling_pile(int count, const SceneKey& key);
/// Spheres in a bin as cannon balls lie, layers of n by n and n - 1 by n - 1: all touch, nothing moves.
[[nodiscard]] StepScene make_resting_pile(int count, const SceneKey& key);
/// Boxes of 1 kg with one of this ratio on top.
[[nodiscard]] StepScene make_stack(int ratio, const SceneKey& key);
/// Links that hang from the world by ball joints, almost level at the start. No contacts.
[[nodiscard]] StepScene make_chain(int links, const SceneKey& key);
/// Spheres, boxes, capsules and cylinders of 0.1 to 10 kg thrown into a bin.
[[nodiscard]] StepScene make_mixed_bin(int count, const SceneKey& key);
/// Of ten solids each, hinges at elbows and knees, falling into a bin.
[[nodiscard]] StepScene make_ragdolls(int count, const SceneKey& key);

}  // namespace stiction::bench
