#include "bench/step/scene_parts.h"

namespace stiction::bench {
namespace {

const Quat across = Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitX());

struct Part {
  Shape shape;
  double mass;
  Vec3 at;
  bool is_level = false;  ///< Along x instead of z.
};
struct Link {
  SceneJoint::Kind kind;
  int body, partner;
  Vec3 anchor;
};

/// Upright, arms out, feet at z = 0.07.
std::vector<Part> parts() {
  std::vector<Part> list{{Capsule{0.12, 0.36}, 30.0, {0.0, 0.0, 1.2}}, {Sphere{0.11}, 5.0, {0.0, 0.0, 1.62}}};
  for (const double side : {-1.0, 1.0}) {
    list.push_back({Capsule{0.045, 0.2}, 2.0, {side * 0.285, 0.0, 1.36}, true});
    list.push_back({Capsule{0.04, 0.2}, 1.5, {side * 0.555, 0.0, 1.36}, true});
    list.push_back({Capsule{0.06, 0.3}, 8.0, {side * 0.09, 0.0, 0.70}});
    list.push_back({Capsule{0.05, 0.3}, 4.0, {side * 0.09, 0.0, 0.27}});
  }
  return list;
}

std::vector<Link> links() {
  using enum SceneJoint::Kind;
  std::vector<Link> list{{ball, 1, 0, {0.0, 0.0, 1.5}}};
  for (const int side : {0, 1}) {
    const double sign = side == 0 ? -1.0 : 1.0;
    const int first = 2 + 4 * side;
    list.push_back({ball, first, 0, {sign * 0.14, 0.0, 1.36}});
    list.push_back({hinge, first + 1, first, {sign * 0.42, 0.0, 1.36}});
    list.push_back({ball, first + 2, 0, {sign * 0.09, 0.0, 0.9}});
    list.push_back({hinge, first + 3, first + 2, {sign * 0.09, 0.0, 0.48}});
  }
  return list;
}

}  // namespace

StepScene make_ragdolls(int count, const SceneKey& key) {
  constexpr double pitch = 2.0;
  StepScene scene;
  Random random(key.seed);
  add_bin(scene, pitch, pitch);
  const Vec3 middle(0.0, 0.0, 0.9);
  for (int i = 0; i < count; ++i) {
    const Vec3 cell = cell_of(i, 2);
    const Pose doll{pitch * cell, random_turn(random)};
    const int first = static_cast<int>(scene.bodies.size());
    const Vec3 velocity = Vec3(0.0, 0.0, -4.0) + random_within(random, 0.5);
    for (const Part& part : parts()) {
      SceneBody body{.shape = part.shape, .mass = part.mass};
      body.pose = doll * Pose{part.at - middle, part.is_level ? across : Quat::Identity()};
      body.velocity = velocity;
      scene.bodies.push_back(body);
    }
    // Elbows turn about the ragdoll's y, knees about its x.
    for (const Link& link : links()) {
      const bool is_elbow = link.kind == SceneJoint::Kind::hinge && link.anchor.z() > 1.0;
      scene.joints.push_back({link.kind, first + link.body, first + link.partner, doll.to_world(link.anchor - middle),
                              doll.orientation * (is_elbow ? Vec3(Vec3::UnitY()) : Vec3(Vec3::UnitX()))});
    }
  }
  return scene;
}

}  // namespace stiction::bench
