// The scenes of scenes/joints against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "stiction/scene/test/scene_files.h"
#include "stiction/scene/test/scene_runs.h"

namespace stiction::scene::test {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

std::string scheme(const std::string& name) {
  return "/simulation/scheme=" + name;
}

/// The angle about an axis by which a body has turned from `from` to where it points now.
double angle_about(const Vec3& axis, const Vec3& from, const Vec3& now) {
  return std::atan2(axis.dot(from.cross(now)), from.dot(now));
}

double turn_about_z(SceneRun& run, const std::string& body) {
  return angle_about(Vec3::UnitZ(), Vec3::UnitX(), run->pose(run.body(body)).orientation * Vec3::UnitX());
}

/// What is left of an angle after whole turns.
double folded(double angle) {
  return std::remainder(angle, 2.0 * pi);
}

TEST(JointScenes, EveryOneRunsCertifiedWithEveryTimeStepper) {
  for (const SceneFile& file : scene_files()) {
    if (!file.path.starts_with("scenes/joints/")) continue;
    for (const char* name : {"stewart_trinkle", "anitescu_potra", "trapezoidal", "moreau_midpoint", "implicit_euler"}) {
      Result<Scene> scene = parse_scene(file.text, file.path, std::vector<std::string>{scheme(name)});
      ASSERT_TRUE(scene.ok()) << scene.error();
      const double end = scene.value().settings.simulation.end;
      SceneRun run(std::move(scene).value(), end / 200.0);
      run.until(end);
      EXPECT_TRUE(run.certified()) << file.path << ", " << name << ": " << run.why();
    }
  }
}

// tan(driven) = cos(30 degrees) tan(drive), at every time: 4 and 5 rows hold 6 velocities.
TEST(JointScenes, ACardanJointTurnsUnevenly) {
  SceneRun run(load("joints/universal"));
  const BodyId driven = run.body("driven");
  const Vec3 shaft(std::cos(pi / 6.0), 0.5, 0.0), arm(0.5, -std::cos(pi / 6.0), 0.0);
  const Quat start = run->pose(driven).orientation;
  for (int i = 1; i <= 20; ++i) {
    run.until(0.1 * i + 0.037);
    const Vec3 now = run->pose(driven).orientation * (start.conjugate() * arm);
    const double drive = 2.0 * pi * run->time();
    const double expected = std::atan2(std::cos(pi / 6.0) * std::sin(drive), std::cos(drive));
    EXPECT_NEAR(folded(angle_about(shaft, arm, now) - expected), 0.0, 1e-10);
  }
  EXPECT_TRUE(run.certified()) << run.why();
}

TEST(JointScenes, ARingSlidesAndSpins) {
  SceneRun run(load("joints/cylindrical"));
  const BodyId ring = run.body("ring");
  const Vec3 axis(std::cos(pi / 6.0), 0.0, -0.5);
  run.until(1.0);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_NEAR((run->velocity(ring) - 0.5 * g * axis).norm(), 0.0, 1e-9);
  EXPECT_NEAR((run->angular_velocity(ring) - 10.0 * axis).norm(), 0.0, 1e-9);
  // h v+ in each step: the sum of an arithmetic series.
  EXPECT_NEAR((run->pose(ring).position - Vec3(0, 0, 1) - 0.25 * g * 1.001 * axis).norm(), 0.0, 1e-9);
}

TEST(JointScenes, APuckSlidesDownAndAcrossAndSpins) {
  SceneRun run(load("joints/planar"));
  const BodyId puck = run.body("puck");
  const Vec3 down(std::cos(pi / 6.0), 0.0, -0.5), normal(0.5, 0.0, std::cos(pi / 6.0));
  run.until(1.0);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_NEAR((run->velocity(puck) - 0.5 * g * down - Vec3::UnitY()).norm(), 0.0, 1e-9);
  EXPECT_NEAR((run->angular_velocity(puck) - 10.0 * normal).norm(), 0.0, 1e-9);
  EXPECT_NEAR(run->pose(puck).position.dot(normal), 0.0, 1e-11);
}

// (3 - 6/3) N m turn 0.01 + 0.18/9 kg m^2; of the 3 N m the pinion's own inertia takes a third of one and the teeth the
// rest. After two seconds, ten turns and a half, the same tooth is where it should be.
TEST(JointScenes, GearsTurnInTheirRatioAndShareTheLoad) {
  for (const char* name : {"stewart_trinkle", "anitescu_potra"}) {
    SceneRun run(load("joints/gear_pair", {scheme(name)}));
    run.until(2.0);
    EXPECT_TRUE(run.certified()) << run.why();
    const double speed = 2.0 / 0.03, angle = 0.5 / 0.03 * 2.0 * 2.001;
    EXPECT_NEAR(run->angular_velocity(run.body("pinion")).z(), speed, 1e-8) << name;
    EXPECT_NEAR(run->angular_velocity(run.body("wheel")).z(), -speed / 3.0, 1e-8) << name;
    EXPECT_NEAR(folded(turn_about_z(run, "pinion") - angle), 0.0, 1e-8) << name;
    EXPECT_NEAR(folded(turn_about_z(run, "wheel") + angle / 3.0), 0.0, 1e-8) << name;
    EXPECT_NEAR(run->report().joint_impulses.back() / 0.001, 0.01 / 0.03 - 3.0, 1e-7) << name;
  }
}

TEST(JointScenes, AGearByRatioIsTheSameWhereBearingsStandStill) {
  SceneRun run(load("joints/gear_pair", {"/joints/2={\"type\": \"gear\", \"body\": \"pinion\", \"partner\": \"wheel\", "
                                         "\"ratio\": -3}"}));
  run.until(2.0);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_NEAR(run->angular_velocity(run.body("wheel")).z(), -2.0 / 0.09, 1e-8);
  EXPECT_NEAR(folded(turn_about_z(run, "pinion") + 3.0 * turn_about_z(run, "wheel")), 0.0, 1e-8);
}

TEST(JointScenes, ThePlanetsArmTurnsAQuarterOfTheSun) {
  SceneRun run(load("joints/planetary_gear"));
  run.until(2.0);
  EXPECT_TRUE(run.certified()) << run.why();
  const double sun = run->angular_velocity(run.body("sun")).z();
  EXPECT_NEAR(run->angular_velocity(run.body("arm")).z(), 0.25 * sun, 1e-8 * sun);
  EXPECT_NEAR(run->angular_velocity(run.body("planet")).z(), -0.5 * sun, 1e-8 * sun);
  EXPECT_NEAR(folded(4.0 * turn_about_z(run, "arm") - turn_about_z(run, "sun")), 0.0, 1e-9);
}

// 1 N m on all that turns, as the sun feels it. The planet's way round costs the scheme energy, of first order in h.
TEST(JointScenes, ThePlanetaryGearSpeedsUpAsOneWheel) {
  const double inertia = 0.01 + (0.02 + 0.04) / 16.0 + 0.01 / 4.0, expected = 20.0 + 0.5 / inertia;
  const auto speed = [](double h) {
    SceneRun run(load("joints/planetary_gear"), h);
    run.until(0.5);
    return run->angular_velocity(run.body("sun")).z();
  };
  const double coarse = speed(0.001), fine = speed(0.0005);
  EXPECT_NEAR((coarse - expected) / (fine - expected), 2.0, 0.1);
  EXPECT_NEAR(2.0 * fine - coarse, expected, 1e-3 * expected);
}

TEST(JointScenes, APinionLiftsItsRack) {
  SceneRun run(load("joints/rack"));
  run.until(2.0);
  EXPECT_TRUE(run.certified()) << run.why();
  const double turning = (1.5 - 2.0 * g * 0.05) / (0.005 + 2.0 * 0.05 * 0.05);
  EXPECT_NEAR(run->angular_velocity(run.body("pinion")).y(), -2.0 * turning, 1e-8);
  EXPECT_NEAR(run->velocity(run.body("rack")).z(), 0.05 * 2.0 * turning, 1e-9);
  EXPECT_NEAR(run->pose(run.body("rack")).position.z(), 0.05 * 0.5 * turning * 2.0 * 2.001, 1e-8);
}

TEST(JointScenes, ADoorWithTwoHingesTurnsAsOneWithOne) {
  for (const char* name : {"stewart_trinkle", "anitescu_potra"}) {
    SceneRun two(load("joints/door_with_two_hinges", {scheme(name)}));
    SceneRun one(load("joints/door_with_two_hinges",
                      {scheme(name), "/joints=[{\"type\": \"revolute\", \"body\": \"door\", \"anchor\": [0, 0, 1]}]"}));
    two.until(1.0);
    one.until(1.0);
    EXPECT_TRUE(two.certified()) << two.why();
    EXPECT_NEAR((two->pose(two.body("door")).position - one->pose(one.body("door")).position).norm(), 0.0, 1e-9);
    EXPECT_NEAR(two->angular_velocity(two.body("door")).z(), one->angular_velocity(one.body("door")).z(), 1e-9);
  }
}

/// The crank's angle of the four-bar linkage after t, by small steps of a method of order four.
double swung(double t) {
  const double inertia = 2.0 * (0.02 + 0.0625) + 2.0 * 0.25, moment = (2.0 * 0.25 + 2.0 * 0.5) * g;
  double angle = -pi / 6.0, speed = 0.0;
  const auto pull = [&](double a) { return -moment * std::cos(a) / inertia; };
  const int steps = 10000;
  const double h = t / steps;
  for (int i = 0; i < steps; ++i) {
    const double k1 = pull(angle), k2 = pull(angle + 0.5 * h * speed);
    const double k3 = pull(angle + 0.5 * h * (speed + 0.5 * h * k1)), k4 = pull(angle + h * (speed + 0.5 * h * k2));
    angle += h * (speed + h * (k1 + k2 + k3) / 6.0);
    speed += h * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0;
  }
  return angle;
}

TEST(JointScenes, AFourBarLinkageInSpaceIsThePlanarOneAndAPendulum) {
  const std::string planar = "=\"planar\"";
  const auto angle = [&](double h) {
    SceneRun run(load("joints/four_bar"), h);
    SceneRun flat(load("joints/four_bar",
                       {"/bodies/0/freedom" + planar, "/bodies/1/freedom" + planar, "/bodies/2/freedom" + planar}),
                  h);
    run.until(1.0);
    flat.until(1.0);
    EXPECT_TRUE(run.certified()) << run.why();
    const Vec3 crank = run->pose(run.body("crank")).position;
    EXPECT_NEAR((crank - flat->pose(flat.body("crank")).position).norm(), 0.0, 1e-9);
    return std::atan2(crank.y(), crank.x());
  };
  const double coarse = angle(0.004), fine = angle(0.002), expected = swung(1.0);
  EXPECT_NEAR((coarse - expected) / (fine - expected), 2.0, 0.2);
  EXPECT_NEAR(2.0 * fine - coarse, expected, 3e-3);
}

}  // namespace
}  // namespace stiction::scene::test
