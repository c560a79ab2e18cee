#include "stiction/cone/certificate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/base/random.h"

namespace stiction::cone {
namespace {

Problem one_contact(const Vector& q, double mu) {
  return {.name = "one", .W = DenseMatrix(DenseMatrix::Identity(3, 3)), .q = q, .mu = Vector::Constant(1, mu)};
}

Vector vector(std::initializer_list<double> values) {
  Vector result(static_cast<Index>(values.size()));
  Index i = 0;
  for (const double value : values) result[i++] = value;
  return result;
}

TEST(ConeCertificate, EachStateOfOneContactInClosedForm) {
  // Open: u = q. Sticking: r = -q. Sliding: u_n = 0 and friction mu against the sliding.
  EXPECT_EQ(certify(one_contact(vector({1.0, 3.0, 4.0}), 0.5), vector({0.0, 0.0, 0.0})).residual, 0.0);
  EXPECT_LT(certify(one_contact(vector({-1.0, 0.3, -0.2}), 0.5), vector({1.0, -0.3, 0.2})).residual, 1e-16);
  EXPECT_LT(certify(one_contact(vector({-1.0, 3.0, 4.0}), 0.5), vector({1.0, -0.3, -0.4})).residual, 1e-15);
}

TEST(ConeCertificate, TellsHowWrongAnAnswerIs) {
  const Problem sliding = one_contact(vector({-1.0, 3.0, 4.0}), 0.5);
  EXPECT_NEAR(certify(sliding, vector({1.0, 0.0, 0.0})).residual, 0.5 / std::sqrt(26.0), 0.05);
  EXPECT_GT(certify(sliding, vector({1.0, -0.4, -0.3})).residual, 1e-3) << "friction not against the sliding";
  EXPECT_GT(certify(sliding, vector({1.0, -0.3001, -0.4})).residual, 1e-6) << "outside the cone";
  EXPECT_GT(certify(one_contact(vector({-1.0, 0.0, 0.0}), 0.0), vector({0.9, 0.0, 0.0})).residual, 1e-2);
  EXPECT_GT(certify(one_contact(vector({1.0, 0.0, 0.0}), 0.0), vector({-1.0, 0.0, 0.0})).residual, 0.5)
      << "a contact that pulls has u = 0, and is wrong all the same";
}

TEST(ConeCertificate, LengthsOutsideTheRangeOfSquares) {
  for (const double unit : {1.0, 1e-200, 1e200}) EXPECT_NEAR(length(3.0 * unit, -4.0 * unit) / unit, 5.0, 1e-14);
  EXPECT_EQ(length(0.0, 0.0), 0.0);
}

TEST(ConeCertificate, SiconosMeasuresWithoutUnits) {
  // With W = I rho is one, so that the errors are the same; u = (0, 3, 4) is the longest of q, r and u but for q.
  const Problem sliding = one_contact(vector({-1.0, 3.0, 4.0}), 0.5);
  const Vector r = vector({1.0, 0.0, 0.0});
  EXPECT_NEAR(siconos_error(sliding, r), certify(sliding, r).residual, 1e-15);
  EXPECT_EQ(siconos_error(sliding, vector({1.0})), std::numeric_limits<double>::infinity());
  // In other units of force the certificate stays what it is, and this does not.
  Problem heavy = sliding;
  heavy.W = DenseMatrix(1e-3 * DenseMatrix::Identity(3, 3));
  EXPECT_NEAR(certify(heavy, 1e3 * r).residual, certify(sliding, r).residual, 1e-15);
  EXPECT_LT(siconos_error(heavy, 1e3 * r), 0.1 * siconos_error(sliding, r));
}

TEST(ConeCertificate, IsTheSameInAnyUnits) {
  Random random(4);
  DenseMatrix A(6, 6);
  for (double& value : A.reshaped()) value = random.normal();
  Vector q(6), r(6);
  for (double& value : q) value = random.normal();
  for (double& value : r) value = random.normal();
  const Problem a{.W = DenseMatrix(A * A.transpose()), .q = q, .mu = vector({0.3, 0.7})};
  const Problem b{.W = DenseMatrix(1e6 * A * A.transpose()), .q = 1e-3 * q, .mu = a.mu};
  EXPECT_NEAR(certify(a, r).residual, certify(b, 1e-9 * r).residual, 1e-13);
}

TEST(ConeCertificate, AnswersThatAreNoneDoNotPass) {
  const Problem problem = one_contact(vector({-1.0, 0.0, 0.0}), 0.5);
  EXPECT_FALSE(certify(problem, vector({1.0})).certified());
  EXPECT_FALSE(certify(problem, vector({std::nan(""), 0.0, 0.0})).certified());
  EXPECT_FALSE(certify(problem, vector({1e308, 1e308, 1e308})).certified());
}

// Pushed against what does not give way, u_n = -1: r - P(r + rho) is below the rounding of a large enough r.
TEST(ConeCertificate, AForceTooLargeToSeeTheErrorDoesNotPass) {
  const Problem problem{
      .W = DenseMatrix(DenseMatrix::Zero(3, 3)), .q = vector({-1.0, 0.0, 0.0}), .mu = Vector::Ones(1)};
  const Certificate certificate = certify(problem, vector({1e17, 0.0, 0.0}));
  EXPECT_EQ(certificate.residual, 0.0);
  EXPECT_FALSE(certificate.certified());
}

TEST(ConeCertificate, EllipticConeSlidesAgainstFrictionInItsOwnMetric) {
  // mu = 0.8, mu2 = 0.2, W = I: in s = (r_t, r_s / share), v = (u_t, share u_s) the cone is round, so
  // r_T = -c_n (0.8 e_1, 0.2 e_2) with e = v / |v|.
  Problem problem = one_contact(vector({-1.0, 2.0, 6.0}), 0.8);
  problem.mu2 = vector({0.2});
  double e1 = 1.0, e2 = 0.0;
  for (int i = 0; i < 200; ++i) {
    const double v1 = 2.0 - 0.8 * e1, v2 = 0.25 * (6.0 - 0.2 * e2), length = std::hypot(v1, v2);
    e1 = v1 / length;
    e2 = v2 / length;
  }
  EXPECT_LT(certify(problem, vector({1.0, -0.8 * e1, -0.2 * e2})).residual, 1e-14);
  EXPECT_GT(certify(problem, vector({1.0, -0.8 * 0.4472, -0.2 * 0.8944})).residual, 1e-3);
}

TEST(ConeCertificate, ProjectionIsTheNearestPointOfTheCone) {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    const double mu = i % 5 == 0 ? 0.0 : random.uniform(0.0, 2.0);
    const double x[3] = {random.normal(), i % 7 == 0 ? 0.0 : random.normal(), i % 7 == 0 ? 0.0 : random.normal()};
    double p[3] = {x[0], x[1], x[2]};
    project_on_cone(mu, p);
    ASSERT_LE(std::hypot(p[1], p[2]), mu * p[0] + 1e-15);
    // The obtuse angle criterion: (x - p).(y - p) <= 0 for every y of the cone.
    for (int k = 0; k < 20; ++k) {
      const double n = random.uniform(0.0, 3.0), angle = random.uniform(0.0, 6.3), t = mu * n * random.uniform();
      const double y[3] = {n, t * std::cos(angle), t * std::sin(angle)};
      double product = 0.0;
      for (int c = 0; c < 3; ++c) product += (x[c] - p[c]) * (y[c] - p[c]);
      ASSERT_LE(product, 1e-12);
    }
  }
}

}  // namespace
}  // namespace stiction::cone
