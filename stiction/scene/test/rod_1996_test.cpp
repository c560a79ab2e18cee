// Stewart and Trinkle 1996, section 4: the rod against the motion it tends to, and the pair of balls both ways.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "stiction/scene/test/rod_trials.h"

namespace stiction::scene::test {
namespace {

TEST(Rod1996, BothSchemesTendToTheMotionFromEventToEvent) {
  const RodLimit limit;
  ASSERT_GT(limit.least_ratio, 0.0);  // all contacts push, and the first impact sticks: the limit is what it says
  std::printf("limit: contact %.6f s, slip %.6f s, second end %.6f s, rest %.6f s at x = %.6f m\n", limit.first,
              limit.slip, limit.second, limit.rest, limit.x_end);
  std::printf("| scheme | h = 0.0016 | 0.0008 | 0.0004 | 0.0002 | 0.0001 | order |\n|---|---|---|---|---|---|---|\n");
  for (const std::string scheme : {"stewart_trinkle", "anitescu_potra"}) {
    bool certified = true;
    const Convergence errors = rod_convergence(scheme, 2, certified);
    std::printf("| %s |%s %.2f |\n", scheme.c_str(), errors.row().c_str(), errors.order());
    EXPECT_TRUE(certified) << scheme;
    EXPECT_GE(errors.order(), 0.8) << scheme;
    EXPECT_LE(errors.order(), 1.3) << scheme;
    EXPECT_LT(errors.error.back(), 2e-4) << scheme;
  }
}

TEST(Rod1996, EventsComeWhenTheyMust) {
  const RodLimit limit;
  for (const std::string scheme : {"stewart_trinkle", "anitescu_potra"}) {
    constexpr double h = 0.0005;
    SceneRun run(load("papers/rod_and_table", {"/simulation/scheme=" + scheme}), h);
    run.until(0.7);
    const double first = run.first(EventKind::impact);
    EXPECT_NEAR(first, limit.first, 2.0 * h) << scheme;
    EXPECT_NEAR(run.first(EventKind::slip, first + 0.5 * h), limit.slip, 4.0 * h) << scheme;
    EXPECT_NEAR(run.first(EventKind::impact, first + 0.5 * h), limit.second, 4.0 * h) << scheme;
    EXPECT_NEAR(run.first(EventKind::stick, limit.second), limit.rest, 4.0 * h) << scheme;
  }
}

// Figures 3 to 5: one impact for each end, and no chatter, at any step: contact is not lost, and the velocities turn
// round only where the ends hit and, the angular one, in the spike.
TEST(Rod1996, DoesNotChatter) {
  const RodLimit limit;
  for (const double h : {0.01, 0.005, 0.0025, 0.001, 0.0005, 0.0001}) {
    const RodCurves curves = rod_curves(h);
    EXPECT_TRUE(curves.certified) << h;
    EXPECT_LE(curves.penetration, 1e-10) << h;
    EXPECT_EQ(curves.impacts, 2) << h;
    EXPECT_EQ(curves.take_offs, 0) << h;
    EXPECT_LE(curves.turns(curves.v_x), 1) << h;
    EXPECT_LE(curves.turns(curves.v_y), 3) << h;
    EXPECT_LE(curves.turns(curves.omega), 2) << h;
    // The step after the contact: the impact's omega, up to two steps on at 18 rad/s^2.
    EXPECT_NEAR(curves.omega[curves.contact_step() + 1], limit.omega_first, 70.0 * h) << h;
  }
}

// Figure 4: the step that makes contact goes to Phi = 0 only, and the next one makes the velocity tangential. How high
// the spike is depends on where in the step the contact falls.
TEST(Rod1996, SpikeOfOneStep) {
  for (const double h : {0.0025, 0.0001}) {
    const RodCurves curves = rod_curves(h);
    const std::size_t at = curves.contact_step();
    std::printf("h = %g: omega %.3f before, %.3f in the step of contact, %.3f after\n", h, curves.omega[at - 1],
                curves.omega[at], curves.omega[at + 1]);
    EXPECT_NEAR(curves.omega[at - 1], 4.0, 1e-12);
    EXPECT_LT(curves.omega[at], 4.0 - 1.0);
    EXPECT_GT(curves.omega[at + 1], 4.0 + 1.0);
    EXPECT_NEAR(curves.omega[at + 2], curves.omega[at + 1], 40.0 * h);
  }
}

struct Hit {
  double t;
  Vec3 where;
};

/// When the thrown ball of scenes/papers/two_balls.json is 2 r from the other one, by the parabola of its flight.
Hit hit_in_flight() {
  const auto place = [](double t) { return Vec3(2.2 * t, 0.1 * t, 1.0 - 0.5 * 9.81 * t * t); };
  double low = 0.2, high = 0.42;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    ((place(middle) - Vec3(1.0, 0.0, 0.1)).norm() > 0.2 ? low : high) = middle;
  }
  return {low, place(low)};
}

double time_of(SceneRun& run, const std::string& contact, EventKind kind) {
  for (const Event& event : run->events())
    if (event.kind == kind && run->system().contact_name(event.contact) == contact) return event.time;
  return -1.0;
}

TEST(TwoBalls1996, OneHitsTheOtherInFlight) {
  const Hit hit = hit_in_flight();
  constexpr double h = 0.0005;
  SceneRun run(load("papers/two_balls"), h);
  run.until(hit.t - h);
  EXPECT_LT((run->pose(run.body("ball1")).position - hit.where).norm(), 0.01);
  EXPECT_EQ(run->angular_velocity(run.body("ball1")).norm(), 0.0);
  run.until(1.0);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_LE(run->certificate().max_penetration, 1e-10);
  EXPECT_NEAR(time_of(run, "ball1 - ball2", EventKind::impact), hit.t, 2.0 * h);
  EXPECT_GT(time_of(run, "ball1 - table", EventKind::impact), hit.t + 0.05);  // lands after the collision
  // In the end both roll: v = omega x r.
  for (const char* ball : {"ball1", "ball2"}) {
    const Vec3 rolling = run->angular_velocity(run.body(ball)).cross(Vec3(0.0, 0.0, 0.1));
    EXPECT_LT((run->velocity(run.body(ball)) - rolling).norm(), 1e-9) << ball;
  }
}

// Lands at 0.428353 s, (0.642529, 0.042835); rolls at (15/14, 1/14); hits the other at 0.582213 s, (0.807379,
// 0.053825).
TEST(TwoBalls1996, OneLandsAndRollsIntoTheOther) {
  constexpr double h = 0.0005;
  SceneRun run(load("papers/two_balls_landing"), h);
  run.until(0.55);
  EXPECT_NEAR(run->velocity(run.body("ball1")).x(), 15.0 / 14.0, 1e-9);
  EXPECT_NEAR(run->velocity(run.body("ball1")).y(), 1.0 / 14.0, 1e-9);
  run.until(0.582212581);
  EXPECT_NEAR(run->pose(run.body("ball1")).position.x(), 0.807379024, 2.0 * h);
  EXPECT_NEAR(run->pose(run.body("ball1")).position.y(), 0.053825268, 2.0 * h);
  run.until(1.0);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_LE(run->certificate().max_penetration, 1e-10);
  EXPECT_NEAR(time_of(run, "ball1 - table", EventKind::impact), 0.428352937, 2.0 * h);
  EXPECT_NEAR(time_of(run, "ball1 - ball2", EventKind::impact), 0.582212581, 2.0 * h);
}

TEST(TwoBalls1996, ErrorsFallWithTheStep) {
  std::printf(
      "| scene | scheme | h = 0.008 | 0.004 | 0.002 | 0.001 | 0.0005 | order |\n|---|---|---|---|---|---|---|---|\n");
  for (const std::string scene : {"papers/two_balls", "papers/two_balls_landing"}) {
    for (const std::string scheme : {"stewart_trinkle", "anitescu_potra"}) {
      bool certified = true;
      const Convergence errors =
          two_balls_convergence(scene, {0.008, 0.004, 0.002, 0.001, 0.0005}, 5e-5, scheme, certified);
      std::printf("| %s | %s |%s %.2f |\n", scene.c_str(), scheme.c_str(), errors.row().c_str(), errors.order());
      EXPECT_TRUE(certified) << scene << ", " << scheme;
      EXPECT_GE(errors.order(), 0.8) << scene << ", " << scheme;
      EXPECT_LE(errors.order(), 1.3) << scene << ", " << scheme;
    }
  }
}

}  // namespace
}  // namespace stiction::scene::test
