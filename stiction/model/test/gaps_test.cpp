#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "stiction/model/test/random_state.h"

namespace stiction {
namespace {

constexpr double no_margin = std::numeric_limits<double>::infinity();

GapSet find_gaps(const Multibody& system, double t, const Vector& q, double margin = no_margin) {
  GapSet gaps;
  system.find_gaps(t, q, margin, gaps);
  return gaps;
}

GapSet start_gaps(const Multibody& system, double margin = no_margin) {
  return find_gaps(system, 0.0, system.initial_positions(), margin);
}

/// Spheres, capsules, a box and planes, some off their body's centre, one body kinematic.
Multibody crowd(Random& random) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{{0.1, 0.2, 1.0}, -1.0});
  for (int i = 0; i < 3; ++i) {
    BodyDef body = brick(random, "ball" + std::to_string(i));
    body.shapes = {{.shape = Sphere{0.3}, .pose = {random_vector(random, 0.2)}},
                   {.shape = Sphere{0.1}, .pose = {random_vector(random, 0.5)}}};
    builder.add_body(body);
  }
  BodyDef rod = brick(random, "rod");
  rod.shape = Capsule{0.1, 0.8, {1.0, 1.0, 0.0}};
  const BodyId a = builder.add_body(rod);
  BodyDef box = brick(random, "box");
  box.shape = Box{0.3, 0.4, 0.5};
  const BodyId b = builder.add_body(box);
  BodyDef paddle = kinematic(brick(random, "paddle"), random);
  paddle.shapes = {{.shape = HalfSpace{{1.0, 0.0, 0.0}, -2.0}}, {.shape = Sphere{0.4}, .pose = {Vec3(0.0, 1.0, 0.0)}}};
  builder.add_body(paddle);
  builder.ignore_pair(a, b);
  return Multibody(builder.build().value());
}

TEST(Gaps, AreOrderedAndKeepTheirIds) {
  Random random(1);
  const Multibody system = crowd(random);
  const Vector v = random_velocities(system, random);
  Vector q;
  system.advance(system.initial_positions(), v, 1e-4, q);
  const GapSet now = start_gaps(system), next = find_gaps(system, 1e-4, q);
  ASSERT_GT(now.size(), 30);
  ASSERT_EQ(now.size(), next.size());
  for (int i = 0; i < now.size(); ++i) {
    EXPECT_EQ(now.contacts[i].id, next.contacts[i].id);
    EXPECT_EQ(now.find(now.contacts[i].id), i);
    EXPECT_NEAR(now.contacts[i].Phi, next.contacts[i].Phi, 1e-2);
    if (i > 0) {
      EXPECT_LT(now.contacts[i - 1].id, now.contacts[i].id);
    }
  }
}

TEST(Gaps, AMarginTakesTheNearOnesAndNothingElse) {
  Random random(2);
  const Multibody system = crowd(random);
  const GapSet all = start_gaps(system);
  for (const double margin : {0.0, 0.1, 0.5, 1.0}) {
    const GapSet near = start_gaps(system, margin);
    int expected = 0;
    for (const ContactPoint& contact : all.contacts) {
      if (contact.Phi > margin) continue;
      ++expected;
      const int i = near.find(contact.id);
      ASSERT_GE(i, 0);
      EXPECT_EQ(near.contacts[i].Phi, contact.Phi);
    }
    EXPECT_EQ(near.size(), expected);
  }
}

/// d Phi/dt = n'v + normal_speed, for every contact of every pair while all bodies move.
TEST(Gaps, NormalRowsAreTheDerivativesOfTheGaps) {
  Random random(3);
  int kinks = 0, compared = 0;
  for (int trial = 0; trial < 10; ++trial) {
    const Multibody system = crowd(random);
    const double t = random.uniform(0.0, 1.0);
    const Vector q = random_positions(system, random), v = random_velocities(system, random);
    const GapSet gaps = find_gaps(system, t, q);
    for (int i = 0; i < gaps.size(); ++i) {
      const double slope = slope_along(system, t, q, v, [&](double time, const Vector& at) {
        const GapSet moved = find_gaps(system, time, at);
        const int same = moved.find(gaps.contacts[i].id);
        return same < 0 ? std::nan("") : moved.contacts[same].Phi;
      });
      ++compared;
      if (!(std::abs(gaps.n.dot(i, v) + gaps.normal_speed[i] - slope) < 1e-8)) ++kinks;
    }
  }
  EXPECT_GT(compared, 300);
  EXPECT_LE(kinks, compared / 50);  // where another feature becomes the nearest within the step
}

