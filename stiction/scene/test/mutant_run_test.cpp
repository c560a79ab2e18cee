// Mutated scene files are run: a clear error or a certified run, never a crash or a hang. 10,000 of them in `make
// accept`.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "stiction/scene/test/mutant_runs.h"

namespace stiction::scene::test {
namespace {

// A linkage of a metre under 1e9 m/s^2 moves by a kilometre in a step, and blocks at such speeds cannot be followed:
// such a run may stop and say what is off. One of these five hundred does.
TEST(MutantRun, EndsInAnErrorOrCertified) {
  int refused = 0, certified = 0, stopped = 0;
  for (Mutant& mutant : make_mutants(19970101, 500)) {
    run_mutant(mutant, 20);
    if (mutant.end == Mutant::End::failed) {
      ++stopped;
      EXPECT_LE(stopped, 1) << mutant.message << "\n" << mutant.text;
      const bool says = mutant.message.find(" is off by ") != std::string::npos ||
                        mutant.message.find(" is passed too fast ") != std::string::npos;
      EXPECT_TRUE(says) << mutant.message;
    } else if (mutant.end == Mutant::End::refused) {
      ++refused;
      EXPECT_TRUE(mutant.message.starts_with("mutant.json:")) << mutant.message;
    } else {
      ++certified;
    }
  }
  std::printf("mutants: %d refused, %d run\n", refused, certified);
  EXPECT_GT(refused, 100);
  EXPECT_GT(certified, 100);
}

// In a step of 0.5 s the demonstration has up to a hundred collisions. Cuts too short to be felt once followed one
// another for ever.
TEST(MutantRun, StepsWithTooManyCollisionsEnd) {
  SceneRun run(load("demo"), 0.5);
  run.until(3.0);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_EQ(run->time(), 3.0);
}

// A restitution of 5e-324 once made an impact of which no digit could be certified.
TEST(MutantRun, NumbersWithoutDigitsAreZero) {
  for (const char* restitution : {"5e-324", "1e-310", "1e-101"}) {
    SceneRun run(load("analytic/case_26_stacked_drop", {std::string("/materials/default/restitution=") + restitution}));
    run.until(0.2);
    EXPECT_TRUE(run.certified()) << run.why();
    EXPECT_EQ(run->velocity(run.body("heavy")).z(), 0.0);
  }
  const Scene scene =
      load("analytic/case_01_bouncing_ball", {"/gravity/2=-1e-310", "/bodies/1/velocity=[0, 0, 1e-100]"});
  EXPECT_EQ(scene.model.gravity(), Vec3::Zero());
  EXPECT_EQ(scene.model.bodies()[1].velocity.z(), 1e-100);
}

}  // namespace
}  // namespace stiction::scene::test
