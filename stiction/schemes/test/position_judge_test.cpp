#include "stiction/schemes/position_judge.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/schemes/test/flat_system.h"
#include "stiction/schemes/time_stepper.h"

namespace stiction {
namespace {

/// Two points on lines of their own, at rest under -10 m/s^2.
struct AtRest {
  FlatSystem system{linalg::DenseMatrix::Identity(2, 2), Vector::Constant(2, -10.0)};
  State state{0.0, Vector::Zero(2), Vector::Zero(2), Vector::Zero(2)};
  GapSet gaps;
  JointSet joints, implied;
  StepProblem problem;
  std::vector<double> c_n;

  void add_gap(double Phi, double impulse) {
    ContactPoint contact;
    contact.id = gaps.contacts.size() + 1;
    contact.Phi = Phi;
    gaps.contacts.push_back(contact);
    gaps.n.push(0, 1.0);
    gaps.n.end_row();
    gaps.normal_speed.push_back(0.0);
    problem.M = SparseMatrix(2, 2);
    problem.M.setIdentity();
    problem.n.push(0, 1.0);
    problem.n.end_row();
    problem.contacts.push_back({contact.id});
    c_n.push_back(impulse);
  }
  void add_joint(double Theta) { add_row(Theta, joints.size(), joints); }
  static void add_row(double Theta, int joint, JointSet& set) {
    set.nu.push(1, 1.0);
    set.nu.end_row();
    set.Theta.push_back(Theta);
    set.velocity.push_back(0.0);
    set.joint.push_back(joint);
  }
  PositionJudge::Verdict judge(double drift) {
    return PositionJudge(system).judge(state, state, {1e-7, drift}, {gaps, joints, implied}, &problem, c_n, 0.0);
  }
};

// At position level 5e-6 m is fifty times too much, into the floor or above it under an impulse; without one a gap is
// just open.
TEST(PositionJudge, SeesGapsAndJointsFiveMicrometresOff) {
  AtRest sunk, carried, apart, open, torn;
  sunk.add_gap(-5e-6, 0.1);
  EXPECT_NEAR(sunk.judge(0.0).excess, 50.0, 1e-9);
  carried.add_gap(5e-6, 0.1);
  EXPECT_NEAR(carried.judge(0.0).excess, 50.0, 1e-9);
  EXPECT_EQ(carried.judge(0.0).open_gap, 5e-6);
  EXPECT_EQ(carried.judge(0.0).open_contact, 1U);
  apart.add_gap(5e-6, 0.0);
  EXPECT_EQ(apart.judge(0.0).excess, 0.0);
  torn.add_joint(1e-9);
  torn.add_joint(-5e-6);
  EXPECT_NEAR(torn.judge(0.0).excess, 50.0, 1e-9);
  open.add_gap(5e-8, 0.1);
  EXPECT_LE(open.judge(0.0).excess, 1.0);
}

// A contact that the step left pushed where the step began: its gap there is judged, not the one at the end.
TEST(PositionJudge, LooksBackAtWhatAStepLeft) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {});
  builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .position = {0.0, 0.0, 0.1}});
  const Multibody system(builder.build().value());
  constexpr double h = 1e-2;
  for (const double gap : {0.0, 5e-6}) {
    State before{0.0, system.initial_positions(), system.initial_velocities(), system.initial_velocities()};
    before.q[2] += gap;
    State after = before;
    after.v[2] = 1.0;  // up and away
    after.t = h;
    system.advance(before.q, after.v, h, after.q);
    GapSet start, end;
    JointSet joints;
    system.find_gaps(0.0, before.q, 1.0, start);
    system.find_gaps(h, after.q, 1.0, end);
    StepProblem problem;
    system.mass(0.0, before.q, problem.M);
    problem.n.append(start.n, 0);
    problem.contacts.push_back({start.contacts.at(0).id | leaving_bit});
    const PositionJudge::Verdict verdict =
        PositionJudge(system).judge(before, after, {1e-7, 0.0}, {end, joints, joints}, &problem, {0.1}, h);
    EXPECT_NEAR(verdict.excess, gap / 1e-7, 1e-6);
    EXPECT_NEAR(verdict.open_gap, gap, 1e-13);
  }
}

