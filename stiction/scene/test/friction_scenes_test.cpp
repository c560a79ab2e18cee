// Anisotropic slopes, soft fingers, ball joints with friction, rubber balls and impulses: scenes against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "stiction/model/joint_reaction.h"
#include "stiction/scene/test/scene_runs.h"

namespace stiction::scene::test {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

std::string scheme(const std::string& name) {
  return "/simulation/scheme=" + name;
}

std::vector<std::string> time_stepping() {
  return {scheme("stewart_trinkle"), scheme("anitescu_potra")};
}

/// From rest the block keeps to one direction e with g sin x - g cos A^2 e/|A e| = a e: by bisection over the angle.
double drift_angle(double mu, double mu2, double runner) {
  const auto across = [&](double angle) {
    const double e1 = std::cos(angle - runner), e2 = std::sin(angle - runner), size = std::hypot(mu * e1, mu2 * e2);
    const double f1 = mu * mu * e1 / size, f2 = mu2 * mu2 * e2 / size;
    const double fx = f1 * std::cos(runner) - f2 * std::sin(runner), fy = f1 * std::sin(runner) + f2 * std::cos(runner);
    const double ax = 0.5 - std::cos(pi / 6.0) * fx, ay = -std::cos(pi / 6.0) * fy;
    return ay * std::cos(angle) - ax * std::sin(angle);
  };
  double low = 0.0, high = runner;  // between the fall line and the runners
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (across(middle) > 0.0 ? low : high) = middle;
  }
  return low;
}

TEST(FrictionScenes, ABlockWithRunnersDriftsToTheirSide) {
  const double expected = drift_angle(0.2, 0.5, pi / 4.0);
  EXPECT_GT(expected, 0.1);
  for (const std::string& by : time_stepping()) {
    SceneRun run(load("joints/anisotropic_slope", {by}));
    run.until(1.0);
    EXPECT_TRUE(run.certified()) << run.why();
    const Vec3 v = run->velocity(run.body("block"));
    EXPECT_NEAR(std::atan2(v.y(), v.x()), expected, 1e-6) << by;
    const double e1 = std::cos(expected - pi / 4.0), e2 = std::sin(expected - pi / 4.0);
    // Along the way: g sin - g cos |A e|.
    const double speed = g * (0.5 * std::cos(expected) - std::cos(pi / 6.0) * std::hypot(0.2 * e1, 0.5 * e2));
    EXPECT_NEAR(v.norm(), speed, 1e-6 * speed) << by;
  }
}

// s^2/I = mu^2/m, so slip and spin keep their ratio: V^2 = u^2 + (I/m) w^2 falls by mu g t, and both end together.
TEST(FrictionScenes, ASoftFingerStopsSlippingAndSpinningAtOnce) {
  const double whole = std::hypot(1.5, 0.1 * 20.0), decay = 0.3 * g;
  for (const std::string& by : time_stepping()) {
    SceneRun run(load("joints/soft_finger", {by}));
    const BodyId soft = run.body("soft"), separate = run.body("separate");
    run.until(0.4);
    EXPECT_TRUE(run.certified()) << run.why();
    const double left = 1.0 - decay * 0.4 / whole;
    EXPECT_NEAR((run->velocity(soft) - left * Vec3(0.9, 1.2, 0.0)).norm(), 0.0, 1e-5) << by;
    EXPECT_NEAR(run->angular_velocity(soft).z(), left * 20.0, 1e-4) << by;
    // With a limit for each slip and spin end by themselves.
    EXPECT_NEAR(run->velocity(separate).norm(), 1.5 - decay * 0.4, 1e-6) << by;
    EXPECT_NEAR(run->angular_velocity(separate).z(), 20.0 - 0.03 * 2.0 * g / 0.02 * 0.4, 1e-5) << by;
    run.until(1.0);
    EXPECT_LE(run->velocity(soft).norm() + run->angular_velocity(soft).norm(), 1e-9) << by;
  }
}

