#include "stiction/cone/held_motion.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <limits>

#include "stiction/cone/factor_parts.h"
#include "stiction/cone/test/random_factor_form.h"

namespace stiction::cone {
namespace {

/// The equations as they stand: M y = f + p + G c, G'(v0 + alpha y) + d + C c = 0, G the joints alone; least squares
/// for c.
Vector find_densely(const FactorForm& form, const Vector& p, bool is_loaded) {
  std::vector<Index> joints;
  for (Index row = 0; row < form.rows(); ++row)
    if (is_joint(form, row)) joints.push_back(row);
  const Index nv = form.velocities(), nc = static_cast<Index>(joints.size());
  const DenseMatrix G = DenseMatrix(form.G)(Eigen::all, joints);
  DenseMatrix system = DenseMatrix::Zero(nv + nc, nv + nc);
  system.topLeftCorner(nv, nv) = DenseMatrix(form.M);
  system.topRightCorner(nv, nc) = -G;
  system.bottomLeftCorner(nc, nv) = form.alpha * G.transpose();
  for (Index j = 0; j < nc; ++j) system(nv + j, nv + j) = form.compliance[joints[j]];
  Vector right = Vector::Zero(nv + nc);
  right.head(nv) = p;
  if (is_loaded) {
    right.head(nv) += form.f;
    right.tail(nc) = -form.d(joints) - G.transpose() * form.v0;
  }
  const Vector y = system.completeOrthogonalDecomposition().solve(right).head(nv);
  return is_loaded ? Vector(form.v0 + form.alpha * y) : Vector(form.alpha * y);
}

TEST(HeldMotion, IsThatOfTheEquationsAsTheyStand) {
  for (int seed = 1; seed <= 30; ++seed) {
    const FactorForm form = make_random_form(seed);
    HeldMotion motion;
    ASSERT_EQ(motion.prepare(form), "") << seed;
    EXPECT_EQ(motion.contradiction().size(), 0);
    const Vector r = Vector::LinSpaced(form.H.cols(), -1.0, 2.0);
    Vector v, unsure;
    EXPECT_LT(motion.find_free(form.H, r, v, unsure), 1e-10) << seed;
    const Vector expected = find_densely(form, form.H * r, true);
    EXPECT_LT((v - expected).norm(), 1e-9 * (1.0 + expected.norm())) << seed;
    EXPECT_LT(unsure.maxCoeff(), 1e-12 * (1.0 + expected.norm())) << seed;
    EXPECT_LT(motion.find_response(form.H, r, v, unsure), 1e-10) << seed;
    const Vector response = find_densely(form, form.H * r, false);
    EXPECT_LT((v - response).norm(), 1e-9 * (1.0 + response.norm())) << seed;
    for (const Index j : {Index{0}, form.H.cols() - 1}) {
      const Vector column = form.H.col(j);
      const HeldMotion::Mobility mobility = motion.find_mobility(form.H, j);
      EXPECT_NEAR(mobility.held, column.dot(find_densely(form, column, false)), 1e-9 * mobility.alone) << seed;
      EXPECT_NEAR(mobility.alone, form.alpha * column.dot(DenseMatrix(form.M).partialPivLu().solve(column)), 1e-9);
    }
  }
}

TEST(HeldMotion, JointsHangBodiesTogether) {
  FactorForm form{.dimension = 2};
  form.M.resize(4, 4);
  form.M.setIdentity();
  form.M.coeffRef(2, 3) = form.M.coeffRef(3, 2) = 0.1;
  form.f = Vector::Zero(4);
  form.G.resize(4, 1);
  form.G.insert(0, 0) = 1.0;
  form.G.insert(2, 0) = -1.0;
  form.d = Vector::Zero(1);
  HeldMotion motion;
  ASSERT_EQ(motion.prepare(form), "");
  EXPECT_EQ(motion.hub(0), motion.hub(2));
  EXPECT_EQ(motion.hub(2), motion.hub(3));
  EXPECT_NE(motion.hub(0), motion.hub(1));
}

TEST(HeldMotion, ContradictionsHaveTheirProof) {
  FactorForm form{.dimension = 2};
  form.M.resize(2, 2);
  form.M.setIdentity();
  form.f = Vector::Zero(2);
  form.G.resize(2, 3);
  form.G.insert(0, 0) = 1.0;
  form.G.insert(1, 1) = 1.0;
  form.G.insert(1, 2) = 2.0;
  form.d = Vector{{5.0, 1.0, 2.0}};
  HeldMotion motion;
  ASSERT_EQ(motion.prepare(form), "");
  EXPECT_EQ(motion.contradiction().size(), 0);
  form.d[2] = 2.001;
  ASSERT_EQ(motion.prepare(form), "");
  ASSERT_EQ(motion.contradiction().size(), 3);
  EXPECT_EQ(motion.contradiction()[0], 0.0);
  EXPECT_NEAR(motion.contradiction()[1] / motion.contradiction()[2], -2.0, 1e-9);
}

// What is no number is not zero.
TEST(HeldMotion, SpeedsWithoutNumbersAreUnheld) {
  FactorForm form{.dimension = 2};
  form.M.resize(2, 2);
  form.M.setIdentity();
  form.f = Vector::Zero(2);
  form.G.resize(2, 1);
  form.G.insert(0, 0) = 1.0;
  form.d = Vector{{1.0}};
  form.H.resize(2, 2);
  form.H.insert(0, 0) = 1e300;
  HeldMotion motion;
  ASSERT_EQ(motion.prepare(form), "");
  Vector v, unsure;
  EXPECT_LT(motion.find_free(form.H, Vector{{1.0, 0.0}}, v, unsure), 1e-10);
  EXPECT_EQ(motion.find_free(form.H, Vector{{1e300, 0.0}}, v, unsure), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace stiction::cone
