#include "stiction/schemes/grazing_contacts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/base/random.h"
#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/schemes/test/random_scene.h"

namespace stiction {
namespace {

Multibody ball_beside(const Shape& shape, const Vec3& at, double mu) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  builder.add_body({.mass = 1.0, .shape = Sphere{0.1}, .material = {.mu = mu}, .position = at});
  builder.add_body({.mass = 1.0, .shape = shape, .material = {.mu = mu}});
  return Multibody(builder.build().value());
}

std::uint64_t pair_of(const Multibody& system, const State& state) {
  GapSet gaps;
  system.find_gaps(state.t, state.q, 10.0, gaps);
  return gaps.contacts.at(0).id >> feature_bits;
}

// Past a ball or past the edge of a box, with tangents or without: as near as the best of many places.
TEST(GrazingContacts, FindWhereAPairIsNearest) {
  Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const Shape shape = trial % 2 == 0 ? Shape{Sphere{0.1}} : Shape{Box{0.2, 0.2, 0.2}};
    const Vec3 at(-0.3, random.uniform(0.1, 0.25), random.uniform(-0.1, 0.1));
    const Multibody system = ball_beside(shape, at, trial % 4 < 2 ? 0.5 : 0.0);
    State state = start_of(system);
    state.v[0] = random.uniform(30.0, 60.0);
    state.v[1] = random.uniform(-5.0, 5.0);
    constexpr double h = 0.01;
    double least = 1e9;
    Vector q;
    GapSet gaps;
    constexpr int places = 20000;
    for (int i = places / 20; i <= places; ++i) {
      system.advance(state.q, state.v, h * i / places, q);
      system.find_gaps(0.0, q, 1.0, gaps);
      for (const ContactPoint& contact : gaps.contacts) least = std::min(least, contact.Phi);
    }
    GrazingContacts grazing(system);
    grazing.add(pair_of(system, state), 0.5 * h);
    grazing.look(0.0, state.q, state.v, h);
    ASSERT_EQ(grazing.pairs().size(), 1U);
    EXPECT_NEAR(grazing.pairs()[0].least(), least, trial % 2 == 0 ? 1e-7 : 2e-5) << trial;
    EXPECT_LE(grazing.pairs()[0].place, h);
  }
}

TEST(GrazingContacts, DropsWhatIsDeepAndKeepsEachPairOnce) {
  const Multibody system = ball_beside(Sphere{0.1}, {-0.3, 0.05, 0.0}, 0.5);
  State state = start_of(system);
  state.v[0] = 60.0;
  GrazingContacts grazing(system);
  grazing.add(pair_of(system, state), 0.005);
  grazing.add(pair_of(system, state), 0.004);
  EXPECT_EQ(grazing.pairs().size(), 1U);
  grazing.look(0.0, state.q, state.v, 0.01);
  EXPECT_NEAR(grazing.pairs()[0].place, 0.005, 1e-9);
  EXPECT_NEAR(grazing.pairs()[0].least(), -0.15, 1e-9);
  EXPECT_TRUE(grazing.drop_deep());
  EXPECT_TRUE(grazing.empty());
  EXPECT_FALSE(grazing.drop_deep());
}

// Off by a gap under an impulse, or by an overlap.
TEST(GrazingContacts, TellHowFarARowIsOff) {
  const Multibody system = ball_beside(Sphere{0.1}, {-0.3, 0.2001, 0.0}, 0.5);
  State state = start_of(system);
  state.v[0] = 60.0;
  GrazingContacts grazing(system);
  grazing.add(pair_of(system, state), 0.004);
  grazing.look(0.0, state.q, state.v, 0.01);
  StepProblem problem;
  problem.contacts.push_back({grazing.pairs()[0].gaps.contacts.at(0).id | grazing_bit});
  StepSolution solution;
  const auto none = [](const GapSet&, int) { return false; };
  solution.c_n = {0.0};
  EXPECT_EQ(grazing.error(problem, solution, none), 0.0);
  solution.c_n = {1.0};
  EXPECT_NEAR(grazing.error(problem, solution, none), 1e-4, 1e-9);
  EXPECT_EQ(grazing.error(problem, solution, [](const GapSet&, int) { return true; }), 0.0);
  state.v[1] = -0.04;  // 0.2 mm in the 5 ms to there
  grazing.look(0.0, state.q, state.v, 0.01);
  solution.c_n = {0.0};
  EXPECT_NEAR(grazing.error(problem, solution, none), 1e-4, 1e-6);
}

}  // namespace
}  // namespace stiction
