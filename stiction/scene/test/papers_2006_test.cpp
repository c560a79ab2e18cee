// The numerical results of Potra, Anitescu, Gavrea and Trinkle 2006, section 10.
#include "stiction/scene/test/papers_2006.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

namespace stiction::scene::test {
namespace {

/// The steps of Table 10.1 that a unit test has time for; `make accept` has them all.
constexpr int rows = 4;

TEST(Papers2006, DoublePendulumGivesTable10) {
  // Its own error is a quarter of a per cent of the smallest error measured here.
  const PendulumEnd reference = swing(std::ldexp(1.0, -12));
  double last_error = 0.0, last_Theta1 = 0.0, last_Theta2 = 0.0;
  for (int i = 0; i < rows; ++i) {
    const PendulumEnd end = swing(std::ldexp(1.0, -5 - i));
    const PrintedRow& printed = table_10_1[i];
    const double error = end.distance(reference);
    std::printf("h = 2^-%d: E %.3e (%.2e), Theta1 %.3e (%.2e), Theta2 %.3e (%.2e), %zu impacts\n", 5 + i, error,
                printed.position_error, end.drift1(), printed.Theta1, end.drift2(), printed.Theta2, end.impacts.size());
    EXPECT_TRUE(end.certified) << end.why;
    EXPECT_NEAR(error, printed.position_error, 0.05 * printed.position_error);
    EXPECT_NEAR(std::abs(end.drift1()), std::abs(printed.Theta1), 0.05 * std::abs(printed.Theta1));
    EXPECT_NEAR(std::abs(end.drift2()), std::abs(printed.Theta2), 0.05 * std::abs(printed.Theta2));
    ASSERT_EQ(end.impacts.size(), 5U);
    for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(end.impacts[k].contact, reference.impacts[k].contact);
    if (i > 0) {
      for (const double ratio : {last_error / error, last_Theta1 / end.drift1(), last_Theta2 / end.drift2()}) {
        EXPECT_GE(ratio, 3.6);
        EXPECT_LE(ratio, 4.4);
      }
    }
    last_error = error;
    last_Theta1 = end.drift1();
    last_Theta2 = end.drift2();
  }
}

TEST(Papers2006, CartsOnAStifferDamperStayTogether) {
  std::array<double, 3> variation{};
  const std::array<const char*, 3> names{"two_carts_delta_1e2", "two_carts_delta_1e3", "two_carts_delta_1e6"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const CartRun run = drive(names[i]);
    variation[i] = CartRun::variation(run.distance);
    std::printf("%s: distance varies by %.4e, energy rises by %.1e\n", names[i], variation[i], run.energy_gain());
    EXPECT_TRUE(run.certified) << run.why;
    EXPECT_LE(run.energy_gain(), 1e-10);
  }
  // Like 1/delta.
  EXPECT_NEAR(variation[0] / variation[1], 10.0, 2.0);
  EXPECT_NEAR(variation[1] / variation[2], 1000.0, 200.0);
}

TEST(Papers2006, CartOnAStifferSpringStaysInPlace) {
  std::array<double, 4> variation{};
  const std::array<const char*, 4> names{"two_carts_gamma_1e2", "two_carts_gamma_1e3", "two_carts_gamma_1e4",
                                         "two_carts_gamma_1e6"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    // There is no scene for 1e3.
    const CartRun run = i == 1 ? drive(names[0], {"/forces/0/stiffness=1e3"}) : drive(names[i]);
    variation[i] = CartRun::variation(run.stretch);
    std::printf("%s: the cart moves by %.4e, energy rises by %.1e\n", names[i], variation[i], run.energy_gain());
    EXPECT_TRUE(run.certified) << run.why;
    EXPECT_LE(run.energy_gain(), 1e-10);
  }
  // Like 1/sqrt(gamma), but for the softest, which the stop keeps from its full swing.
  EXPECT_LT(variation[1], variation[0]);
  EXPECT_NEAR(variation[1] / variation[2], std::sqrt(10.0), 0.5);
  EXPECT_NEAR(variation[2] / variation[3], 10.0, 1.5);
}

TEST(Papers2006, CartsOfAnyStiffnessStayFinite) {
  for (const char* setting : {"/forces/0/stiffness=1e9", "/forces/1/damping=1e9"}) {
    const CartRun run = drive("two_carts_delta_1e2", {setting});
    EXPECT_TRUE(run.finite) << setting;
    EXPECT_TRUE(run.certified) << run.why;
    EXPECT_LE(run.energy_gain(), 1e-7) << setting;
  }
}

/// Theorem 9.3: with the damper of 1e6 the carts move as on a rigid link. Without restitution: an impact knows rigid
/// links and no dampers, so that what bounces off the stop is both carts, or one.
TEST(Papers2006, AStiffDamperIsARigidLink) {
  SceneRun rigid(load("papers/two_carts_delta_1e2",
                      {"/forces/1/damping=1e-9", "/materials/stop/restitution=0",
                       R"(/joints=[{"type": "distance", "name": "link", "body": "cart2", "partner": "cart1"}])"}));
  SceneRun soft(load("papers/two_carts_delta_1e6", {"/materials/stop/restitution=0"}));
  double largest = 0.0;
  for (int k = 0; k < 400; ++k) {
    rigid.step(0.01);
    soft.step(0.01);
    for (const char* cart : {"cart1", "cart2"})
      largest =
          std::max(largest, (rigid->pose(rigid.body(cart)).position - soft->pose(soft.body(cart)).position).norm());
  }
  std::printf("carts on a damper of 1e6 N s/m and on a rigid link: at most %.2e m apart\n", largest);
  EXPECT_TRUE(rigid.certified() && soft.certified()) << rigid.why() << soft.why();
  EXPECT_LT(largest, 1e-4);
}

}  // namespace
}  // namespace stiction::scene::test