// A ball that was before a wall and pushes against its back has been through, however well its gap closes; one that has
// bounced off a wall that came after it has not.
TEST(PositionJudge, SeesABallThatHasBeenThroughAWall) {
  ModelBuilder builder;
  builder.add_body({.shape = Box{0.02, 4.0, 4.0}, .fixed = true});
  builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .position = {0.11, 0.0, 0.0}});
  const Multibody system(builder.build().value());
  constexpr double h = 1e-2, end = -0.11;
  const auto excess = [&](double start) {
    State before{0.0, system.initial_positions(), system.initial_velocities(), system.initial_velocities()};
    before.q[0] = start;
    State after = before;
    after.q[0] = end;
    after.v[0] = (end - start) / h;
    after.t = h;
    GapSet gaps;
    JointSet joints;
    system.find_gaps(h, after.q, 1.0, gaps);
    StepProblem problem;
    system.mass(0.0, before.q, problem.M);
    problem.n.append(gaps.n, 0);
    problem.contacts.push_back({gaps.contacts.at(0).id});
    return PositionJudge(system).judge(before, after, {1e-7, 0.0}, {gaps, joints, joints}, &problem, {0.1}, h).excess;
  };
  EXPECT_GT(excess(0.11), 0.05 / 1e-7);
  EXPECT_GT(excess(0.15), 0.05 / 1e-7);
  EXPECT_GT(excess(3.0), 0.05 / 1e-7) << "on the last of a long way";
  EXPECT_LT(excess(-0.15), 1.0);
  EXPECT_LT(excess(-0.1), 1.0) << "was in it";
}

/// Of a step in which the first contact pushed where its pair was nearest on the way.
double excess_of_grazing(const Multibody& system, const State& before, const State& after) {
  GapSet end;
  JointSet joints;
  system.find_gaps(after.t, after.q, 1.0, end);
  StepProblem problem;
  system.mass(0.0, before.q, problem.M);
  problem.n.append(end.n, 0);
  problem.contacts.push_back({end.contacts.at(0).id | grazing_bit});
  end.clear();
  const double h = after.t - before.t;
  return PositionJudge(system).judge(before, after, {1e-7, 0.0}, {end, joints, joints}, &problem, {0.1}, h).excess;
}

// A pair that pushed within the step is judged where it is nearest on the way: 5e-6 m too near or too far is as much
// off as anywhere.
TEST(PositionJudge, LooksWhereAGrazingPairIsNearest) {
  constexpr double h = 1e-2;
  for (const double gap : {0.0, 5e-6, -5e-6}) {
    ModelBuilder builder;
    builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .position = {-0.13, 0.2 + gap, 0.0}});
    builder.add_body({.mass = 1.0, .shape = Sphere{0.1}});
    const Multibody system(builder.build().value());
    State before{0.0, system.initial_positions(), system.initial_velocities(), system.initial_velocities()};
    State after = before;
    after.v[0] = 30.0;
    after.t = h;
    system.advance(before.q, after.v, h, after.q);
    const double excess = excess_of_grazing(system, before, after);
    EXPECT_NEAR(excess, std::abs(gap) / 1e-7, 0.02) << gap;
  }
}

// However the axes lie: three numbers of 10 m/s each make 35 m/s between two bodies.
TEST(PositionJudge, LooksAlongTheWholeWayOfAGrazingPair) {
  constexpr double h = 1e-2, speed = 10.0;
  for (const double place : {0.1, 0.3, 0.7, 0.9}) {
    const Vec3 along = Vec3(1, 1, 1), aside = Vec3(1, -1, 0).normalized();
    ModelBuilder builder;
    builder.add_body({.mass = 1.0, .shape = Sphere{0.01}, .position = 0.02 * aside - 2.0 * speed * h * place * along});
    builder.add_body({.mass = 1.0, .shape = Sphere{0.01}});
    const Multibody system(builder.build().value());
    State before{0.0, system.initial_positions(), system.initial_velocities(), system.initial_velocities()};
    State after = before;
    for (int k = 0; k < 3; ++k) {
      after.v[k] = speed;
      after.v[6 + k] = -speed;
    }
    after.t = h;
    system.advance(before.q, after.v, h, after.q);
    const double excess = excess_of_grazing(system, before, after);
    EXPECT_LE(excess, 0.02) << place;
  }
}