// 3.5 N of 5.886 N and 0.4 N m of 0.5886 N m: 0.354 + 0.462 < 1. 4.5 N and 0.5 N m, each within its own limit: 1.306.
TEST(FrictionScenes, ASoftFingerHoldsWhatIsWithinItsLimitSurface) {
  for (const std::string& by : time_stepping()) {
    SceneRun run(load("joints/soft_finger", {by}));
    run.until(0.5);
    EXPECT_TRUE(run.certified()) << run.why();
    const BodyId holds = run.body("holds"), gives = run.body("gives way");
    EXPECT_LE(run->velocity(holds).norm() + run->angular_velocity(holds).norm(), 1e-10) << by;
    EXPECT_GT(run->velocity(gives).x(), 0.01) << by;
    EXPECT_GT(run->angular_velocity(gives).z(), 0.1) << by;
    for (const ContactRecord& contact : run->report().contacts) {
      const double slip = std::hypot(contact.c_t1, contact.c_t2) / (0.3 * contact.c_n);
      const double spin = contact.c_spin / (0.03 * contact.c_n);
      if (!contact.geometry.soft) continue;
      EXPECT_LE(std::hypot(slip, spin), 1.0 + 1e-9) << by;
    }
  }
}

// A ball of 0.6 N m about any axis: 3 rad/s end after 0.2 * 3/0.6 = 1 s, always about the same axis; of 0.7 N m a
// seventh is left.
TEST(FrictionScenes, ABallJointsFrictionKnowsNoAxis) {
  for (const std::string& by : time_stepping()) {
    SceneRun run(load("joints/spherical_friction", {by}));
    const auto turning = [&](const std::string& name) { return run->angular_velocity(run.body(name)); };
    run.until(0.5);
    EXPECT_TRUE(run.certified()) << run.why();
    EXPECT_NEAR((turning("stops") - 0.5 * Vec3(2, 1, 2)).norm(), 0.0, 1e-6) << by;
    EXPECT_LE(turning("sticks").norm(), 1e-12) << by;
    EXPECT_NEAR((turning("slips") - 0.5 / 0.2 * 0.1 * Vec3(3, 2, 6) / 7.0).norm(), 0.0, 1e-6) << by;
    run.until(2.0);
    EXPECT_LE(turning("stops").norm(), 1e-10) << by;
    std::vector<std::string> told;
    for (const Event& event : run->events())
      told.push_back(std::string(to_string(event.kind)) + " " + run->system().contact_name(event.contact));
    const std::vector<std::string> expected{"slip joint 'joint2'", "stick joint 'joint0'"};
    EXPECT_EQ(told, expected) << by;
    EXPECT_NEAR(run.first(EventKind::stick), 1.0, 0.011) << by;
  }
}

TEST(FrictionScenes, FrictionInAHingeTellsWhenItSticksAndSlips) {
  for (const std::string by : {"stewart_trinkle", "anitescu_potra", "lotstedt"}) {
    SceneRun run(load("joints/joint_friction", {scheme(by)}));
    run.until(1.0);
    EXPECT_TRUE(run.certified()) << run.why();
    std::vector<std::string> told;
    for (const Event& event : run->events())
      if (event.time > 0.01) told.push_back(run->system().contact_name(event.contact));
    EXPECT_EQ(told, std::vector<std::string>{"joint 'joint4'"}) << by;
    EXPECT_NEAR(run.first(EventKind::stick), 0.5, 0.0011) << by;
  }
}