/// The velocity of the material point of a body at x.
Vec3 velocity_at(const Multibody& system, BodyId id, double t, const Vector& q, const Vector& v, const Vec3& x) {
  return system.velocity(id, t, q, v) + system.angular_velocity(id, t, q, v).cross(x - system.pose(id, t, q).position);
}

TEST(Gaps, TangentRowsAreTheSlipAtTheContact) {
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    ModelBuilder builder;
    BodyDef ball = brick(random, "ball");
    ball.shape = Sphere{0.3};
    BodyDef paddle = kinematic(brick(random, "paddle"), random);
    paddle.shape = Sphere{0.5};
    const BodyId a = builder.add_body(ball), b = builder.add_body(paddle);
    const Multibody system(builder.build().value());
    const double t = random.uniform(0.0, 1.0);
    const Vector q = random_positions(system, random), v = random_velocities(system, random);
    const GapSet gaps = find_gaps(system, t, q);
    ASSERT_EQ(gaps.size(), 1);
    const ContactPoint& contact = gaps.contacts[0];
    ASSERT_EQ(contact.tangents, 2);
    const Vec3 x_a = system.pose(a, t, q).position - 0.3 * contact.normal;
    const Vec3 x_b = system.pose(b, t, q).position + 0.5 * contact.normal;
    const Vec3 slip = velocity_at(system, a, t, q, v, x_a) - velocity_at(system, b, t, q, v, x_b);
    EXPECT_NEAR(gaps.n.dot(0, v) + gaps.normal_speed[0], contact.normal.dot(slip), 1e-13);
    EXPECT_NEAR(gaps.t1.dot(0, v) + gaps.slip1[0], contact.t1.dot(slip), 1e-13);
    EXPECT_NEAR(gaps.t2.dot(0, v) + gaps.slip2[0], contact.t2.dot(slip), 1e-13);
    EXPECT_LE((contact.point - 0.5 * (x_a + x_b)).norm(), 1e-14);
  }
}

TEST(Gaps, TangentsFollowThePaper) {
  Random random(5);
  const Multibody system = crowd(random);
  for (const ContactPoint& contact : start_gaps(system).contacts) {
    EXPECT_NEAR(contact.t1.norm(), 1.0, 1e-14);
    EXPECT_NEAR(contact.t1.dot(contact.normal), 0.0, 1e-14);
    EXPECT_LE((contact.t2 - contact.t1.cross(contact.normal)).norm(), 1e-14);
    EXPECT_LE((contact.t1 - contact.normal.cross(Vec3::UnitZ()).normalized()).norm(), 1e-13);
  }
}

TEST(Gaps, OnLevelGroundTheFirstTangentIsX) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{});
  builder.add_body({.mass = 1.0, .shape = Sphere{0.5}, .position = {0.0, 0.0, 0.5}});
  const GapSet gaps = start_gaps(Multibody(builder.build().value()), 1e-9);
  ASSERT_EQ(gaps.size(), 1);
  EXPECT_EQ(gaps.contacts[0].normal, Vec3(Vec3::UnitZ()));
  EXPECT_EQ(gaps.contacts[0].t1, Vec3(Vec3::UnitX()));
  EXPECT_EQ(gaps.contacts[0].t2, Vec3(-Vec3::UnitY()));
}

/// 1996, section 4: n = [0, 1, +-(l/2) cos], d = [1, 0, -(+-(l/2) sin) + rho], with the end radius that the paper left
/// out of d.
TEST(Gaps, TheRodAndTheTableOf1996) {
  const double angle = 0.7, half = 0.25, rho = 0.05;
  ModelBuilder builder;
  builder.set_gravity({0.0, -9.81, 0.0});
  builder.add_ground(HalfSpace{Vec3::UnitY(), 0.0}, {.mu = 0.6});
  builder.add_body({.name = "rod",
                    .mass = 1.0,
                    .inertia = Mat3(0.002 * Mat3::Identity()),
                    .shape = Capsule{rho, 2.0 * half, Vec3::UnitX()},
                    .material = {.mu = 0.6},
                    .position = {0.3, 1.0, 0.0},
                    .orientation = exponential(angle * Vec3::UnitZ()),
                    .freedom = Freedom::planar()});
  const Multibody system(builder.build().value());
  const GapSet gaps = start_gaps(system);
  ASSERT_EQ(gaps.size(), 2);
  for (int end = 0; end < 2; ++end) {
    const double s = end == 0 ? -half : half;
    const ContactPoint& contact = gaps.contacts[end];
    EXPECT_NEAR(contact.Phi, 1.0 + s * std::sin(angle) - rho, 1e-15);
    EXPECT_EQ(contact.tangents, 1);
    EXPECT_EQ(contact.t1, Vec3(Vec3::UnitX()));
    EXPECT_DOUBLE_EQ(contact.mu, 0.6);
    const Vec3 n(gaps.n.dot(end, Vec3::UnitX()), gaps.n.dot(end, Vec3::UnitY()), gaps.n.dot(end, Vec3::UnitZ()));
    const Vec3 d(gaps.t1.dot(end, Vec3::UnitX()), gaps.t1.dot(end, Vec3::UnitY()), gaps.t1.dot(end, Vec3::UnitZ()));
    EXPECT_LE((n - Vec3(0.0, 1.0, s * std::cos(angle))).norm(), 1e-15);
    EXPECT_LE((d - Vec3(1.0, 0.0, -s * std::sin(angle) + rho)).norm(), 1e-15);
    EXPECT_TRUE(gaps.t2.is_zero(end));
  }
}