// The rows of one joint are judged together, whatever the axes that they are written along; those that others imply are
// the scene's as well.
TEST(PositionJudge, JudgesJointsWholeAndImpliedRowsWithThem) {
  AtRest whole, apart, torn;
  for (const double Theta : {6e-8, -6e-8, 6e-8}) whole.add_row(Theta, 0, whole.joints);
  EXPECT_NEAR(whole.judge(0.0).excess, 0.6 * std::sqrt(3.0), 1e-9);
  for (const double Theta : {6e-8, -6e-8, 6e-8}) apart.add_joint(Theta);
  EXPECT_NEAR(apart.judge(0.0).excess, 0.6, 1e-9);
  torn.add_row(5e-6, 0, torn.implied);
  EXPECT_NEAR(torn.judge(0.0).excess, 50.0, 1e-9);
}

/// What a ball 5e-6 m deep in the floor is off over its bound for drift 1e-6 s^2: with these speeds before and after a
/// step of 1 ms, under -10 m/s^2, having begun at this height.
double excess_of_a_ball(double before_speed, double after_speed, double start) {
  ModelBuilder builder;
  builder.set_gravity({0.0, 0.0, -10.0});
  builder.add_ground(HalfSpace{}, {});
  builder.add_body({.mass = 2.0, .shape = Sphere{0.1}, .position = {0.0, 0.0, 0.1}});
  const Multibody system(builder.build().value());
  State before{0.0, system.initial_positions(), system.initial_velocities(), system.initial_velocities()};
  State after = before;
  before.q[2] += start;
  before.v[2] = before_speed;
  after.q[2] -= 5e-6;
  after.v[2] = after_speed;
  after.t = 1e-3;
  GapSet gaps;
  system.find_gaps(after.t, after.q, 1e-7, gaps);
  return PositionJudge(system).judge(before, after, {1e-7, 1e-6}, {gaps, {}, {}}, nullptr, {}, 0.0).excess;
}

// At velocity level what forces do to a gap within a step is allowed. A load that is carried does nothing, an impact is
// no force, and what was closed before did not close by one.
TEST(PositionJudge, AllowsWhatForcesDoWhileAGapCloses) {
  EXPECT_NEAR(excess_of_a_ball(0.0, -1e-2, 1e-5), 5e-6 / (1e-7 + 1e-6 * 10.0), 1e-6) << "it falls";
  EXPECT_NEAR(excess_of_a_ball(-1e-2, -1e-2, 1e-5), 50.0, 1e-6) << "it goes on";
  EXPECT_NEAR(excess_of_a_ball(-5.0, 5.0, 1e-5), 5e-6 / (1e-7 + 1e-6 * 10.0), 1e-6) << "it is hit";
  EXPECT_NEAR(excess_of_a_ball(0.0, 0.0, -5e-6), 50.0, 1e-6) << "it rests";
  EXPECT_NEAR(excess_of_a_ball(0.0, -1e-2, 0.0), 50.0, 1e-6) << "it was closed";
}

// Two balls that fall one above the other meet: gravity does not bring them together, and the impact is no force.
TEST(PositionJudge, WhatFallsTogetherDoesNotApproach) {
  ModelBuilder builder;
  builder.set_gravity({0.0, 0.0, -10.0});
  for (const double z : {0.0, 0.2}) builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .position = {0.0, 0.0, z}});
  const Multibody system(builder.build().value());
  State before{0.0, system.initial_positions(), system.initial_velocities(), system.initial_velocities()};
  State after = before;
  before.q[2] -= 1e-5;  // the lower one
  before.v[2] = 1.0;
  after.q[2] += 5e-6;
  after.v[2] = -1.0;
  after.t = 1e-3;
  GapSet gaps;
  system.find_gaps(after.t, after.q, 1e-7, gaps);
  EXPECT_NEAR(PositionJudge(system).judge(before, after, {1e-7, 1e-6}, {gaps, {}, {}}, nullptr, {}, 0.0).excess, 50.0,
              1e-6);
}

// Nothing is allowed to a joint at rest, however large the load that it carries.
TEST(PositionJudge, ALoadThatIsCarriedExcusesNothing) {
  ModelBuilder builder;
  const BodyId body = builder.add_body({.mass = 1.0, .inertia = Vec3::Constant(0.1).asDiagonal()});
  builder.add_joint({.kind = JointKind::spherical, .body = body, .anchor = {0, 0, 0}});
  const Multibody system(builder.build().value());
  State before{0.0, system.initial_positions(), system.initial_velocities(), system.initial_velocities()};
  before.q[2] -= 5e-6;
  State after = before;
  after.t = 1e-3;
  JointSet joints;
  system.find_joints(after.t, after.q, joints);
  EXPECT_NEAR(PositionJudge(system).judge(before, after, {1e-7, 1e-6}, {{}, joints, {}}, nullptr, {}, 0.0).excess, 50.0,
              1e-6);
}

