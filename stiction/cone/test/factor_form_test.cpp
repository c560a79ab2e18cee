#include "stiction/cone/factor_form.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>

#include "problems/generator/cone_problem.h"
#include "problems/generator/families.h"
#include "stiction/cone/cascade.h"
#include "stiction/cone/problem_file.h"
#include "stiction/cone/solvers.h"

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

// Joints couple the contacts of their own mechanism and no others.
TEST(FactorForm, MechanismsStayApart) {
  // Four bodies of one velocity, 1 kg each, a contact on each; joints hold the first two together and the last two.
  FactorForm form{.dimension = 2};
  form.M.resize(4, 4);
  form.M.setIdentity();
  form.f = Vector::Constant(4, -1.0);
  form.H.resize(4, 8);
  for (int i = 0; i < 4; ++i) form.H.insert(i, 2 * i) = 1.0;
  form.G.resize(4, 2);
  for (int i = 0; i < 4; ++i) form.G.insert(i, i / 2) = i % 2 == 0 ? 1.0 : -1.0;
  form.b = Vector::Zero(8);
  form.d = Vector::Zero(2);
  form.mu = Vector::Zero(4);
  const Result<Problem> problem = condense(form);
  ASSERT_TRUE(problem.ok()) << problem.error();
  ASSERT_FALSE(problem.value().W.is_dense());
  const DenseMatrix W = problem.value().W.to_dense();
  for (Index i = 0; i < 8; ++i)
    for (Index j = 0; j < 8; ++j)
      EXPECT_NEAR(W(i, j), i % 2 == 0 && j % 2 == 0 && i / 4 == j / 4 ? 0.5 : 0.0, 1e-15) << i << " " << j;
  EXPECT_NE(condense(form, {.entries = 7}).error().find("entries of W: "), std::string::npos);
  EXPECT_NE(condense(form, {.joints = 0}).error().find("rows of joints of one mechanism: 1, at most 0"),
            std::string::npos);
  form.G.coeffRef(0, 1) = 1.0;
  form.G.coeffRef(1, 1) = -1.0;
  form.G.coeffRef(2, 1) = form.G.coeffRef(3, 1) = 0.0;
  form.d = Vector{{0.0, 1.0}};
  EXPECT_TRUE(condense(form).value().is_contradictory());
}

// A fast mechanism does not hide that the joints of a slow one contradict each other; and what is only the rounding of
// speeds that cancel is no contradiction.
TEST(FactorForm, JointsAreComparedMechanismByMechanism) {
  FactorForm form{.dimension = 2};
  form.M.resize(3, 3);
  form.M.setIdentity();
  form.f = Vector{{0.0, 0.0, -1.0}};
  form.H.resize(3, 2);
  form.H.insert(2, 0) = 1.0;
  form.b = Vector::Zero(2);
  form.mu = Vector::Zero(1);
  form.G.resize(3, 3);
  form.G.insert(0, 0) = form.G.insert(1, 1) = form.G.insert(1, 2) = 1.0;
  form.d = Vector{{1e6, 1e-3, 1e-3}};
  EXPECT_FALSE(condense(form).value().is_contradictory());
  form.d[2] = -1e-3;
  EXPECT_TRUE(condense(form).value().is_contradictory());
  form.f[1] = 10.0;
  form.d = Vector{{1e6, -10.0, -10.000000000000002}};
  EXPECT_FALSE(condense(form).value().is_contradictory());
}

/// Two velocities, 1 kg each, in the plane, and nothing that acts yet.
FactorForm two_masses(Index contacts, Index rows) {
  FactorForm form{.dimension = 2};
  form.M.resize(2, 2);
  form.M.setIdentity();
  form.f = Vector::Zero(2);
  form.H.resize(2, 2 * contacts);
  form.G.resize(2, rows);
  form.b = Vector::Zero(2 * contacts);
  form.d = Vector::Zero(rows);
  form.mu = Vector::Zero(contacts);
  form.lower = Vector::Constant(rows, -HUGE_VAL);
  form.upper = Vector::Constant(rows, HUGE_VAL);
  form.compliance = Vector::Zero(rows);
  return form;
}

void expect_answer(const FactorForm& form, const Vector& r) {
  // As it stands, and through a file.
  const Result<std::string> text = to_text(form);
  ASSERT_TRUE(text.ok()) << text.error();
  for (const Result<Problem>& problem : {condense(form), parse_problem(text.value(), "a.fcp")}) {
    ASSERT_TRUE(problem.ok()) << problem.error();
    Cascade cascade;
    Solution solution;
    cascade.solve(problem.value(), solution);
    ASSERT_EQ(solution.status, Status::solved);
    ASSERT_EQ(solution.r.size(), r.size());
    EXPECT_LT((solution.r - r).norm(), 1e-7) << solution.r.transpose();
  }
}