TEST(Gaps, TheNormalPointsToTheMovableBodyWhateverTheOrder) {
  for (const bool ground_first : {true, false}) {
    ModelBuilder builder;
    if (ground_first) builder.add_ground(HalfSpace{});
    builder.add_body({.name = "ball", .mass = 1.0, .shape = Sphere{0.5}, .position = {0.0, 0.0, 1.0}});
    if (!ground_first) builder.add_ground(HalfSpace{});
    const Multibody system(builder.build().value());
    const GapSet gaps = start_gaps(system);
    ASSERT_EQ(gaps.size(), 1);
    EXPECT_EQ(gaps.contacts[0].normal, Vec3(Vec3::UnitZ()));
    EXPECT_EQ(system.contact_name(gaps.contacts[0].id), "ball - ground");
  }
}

TEST(Gaps, ContactsHaveNames) {
  ModelBuilder builder;
  builder.add_body({.name = "box", .mass = 1.0, .shape = Box{1.0, 1.0, 1.0}, .position = {0.0, 0.0, 0.4}});
  builder.add_body({.name = "duck",
                    .mass = 1.0,
                    .shapes = {{.shape = Sphere{0.2}, .pose = {Vec3(0.5, 0.0, 0.0)}, .name = "head"},
                               {.shape = Sphere{0.2}, .pose = {Vec3(-0.5, 0.0, 0.0)}}},
                    .position = {0.0, 0.0, 5.0}});
  builder.add_ground(HalfSpace{});
  const Multibody system(builder.build().value());
  const GapSet gaps = start_gaps(system);
  ASSERT_EQ(gaps.size(), 2 + 8 + 2);
  EXPECT_EQ(system.contact_name(gaps.contacts[0].id), "box - duck/head");
  EXPECT_EQ(system.contact_name(gaps.contacts[1].id), "box - duck/shape1");
  EXPECT_EQ(system.contact_name(gaps.contacts[2].id), "box - ground #0");
  EXPECT_EQ(system.contact_name(gaps.contacts[9].id), "box - ground #7");
  EXPECT_EQ(system.contact_name(gaps.contacts[11].id), "duck/shape1 - ground");
}

TEST(Gaps, MaterialsCombineUnlessThePairHasItsOwn) {
  const auto contact = [](bool own_pair) {
    ModelBuilder builder;
    builder.add_ground(HalfSpace{}, {.mu = 0.9, .restitution = 0.1, .name = "concrete"});
    builder.add_body(
        {.mass = 1.0, .shape = Sphere{0.5}, .material = {.mu = 0.4, .restitution = 0.7, .mu2 = 0.1, .name = "rubber"}});
    if (own_pair) builder.set_pair("rubber", "concrete", {.mu = 0.05, .restitution = 0.2});
    return start_gaps(Multibody(builder.build().value())).contacts.at(0);
  };
  EXPECT_DOUBLE_EQ(contact(false).mu, 0.6);
  EXPECT_DOUBLE_EQ(contact(false).mu2, 0.3);
  EXPECT_DOUBLE_EQ(contact(false).restitution, 0.7);
  EXPECT_DOUBLE_EQ(contact(true).mu, 0.05);
  EXPECT_DOUBLE_EQ(contact(true).mu2, 0.05);
  EXPECT_DOUBLE_EQ(contact(true).restitution, 0.2);
}

