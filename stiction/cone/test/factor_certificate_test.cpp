// What the factors say of an answer is what the condensed problem says of it.
#include "stiction/cone/factor_certificate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "stiction/cone/cascade.h"
#include "stiction/cone/problem_file.h"
#include "stiction/cone/test/random_factor_form.h"

namespace stiction::cone {
namespace {

void expect_near(double found, double expected, const std::string& what) {
  EXPECT_LE(std::abs(found - expected), 1e-6 * expected + 1e-11) << what << ": " << found << " " << expected;
}

TEST(FactorCertificate, AgreesWithTheCondensedTwin) {
  int solved = 0, with_rest = 0;
  for (int seed = 1; seed <= 120; ++seed) {
    const FactorForm form = make_random_form(seed);
    ASSERT_EQ(find_defect(form), "") << seed;
    const Result<Problem> condensed = condense(form);
    FactorJudge judge;
    const std::string defect = judge.prepare(form);
    ASSERT_TRUE(condensed.ok() && defect.empty()) << seed << " " << condensed.error() << " " << defect;
    const Problem& twin = condensed.value();
    const Problem& laws = judge.problem();
    ASSERT_EQ(laws.size(), twin.size());
    EXPECT_LT((laws.q - twin.q).norm(), 1e-10 * (1.0 + twin.q.norm())) << seed;
    EXPECT_LT((laws.free_speeds() - twin.free_speeds()).norm(), 1e-10 * (1.0 + twin.q.norm())) << seed;
    EXPECT_EQ(laws.mu, twin.mu) << seed;

    Cascade cascade;
    cascade.prove_infeasible = false;
    Solution solution;
    cascade.solve(twin, solution);
    solved += solution.status == Status::solved;
    Random random(static_cast<std::uint64_t>(1000 + seed));
    for (const double size : {0.0, 1e-9, 1e-6, 1e-2, 1.0, 1e6}) {
      Vector r = solution.r;
      for (double& number : r) number += size * random.normal();
      const Certificate found = judge.certify(r), expected = certify(twin, r);
      const std::string what = "seed " + std::to_string(seed) + " size " + std::to_string(size);
      expect_near(found.residual, expected.residual, what);
      expect_near(found.contact_residual, expected.contact_residual, what);
      if (size >= 1e-6) {
        EXPECT_EQ(found.worst, expected.worst) << what;
      }
      with_rest += size > 0.0 && expected.contact_residual > 1e-8;
    }
  }
  EXPECT_GE(solved, 110);
  EXPECT_GE(with_rest, 480);
}

// A wheel that another body's contact rubs: nothing but the law joins them, and the speed of the contact counts for it.
TEST(FactorCertificate, WhatIsBorneIsANeighbour) {
  FactorForm form{.dimension = 2};
  form.M.resize(2, 2);
  form.M.setIdentity();
  form.f = Vector::Zero(2);
  form.v0 = Vector{{-2.0, 1e-3}};
  form.H.resize(2, 4);
  form.H.insert(0, 0) = 1.0;
  form.H.insert(1, 3) = 1.0;
  form.b = Vector::Zero(4);
  form.d.resize(0);
  form.mu = Vector{{0.0, 0.1}};
  form.bearer = {-1, 0};
  const Problem twin = condense(form).value();
  FactorJudge judge;
  ASSERT_EQ(judge.prepare(form), "");
  const Vector r{{2.0, 0.0, 0.2, -1e-3 + 1e-7}};
  expect_near(judge.certify(r).contact_residual, 1e-7 / 2.0, "V is that of the contact");
  expect_near(judge.certify(r).contact_residual, certify(twin, r).contact_residual, "the twin");
}

// Numbers that are none, and of another length, are no answer.
TEST(FactorCertificate, NoNumbersAreNoAnswer) {
  const FactorForm form = make_random_form(2);
  FactorJudge judge;
  ASSERT_EQ(judge.prepare(form), "");
  Vector r = Vector::Zero(judge.problem().size());
  r[1] = std::nan("");
  EXPECT_FALSE(judge.certify(r).certified(1e300));
  EXPECT_FALSE(judge.certify(Vector::Zero(2)).certified(1e300));
}

// A body of 2 kg between a wall that closes and a slider whose drive holds it (joint_proof_test has the same): y_n = 1
// on both contacts.
FactorForm make_squeeze(double speed) {
  const std::string text =
      "FCG1 2\nalpha 1\nbodies 3\n3  2 0 0  0 2 0  0 0 0.3\n2  3 0  0 3\n1  0.7\ncouplings 0\n"
      "v  0 0 0 0 0 0\nk  0 -0.02 0 0 0 0\ncontacts 2\n0.5 0 -1\n" +
      std::to_string(-speed) + " 1  0 1\n0 2  1 1 2 -0.1\n0.5 0 -1\n0 2  3 1 0 -1\n0 3  4 1 1 -1 2 -0.1\n" +
      "rows 3\n-inf inf 0  0 2  3 1 5 -1\n-inf inf 0  0 1  4 1\n-inf inf 0  " + std::to_string(speed) + " 1  5 1\n";
  return parse_factors(text, "squeeze.fcp").value();
}

TEST(FactorCertificate, ProofsAreCheckedOnTheFactors) {
  for (const double speed : {0.5, 1e-3}) {
    const FactorForm form = make_squeeze(speed);
    const Problem twin = condense(form).value();
    FactorJudge judge;
    ASSERT_EQ(judge.prepare(form), "");
    const Vector y{{1.0, 0.0, 1.0, 0.0}};
    const InfeasibilityProof proof = judge.certify_infeasible(y), expected = certify_infeasible(twin, y);
    EXPECT_TRUE(proof.refutes() && expected.refutes());
    EXPECT_GT(proof.bound, 1e6 * speed);
    EXPECT_GT(proof.least_tolerance, 0.1 * expected.least_tolerance);
    EXPECT_FALSE(judge.certify_infeasible(Vector{{1.0, 0.0, 0.9, 0.0}}).refutes());
    EXPECT_FALSE(judge.certify_infeasible(Vector{{1.0, 0.1, 1.0, 0.0}}).refutes()) << "y_T = 0";
    EXPECT_FALSE(judge.certify_infeasible(Vector{{-1.0, 0.0, -1.0, 0.0}}).refutes());
  }
  FactorJudge judge;
  const FactorForm opening = make_squeeze(-0.5);
  ASSERT_EQ(judge.prepare(opening), "");
  EXPECT_FALSE(judge.certify_infeasible(Vector{{1.0, 0.0, 1.0, 0.0}}).refutes());
}

// Joints 5e-5 m/s apart drive a gram under 10 N s into a wall: q is of no motion that they allow, and proves nothing.
TEST(FactorCertificate, ProofsNeedJointsThatHold) {
  for (const char* second : {"1", "1.00005"}) {
    const FactorForm form = parse_factors(
                                "FCG1 2 alpha 1 bodies 1 2 1e-3 0 0 1e-3 couplings 0 v -1 0.1 k -10 0 contacts 1 "
                                "0.5 0 -1 0 1 0 1 0 1 1 1 rows 2 -inf inf 0 1 1 0 1 -inf inf 0 " +
                                    std::string(second) + " 1 0 1",
                                "driven.fcp")
                                .value();
    FactorJudge judge;
    ASSERT_EQ(judge.prepare(form), "");
    EXPECT_EQ(judge.certify_infeasible(Vector{{1.0, 0.0}}).refutes(), std::string(second) == "1") << second;
  }
}

// y that only looks like a proof where M is not symmetric: W'y is needed, not W y.
TEST(FactorCertificate, ProofsUseTheTransposedMasses) {
  for (int seed = 4; seed <= 40; seed += 2) {
    FactorForm form = make_random_form(seed);
    if (form.M.isApprox(SparseMatrix(form.M.transpose()))) continue;
    form.b.setConstant(-1.0);
    for (Index c = 0; c < form.contacts(); ++c)
      if (form.bearer_of(c) >= 0) form.b[c * form.dimension] = 0.0;
    const Problem twin = condense(form).value();
    FactorJudge judge;
    ASSERT_EQ(judge.prepare(form), "");
    Vector y = Vector::Zero(twin.size());
    for (Index c = 0; c < twin.contacts(); ++c)
      if (!twin.is_borne(c) && twin.q[c * twin.dimension] < 0.0) y[c * twin.dimension] = 1.0;
    const InfeasibilityProof found = judge.certify_infeasible(y), expected = certify_infeasible(twin, y);
    ASSERT_GT(expected.bound, 0.0) << seed;
    EXPECT_NEAR(found.bound / expected.bound, 1.0, 1e-6) << seed;
    EXPECT_NEAR(found.least_tolerance / expected.least_tolerance, 1.0, 1e-6) << seed;
  }
}

TEST(FactorCertificate, ContactsOfBodiesThatDoNotMoveAreNamed) {
  FactorForm form = make_random_form(3);
  for (SparseMatrix::InnerIterator it(form.H, 2); it; ++it) it.valueRef() = 0.0;
  for (SparseMatrix::InnerIterator it(form.H, 3); it; ++it) it.valueRef() = 0.0;
  FactorJudge judge;
  EXPECT_EQ(judge.prepare(form).substr(0, 45), "contact 1 is between bodies that do not move;");
  EXPECT_EQ(
      judge.prepare(parse_factors("FCG1 2 alpha 1 bodies 1 2 1e-310 0 0 1e-310 couplings 0 v -1 0 k 0 0 contacts 1 "
                                  "0.5 0 -1 0 1 0 1 0 1 1 1 rows 0",
                                  "tiny.fcp")
                        .value()),
      "contact 0 is between bodies whose mobility is not finite; their masses are too small");
  form.M.setZero();
  EXPECT_EQ(judge.prepare(form), "M is singular, expected a regular mass matrix");
}

}  // namespace
}  // namespace stiction::cone
