#include "stiction/cone/factor_form.h"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "problems/generator/cone_problem.h"
#include "problems/generator/families.h"

namespace stiction::cone {
namespace {

/// u of a force r, by the equations as they stand: M v = H r + G c + f with G'v + d = 0, least squares for c.
Vector velocity_of(const FactorForm& form, const Vector& r) {
  const Index nv = form.f.size(), nc = form.d.size();
  DenseMatrix system = DenseMatrix::Zero(nv + nc, nv + nc);
  system.topLeftCorner(nv, nv) = DenseMatrix(form.M);
  system.topRightCorner(nv, nc) = -DenseMatrix(form.G);
  system.bottomLeftCorner(nc, nv) = DenseMatrix(form.G).transpose();
  Vector right(nv + nc);
  right << form.H * r + form.f, -form.d;
  const Vector answer = system.completeOrthogonalDecomposition().solve(right);
  return form.H.transpose() * answer.head(nv) + form.b;
}

TEST(FactorForm, CondensedVelocitiesAreThoseOfTheBodies) {
  for (const char* family : {"jointed", "spinning", "box_stack"}) {
    const FactorForm form = families::to_factor_form(families::find_family(family)->make({.contacts = 9, .seed = 4}));
    const Result<Problem> problem = condense(form);
    ASSERT_TRUE(problem.ok()) << problem.error();
    const Vector r = Vector::LinSpaced(problem.value().size(), -1.0, 2.0);
    Vector u = problem.value().q;
    problem.value().W.multiply_add(r, 1.0, u);
    const Vector expected = velocity_of(form, r);
    EXPECT_LT((u - expected).norm(), 1e-9 * expected.norm()) << family;
  }
}

TEST(FactorForm, MistakesAreTold) {
  FactorForm form = families::to_factor_form(families::find_family("box_stack")->make({.contacts = 4, .seed = 4}));
  form.b.resize(2);
  EXPECT_FALSE(condense(form).ok());
  form = families::to_factor_form(families::find_family("box_stack")->make({.contacts = 4, .seed = 4}));
  form.M = SparseMatrix(form.M.rows(), form.M.cols());
  EXPECT_FALSE(condense(form).ok()) << "M is singular";
}

}  // namespace
}  // namespace stiction::cone
