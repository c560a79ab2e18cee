#include "stiction/cone/certificate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>

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
  const Certificate open = certify(one_contact(vector({1.0, 3.0, 4.0}), 0.5), vector({0.0, 0.0, 0.0}));
  EXPECT_EQ(open.residual, 0.0);
  EXPECT_EQ(open.contact_residual, 0.0);
  const Certificate sticking = certify(one_contact(vector({-1.0, 0.3, -0.2}), 0.5), vector({1.0, -0.3, 0.2}));
  EXPECT_LT(sticking.residual, 1e-16);
  EXPECT_LT(sticking.contact_residual, 1e-15);
  const Certificate sliding = certify(one_contact(vector({-1.0, 3.0, 4.0}), 0.5), vector({1.0, -0.3, -0.4}));
  EXPECT_LT(sliding.residual, 1e-15);
  EXPECT_LT(sliding.contact_residual, 1e-15);
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
  EXPECT_NEAR(certify(b, 1e-9 * r).contact_residual / certify(a, r).contact_residual, 1.0, 1e-13);
}

TEST(ConeCertificate, AnswersThatAreNoneDoNotPass) {
  const Problem problem = one_contact(vector({-1.0, 0.0, 0.0}), 0.5);
  EXPECT_FALSE(certify(problem, vector({1.0})).certified());
  EXPECT_FALSE(certify(problem, vector({std::nan(""), 0.0, 0.0})).certified());
  EXPECT_FALSE(certify(problem, vector({1e308, 1e308, 1e308})).certified());
}

/// Frictionless contacts in a row, u_n = r_n + coupling (those of the two beside it) + q_n.
Problem chain(Index contacts, double coupling) {
  DenseMatrix W = DenseMatrix::Identity(3 * contacts, 3 * contacts);
  for (Index c = 1; c < contacts; ++c) W(3 * c, 3 * c - 3) = W(3 * c - 3, 3 * c) = coupling;
  return {.W = W, .q = Vector::Zero(3 * contacts), .mu = Vector::Zero(contacts)};
}

// The norm over all contacts is that of the fast ones.
TEST(ConeCertificate, OneWrongContactAmongThousandsIsSeen) {
  constexpr Index contacts = 2000;
  Problem problem{.W = SparseMatrix(3 * contacts, 3 * contacts),
                  .q = Vector::Constant(3 * contacts, -1.0),
                  .mu = Vector::Zero(contacts)};
  problem.W.edit_sparse().setIdentity();
  Vector r = Vector::Zero(3 * contacts);
  for (Index c = 0; c < contacts; ++c) r[3 * c] = 1.0;
  EXPECT_TRUE(certify(problem, r).certified());
  r[3 * 700] += 1e-7;
  const Certificate certificate = certify(problem, r);
  EXPECT_LT(certificate.residual, 1e-8);
  EXPECT_NEAR(certificate.contact_residual, 1e-7 / std::sqrt(3.0), 1e-12) << "over |q| = sqrt(3)";
  EXPECT_EQ(certificate.worst, 700);
  EXPECT_FALSE(certificate.certified());
}

// A small force on an open contact at one end, and what moves at the other end.
TEST(ConeCertificate, SpeedsCountAsFarAsTheNeighboursOfNeighbours) {
  constexpr double wrong = 1e-9, fast = 4.0;
  for (const bool sparse : {false, true})
    for (const auto& [contacts, coupling, speed] : {std::tuple{2, 0.1, fast},
                                                    {3, 0.1, fast},
                                                    {4, 0.1, 1e-2 * fast},
                                                    {9, 0.1, 1e-2 * fast},
                                                    {3, 0.0, 1e-6 * fast},
                                                    {3, 1e-14, 1e-6 * fast}}) {
      Problem problem = chain(contacts, coupling);
      problem.q[3 * contacts - 3] = fast;
      if (sparse) problem.W = SparseMatrix(problem.W.dense().sparseView());
      Vector r = Vector::Zero(problem.size());
      r[0] = wrong;
      const Certificate certificate = certify(problem, r);
      EXPECT_NEAR(certificate.contact_residual * speed / wrong, 1.0, 1e-6) << contacts << " " << coupling;
      EXPECT_EQ(certificate.worst, 0);
    }
}