/// A scene at velocity level after a second.
StepReport after_a_second(const Multibody& system, Scheme scheme = Scheme::anitescu_potra) {
  TimeStepper stepper(system, preset(scheme));
  State state;
  state.q = system.initial_positions();
  state.v = state.v_alpha = system.initial_velocities();
  StepReport report;
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(stepper.step(state, 0.01, report));
  return report;
}

/// A pendulum of 1 m, and far away a ball that spins or does not.
double excess_beside(double spin) {
  ModelBuilder builder;
  const Mat3 inertia = Vec3::Constant(0.01).asDiagonal();
  const BodyId bob = builder.add_body({.mass = 1.0, .inertia = inertia, .position = {1, 0, 0}});
  builder.add_body({.mass = 1.0, .inertia = inertia, .position = {50, 0, 0}, .angular_velocity = {0, 0, spin}});
  builder.add_joint({.kind = JointKind::revolute, .body = bob, .anchor = {0, 0, 0}, .axis = Vec3::UnitY()});
  return after_a_second(Multibody(builder.build().value())).position_excess;
}

// What moves elsewhere excuses nothing: a joint that has drifted too far has done so whatever else spins.
TEST(PositionJudge, OneFastBodyDoesNotExcuseTheJointOfAnother) {
  const double alone = excess_beside(0.0);
  EXPECT_GT(alone, 1.0) << "it drifts by more than promised";
  EXPECT_NEAR(excess_beside(500.0), alone, 1e-9 * alone);
}

/// A bob on a rod to its centre, which has no say in how the bob spins.
double excess_on_a_rod(double spin) {
  ModelBuilder builder;
  const Mat3 inertia = Vec3::Constant(0.01).asDiagonal();
  const BodyId bob =
      builder.add_body({.mass = 1.0, .inertia = inertia, .position = {1, 0, 0}, .angular_velocity = {0, 0, spin}});
  builder.add_joint({.kind = JointKind::distance, .body = bob, .anchor = {1, 0, 0}, .partner_anchor = Vec3::Zero()});
  return after_a_second(Multibody(builder.build().value())).position_excess;
}

// Nor does what a joint does not feel of its own body: the spin of a bob about the point where the rod holds it.
TEST(PositionJudge, SpinThatAJointDoesNotFeelDoesNotExcuseIt) {
  const double alone = excess_on_a_rod(0.0);
  EXPECT_GT(alone, 1.0) << "it drifts by more than promised";
  EXPECT_NEAR(excess_on_a_rod(100.0), alone, 1e-6 * alone);
}

/// Wheels that turn on hinges along one axis, in a chain of two that swings between them.
double excess_of_wheels(double spin) {
  ModelBuilder builder;
  const Mat3 inertia = Vec3::Constant(0.01).asDiagonal();
  const auto add = [&](double x, double turns) {
    return builder.add_body(
        {.mass = 1.0, .inertia = inertia, .position = {x, 0, 0}, .angular_velocity = {0, turns, 0}});
  };
  const BodyId first = add(0.0, spin), arm = add(1.0, 0.0), last = add(2.0, spin);
  const Vec3 axis = Vec3::UnitY();
  builder.add_joint({.kind = JointKind::revolute, .body = first, .anchor = {0, 0, 0}, .axis = axis});
  builder.add_joint({.kind = JointKind::revolute, .body = arm, .partner = first, .anchor = {0, 0, 0}, .axis = axis});
  builder.add_joint({.kind = JointKind::revolute, .body = last, .partner = arm, .anchor = {2, 0, 0}, .axis = axis});
  return after_a_second(Multibody(builder.build().value())).position_excess;
}

TEST(PositionJudge, SpinAboutAHingesAxisDoesNotExcuseIt) {
  const double alone = excess_of_wheels(0.0);
  EXPECT_GT(alone, 1.0) << "it drifts by more than promised";
  EXPECT_NEAR(excess_of_wheels(1000.0), alone, 1e-4 * alone);
}

