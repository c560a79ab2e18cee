// The closed forms' case 10: a block on a spring that dry friction brings to rest, in a guide and on a floor.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "stiction/scene/test/scene_runs.h"

namespace stiction::scene::test {
namespace {

constexpr double half_swing = std::numbers::pi / 10.0, loss = 2.0 * 0.3 * 9.81 / 100.0;
const std::vector<std::string> scenes{"analytic/case_10_spring_and_friction", "analytic/case_10b_spring_on_floor"};

/// Turns back after each of its first seven half swings, or stands there for no time. Corners of a cube share its
/// weight in many ways: one that bears nothing does not turn.
void expect_turns(const std::vector<Event>& events, double h) {
  int turns = 0;
  double last = 0.0;
  for (const Event& event : events) {
    const bool stands = event.kind == EventKind::stick && event.time < 7.5 * half_swing;
    if ((event.kind != EventKind::reversal && !stands) || event.time < last + 1e-6) continue;
    last = event.time;
    EXPECT_NEAR(event.time, ++turns * half_swing, 30.0 * h * h);
  }
  EXPECT_EQ(turns, 7) << "h = " << h;
}

/// While it moves: half swings about +-loss/2 by turns, each of which begins where the one before ended.
double place_at(double t) {
  const int swings = static_cast<int>(t / half_swing);
  const double side = swings % 2 == 0 ? 1.0 : -1.0;
  return side * ((0.5 - (swings + 0.5) * loss) * std::cos(10.0 * (t - swings * half_swing)) + 0.5 * loss);
}

TEST(SpringAndFriction, EventDrivenItTurnsAndStopsWhereItShould) {
  for (const double h : {0.01, 0.3}) {
    SceneRun run(load(scenes[0]), h);
    for (double t = 0.3; t < 2.5; t += 0.3) {
      run.until(t);
      EXPECT_NEAR(run->pose(run.body("block")).position.x(), place_at(run->time()), 1e-9) << "at " << t;
    }
    run.until(4.0);
    EXPECT_TRUE(run.certified()) << run.why();
    EXPECT_NEAR(run->pose(run.body("block")).position.x(), 0.02912, 1e-9);
    EXPECT_NEAR(run.first(EventKind::stick), 2.51327412287, 1e-8);
    EXPECT_EQ(run->velocity(run.body("block")).norm(), 0.0);
  }
}

// It comes to rest 0.3 mm from where it would have turned once more: every turn must be found.
TEST(SpringAndFriction, TheSecondOrderStepStopsThereToo) {
  for (const std::string& scene : scenes) {
    Convergence errors;
    for (const double h : {0.02, 0.01, 0.005}) {
      SceneRun run(load(scene, {"/simulation/scheme=trapezoidal"}), h);
      run.until(2.4);
      errors.add(h, run->pose(run.body("block")).position.x() - place_at(2.4));
      run.until(4.0);
      EXPECT_TRUE(run.certified()) << run.why();
      EXPECT_NEAR(run->pose(run.body("block")).position.x(), 0.02912, 1e-9) << scene << ", h = " << h;
      EXPECT_NEAR(run.first(EventKind::stick, 2.4), 2.51327412287, 30.0 * h * h) << scene << ", h = " << h;
      expect_turns(run->events(), h);
    }
    std::printf("%s, trapezoidal:%s order %.2f\n", scene.c_str(), errors.row().c_str(), errors.order());
    EXPECT_NEAR(errors.order(), 2.0, 0.2) << scene;
  }
}

TEST(SpringAndFriction, FirstOrderStepsAgreeAsTheStepGoesToZero) {
  for (const std::string& scene : scenes)
    for (const std::string scheme : {"anitescu_potra", "stewart_trinkle"}) {
      Convergence errors;
      for (const double h : {0.004, 0.002, 0.001}) {
        SceneRun run(load(scene, {"/simulation/scheme=" + scheme}), h);
        double error = 0.0;
        for (const double t : {0.2, 0.4, 0.6, 0.8, 1.0}) {
          run.until(t);
          error = std::max(error, std::abs(run->pose(run.body("block")).position.x() - place_at(t)));
        }
        EXPECT_TRUE(run.certified()) << run.why();
        errors.add(h, error);
      }
      std::printf("%s, %s:%s order %.2f\n", scene.c_str(), scheme.c_str(), errors.row().c_str(), errors.order());
      EXPECT_NEAR(errors.order(), 1.0, 0.2) << scene << ", " << scheme;
    }
}

}  // namespace
}  // namespace stiction::scene::test