TEST(ConeCertificate, WithoutAnySpeedOnlyNoForceIsAnAnswer) {
  const Problem problem = chain(2, -1.0);
  EXPECT_TRUE(certify(problem, Vector::Zero(6)).certified());
  EXPECT_FALSE(certify(problem, vector({1.0, 0.0, 0.0, 1.0, 0.0, 0.0})).certified());
}

// Between two walls r = (R, R) moves nothing: u = q whatever R is.
TEST(ConeCertificate, ALargeForceHidesNoSpeed) {
  Problem problem = chain(2, -1.0);
  problem.q[0] = problem.q[3] = -1e-3;
  for (const double R : {0.0, 1.0, 1e5, 1e10, 1e17}) {
    const Certificate certificate = certify(problem, vector({R, 0.0, 0.0, R, 0.0, 0.0}));
    EXPECT_GE(certificate.contact_residual, 1.0) << R;
    if (R >= 1e10) {
      EXPECT_LT(certificate.residual, 1e-12) << "what the second residual is for";
    }
  }
}

// The same with u = 0, an answer: as far as u can be known.
TEST(ConeCertificate, WhatRoundingHidesIsNotCertified) {
  Problem problem = chain(3, 0.0);
  problem.W = [W = problem.W.dense()]() mutable {
    W(0, 3) = W(3, 0) = -1.0;
    W(3, 6) = W(6, 3) = 1e-3;
    return W;
  }();
  problem.q[6] = 1.0;
  const auto squeeze = [](double R) { return vector({R, 0.0, 0.0, R, 0.0, 0.0, 0.0, 0.0, 0.0}); };
  EXPECT_TRUE(certify(problem, squeeze(1.0)).certified());
  EXPECT_TRUE(certify(problem, squeeze(1e6)).certified());
  EXPECT_FALSE(certify(problem, squeeze(1e9)).certified());
  EXPECT_FALSE(certify(problem, squeeze(1e17)).certified());
}

TEST(ConeCertificate, AContactBetweenBodiesThatDoNotMoveDoesNotPass) {
  const Problem problem{
      .W = DenseMatrix(DenseMatrix::Zero(3, 3)), .q = vector({-1.0, 0.0, 0.0}), .mu = Vector::Ones(1)};
  for (const double r : {0.0, 1.0, 1e17}) EXPECT_FALSE(certify(problem, vector({r, 0.0, 0.0})).certified());
}

/// The natural map as it is written, in more digits.
long double natural_map(double mu, const Vector& f, const Vector& u, long double rho) {
  long double x[3] = {f[0] - rho * (u[0] + mu * std::sqrt(static_cast<long double>(u[1]) * u[1] +
                                                          static_cast<long double>(u[2]) * u[2])),
                      f[1] - rho * u[1], f[2] - rho * u[2]};
  const long double t = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  if (!(x[0] >= 0.0L && t <= mu * x[0])) {
    const bool zero = mu * t <= -x[0];
    const long double n = zero ? 0.0L : (x[0] + mu * t) / (1.0L + static_cast<long double>(mu) * mu);
    const long double factor = t > 0.0L ? mu * n / t : 0.0L;
    x[0] = n;
    x[1] *= factor;
    x[2] *= factor;
  }
  long double sum = 0.0L;
  for (int k = 0; k < 3; ++k) sum += (f[k] - x[k]) * (f[k] - x[k]);
  return std::sqrt(sum);
}

TEST(ConeCertificate, EveryStateAsTheMapIsWritten) {
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const double mu = i % 7 == 0 ? 0.0 : random.uniform(0.0, 1.5);
    Vector f(3), q(3);
    for (double& value : f) value = random.normal();
    for (double& value : q) value = random.normal();
    f[0] = std::abs(f[0]);
    // On the cone, or nearly, in half of them.
    if (i % 2 == 0) f.tail(2) *= mu * f[0] / f.tail(2).norm() * (1.0 + 1e-6 * random.normal());
    const Problem problem = one_contact(q, mu);
    const Vector u = f + q;
    const auto expected = static_cast<double>(natural_map(mu, f, u, 1.0L)) / q.norm();
    EXPECT_NEAR(certify(problem, f).contact_residual, expected, 1e-13) << i;
  }
}