TEST(Gaps, PairsThatAreNotLookedFor) {
  ModelBuilder builder;
  std::vector<BodyId> balls;
  for (int i = 0; i < 4; ++i) {
    const Vec3 position(0.5 * i, 0.0, 0.0);
    balls.push_back(builder.add_body({.mass = 1.0, .shape = Sphere{0.5}, .position = position}));
  }
  builder.add_joint({.kind = JointKind::spherical, .body = balls[0], .partner = balls[1]});
  builder.add_joint({.kind = JointKind::spherical, .body = balls[1], .partner = balls[2], .collide = true});
  builder.ignore_pair(balls[3], balls[0]);
  builder.add_ground(HalfSpace{});
  builder.add_ground(Sphere{1.0});
  const Model model = builder.build().value();
  EXPECT_FALSE(model.may_touch(0, 0));
  EXPECT_FALSE(model.may_touch(0, 1));
  EXPECT_TRUE(model.may_touch(1, 2));
  EXPECT_TRUE(model.may_touch(0, 2));
  EXPECT_FALSE(model.may_touch(0, 3));
  EXPECT_FALSE(model.may_touch(3, 0));
  EXPECT_FALSE(model.may_touch(4, 5));
  EXPECT_TRUE(model.may_touch(0, 5));
  EXPECT_EQ(start_gaps(Multibody(model)).size(), 4 + 2 * 4);
}

TEST(Gaps, GroupsThatAreNotLookedFor) {
  ModelBuilder builder;
  for (const char* group : {"rope", "rope", "rope", "hook", ""}) {
    builder.add_body({.mass = 1.0, .shape = Sphere{0.5}, .group = group});
  }
  builder.ignore_groups("rope", "rope");
  builder.ignore_groups("hook", "rope");
  const Model model = builder.build().value();
  EXPECT_FALSE(model.may_touch(0, 1));
  EXPECT_FALSE(model.may_touch(2, 0));
  EXPECT_FALSE(model.may_touch(1, 3));
  EXPECT_FALSE(model.may_touch(3, 1));
  EXPECT_TRUE(model.may_touch(0, 4));
  EXPECT_TRUE(model.may_touch(4, 3));
  builder.ignore_groups("rope", "hok");
  const auto refused = builder.build();
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().find("'hok'"), std::string::npos) << refused.error();
}

ContactPoint only_contact(const Freedom& freedom, const Material& material) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, material);
  builder.add_body({.mass = 1.0, .shape = Sphere{0.5}, .material = material, .freedom = freedom});
  const GapSet gaps = start_gaps(Multibody(builder.build().value()));
  return gaps.size() == 1 ? gaps.contacts[0] : ContactPoint{.tangents = -1};
}

TEST(Gaps, TangentsAreThoseInWhichTheContactCanSlideWithFriction) {
  EXPECT_EQ(only_contact(Freedom::full(), {.mu = 0.3}).tangents, 2);
  EXPECT_EQ(only_contact(Freedom::full(), {.mu = 0.0}).tangents, 0);
  EXPECT_EQ(only_contact({true, false, true, false, false, false}, {.mu = 0.3}).tangents, 1);
  EXPECT_EQ(only_contact({false, false, true, false, false, false}, {.mu = 0.3}).tangents, 0);
  // Nothing changes this gap, so there is no contact to speak of.
  EXPECT_EQ(only_contact({true, true, false, false, false, false}, {.mu = 0.3}).tangents, -1);
  // The one direction left comes first and brings its coefficient.
  const ContactPoint sideways = only_contact({false, true, true, false, false, false}, {.mu = 0.3, .mu2 = 0.2});
  EXPECT_EQ(sideways.tangents, 1);
  EXPECT_EQ(sideways.t1, Vec3(-Vec3::UnitY()));
  EXPECT_DOUBLE_EQ(sideways.mu, 0.2);
  const ContactPoint one_way = only_contact(Freedom::full(), {.mu = 0.0, .mu2 = 0.2});
  EXPECT_EQ(one_way.tangents, 1);
  EXPECT_DOUBLE_EQ(one_way.mu, 0.2);
  EXPECT_EQ(one_way.t1, Vec3(-Vec3::UnitY()));
}

TEST(Gaps, AConveyorCarriesWhatLiesOnIt) {
  ModelBuilder builder;
  builder.add_body({.shape = HalfSpace{}, .velocity = {2.0, 0.5, -0.25}, .kinematic = true});
  builder.add_body({.mass = 1.0, .shape = Sphere{0.5}, .position = {0.0, 0.0, 0.5}});
  const GapSet gaps = start_gaps(Multibody(builder.build().value()));
  ASSERT_EQ(gaps.size(), 1);
  EXPECT_EQ(gaps.normal_speed[0], 0.25);
  EXPECT_EQ(gaps.slip1[0], -2.0);  // along x
  EXPECT_EQ(gaps.slip2[0], 0.5);   // along -y
}

