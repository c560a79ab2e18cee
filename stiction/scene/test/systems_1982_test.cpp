#include "stiction/scene/test/systems_1982.h"

#include <gtest/gtest.h>

namespace stiction::scene::test {
namespace {

TEST(Systems1982, TimeSteppingAgreesAsTheStepGoesToZero) {
  for (const std::string scheme : {"anitescu_potra", "stewart_trinkle", "trapezoidal"}) {
    for (const System1982& system : systems_1982(scheme)) {
      const Agreement agreement = agreement_1982(system, scheme, {0.002, 0.001, 0.0005});
      std::printf("%s, %s:%s order %.2f\n", system.scene.c_str(), scheme.c_str(), agreement.errors.row().c_str(),
                  agreement.errors.order());
      EXPECT_TRUE(agreement.certified) << system.scene;
      EXPECT_TRUE(agreement.has_order(order_of(scheme))) << system.scene << " " << scheme;
      EXPECT_LT(agreement.errors.error.back(), 0.005) << system.scene << " " << scheme;
    }
  }
}

// The bar's end is on the floor when it rests: 1.2 sin a = 1. It pushes with m g/2 there, whatever the angle.
TEST(Systems1982, TheBarComesToRestOnTheFloor) {
  SceneRun run(load("papers/bar_and_floor"));
  run.until(3.0);
  EXPECT_TRUE(run.certified()) << run.why();
  EXPECT_NEAR(run->pose(run.body("bar")).position.y(), 0.5, 1e-14);
  EXPECT_LE(run->state().v.norm(), 1e-14);
  ASSERT_EQ(run->report().contacts.size(), 1U);
  EXPECT_NEAR(run->report().contacts[0].c_n / 0.01, 0.5 * 9.81, 1e-9);
  // From the horizontal it falls freely: 1/2 J w^2 = m g l/2 sin a, and t is an elliptic integral of the first kind.
  const double first = run.first(EventKind::impact);
  double t = 0.0;
  const int parts = 200000;  // substitution a = u^2 takes the root out of the start
  const double end = std::sqrt(std::asin(1.0 / 1.2));
  for (int i = 0; i < parts; ++i) {
    const double u = end * (i + 0.5) / parts;
    t += 2.0 * u * end / parts / std::sqrt(3.0 * 9.81 / 1.2 * std::sin(u * u));
  }
  EXPECT_NEAR(first, t, 1e-8);
}

TEST(Systems1982, TheTableStandsOnAllFourLegs) {
  SceneRun run(load("papers/table_on_four_legs"));
  run.until(1.0);
  EXPECT_TRUE(run.certified()) << run.why();
  ASSERT_EQ(run->report().contacts.size(), 4U);
  for (const ContactRecord& contact : run->report().contacts) EXPECT_NEAR(contact.c_n / 0.01, 5.0 * 9.81, 1e-8);
  EXPECT_NEAR(run->pose(run.body("table")).position.z(), 0.7, 1e-14);
}

// Disc 1 slides 0.3 m at g/2 to the stop; in the end all lie in a row.
TEST(Systems1982, DiscsEndInARow) {
  SceneRun run(load("papers/discs_on_slope"));
  run.until(2.0);
  EXPECT_TRUE(run.certified()) << run.why();
  const Vec3 down(0.5 * std::sqrt(3.0), -0.5, 0.0);
  for (int i = 1; i <= 3; ++i)
    EXPECT_NEAR(down.dot(run->pose(run.body("disc" + std::to_string(i))).position), 1.1 - 0.2 * i, 1e-13);
  EXPECT_NEAR(run.first(EventKind::impact, 0.3495), std::sqrt(2.0 * 0.3 / (0.5 * 9.81)), 1e-11);
}

TEST(Systems1982, FrictionIsRefusedWithTheMaterialsNames) {
  const Result<Scene> scene =
      read_scene("scenes/papers/bar_and_floor.json", std::vector<std::string>{"/materials/default/mu=0.3"});
  ASSERT_FALSE(scene.ok());
  EXPECT_NE(scene.error().find("bar"), std::string::npos);
  EXPECT_NE(scene.error().find("friction"), std::string::npos) << scene.error();
}

}  // namespace
}  // namespace stiction::scene::test
