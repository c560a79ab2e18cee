#include "stiction/schemes/grade.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/schemes/time_stepper.h"

namespace stiction {
namespace {

constexpr double tolerance = 1e-8;

/// A step in which all is well.
StepReport good_step() {
  return {};
}

Grade grade_with(void (*change)(StepReport&)) {
  StepReport report = good_step();
  change(report);
  return report.grade(tolerance);
}

TEST(Grade, SaysWhichWeakerProblemWasSolved) {
  EXPECT_EQ(good_step().grade(tolerance), Grade::full);
  EXPECT_EQ(grade_with([](StepReport& r) { r.certificate.polyhedral = true; }), Grade::polyhedral);
  EXPECT_EQ(grade_with([](StepReport& r) { r.rough = true; }), Grade::linear);
  EXPECT_EQ(grade_with([](StepReport& r) { r.grazes = true; }), Grade::linear);
  EXPECT_EQ(grade_with([](StepReport& r) { r.relaxed = true; }), Grade::relaxed);
  EXPECT_EQ(grade_with([](StepReport& r) { r.plastic = true; }), Grade::plastic);
  EXPECT_EQ(grade_with([](StepReport& r) { r.solved = false; }), Grade::failed);
  EXPECT_EQ(grade_with([](StepReport& r) { r.converged = false; }), Grade::failed);
}

TEST(Grade, APromiseOfPositionsThatIsBrokenIsNotFull) {
  EXPECT_EQ(grade_with([](StepReport& r) { r.position_excess = 1.5; }), Grade::linear);
  EXPECT_EQ(grade_with([](StepReport& r) { r.position_excess = std::nan(""); }), Grade::linear);
  EXPECT_EQ(grade_with([](StepReport& r) { r.position_excess = 0.5; }), Grade::full);
}

TEST(Grade, LooseIsTheOwnLawBetweenTheToleranceAndTheLimit) {
  EXPECT_EQ(grade_with([](StepReport& r) { r.certificate.residual = 2e-8; }), Grade::loose);
  EXPECT_EQ(grade_with([](StepReport& r) { r.certificate.contact_residual = 9e-6; }), Grade::loose);
  EXPECT_EQ(grade_with([](StepReport& r) { r.certificate.contact_residual = 2e-5; }), Grade::failed);
  EXPECT_EQ(grade_with([](StepReport& r) { r.certificate.equality_residual = 1e-9; }), Grade::loose);
  StepReport weaker = good_step();
  weaker.certificate.residual = 2e-8;
  weaker.certificate.polyhedral = true;
  weaker.certificate.own_residual = 1e-3;
  EXPECT_EQ(weaker.grade(tolerance), Grade::failed) << "of a weaker law not even that";
  weaker.certificate.own_residual = 1e-6;
  EXPECT_EQ(weaker.grade(tolerance), Grade::loose) << "it obeys its own law as well";
  StepReport asked = good_step();
  asked.certificate.contact_residual = 9e-7;
  EXPECT_EQ(asked.grade(1e-6), Grade::full) << "a scene that asks for 1e-6 gets full";
  EXPECT_FALSE(is_certified(Grade::loose));
  EXPECT_TRUE(is_certified(Grade::asleep));
}

/// A pendulum of 1 m that swings at this speed, or is hit so that it begins to, one step of 1 ms of the scheme.
StepReport swing(const SchemeOptions& options, double speed, bool is_hit = false) {
  ModelBuilder builder;
  const BodyId bob = builder.add_body({.mass = 1.0,
                                       .inertia = Vec3::Constant(0.01).asDiagonal(),
                                       .position = {1, 0, 0},
                                       .velocity = {0, 0, speed},
                                       .angular_velocity = {0, is_hit ? 0.0 : -speed, 0}});
  builder.add_joint({.kind = JointKind::revolute, .body = bob, .anchor = {0, 0, 0}, .axis = Vec3::UnitY()});
  const Multibody system(builder.build().value());
  TimeStepper stepper(system, options);
  State state;
  state.q = system.initial_positions();
  state.v = state.v_alpha = system.initial_velocities();
  StepReport report;
  EXPECT_TRUE(stepper.step(state, 1e-3, report));
  return report;
}

// A nonlinear step that is cut short leaves its joint micrometres apart: solved and certified as a linear one, it is
// not full. Asked for by name the linear variant is.
TEST(Grade, AStepThatDoesNotConvergeIsLinear) {
  SchemeOptions options = preset(Scheme::stewart_trinkle);
  EXPECT_EQ(swing(options, 2.0, true).grade(tolerance), Grade::full);
  options.most_iterations = 1;
  options.most_halvings = 0;
  const StepReport cut = swing(options, 2.0, true);
  EXPECT_GT(cut.joint_error, 1e-7);
  EXPECT_LT(cut.joint_error, 1e-5);
  EXPECT_EQ(cut.grade(tolerance), Grade::linear) << cut.joint_error;
  options.linear = true;
  options.geometry = GeometryAt::predicted;
  const StepReport named = swing(options, 2.0, true);
  EXPECT_GT(named.joint_error, 1e-7);
  EXPECT_EQ(named.grade(tolerance), Grade::full) << named.joint_error;
}

// At velocity level a step leaves its joints by a share of h^2 times the acceleration, and what drifts further is not
// full.
TEST(Grade, AtVelocityLevelTheBoundGoesWithTheSquareOfTheStep) {
  const StepReport step = swing(preset(Scheme::anitescu_potra), 2.0);
  EXPECT_EQ(step.grade(tolerance), Grade::full) << step.position_excess;
  EXPECT_GT(step.joint_error, 1e-7) << "it drifts";
  EXPECT_GT(step.position_excess, 1e-2) << "and the bound is not far";
}

}  // namespace
}  // namespace stiction
