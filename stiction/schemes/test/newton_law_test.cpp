#include <gtest/gtest.h>

#include <iostream>

#include "stiction/schemes/test/newton_trials.h"

namespace stiction {
namespace {

// 1982, (3.11): with (3.10) no energy is gained where no active contact separates; (3.7) and (3.8) bound the motion
// whatever the contacts do. A slice of what bench/accept/events.cpp runs.
TEST(NewtonsLaw, ComplementarityNeverGainsEqualityMay) {
  Random random(1982);
  double gain = -1.0, equality = -1.0, order = 0.0, excess = -1.0;
  for (int i = 0; i < 150; ++i) {
    const test::NewtonTrial trial = test::try_newton(random);
    EXPECT_TRUE(trial.solved) << i;
    EXPECT_TRUE(trial.certified) << i;
    EXPECT_TRUE(trial.is_reported) << i;
    EXPECT_LE(trial.gain, 1e-12) << i;
    EXPECT_LE(trial.order_error, 1e-9) << i;
    EXPECT_LE(trial.bound_excess, 1e-9) << i;
    EXPECT_LE(trial.speed_excess, 1e-9) << i;
    gain = std::max(gain, trial.gain);
    equality = std::max(equality, trial.equality_gain);
    order = std::max(order, trial.order_error);
    excess = std::max(excess, trial.bound_excess);
  }
  std::cout << "largest gain " << gain << ", of the equality " << equality << ", by order " << order << ", over (3.7) "
            << excess << "\n";
  EXPECT_GT(equality, 0.1);
}

// By hand: (3.9) with e = 1 and 0 on two contacts of a point in the plane at an angle. M = I, n1 = (0, 1), n2 = (s, c).
TEST(NewtonsLaw, EqualityAsWritten) {
  FlatSystem system(linalg::DenseMatrix::Identity(2, 2), Vector::Zero(2));
  const double s = std::sqrt(0.5);
  Vector n1(2), n2(2), v(2);
  n1 << 0.0, 1.0;
  n2 << s, s;
  v << 0.5, -1.0;
  system.contacts = {{.n = n1, .restitution = 1.0}, {.n = n2, .restitution = 0.0}};
  const Collision equality(system, Vector::Zero(2), v, impact_options(ImpactLaw::newton_equality));
  ASSERT_TRUE(equality.solved);
  EXPECT_NEAR(n1.dot(equality.v), 1.0, 1e-14);
  EXPECT_NEAR(n2.dot(equality.v), 0.0, 1e-14);
  EXPECT_NEAR(equality.gain(), 1.0 - 0.5 * 1.25, 1e-14);
  EXPECT_NEAR(equality.reported_gain(), equality.gain(), 1e-14);
  const Collision complementary(system, Vector::Zero(2), v, impact_options(ImpactLaw::newton));
  ASSERT_TRUE(complementary.solved);
  EXPECT_NEAR(n1.dot(complementary.v), 1.0, 1e-14);
  EXPECT_GT(n2.dot(complementary.v), 0.0);
  EXPECT_LE(complementary.gain(), 1e-14);
  // The impulses are on record, also that which pulls.
  Vector change = v - equality.v;
  for (const ContactRecord& record : equality.report.contacts)
    change += record.c_n * (record.geometry.id == 1 ? n1 : n2);
  EXPECT_LE(change.norm(), 1e-14);
}

// Two copies of a contact with different e contradict each other: the complementarity law takes over.
TEST(NewtonsLaw, AContradictionGoesToComplementarity) {
  FlatSystem system(linalg::DenseMatrix::Identity(1, 1), Vector::Zero(1));
  const Vector n = Vector::Constant(1, 1.0);
  system.contacts = {{.n = n, .restitution = 1.0}, {.n = n, .restitution = 0.25}};
  const Collision c(system, Vector::Zero(1), Vector::Constant(1, -1.0), impact_options(ImpactLaw::newton_equality));
  ASSERT_TRUE(c.solved);
  EXPECT_NEAR(c.v[0], 1.0, 1e-14);
  EXPECT_TRUE(c.report.certificate.certified());
}

}  // namespace
}  // namespace stiction
