// The scenes of scenes/analytic against the closed forms of textbooks; the numbers are those of the cases' headers.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include "stiction/scene/test/known_answers.h"

namespace stiction::scene::test {
namespace {

TEST(Analytic, ErrorsFallWithTheStep) {
  std::printf("| scene | scheme | error of | h = 0.01 | 0.005 | 0.0025 | 0.00125 | 0.000625 | order |\n");
  std::printf("|---|---|---|---|---|---|---|---|---|\n");
  for (const KnownAnswer& answer : known_answers()) {
    std::printf("| %s | %s | %s |%s %.2f |\n", answer.scene.c_str(), answer.scheme.c_str(), answer.quantity.c_str(),
                answer.errors.row().c_str(), answer.errors.order());
    EXPECT_TRUE(answer.certified) << answer.scene << ", " << answer.scheme;
    EXPECT_GE(answer.errors.order(), 0.8) << answer.scene << ", " << answer.scheme;
    EXPECT_LE(answer.errors.order(), 1.3) << answer.scene << ", " << answer.scheme;
    EXPECT_LT(answer.errors.error.back(), 0.05) << answer.scene << ", " << answer.scheme;
  }
}

// The accumulation point is passed: the ball lies still after it. A flight of the scheme is h shorter than it should be
// and ends g h slower, so that by and by a flight lacks 3 h; there are log2(v/(2 g h)) of them before the approach is
// slower than the threshold of restitution, 2 g h, and the flights left out last 8 h at most.
TEST(Analytic, Case1BouncesComeToAnEnd) {
  const double t_end = std::sqrt(2.0 / g) * 3.0, v = std::sqrt(2.0 * g);
  for (const double h : {0.01, 0.001, 0.0001}) {
    const Bouncing run = bounce(h);
    std::printf("bouncing ball, h = %g: last impact at %.4f s, accumulation at %.4f s\n", h, run.last_impact, t_end);
    EXPECT_TRUE(run.certified);
    EXPECT_EQ(run.rest, 0.0);
    EXPECT_LT(run.last_impact, t_end);
    EXPECT_GT(run.last_impact, t_end - (3.0 * std::log2(v / (2.0 * g * h)) + 8.0) * h);
  }
}

TEST(Analytic, Case2RollsAtFiveSevenths) {
  for (const char* scheme : {"stewart_trinkle", "anitescu_potra"}) {
    SceneRun run(load("analytic/case_02_sliding_to_rolling", {scheme_override(scheme)}));
    const BodyId ball = run.body("ball");
    run.until(1.0);
    EXPECT_TRUE(run.certified()) << run.why();
    EXPECT_NEAR(run->velocity(ball).x(), 3.57142857143, 1e-10);
    EXPECT_NEAR(run->angular_velocity(ball).y(), 35.7142857143, 1e-9);
    EXPECT_NEAR(run.first(EventKind::stick), 0.728119994175, 1e-3);
  }
}

// Accelerations are right to rounding; only the way is of first order.
TEST(Analytic, Case3RollsOrSlips) {
  const Vec3 down(0.5 * std::numbers::sqrt3, -0.5, 0.0);
  const auto speeds = [&](const std::string& body, double mu) {
    const std::string value = std::to_string(mu);
    SceneRun run(load("analytic/case_03_rolling_on_incline", {"/materials/default/mu=" + value}), 0.01);
    run.until(1.0);
    EXPECT_TRUE(run.certified()) << run.why();
    return std::pair(run->velocity(run.body(body)).dot(down), -0.1 * run->angular_velocity(run.body(body)).z());
  };
  struct Round {
    const char* name;
    double k, a, mu_c;
  };
  for (const Round& round : {Round{"sphere", 0.4, 3.50357142857, 0.164957219768},
                             Round{"cylinder", 0.5, 3.27, 0.192450089730}, Round{"hoop", 1, 2.4525, 0.288675134595}}) {
    const auto [rolling, turning] = speeds(round.name, 1.001 * round.mu_c);
    EXPECT_NEAR(rolling, round.a, 1e-10) << round.name;
    EXPECT_NEAR(turning, rolling, 1e-10) << round.name;
    const double mu = std::stod(std::to_string(0.99 * round.mu_c));  // six digits, as the scene gets it
    const auto [slipping, spinning] = speeds(round.name, mu);
    EXPECT_NEAR(slipping, g * (0.5 - 0.5 * mu * std::numbers::sqrt3), 1e-10) << round.name;
    EXPECT_NEAR(spinning, 0.5 * mu * g * std::numbers::sqrt3 / round.k, 1e-10) << round.name;
    EXPECT_LT(spinning, slipping - 1e-3) << round.name;
  }
}

TEST(Analytic, Case3bSlipsAndSpins) {
  for (const char* scheme : {"stewart_trinkle", "anitescu_potra"}) {
    SceneRun run(load("analytic/case_03b_slipping_on_incline", {scheme_override(scheme)}), 0.01);
    run.until(1.0);
    const BodyId sphere = run.body("sphere");
    EXPECT_TRUE(run.certified()) << run.why();
    EXPECT_NEAR(run->velocity(sphere).norm(), 4.0554290789, 1e-9);
    EXPECT_NEAR(0.1 * run->angular_velocity(sphere).y(), 2.1239273028, 1e-9);
  }
}

TEST(Analytic, Case5RodLeavesTheFloor) {
  for (const char* law : {"newton", "poisson", "simplified"}) {
    SceneRun run(load("analytic/case_05_rod_impact", {std::string("/simulation/impact=") + law}));
    const BodyId rod = run.body("rod");
    double impulse = 0.0;
    for (int k = 0; k < 100; ++k) {
      run.step(1e-3);
      for (const ContactRecord& contact : run->report().contacts) impulse += contact.c_n;
    }
    EXPECT_TRUE(run.certified()) << run.why();
    EXPECT_NEAR(impulse, 0.862918661441, 1e-11) << law;
    EXPECT_NEAR(run->velocity(rod).y(), -1.137081338559, 1e-11) << law;
    EXPECT_NEAR(run->angular_velocity(rod).z(), 4.241169513448, 1e-11) << law;
    EXPECT_NEAR(run.first(EventKind::impact), 0.05, 1e-6) << law;  // 0.1 m at 2 m/s
    EXPECT_NEAR(run->pose(rod).position.y(), 0.3867882181755231 - 0.1 - 0.05 * 1.137081338559, 1e-6) << law;
  }
}

// Below mu = 4/3 the impulse of a step is that of a force and vanishes with h; above, it does not.
TEST(Analytic, Case16ImpulseWithoutCollision) {
  const auto impulse = [](double mu, double h) {
    SceneRun run(load("analytic/case_16_painleve_rod", {"/materials/default/mu=" + std::to_string(mu)}), h);
    run.step(h);
    EXPECT_TRUE(run.certified()) << run.why();
    EXPECT_EQ(run->report().contacts.size(), 1U);
    return run->report().contacts.empty() ? 0.0 : run->report().contacts.front().c_n;
  };
  for (const double h : {1e-5, 1e-6}) {
    // Sliding: the end's normal acceleration is (1.6 - 1.2 mu) c_n - g h = 0.
    for (const double mu : {1.2, 1.3, 1.32}) EXPECT_NEAR(impulse(mu, h) / h * (1.6 - 1.2 * mu) / g, 1.0, 1e-4) << mu;
    for (const double mu : {1.35, 1.5, 3.0}) EXPECT_NEAR(impulse(mu, h), 0.9, 10.0 * h) << mu;
  }
}

TEST(Analytic, Case25CradlesByLaw) {
  struct Cradle {
    const char* scene;
    double v1, v2, v3;
  };
  for (const Cradle& cradle : {Cradle{"newton", -1.0 / 3, 2.0 / 3, 2.0 / 3}, Cradle{"sequential", 0, 0, 1},
                               Cradle{"plastic", 1.0 / 3, 1.0 / 3, 1.0 / 3}}) {
    SceneRun run(load(std::string("analytic/case_25_cradle_") + cradle.scene));
    run.until(0.5);
    EXPECT_TRUE(run.certified()) << run.why();
    EXPECT_NEAR(run->velocity(run.body("ball1")).x(), cradle.v1, 1e-12) << cradle.scene;
    EXPECT_NEAR(run->velocity(run.body("ball2")).x(), cradle.v2, 1e-12) << cradle.scene;
    EXPECT_NEAR(run->velocity(run.body("ball3")).x(), cradle.v3, 1e-12) << cradle.scene;
  }
}

// v_top = (3M - m)/(M + m) v.
TEST(Analytic, Case26LightBallLeavesFaster) {
  for (const double M : {3.0, 10.0, 1000.0}) {
    SceneRun run(load("analytic/case_26_stacked_drop", {"/bodies/1/mass=" + std::to_string(M)}));
    run.until(0.2);
    EXPECT_TRUE(run.certified()) << run.why();
    EXPECT_NEAR(run->velocity(run.body("light")).z(), (3 * M - 1) / (M + 1), 1e-12) << M;
    EXPECT_NEAR(run->velocity(run.body("heavy")).z(), (M - 3) / (M + 1), 1e-12) << M;
  }
}

}  // namespace
}  // namespace stiction::scene::test
