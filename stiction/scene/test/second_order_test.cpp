// `trapezoidal` is of second order: scenes with closed forms, or with an integration of their own equations beside
// them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <functional>

#include "stiction/scene/test/known_answers.h"

namespace stiction::scene::test {
namespace {

/// Errors at three steps, each half of the one before, fall like h^2 or faster.
template <class Error>
void expect_second_order(const char* name, double h, Error&& error_at) {
  Convergence errors;
  for (int i = 0; i < 3; ++i, h *= 0.5) errors.add(h, error_at(h));
  std::printf("| %s |%s order %.2f\n", name, errors.row().c_str(), errors.order());
  EXPECT_GE(errors.order(), 1.8) << name;
  EXPECT_LE(errors.order(), 3.3) << name;
  EXPECT_GE(errors.error[1] / errors.error[2], 3.5) << name;
}

SceneRun run_to(const std::string& scene, double h, double end, const std::vector<std::string>& overrides = {}) {
  SceneRun run(load("analytic/" + scene, overrides), h);
  run.until(end);
  EXPECT_TRUE(run.certified()) << run.why();
  return run;
}

/// Fourth-order Runge and Kutta in n steps.
template <std::size_t size>
std::array<double, size> integrate(std::array<double, size> y, double end, int n,
                                   const std::function<std::array<double, size>(const std::array<double, size>&)>& f) {
  const double h = end / n;
  const auto moved = [](const std::array<double, size>& from, const std::array<double, size>& by, double factor) {
    std::array<double, size> to;
    for (std::size_t i = 0; i < size; ++i) to[i] = from[i] + factor * by[i];
    return to;
  };
  for (int k = 0; k < n; ++k) {
    const auto k1 = f(y), k2 = f(moved(y, k1, 0.5 * h)), k3 = f(moved(y, k2, 0.5 * h)), k4 = f(moved(y, k3, h));
    for (std::size_t i = 0; i < size; ++i) y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
  }
  return y;
}

// omega_2 is zero at 5.5311164720 s.
TEST(SecondOrder, Case12TumblingBody) {
  constexpr double flip = 5.5311164720;
  expect_second_order("case 12, omega_2 at its zero", flip / 320, [](double h) {
    SceneRun run = run_to("case_12_tumbling_body", h, flip);
    return run->state().v[4];
  });
}

TEST(SecondOrder, Case13Pendulum) {
  expect_second_order("case 13, bob at 10 s", 0.01, [](double h) {
    SceneRun run = run_to("case_13_pendulum", h, 10.0);
    return (run->pose(run.body("bob")).position - Vec3(-0.275087462577, -0.961419205099, 0)).norm();
  });
}

TEST(SecondOrder, Case14FourBarsThroughSingularPoses) {
  expect_second_order("case 14, B0 at 10 s", 0.01, [](double h) {
    SceneRun run = run_to("case_14_four_bars", h, 10.0);
    const Vec3 B0 = run->pose(run.body("crank0")).to_world(Vec3(0, 0.5, 0));
    return (B0 - Vec3(0.3284581115, 0.9445185382, 0)).norm();
  });
}

// The ball passes the bottom after a quarter of its period. It rolls on a curved wall: the gap is off by O(h^2), of
// which (4.13) of 2008 speaks.
TEST(SecondOrder, Case20BallInATrough) {
  constexpr double quarter = 2.41659582004 / 4;
  double worst = 0.0;
  expect_second_order("case 20, ball at the bottom", quarter / 50, [&](double h) {
    SceneRun run(load("analytic/case_20_ball_in_trough"), h);
    double deepest = 0.0;
    for (int k = 0; k < std::lround(quarter / h); ++k) {
      run.step(h);
      deepest = std::max(deepest, run->report().penetration);
    }
    EXPECT_TRUE(run.certified()) << run.why();
    worst = std::max(worst, deepest / (h * h));
    return run->pose(run.body("ball")).position.x();
  });
  std::printf("deepest penetration: %.2f h^2\n", worst);
  EXPECT_LE(worst, 5.0);  // m/s^2: half of v^2/R is 5.3 at the bottom
}

/// The axis of a top about its tip, in its frame: I w' = (I w) x w + r x R'm g, with I about the tip.
TEST(SecondOrder, HeavyTop) {
  constexpr double end = 0.5, l = 0.2, across = 0.02 + l * l, along = 0.01;
  const Vec3 I(across, across, along), r(0, 0, l);
  using State7 = std::array<double, 7>;  // quaternion, omega
  const auto rate = [&](const State7& y) {
    const Quat q(y[0], y[1], y[2], y[3]);
    const Vec3 w(y[4], y[5], y[6]), Iw = I.cwiseProduct(w);
    const Vec3 torque = r.cross(q.normalized().conjugate() * Vec3(0, 0, -g));
    const Vec3 acceleration = (Iw.cross(w) + torque).cwiseQuotient(I);
    const Quat turn = q * Quat(0, 0.5 * w.x(), 0.5 * w.y(), 0.5 * w.z());
    return State7{turn.w(), turn.x(), turn.y(), turn.z(), acceleration.x(), acceleration.y(), acceleration.z()};
  };
  const double half = 0.25 * std::acos(-1.0) / 2.0;
  const State7 exact = integrate<7>({std::cos(half), 0, std::sin(half), 0, 0, 0, 50.0}, end, 20000, rate);
  const Vec3 centre = Quat(exact[0], exact[1], exact[2], exact[3]).normalized() * r;
  expect_second_order("heavy top, centre at 0.5 s", 0.002, [&](double h) {
    SceneRun run = run_to("heavy_top", h, end);
    return (run->pose(run.body("top")).position - centre).norm();
  });
}

/// A pendulum of length 1: angle'' = -g sin(angle), by its energy and a fine integration between the impacts.
TEST(SecondOrder, PendulumOnACurvedStop) {
  // The stop is at (-0.55, -0.9), 0.4 m from the bob's centre when they touch, at this angle from the vertical.
  const double distance = std::hypot(0.55, 0.9), stop_angle = -std::atan2(0.55, 0.9);
  const double touch = stop_angle + std::acos((1.0 + distance * distance - 0.16) / (2.0 * distance));
  using State2 = std::array<double, 2>;
  const auto rate = [](const State2& y) { return State2{y[1], -g * std::sin(y[0])}; };
  State2 y{std::acos(-1.0) / 3.0, 0.0};
  double left = 2.0;
  int impacts = 0;
  constexpr double fine = 1e-4;
  // The normal impulse acts on the angle through the rod: Poisson's law gives back e of the angular velocity.
  while (left > 1e-12) {
    const double step = std::min(fine, left);
    const State2 next = integrate<2>(y, step, 1, rate);
    if (next[0] >= touch) {
      y = next;
      left -= step;
      continue;
    }
    double low = 0.0, high = step;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (integrate<2>(y, middle, 1, rate)[0] < touch ? high : low) = middle;
    }
    y = integrate<2>(y, low, 1, rate);
    y[1] = -0.8 * y[1];
    left -= low;
    ++impacts;
  }
  const Vec3 exact(std::sin(y[0]), -std::cos(y[0]), 0);
  expect_second_order("pendulum on a curved stop at 2 s", 0.01, [&](double h) {
    SceneRun run = run_to("pendulum_on_curved_stop", h, 2.0);
    int found = 0;
    for (const Event& event : run->events()) found += event.kind == EventKind::impact;
    EXPECT_EQ(found, impacts);
    return (run->pose(run.body("bob")).position - exact).norm();
  });
}

// Constant forces before and after a transition that is located: nothing is left but rounding.
TEST(SecondOrder, Case2SlidingToRollingIsExact) {
  constexpr double v0 = 5.0, mu = 0.2;
  const double t = 2 * v0 / (7 * mu * g), x = 12 * v0 * v0 / (49 * mu * g) + 5.0 / 7.0 * v0 * (1.0 - t);
  for (const double h : {0.1, 0.01, 0.001}) {
    SceneRun run(load("analytic/case_02_sliding_to_rolling", {scheme_override("trapezoidal")}), h);
    run.until(1.0);
    EXPECT_TRUE(run.certified()) << run.why();
    EXPECT_NEAR(run->pose(run.body("ball")).position.x(), x, 1e-11) << h;
    EXPECT_NEAR(run->velocity(run.body("ball")).x(), 5.0 / 7.0 * v0, 1e-11) << h;
    EXPECT_NEAR(run.first(EventKind::stick), t, 1e-11) << h;
  }
}

/// Bounces pass their accumulation point.
TEST(SecondOrder, BouncesComeToAnEnd) {
  SceneRun run(load("analytic/case_01_bouncing_ball", {scheme_override("trapezoidal")}), 0.001);
  run.until(1.5);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_NEAR(run->pose(run.body("ball")).position.z(), 0.1, 1e-9);
  EXPECT_NEAR(run->velocity(run.body("ball")).norm(), 0.0, 1e-9);
  EXPECT_NEAR(run.first(EventKind::impact), std::sqrt(2.0 / g), 1e-9);
}

/// Projection keeps the joints closed, and energy does not grow by it.
TEST(SecondOrder, ProjectionClosesJointsAndAddsNoEnergy) {
  SceneRun run(load("papers/double_pendulum_wall", {"/simulation/projection=true"}), 0.01);
  double energy = run->kinetic_energy() + run->potential_energy();
  for (int k = 0; k < 250; ++k) {
    run.step(0.01);
    const double now = run->kinetic_energy() + run->potential_energy();
    EXPECT_LE(now, energy + 1e-12) << k;
    EXPECT_LE(run->report().joint_error, 1e-13) << k;
    energy = now;
  }
  EXPECT_TRUE(run.certified()) << run.why();
}

}  // namespace
}  // namespace stiction::scene::test
