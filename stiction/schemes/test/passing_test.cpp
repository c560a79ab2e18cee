#include "stiction/schemes/passing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stiction/base/random.h"
#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/schemes/test/random_scene.h"

namespace stiction {
namespace {

constexpr double tolerance = 1e-7;

Multibody two(const BodyDef& first, const BodyDef& second) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  builder.add_body(first);
  builder.add_body(second);
  return Multibody(builder.build().value());
}

/// The least gap on the way, by looking at very many places; and at its ends.
struct Way {
  double least = 1e300, first = 0.0, last = 0.0;
  Way(const Multibody& system, const State& state, double h) {
    Vector q;
    GapSet gaps;
    constexpr int places = 4000;
    for (int i = 0; i <= places; ++i) {
      system.advance(state.q, state.v, h * i / places, q);
      system.find_gaps(state.t, q, 1e3, gaps);
      double gap = 1e300;
      for (const ContactPoint& contact : gaps.contacts) gap = std::min(gap, contact.Phi);
      least = std::min(least, gap);
      if (i == 0) first = gap;
      last = gap;
    }
  }
};

// A ball that flies past another: they overlap between 0.2 and 0.4 of the way when the offset is below the radii's sum.
TEST(Passing, SeesABallThatGrazesAnother) {
  for (const double offset : {0.0, 0.1, 0.19, 0.1999, 0.2001, 0.25}) {
    const Multibody system =
        two({.mass = 1.0, .shape = Sphere{0.1}, .position = {-0.3, offset, 0.0}}, {.mass = 1.0, .shape = Sphere{0.1}});
    State state = start_of(system);
    state.v[0] = 100.0;
    Passing passing(system);
    ASSERT_EQ(passing.find(0.0, state.q, state.v, 0.01, {}, tolerance), offset < 0.2) << offset;
    if (offset > 0.2) continue;
    const double half = std::sqrt(0.04 - offset * offset);  // of the chord, m
    EXPECT_GT(passing.at(), (0.3 - half) / 100.0);
    EXPECT_LT(passing.at(), (0.3 - half) / 100.0 + 2e-2 * 0.003) << "just after they meet";
    EXPECT_FALSE(passing.find(0.0, state.q, -state.v, 0.01, {}, tolerance)) << "flies away";
    EXPECT_FALSE(passing.find(0.0, state.q, state.v, 0.003, {}, tolerance)) << "the end shows it";
  }
}

// A ball that lies against another and flies past it: the pair is listed and not waited for, and once it is listed it
// is waited for as any other.
TEST(Passing, ListsPairsThatTouchWhereTheWayBegins) {
  const Multibody system = two({.mass = 1.0, .shape = Sphere{0.1}, .position = {-0.1, std::sqrt(0.03), 0.0}},
                               {.mass = 1.0, .shape = Sphere{0.1}});
  State state = start_of(system);
  state.v[0] = 100.0;
  Passing passing(system);
  std::vector<std::uint64_t> touching;
  EXPECT_FALSE(passing.find_new(0.0, state.q, state.v, 0.01, {}, 1e-9, tolerance, touching));
  ASSERT_EQ(touching.size(), 1u);
  GapSet gaps;
  system.find_gaps(0.0, state.q, 1.0, gaps);
  EXPECT_EQ(touching[0], gaps.contacts.at(0).id >> feature_bits);
  EXPECT_TRUE(passing.find_new(0.0, state.q, state.v, 0.01, {}, 1e-9, tolerance, touching));
  EXPECT_EQ(touching.size(), 1u);
  EXPECT_TRUE(passing.find(0.0, state.q, state.v, 0.002, {}, tolerance));
  EXPECT_FALSE(passing.find(0.0, state.q, state.v, 0.002, {passing.contact()}, tolerance)) << "held on one side";
  EXPECT_TRUE(passing.find(0.0, state.q, state.v, 0.01, {passing.contact()}, tolerance)) << "ends behind";
}

// A ball that goes through a thin wall and ends touching it from behind, as near as rounding: also where it is held,
// since that was in front.
TEST(Passing, SeesWhatEndsTouchingOnTheOtherSide) {
  const Multibody system = two({.mass = 1.0, .shape = Sphere{0.1}, .position = {0.15, 0.0, 0.0}},
                               {.shape = Box{0.02, 2.0, 2.0}, .fixed = true});
  State state = start_of(system);
  Passing passing(system);
  for (const double left : {-1e-17, 0.0, 1e-17, 1e-8, 1e-3}) {
    state.v[0] = -26.0 - 100.0 * left;
    ASSERT_TRUE(passing.find(0.0, state.q, state.v, 0.01, {}, tolerance)) << left;
    EXPECT_NEAR(passing.at(), 0.01 * 4.0 / 26.0, 1e-4);
    EXPECT_TRUE(passing.find(0.0, state.q, state.v, 0.01, {passing.contact()}, tolerance)) << left << ", held";
  }
  state.v[0] = -4.0;
  EXPECT_FALSE(passing.find(0.0, state.q, state.v, 0.01, {}, tolerance)) << "ends touching in front";
  state.v[0] = -3.0;
  EXPECT_FALSE(passing.find(0.0, state.q, state.v, 0.01, {}, tolerance)) << "does not come so far";
}

// Balls, capsules and boxes past each other in any direction, against looking everywhere: nothing is seen that is not
// there, and nothing deeper than a hundredth of the bodies is missed where they do not turn.
TEST(Passing, AgreesWithLookingEverywhere) {
  Random random(7);
  int seen = 0, shallow = 0;
  for (int trial = 0; trial < 120; ++trial) {
    const auto shape = [&]() -> Shape {
      const int kind = random.integer(0, 2);
      if (kind == 0) return Sphere{random.uniform(0.05, 0.15)};
      if (kind == 1) return Capsule{random.uniform(0.03, 0.1), random.uniform(0.1, 0.3)};
      return Box{random.uniform(0.1, 0.3), random.uniform(0.1, 0.3), random.uniform(0.1, 0.3)};
    };
    const Shape first = shape();
    const Multibody system = two({.mass = 1.0, .shape = first, .position = {-0.6, 0.0, 0.0}},
                                 {.mass = 1.0, .shape = Sphere{random.uniform(0.05, 0.15)}});
    State state = start_of(system);
    const double aside = random.uniform(-40.0, 40.0), above = random.uniform(-40.0, 40.0);
    state.v[0] = 120.0;
    state.v[1] = aside;
    state.v[2] = above;
    const double h = 0.01;
    const Way way(system, state, h);
    if (way.first <= tolerance || way.last <= tolerance) continue;
    Passing passing(system);
    const bool found = passing.find(0.0, state.q, state.v, h, {}, tolerance);
    EXPECT_TRUE(!found || way.least < 0.0) << trial;
    EXPECT_TRUE(found || way.least >= -1e-3) << trial << ": " << way.least;
    seen += found;
    shallow += !found && way.least < 0.0;
  }
  EXPECT_GT(seen, 20);
  EXPECT_LE(shallow, 2);
}

}  // namespace
}  // namespace stiction
