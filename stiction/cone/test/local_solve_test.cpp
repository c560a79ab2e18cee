#include "stiction/cone/local_solve.h"

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/cone/certificate.h"

namespace stiction::cone {
namespace {

TEST(LocalSolve, EveryRandomContactIsSolvedExactly) {
  Random random(11);
  for (int i = 0; i < 2000; ++i) {
    Eigen::Matrix3d G, skew = Eigen::Matrix3d::Zero();
    for (double& value : G.reshaped()) value = random.normal();
    if (i % 3 == 0) skew(0, 1) = -(skew(1, 0) = 0.1 * random.normal());
    const Eigen::Matrix3d A = G * G.transpose() + skew;
    const double b[3] = {random.normal(), random.normal(), random.normal()};
    const double mu = i % 10 == 0 ? 0.0 : random.uniform(0.0, 1.5);
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> a = A;
    double r[3] = {0.0, 0.0, 0.0};
    // With strong friction against a lopsided matrix a contact may have no state at all (Painleve's paradox).
    if (!solve_contact(a.data(), b, mu, r)) {
      EXPECT_GT(mu * std::hypot(A(0, 1), A(0, 2)), A(0, 0));
      continue;
    }
    const Problem problem{.W = DenseMatrix(A), .q = Eigen::Vector3d(b[0], b[1], b[2]), .mu = Vector::Constant(1, mu)};
    EXPECT_LT(certify(problem, Eigen::Vector3d(r[0], r[1], r[2])).residual, 1e-11) << i;
    // A guess, good or bad, changes the way and not the answer.
    for (const double scale : {1e-3, 1.0, 1e6}) {
      double guessed[3] = {r[0], r[1] + scale * random.normal(), r[2] + scale * random.normal()};
      ASSERT_TRUE(solve_contact(a.data(), b, mu, guessed)) << i;
      EXPECT_LT(certify(problem, Eigen::Vector3d(guessed[0], guessed[1], guessed[2])).residual, 1e-11) << i;
    }
  }
}

// Against the certificate, and against the same contact in space with a second tangent that nothing moves.
TEST(LocalSolve, ThePlaneIsSolvedAsSpaceIs) {
  Random random(12);
  int solved = 0;
  for (int i = 0; i < 2000; ++i) {
    Eigen::Matrix2d G, skew = Eigen::Matrix2d::Zero();
    for (double& value : G.reshaped()) value = random.normal();
    if (i % 3 == 0) skew(0, 1) = -(skew(1, 0) = 0.1 * random.normal());
    const Eigen::Matrix2d A = G * G.transpose() + skew;
    const double a[4] = {A(0, 0), A(0, 1), A(1, 0), A(1, 1)};
    const double full[9] = {a[0], a[1], 0.0, a[2], a[3], 0.0, 0.0, 0.0, 1.0};
    const double b[3] = {random.normal(), i % 7 == 0 ? 0.0 : random.normal(), 0.0};
    const double mu = i % 10 == 0 ? 0.0 : random.uniform(0.0, 1.5);
    double r[2] = {0.0, 0.0}, twin[3] = {0.0, 0.0, 0.0};
    const bool is_solved = solve_plane_contact(a, b, mu, r);
    EXPECT_EQ(is_solved, solve_contact(full, b, mu, twin)) << i;
    if (!is_solved) continue;
    ++solved;
    const Problem problem{
        .dimension = 2, .W = DenseMatrix(A), .q = Eigen::Vector2d(b[0], b[1]), .mu = Vector::Constant(1, mu)};
    EXPECT_LT(certify(problem, Eigen::Vector2d(r[0], r[1])).residual, 1e-11) << i;
  }
  EXPECT_GT(solved, 1500);
}

TEST(LocalSolve, AContactWithoutMassAlongItsNormalIsLeftAlone) {
  const double a[9] = {}, b[3] = {-1.0, 0.0, 0.0};
  double r[3] = {2.0, 0.0, 0.0};
  EXPECT_FALSE(solve_contact(a, b, 0.5, r));
  EXPECT_EQ(r[0], 2.0);
}

}  // namespace
}  // namespace stiction::cone