/// Two rods on a ball joint, in a frame that travels.
double excess_in_a_train(double speed) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  const Mat3 inertia = Vec3::Constant(0.1).asDiagonal();
  const auto add = [&](double x, double turns) {
    return builder.add_body({.mass = 1.0,
                             .inertia = inertia,
                             .position = {x, 0, 0},
                             .velocity = {speed, -x * turns, 0},
                             .angular_velocity = {0, 0, turns}});
  };
  const BodyId left = add(-1.0, 2.0), right = add(1.0, -2.0);
  builder.add_joint({.kind = JointKind::spherical, .body = left, .partner = right, .anchor = {0, 0, 0}});
  return after_a_second(Multibody(builder.build().value())).position_excess;
}

TEST(PositionJudge, WhereEverythingTravelsNothingIsExcused) {
  const double at_rest = excess_in_a_train(0.0);
  EXPECT_GT(at_rest, 1.0) << "it drifts by more than promised";
  EXPECT_NEAR(excess_in_a_train(100.0), at_rest, 1e-3 * at_rest);
}

/// A wheel on a pin `arm` from its centre that turns by `spin h`, and the bound that this gives the pin's drift.
double bound_of_a_spinning_wheel(double arm, double spin) {
  constexpr double drift = 1e-4, apart = 1e-3, h = 1e-4;  // s^2, m, s
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  const BodyId wheel = builder.add_body({.mass = 1.0, .inertia = Vec3::Constant(0.01).asDiagonal()});
  builder.add_joint({.kind = JointKind::spherical, .body = wheel, .anchor = {arm, 0, 0}});
  const Multibody system(builder.build().value());
  State before{0.0, system.initial_positions(), system.initial_velocities(), system.initial_velocities()};
  before.v[5] = spin;
  State after = before;
  after.t = h;
  system.advance(before.q, before.v, h, after.q);
  JointSet joints;
  system.find_joints(h, after.q, joints);
  std::fill(joints.Theta.begin(), joints.Theta.end(), 0.0);
  joints.Theta.at(0) = apart;
  return apart / PositionJudge(system).judge(before, after, {1e-7, drift}, {{}, joints, {}}, nullptr, {}, 0.0).excess;
}

// A point that turns about another is accelerated by the arm times omega^2.
TEST(PositionJudge, ATurnCountsByItsArm) {
  EXPECT_NEAR(bound_of_a_spinning_wheel(0.25, 10.0), 1e-7 + 1e-4 * 0.25 * 100.0, 1e-5 * 2.5e-3);
  EXPECT_NEAR(bound_of_a_spinning_wheel(0.0, 10.0), 1e-7, 1e-15);
}

// Five micrometres open under an impulse is seen in a step, however slow all is: the judge looks for what pushed.
TEST(PositionJudge, LooksForWhatPushed) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {});
  builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .position = {0.0, 0.0, 0.1 + 5e-6}});
  const Multibody system(builder.build().value());
  const State state{0.0, system.initial_positions(), system.initial_velocities(), system.initial_velocities()};
  GapSet near;
  system.find_gaps(0.0, state.q, 1.0, near);
  StepProblem problem;
  system.mass(0.0, state.q, problem.M);
  problem.n.append(near.n, 0);
  problem.contacts.push_back({near.contacts.at(0).id});
  const GapSet measured;  // up to the contact tolerance there is nothing
  const PositionJudge::Verdict verdict =
      PositionJudge(system).judge(state, state, {1e-7, 0.0}, {measured, {}, {}}, &problem, {0.1}, 1e-2);
  EXPECT_NEAR(verdict.excess, 50.0, 1e-6);
  EXPECT_EQ(verdict.open_contact, near.contacts[0].id);
}

// What pushes and is nowhere within a metre is as far off as anything can be.
TEST(PositionJudge, APushFromNowhereIsNotOverlooked) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {});
  builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .position = {0.0, 0.0, 5.0}});
  const Multibody system(builder.build().value());
  const State state{0.0, system.initial_positions(), system.initial_velocities(), system.initial_velocities()};
  GapSet distant;
  system.find_gaps(0.0, state.q, 10.0, distant);
  StepProblem problem;
  system.mass(0.0, state.q, problem.M);
  problem.n.append(distant.n, 0);
  problem.contacts.push_back({distant.contacts.at(0).id});
  for (const double drift : {0.0, 1e-4}) {
    const PositionJudge::Verdict verdict =
        PositionJudge(system).judge(state, state, {1e-7, drift}, {{}, {}, {}}, &problem, {0.1}, 1e-2);
    EXPECT_GE(verdict.excess, 1e6);
    EXPECT_EQ(verdict.open_contact, distant.contacts[0].id);
  }
}