TEST(Gaps, AUsersGapIsAContactWithoutFriction) {
  Random random(6);
  ModelBuilder builder;
  builder.add_body(brick(random, "a"));
  builder.add_body(kinematic(brick(random, "b"), random));
  builder.add_ground(Sphere{0.1});
  const auto rope = [](const std::vector<Pose>& poses) {
    return 3.0 - (poses[0].to_world({0.2, 0.0, 0.1}) - poses[1].position).norm();
  };
  builder.add_gap({.name = "rope", .value = rope, .restitution = 0.25});
  builder.add_gap({.name = "far", .value = [](const std::vector<Pose>&) { return 1e9; }});
  const Multibody system(builder.build().value());
  for (int trial = 0; trial < 10; ++trial) {
    const double t = random.uniform(0.0, 1.0);
    const Vector q = random_positions(system, random), v = random_velocities(system, random);
    const GapSet gaps = find_gaps(system, t, q, 100.0);
    ASSERT_EQ(gaps.size(), 1);
    EXPECT_EQ(gaps.contacts[0].tangents, 0);
    EXPECT_EQ(gaps.contacts[0].mu, 0.0);
    EXPECT_EQ(gaps.contacts[0].restitution, 0.25);
    EXPECT_EQ(system.contact_name(gaps.contacts[0].id), "rope");
    const double slope = slope_along(
        system, t, q, v, [&](double time, const Vector& at) { return find_gaps(system, time, at).contacts[0].Phi; });
    EXPECT_NEAR(gaps.n.dot(0, v) + gaps.normal_speed[0], slope, 1e-9);
  }
}

TEST(Gaps, PointsOffTheCentreBendAsTheyTurn) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{});
  builder.add_body({.mass = 1.0,
                    .inertia = Mat3(Mat3::Identity()),
                    .shapes = {{.shape = Sphere{0.0}, .pose = {Vec3(0.5, 0.0, 0.0)}}}});
  builder.add_body({.mass = 1.0, .shape = Sphere{0.0}, .freedom = Freedom::particle()});
  const GapSet gaps = start_gaps(Multibody(builder.build().value()));
  ASSERT_EQ(gaps.size(), 2);
  EXPECT_DOUBLE_EQ(gaps.contacts[0].curvature, 2.0);
  EXPECT_DOUBLE_EQ(gaps.contacts[1].curvature, 0.0);
}

// What is asked of single pairs is what all pairs give, number by number, in the same order.
TEST(Gaps, OfSinglePairsAreThoseAmongAll) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.3, .spin_friction = 0.01});
  builder.add_body({.mass = 1.0, .shape = Box{0.2, 0.2, 0.2}, .position = {0.0, 0.0, 0.1}});
  const BodyId ball = builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .position = {0.0, 0.0, 0.31}});
  builder.add_body({.mass = 1.0, .shape = Capsule{0.05, 0.2}, .position = {0.3, 0.0, 0.2}});
  builder.add_joint({.kind = JointKind::rope, .body = ball, .anchor = {0, 0, 0.31}, .partner_anchor = Vec3(0, 0, 1.0)});
  const Multibody system(builder.build().value());
  const Vector q = system.initial_positions();
  GapSet all, some;
  system.find_gaps(0.0, q, 1.0, all);
  std::vector<std::uint64_t> pairs;
  for (const ContactPoint& contact : all.contacts)
    if (pairs.empty() || pairs.back() != contact.id >> feature_bits) pairs.push_back(contact.id >> feature_bits);
  ASSERT_GE(pairs.size(), 4u);
  for (std::size_t skip = 0; skip < pairs.size(); ++skip) {
    std::vector<std::uint64_t> wanted = pairs;
    wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(skip));
    system.find_pair_gaps(0.0, q, wanted, 1.0, some);
    GapSet picked;
    static_cast<const System&>(system).System::find_pair_gaps(0.0, q, wanted, 1.0, picked);
    ASSERT_EQ(some.size(), picked.size());
    for (int i = 0; i < some.size(); ++i) {
      EXPECT_EQ(some.contacts[i].id, picked.contacts[i].id);
      EXPECT_EQ(some.contacts[i].Phi, picked.contacts[i].Phi);
      EXPECT_NE(some.contacts[i].id >> feature_bits, pairs[skip]);
      for (const auto rows : {&GapSet::n, &GapSet::t1, &GapSet::t2, &GapSet::spin}) {
        const auto mine = (some.*rows).values(i), theirs = (picked.*rows).values(i);
        EXPECT_TRUE(std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end()));
      }
    }
  }
}

}  // namespace
}  // namespace stiction