// A motor that wants 3 m/s of 1 kg at rest and can give 1 N s; one that can give 5.
TEST(FactorForm, ARowWithTwoBounds) {
  FactorForm form = two_masses(0, 1);
  form.G.insert(0, 0) = 1.0;
  form.d[0] = -3.0;
  form.lower[0] = -1.0;
  form.upper[0] = 1.0;
  expect_answer(form, Vector{{1.0, 1.0}});
  form.lower[0] = -1.0;
  form.upper[0] = 5.0;  // c = 3 = 2 + 1, within 2 +- 3
  expect_answer(form, Vector{{3.0, 1.0}});
  form.compliance[0] = 0.5;  // 1.5 c = 3
  expect_answer(form, Vector{{3.0, 0.0}});
}

// A rope that holds 4 N s; a strut that pushes.
TEST(FactorForm, ARowWithOneBound) {
  FactorForm form = two_masses(0, 1);
  form.G.insert(0, 0) = 1.0;
  form.f[0] = -4.0;
  form.lower[0] = 0.0;
  expect_answer(form, Vector{{4.0, 0.0}});
  form.lower[0] = -1.0;  // c = 4 = -1 + 5
  expect_answer(form, Vector{{5.0, 0.0}});
  form.f[0] = 4.0;
  form.lower[0] = -HUGE_VAL;
  form.upper[0] = 1.0;  // c = -4 = 1 - 5
  expect_answer(form, Vector{{5.0, 0.0}});
  form.compliance[0] = 1.0;  // v + c = 0, v = 4 + c: c = -2
  expect_answer(form, Vector{{3.0, 0.0}});
}

// A top of 1 kg that falls at 2 m/s and spins at 5: torsional friction of 0.1 times the normal impulse.
TEST(FactorForm, FrictionThatAnotherContactBears) {
  FactorForm form = two_masses(2, 0);
  form.H.insert(0, 0) = 1.0;
  form.H.insert(1, 3) = 1.0;
  form.v0 = Vector{{-2.0, 5.0}};
  form.mu = Vector{{0.0, 0.1}};
  form.bearer = {-1, 0};
  expect_answer(form, Vector{{2.0, 0.0, 0.2, -0.2}});
  form.hf = Vector{{0.0, 0.3}};  // and 0.3 more without any
  expect_answer(form, Vector{{2.0, 0.0, 0.5, -0.5}});
}

TEST(FactorForm, FrictionThatNeedsNoNormalForce) {
  FactorForm form = two_masses(1, 0);
  form.H.insert(0, 0) = 1.0;
  form.H.insert(1, 1) = 1.0;
  form.v0 = Vector{{-2.0, 5.0}};
  form.mu = Vector{{0.1}};
  form.hf = Vector{{0.3}};
  expect_answer(form, Vector{{2.0, 0.0, 0.5, -0.5}});
  form.v0[0] = 2.0;  // it lifts off
  expect_answer(form, Vector{{0.0, 0.0, 0.3, -0.3}});
}

// A ball joint's: no normal at all, and 0.3 N s against what spins at 5.
TEST(FactorForm, FrictionWithoutANormal) {
  FactorForm form = two_masses(1, 0);
  form.H.insert(1, 1) = 1.0;
  form.v0 = Vector{{-2.0, 5.0}};
  form.hf = Vector{{0.3}};
  form.bearer = {0};
  expect_answer(form, Vector{{0.3, -0.3}});
  form.mu = Vector{{0.1}};  // of nothing
  expect_answer(form, Vector{{0.3, -0.3}});
  form.H.insert(0, 0) = 1.0;
  EXPECT_NE(find_defect(form).find("the normal of contact 0 is not empty"), std::string::npos);
  const std::optional<Error> error = write_problem("no_such_folder/a.fcp", form);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->message.find("no_such_folder/a.fcp: cannot be written: the normal"), 0U) << error->message;
}

// A limit of forces is no speed: it must not make errors of contacts small. Walls that close on a body at 0.1, which is
// driven along them by a motor as strong as you like, or rubbed.
TEST(FactorForm, StrongDrivesDoNotBuyAnswers) {
  for (const auto& [lower, upper] : {std::pair{-1e9, 1e9}, std::pair{0.0, 1e9}, std::pair{-1e3, 1e3}}) {
    FactorForm form = two_masses(2, 1);
    form.H.insert(0, 0) = 1.0;
    form.H.insert(0, 2) = -1.0;
    form.H.insert(1, 1) = form.H.insert(1, 3) = form.G.insert(1, 0) = 1.0;
    form.mu = Vector{{0.5, 0.5}};
    form.b = Vector{{-0.1, 0.0, -0.1, 0.0}};
    form.lower[0] = lower;
    form.upper[0] = upper;
    const Problem wedged = condense(form).value();
    EXPECT_EQ(wedged.borne, (std::vector<char>{0, 0, 1}));
    EXPECT_LT((wedged.free_speeds() - Vector{{-0.1, 0.0, -0.1, 0.0, 0.0, 0.0}}).norm(), 1e-15);
    for (const std::string_view name : solver_names()) {
      Solution solution;
      make_solver(name)->solve(wedged, solution);
      EXPECT_EQ(solution.status, Status::infeasible) << name << " " << upper;
    }
  }
}