/// A scene after one step of 1 ms.
StepReport one_step(const Multibody& system, const SchemeOptions& options) {
  TimeStepper stepper(system, options);
  State state;
  state.q = system.initial_positions();
  state.v = state.v_alpha = system.initial_velocities();
  StepReport report;
  EXPECT_TRUE(stepper.step(state, 1e-3, report));
  return report;
}

// A ball slides in a bowl at 10 m/s, its centre 1 m from the bowl's: it leaves its circle by h^2 v^2/(2 R), half of
// what is allowed, wherever the step takes its geometry from.
TEST(PositionJudge, AGapTurnsFromWhereTheStepBegan) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  builder.add_body({.shape = HollowSphere{1.1}, .material = {.mu = 0.0}, .fixed = true});
  builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .position = {1, 0, 0}, .velocity = {0, 10, 0}});
  const Multibody system(builder.build().value());
  SchemeOptions options = preset(Scheme::anitescu_potra);
  for (const GeometryAt geometry : {GeometryAt::start, GeometryAt::predicted}) {
    options.geometry = geometry;
    EXPECT_NEAR(one_step(system, options).position_excess, 0.5, 0.01);
  }
}

// A body that is pinned to the edge of a table that turns drifts off as one that turns about the world's pin does.
TEST(PositionJudge, ATurningPartnerCountsAsATurningBody) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  const BodyId table = builder.add_body({.angular_velocity = {0, 0, 10}, .kinematic = true});
  const BodyId body = builder.add_body({.mass = 1.0,
                                        .inertia = Vec3::Constant(0.1).asDiagonal(),
                                        .position = {1, 0, 0},
                                        .velocity = {0, 10, 0},
                                        .angular_velocity = {0, 0, 10}});
  builder.add_joint({.kind = JointKind::spherical, .body = body, .partner = table, .anchor = {1, 0, 0}});
  const StepReport report = one_step(Multibody(builder.build().value()), preset(Scheme::anitescu_potra));
  EXPECT_GT(report.joint_error, 1e-5);
  EXPECT_NEAR(report.position_excess, 0.5, 0.01);
}

/// A rod of 1 m that begins at this angle and turns about its end.
double excess_at_angle(double angle) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  const double c = std::cos(angle), s = std::sin(angle);
  const BodyId rod = builder.add_body({.mass = 1.0,
                                       .inertia = Vec3::Constant(0.1).asDiagonal(),
                                       .position = {c, s, 0},
                                       .velocity = {-s, c, 0},
                                       .angular_velocity = {0, 0, 1}});
  builder.add_joint({.kind = JointKind::spherical, .body = rod, .anchor = {0, 0, 0}});
  return after_a_second(Multibody(builder.build().value())).position_excess;
}

TEST(PositionJudge, TheWorldsAxesHaveNoSay) {
  const double along_x = excess_at_angle(0.0);
  EXPECT_GT(along_x, 1.0) << "it drifts by more than promised";
  for (const double angle : {0.4, 0.8, 1.3}) EXPECT_NEAR(excess_at_angle(angle), along_x, 1e-6 * along_x);
}

/// A body welded to one that stands and to one that leaves it by 1e-6 m/s: of the second weld nothing is held.
TEST(PositionJudge, ATornRedundantJointIsSeen) {
  ModelBuilder builder;
  const BodyId left = builder.add_body({.position = {-1, 0, 0}, .kinematic = true});
  const BodyId right = builder.add_body({.position = {1, 0, 0}, .velocity = {1e-6, 0, 0}, .kinematic = true});
  const BodyId body = builder.add_body({.mass = 1.0, .inertia = Vec3::Constant(0.1).asDiagonal()});
  for (const BodyId partner : {left, right})
    builder.add_joint({.kind = JointKind::fixed, .body = body, .partner = partner, .anchor = {0, 0, 0}});
  const Multibody system(builder.build().value());
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra}) {
    const StepReport report = after_a_second(system, scheme);
    EXPECT_TRUE(report.implied_hold);
    EXPECT_NEAR(report.joint_error, 1e-6, 1e-12);
    EXPECT_NEAR(report.position_excess, 10.0, 1e-3);
  }
}

}  // namespace
}  // namespace stiction
