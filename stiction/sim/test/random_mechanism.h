#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "stiction/base/random.h"
#include "stiction/sim/simulator.h"
#include "stiction/sim/test/grade_shares.h"

/// Random mechanisms with and without redundant copies of their joints, for the tests and for `make accept`.
namespace stiction::test {

inline Vec3 random_vector(Random& random) {
  const double x = random.uniform(-1.0, 1.0);
  const double y = random.uniform(-1.0, 1.0);
  const double z = random.uniform(-1.0, 1.0);
  return {x, y, z};
}

struct Mechanism {
  std::vector<BodyDef> bodies;
  std::vector<JointDef> joints, copies;
  std::vector<int> copy_of = {};  ///< Which joint each copies.
};

inline JointDef random_joint(Random& random, BodyId body, BodyId partner, const Vec3& anchor) {
  constexpr JointKind kinds[] = {JointKind::revolute, JointKind::spherical, JointKind::prismatic,
                                 JointKind::distance, JointKind::universal, JointKind::cylindrical,
                                 JointKind::planar,   JointKind::fixed};
  JointDef joint{.kind = kinds[random.integer(0, 7)], .body = body, .partner = partner, .anchor = anchor};
  joint.axis = random_vector(random);
  if (joint.kind == JointKind::distance) joint.partner_anchor = anchor + random_vector(random);
  if (joint.kind == JointKind::universal) joint.partner_axis = joint.axis.unitOrthogonal();
  return joint;
}

/// The same joint once more, elsewhere where that says the same: on the axis of a hinge, anywhere on a slider.
inline JointDef copy_of(Random& random, JointDef joint) {
  const bool has_line = joint.kind == JointKind::revolute || joint.kind == JointKind::cylindrical;
  const bool is_anywhere =
      joint.kind == JointKind::prismatic || joint.kind == JointKind::planar || joint.kind == JointKind::fixed;
  if (has_line) joint.anchor += random.uniform(-1.0, 1.0) * joint.axis;
  if (is_anywhere) joint.anchor += random_vector(random);
  return joint;
}

/// One to twenty joints: a tree from the world outwards, and now and then a joint more, which closes a loop.
inline Mechanism random_mechanism(Random& random) {
  Mechanism made;
  const int count = random.integer(1, 20);
  while (static_cast<int>(made.joints.size()) < count) {
    const int bodies = static_cast<int>(made.bodies.size());
    const bool closes = bodies > 2 && random.integer(0, 4) == 0;
    if (closes) {
      const BodyId body{random.integer(1, bodies - 1)};
      const BodyId partner{random.integer(0, body.index) - 1};
      JointDef loop{.kind = JointKind::distance, .body = body, .partner = partner};
      loop.anchor = made.bodies[body.index].position + 0.3 * random_vector(random);
      loop.partner_anchor = Vec3(loop.anchor + random_vector(random));
      made.joints.push_back(loop);
      continue;
    }
    BodyDef body{.mass = random.uniform(0.5, 2.0)};
    body.inertia = Vec3(0.3, 0.4, 0.5).asDiagonal();
    const BodyId partner{random.integer(0, bodies) - 1};
    const Vec3 from = partner == world ? Vec3(Vec3::Zero()) : made.bodies[partner.index].position;
    body.position = from + random_vector(random);
    made.bodies.push_back(body);
    made.joints.push_back(random_joint(random, {bodies}, partner, from + 0.5 * random_vector(random)));
  }
  for (std::size_t i = 0; i < made.joints.size(); ++i) {
    if (random.integer(0, 1) != 0) continue;
    made.copies.push_back(copy_of(random, made.joints[i]));
    made.copy_of.push_back(static_cast<int>(i));
  }
  if (made.copies.empty()) {
    made.copies.push_back(made.joints[0]);
    made.copy_of.push_back(0);
  }
  return made;
}

inline Model build(const Mechanism& mechanism, bool with_copies) {
  ModelBuilder builder;
  for (const BodyDef& body : mechanism.bodies) builder.add_body(body);
  for (const JointDef& joint : mechanism.joints) builder.add_joint(joint);
  if (with_copies)
    for (const JointDef& joint : mechanism.copies) builder.add_joint(joint);
  return builder.build().value();
}

/// The joints and copies of a mechanism in random order; `joints` are those of each pair that come first, in that
/// order.
inline Mechanism shuffled(Random& random, const Mechanism& mechanism) {
  struct One {
    JointDef joint;
    int original;  ///< Which of the mechanism's joints it is or copies.
  };
  std::vector<One> all;
  std::size_t next = 0;
  for (std::size_t i = 0; i < mechanism.joints.size(); ++i) {
    all.push_back({mechanism.joints[i], static_cast<int>(i)});
    const bool has_copy = next < mechanism.copies.size() && mechanism.copy_of[next] == static_cast<int>(i);
    if (has_copy) all.push_back({mechanism.copies[next++], static_cast<int>(i)});
  }
  for (int i = static_cast<int>(all.size()) - 1; i > 0; --i) std::swap(all[i], all[random.integer(0, i)]);
  Mechanism made{mechanism.bodies, {}, {}, {}};
  std::vector<int> seen;
  for (const One& one : all) {
    made.copies.push_back(one.joint);
    if (std::find(seen.begin(), seen.end(), one.original) != seen.end()) continue;
    seen.push_back(one.original);
    made.joints.push_back(one.joint);
  }
  return made;
}

/// A mechanism run with and without copies.
struct RedundancyTrial {
  std::string error;   ///< Of a run that failed; empty where both were certified.
  double apart = 0.0;  ///< Largest difference of positions and velocities at the end.
  int copies = 0;
};

inline RedundancyTrial compare(const Model& without, const Model& with, const SchemeOptions& scheme) {
  const SimulationOptions options{.h = 0.002, .end = 0.04, .scheme = scheme};
  Simulator plain(without, options), redundant(with, options);
  RedundancyTrial trial;
  for (Simulator* run : {&plain, &redundant})
    if (const auto steps = run->run_until(options.end); !steps.ok()) trial.error = steps.error();
  trial.apart = std::max((plain.state().q - redundant.state().q).lpNorm<Eigen::Infinity>(),
                         (plain.state().v - redundant.state().v).lpNorm<Eigen::Infinity>());
  for (const Simulator* run : {&plain, &redundant}) test::GradeShares::add(run->certificate());
  return trial;
}

inline RedundancyTrial try_redundancy(Random& random, const SchemeOptions& scheme) {
  const Mechanism mechanism = random_mechanism(random);
  RedundancyTrial trial = compare(build(mechanism, false), build(mechanism, true), scheme);
  trial.copies = static_cast<int>(mechanism.copies.size());
  return trial;
}

/// The same with joints and copies in any order, against the mechanism of those that come first.
inline RedundancyTrial try_any_order(Random& random, const SchemeOptions& scheme) {
  const Mechanism firsts = shuffled(random, random_mechanism(random));
  const Mechanism all{firsts.bodies, firsts.copies, {}, {}};
  RedundancyTrial trial = compare(build(firsts, false), build(all, false), scheme);
  trial.copies = static_cast<int>(all.joints.size() - firsts.joints.size());
  return trial;
}

}  // namespace stiction::test
