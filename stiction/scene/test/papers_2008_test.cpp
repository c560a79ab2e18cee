// The examples of Gavrea, Anitescu and Potra 2008, section 9.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

#include "stiction/scene/test/scene_runs.h"

namespace stiction::scene::test {
namespace {

TEST(Papers2008, VelocitiesOfAJointAlternateAndTheirMeanDoesNot) {
  SceneRun run(load("papers/joint_drift"));
  constexpr double eps = 1e-3;
  double sign = 1.0;
  for (int l = 1; l <= 100; ++l) {
    run.step(0.01);
    sign = -sign;
    EXPECT_NEAR(run->state().v[0], sign * eps, 1e-15);
    EXPECT_NEAR(run->state().v_alpha[0], 0.0, 1e-15);
  }
  EXPECT_TRUE(run.certified()) << run.why();
}

/// The block of section 9.2 (analytic.md, case 11): m x'' = 8 cos t - mu m g sign(x') while it slides.
struct ExactBlock {
  static constexpr double friction = 0.8 * 9.81;
  struct Slide {
    double from, until, sign;
  };
  /// Of the first 10 s; starts are cos t = friction/8, ends roots of the velocity.
  static constexpr std::array<Slide, 4> slides{{{0.0, 0.338608184672, 1.0},
                                                {2.946346791224, 3.532834608887, -1.0},
                                                {6.087939444814, 6.674427262477, 1.0},
                                                {9.229532098403, 9.816019916067, -1.0}}};
  /// Way and velocity since the start of a slide.
  static double velocity(const Slide& s, double t) {
    return 8.0 * (std::sin(t) - std::sin(s.from)) - s.sign * friction * (t - s.from);
  }
  static double way(const Slide& s, double t) {
    const double tau = t - s.from;
    return 8.0 * (std::cos(s.from) - std::cos(t)) - 8.0 * std::sin(s.from) * tau - 0.5 * s.sign * friction * tau * tau;
  }
  static double position(double t) {
    double x = 3.0;
    for (const Slide& s : slides)
      if (t > s.from) x += way(s, std::min(t, s.until));
    return x;
  }
  /// Each slide goes up to its largest speed and back to rest.
  static double variation() {
    double sum = 0.0;
    for (const Slide& s : slides) {
      double largest = 0.0;
      for (int k = 0; k <= 1000; ++k)
        largest = std::max(largest, std::abs(velocity(s, s.from + (s.until - s.from) * k / 1000.0)));
      sum += 2.0 * largest;
    }
    return sum;
  }
};

struct BlockRun {
  double error = 0.0, variation = 0.0, lowest = 0.0;
  std::vector<Event> events;
  bool certified = false;
  std::string why;
};

BlockRun push(double h) {
  SceneRun run(load("papers/stick_slip"), h);
  const BodyId block = run.body("block");
  BlockRun result;
  double last = 0.0;
  const long steps = std::lround(10.0 / h);
  for (long k = 1; k <= steps; ++k) {
    run.step(h);
    const Vec3 position = run->pose(block).position;
    result.error = std::max(result.error, std::abs(position.x() - ExactBlock::position(static_cast<double>(k) * h)));
    result.lowest = std::min(result.lowest, position.y());
    result.variation += std::abs(run->state().v_alpha[0] - last);
    last = run->state().v_alpha[0];
  }
  result.events = run->events();
  result.certified = run.certified();
  result.why = run.why();
  return result;
}

TEST(Papers2008, TheBlockSticksAndSlipsToSecondOrder) {
  double last = 0.0;
  for (const double h : {0.01, 0.005, 0.0025, 0.00125}) {
    const BlockRun run = push(h);
    std::printf("stick-slip, h = %g: error %.3e, ratio %.2f, variation of v_alpha %.5f (exact %.5f), lowest %.1e\n", h,
                run.error, last / run.error, run.variation, ExactBlock::variation(), run.lowest);
    EXPECT_TRUE(run.certified) << run.why;
    if (last == 0.0) {
      EXPECT_LE(run.error, 1.5e-5);
    } else {
      EXPECT_GE(last / run.error, 3.5);
      EXPECT_LE(last / run.error, 4.5);
    }
    EXPECT_NEAR(run.variation, ExactBlock::variation(), 0.01 * ExactBlock::variation());
    EXPECT_GE(run.lowest, -1e-14);  // (4.13): a flat table has no h^2
    last = run.error;
  }
}

TEST(Papers2008, TheBlockStartsAndStopsWhenItShould) {
  const BlockRun run = push(0.01);
  ASSERT_EQ(run.events.size(), 8U);
  for (std::size_t k = 0; k < 4; ++k) {
    const ExactBlock::Slide& slide = ExactBlock::slides[k];
    EXPECT_EQ(run.events[2 * k].kind, EventKind::slip);
    EXPECT_NEAR(run.events[2 * k].time, slide.from, 1e-4);
    EXPECT_EQ(run.events[2 * k + 1].kind, EventKind::stick);
    EXPECT_NEAR(run.events[2 * k + 1].time, slide.until, 1e-4);
  }
}

}  // namespace
}  // namespace stiction::scene::test