// At the centre of percussion, J/(m d) = 0.96/(2 * 0.6) = 0.8 m from the hinge, the blow turns the bar at 0.5 *
// 0.8/0.96 rad/s.
TEST(FrictionScenes, ABlowAtTheCentreOfPercussionIsNotFelt) {
  for (const std::string by : {"stewart_trinkle", "anitescu_potra"}) {
    SceneRun run(load("joints/hammer", {scheme(by)}));
    run.until(0.05);  // the blow comes where a step ends
    EXPECT_NEAR(run->velocity(run.body("free")).x(), 0.5, 1e-12) << by;
    EXPECT_NEAR((run->angular_velocity(run.body("free")) - Vec3(0.0, 0.6 / 0.24, 2.0)).norm(), 0.0, 1e-10) << by;
    run.until(0.12);
    EXPECT_LE(run->angular_velocity(run.body("bar")).norm(), 1e-12) << by;
    EXPECT_NEAR(run->velocity(run.body("free")).x(), 0.5, 1e-12) << by;
    EXPECT_NEAR(run->velocity(run.body("block")).norm(), 0.0, 1e-9) << by;
    run.until(0.13);
    const double turned = run->angular_velocity(run.body("bar")).y();
    EXPECT_NEAR(turned, -0.5 * 0.8 / 0.96, 3e-3) << by;  // what gravity brakes in the rest of the step
    const Reaction hinge =
        reaction_of(run->system(), {0}, run->time(), run->state().q, run->report().joint_impulses, 0.01);
    // What turns the bar back in the rest of the step; were a hundredth of the blow felt, it would be 0.5 N.
    EXPECT_NEAR(hinge.force.x(), 0.0, 0.05) << by;
    run.until(0.2 + 0.4 / 2.0);
    EXPECT_TRUE(run.certified()) << run.why();
    // 1.5 m/s at 0.2 s, less mu g t.
    EXPECT_NEAR(run->velocity(run.body("block")).x(), 1.5 - 0.5 * g * 0.2, 1e-8) << by;
  }
}

// The blow itself, without what comes after it in the step: the event-driven method, no friction.
TEST(FrictionScenes, ABlowIsAnEventInsideAStep) {
  SceneRun run(load("joints/hammer", {scheme("lotstedt"), "/materials/default/mu=0"}));
  run.until(0.4);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_NEAR(run->velocity(run.body("block")).x(), 1.5, 1e-9);
  EXPECT_NEAR(run->pose(run.body("block")).position.x(), 2.0 + 1.5 * 0.2, 1e-9);
  // The bar's energy is that of the blow.
  const Vec3 down = run->pose(run.body("bar")).orientation * Vec3(0, 0, -1);
  const double turning = run->angular_velocity(run.body("bar")).y(), w0 = 0.5 * 0.8 / 0.96;
  EXPECT_NEAR(0.5 * 0.96 * turning * turning + 2.0 * g * 0.6 * (1.0 + down.z()), 0.5 * 0.96 * w0 * w0, 1e-9);
}

// Contact velocity u turns to -u with J_x = -2 u/(1/m + r^2/I): thrown without spin it comes away with a backspin.
TEST(FrictionScenes, ASuperballTurnsItsSlipRound) {
  const double mass = 0.1, inertia = 1e-4, r = 0.05;
  const double share = 2.0 / (1.0 + mass * r * r / inertia);
  for (const std::string law : {"poisson", "newton"}) {
    SceneRun run(load("joints/superball", {"/simulation/impact=" + law}));
    run.until(0.5);
    EXPECT_TRUE(run.certified()) << run.why();
    const Vec3 v = run->velocity(run.body("ball")), w = run->angular_velocity(run.body("ball"));
    EXPECT_NEAR((v - Vec3(2.0 - share * 2.0, 1.0 - share, 2.0)).norm(), 0.0, 1e-9) << law;
    // J at the lowest point: I w = (-r z) x J.
    const Vec3 impulse = -share * mass * Vec3(2.0, 1.0, 0.0);
    EXPECT_NEAR((inertia * w - Vec3(0, 0, -r).cross(impulse)).norm(), 0.0, 1e-12) << law;
    const Vec3 slip = v + w.cross(Vec3(0, 0, -r));
    EXPECT_NEAR((slip - Vec3(-2, -1, 2)).norm(), 0.0, 1e-9) << law;
    EXPECT_NEAR(run->kinetic_energy(), 0.5 * mass * 9.0, 1e-12) << "nothing is lost";
  }
}

// With mu = 0.1 friction cannot do that: it gives mu times the normal impulse, against the slip.
TEST(FrictionScenes, TangentialRestitutionStaysInTheCone) {
  SceneRun run(load("joints/superball", {"/materials/default/mu=0.1"}));
  run.until(0.5);
  EXPECT_TRUE(run.certified()) << run.why();
  const Vec3 v = run->velocity(run.body("ball"));
  EXPECT_NEAR((v - Vec3(2, 1, 2) + 0.1 * 4.0 * Vec3(2, 1, 0) / std::sqrt(5.0)).norm(), 0.0, 1e-9);
}

}  // namespace
}  // namespace stiction::scene::test