TEST(ConeInfeasibility, TheBoundOfOneContactIsItsAnswer) {
  // u_n = 0.25 r - 3: the answer is 12, and y = 1 says so.
  const Problem problem{
      .W = DenseMatrix(0.25 * DenseMatrix::Identity(3, 3)), .q = vector({-3.0, 0.0, 0.0}), .mu = vector({0.4})};
  EXPECT_NEAR(certify_infeasible(problem, vector({1.0, 0.0, 0.0})).bound, 12.0, 1e-12);
  EXPECT_FALSE(certify_infeasible(problem, vector({1.0, 0.0, 0.0})).refutes());
  EXPECT_EQ(certify_infeasible(problem, vector({-1.0, 0.0, 0.0})).bound, 0.0) << "u_n may be as large as it likes";
  EXPECT_EQ(certify_infeasible(problem, vector({1.0, 1e-9, 0.0})).bound, 0.0) << "and u_T has any sign";
  EXPECT_EQ(certify_infeasible(problem, vector({1.0})).bound, 0.0);
  EXPECT_EQ(certify_infeasible(problem, vector({std::nan(""), 0.0, 0.0})).bound, 0.0);
}

TEST(ConeInfeasibility, TwoWallsThatCloseAreRefutedAndOpeningOnesAreNot) {
  Problem problem = chain(2, -1.0);
  problem.q[0] = problem.q[3] = -1e-6;
  const Vector y = vector({1.0, 0.0, 0.0, 1.0, 0.0, 0.0});
  EXPECT_TRUE(certify_infeasible(problem, y).refutes());
  problem.q[3] = 1e-6;
  EXPECT_EQ(certify_infeasible(problem, y).bound, 0.0);
  // Walls that give way by 1e-4: r = 1e-6 / 1e-4 is an answer, and what the bound says.
  problem.q[3] = -1e-6;
  problem.W = [W = problem.W.dense()]() mutable {
    W(0, 0) += 1e-4;
    W(3, 3) += 1e-4;
    return W;
  }();
  EXPECT_NEAR(certify_infeasible(problem, y).bound, 1e-2 * std::sqrt(2.0), 1e-8);
  EXPECT_FALSE(certify_infeasible(problem, y).refutes());
}

// Walls that close at c = 8e-9 V: u_n = -c passes for zero, so r = 0 there is certified, and must not be refuted.
TEST(ConeInfeasibility, WhatCanBeCertifiedIsNotRefuted) {
  Problem problem = chain(2, -1.0);
  const Vector y = vector({1.0, 0.0, 0.0, 1.0, 0.0, 0.0});
  for (const double tolerance : {1e-8, 1e-3}) {
    problem.q = vector({-0.8 * tolerance, 0.0, 1.0, -0.8 * tolerance, 0.0, -1.0});
    problem.mu = vector({0.0, 0.0});
    EXPECT_TRUE(certify(problem, Vector::Zero(6)).certified(tolerance));
    EXPECT_FALSE(certify_infeasible(problem, y).refutes(tolerance));
    problem.q[0] = problem.q[3] = -4.0 * tolerance;
    EXPECT_FALSE(certify(problem, Vector::Zero(6)).certified(tolerance));
    EXPECT_TRUE(certify_infeasible(problem, y).refutes(tolerance));
  }
}

// Friction can push back what the normals alone do not: then y proves less.
TEST(ConeInfeasibility, FrictionThatHelpsLowersTheBound) {
  DenseMatrix W = DenseMatrix::Zero(3, 3);
  W(0, 1) = W(1, 0) = 1.0;  // r_t moves the normal
  W(1, 1) = W(2, 2) = 2.0;
  const Vector q = vector({-1.0, 0.0, 0.0}), y = vector({1.0, 0.0, 0.0});
  EXPECT_GT(certify_infeasible({.W = W, .q = q, .mu = vector({0.0})}, y).bound, 1e15);
  // |P_K((0, 1, 0))| = mu / sqrt(1 + mu^2).
  EXPECT_NEAR(certify_infeasible({.W = W, .q = q, .mu = vector({0.75})}, y).bound, 1.25 / 0.75, 1e-12);
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
  EXPECT_LT(certify(problem, vector({1.0, -0.8 * e1, -0.2 * e2})).contact_residual, 1e-14);
  EXPECT_GT(certify(problem, vector({1.0, -0.8 * 0.4472, -0.2 * 0.8944})).residual, 1e-3);
}

}  // namespace
}  // namespace stiction::cone