// And where there is an answer, a limit that is not reached does not stand in its way.
TEST(FactorForm, StrongDrivesHaveTheirAnswers) {
  FactorForm form = two_masses(1, 1);
  form.H.insert(0, 0) = form.H.insert(1, 1) = form.G.insert(1, 0) = 1.0;
  form.mu = Vector{{0.5}};
  form.v0 = Vector{{-2.0, 0.0}};
  form.d[0] = -3.0;  // against friction of 1: 4
  form.lower[0] = -1e9;
  form.upper[0] = 1e9;
  const Problem problem = condense(form).value();
  Cascade cascade;
  Solution solution;
  cascade.solve(problem, solution);
  ASSERT_EQ(solution.status, Status::solved);
  EXPECT_LT((solution.r - Vector{{2.0, -1.0, 1e9, 4.0}}).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_NEAR(solution.r[3], 4.0, 1e-7);
  // Off by 1e-6: seen, though that is 1e-15 of the limit. A radius that is off by 1e-6 of itself is seen too.
  for (const auto& [at, change] : {std::pair{0, 1e-6}, std::pair{3, 1e-6}, std::pair{2, 1e3}}) {
    Vector wrong = solution.r;
    wrong[at] += change;
    EXPECT_GT(certify(problem, wrong).contact_residual, 1e-7) << at;
  }
}

// With alpha = 1/2 the mean of the velocities may not close: what comes with -1 goes with 1.
TEST(FactorForm, VelocitiesBetween) {
  FactorForm form = two_masses(1, 1);
  form.H.insert(0, 0) = 1.0;
  form.G.insert(1, 0) = 1.0;  // and a joint that holds the other in the mean
  form.v0 = Vector{{-1.0, 3.0}};
  form.alpha = 0.5;
  expect_answer(form, Vector{{2.0, 0.0}});
  // In space, with masses that are coupled: M = [2 1; 1 2].
  form.M.coeffRef(0, 0) = form.M.coeffRef(1, 1) = 2.0;
  form.M.coeffRef(0, 1) = form.M.coeffRef(1, 0) = 1.0;
  // v = (1, -3): M (v - v0) = (2 * 2 - 6, 2 - 12) = (-2, -10) would pull, so the contact opens; v_0 = (c - ...) > -1.
  const Result<Problem> problem = condense(form);
  ASSERT_TRUE(problem.ok()) << problem.error();
  EXPECT_GT(problem.value().q[0], 0.0);
}

TEST(FactorForm, LawsThatMakeNoSenseAreTold) {
  const auto defect_of = [](auto change) {
    FactorForm form = two_masses(2, 1);
    change(form);
    return find_defect(form);
  };
  EXPECT_EQ(defect_of([](FactorForm&) {}), "");
  EXPECT_NE(defect_of([](FactorForm& f) { f.alpha = 0.0; }).find("alpha is 0"), std::string::npos);
  EXPECT_NE(defect_of([](FactorForm& f) { f.b.resize(3); }).find("has 3 numbers, expected 4"), std::string::npos);
  EXPECT_NE(defect_of([](FactorForm& f) { f.H.resize(2, 3); }).find("H is 2 by 3, expected 2 by 4"), std::string::npos);
  EXPECT_EQ(defect_of([](FactorForm& f) { f.bearer = {0, -1}; }), "");
  EXPECT_EQ(defect_of([](FactorForm& f) { f.bodies = {1, 1}; }), "");
  for (const std::vector<int>& bodies : {std::vector<int>{3}, std::vector<int>{2, 0}, std::vector<int>{3, -1}})
    EXPECT_NE(defect_of([&](FactorForm& f) { f.bodies = bodies; }).find("the bodies have"), std::string::npos);
  EXPECT_NE(defect_of([](FactorForm& f) { f.bearer = {1, 1}; }).find("the bearer of contact 0"), std::string::npos);
  EXPECT_NE(defect_of([](FactorForm& f) { f.bearer = {-1, 5}; }).find("the bearer of contact 1"), std::string::npos);
  EXPECT_NE(defect_of([](FactorForm& f) {
              f.bearer = {-1, 0};
              f.H.insert(0, 2) = 1.0;
            }).find("the normal of contact 1"),
            std::string::npos);
  EXPECT_NE(defect_of([](FactorForm& f) { f.lower[0] = 2.0, f.upper[0] = 1.0; }).find("bounds of row 0"),
            std::string::npos);
  EXPECT_NE(defect_of([](FactorForm& f) { f.compliance[0] = -1.0; }).find("compliance of row 0"), std::string::npos);
  EXPECT_NE(defect_of([](FactorForm& f) { f.mu[1] = -1.0; }).find("contact 1"), std::string::npos);
  EXPECT_NE(defect_of([](FactorForm& f) { f.f[0] = HUGE_VAL; }).find("not finite"), std::string::npos);
}

}  // namespace
}  // namespace stiction::cone
