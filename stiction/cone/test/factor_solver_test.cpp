#include "stiction/cone/factor_solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "stiction/cone/contradiction.h"
#include "stiction/cone/problem_file.h"
#include "stiction/cone/test/random_factor_form.h"

namespace stiction::cone {
namespace {

// Each answer is held to the certificate of the condensed problem, which shares nothing with what found it.
TEST(FactorSolver, AnswersHoldForTheCondensedTwin) {
  int on_bodies = 0;
  FactorSolver solver;
  for (int seed = 200; seed < 300; ++seed) {
    const FactorForm form = make_random_form(seed);
    ASSERT_EQ(solver.prepare(form), "") << seed;
    Solution solution;
    solver.solve(solution);
    const Problem twin = condense(form).value();
    EXPECT_EQ(solution.status, Status::solved) << seed;
    EXPECT_TRUE(certify(twin, solution.r).certified(1.1e-8))
        << seed << " " << certify(twin, solution.r).contact_residual;
    on_bodies += solution.attempts.size() == 1 && solution.attempts[0].method == "bodies";
  }
  EXPECT_GE(on_bodies, 90);
}

/// 1 kg each at one place, pushed on by `push`: several islands of one contact.
FactorForm make_masses(const Vector& push) {
  FactorForm form{.dimension = 2};
  const Index n = push.size();
  form.M.resize(n, n);
  form.M.setIdentity();
  form.f = push;
  form.H.resize(n, 2 * n);
  for (Index i = 0; i < n; ++i) form.H.insert(i, 2 * i) = 1.0;
  form.b = Vector::Zero(2 * n);
  form.mu = Vector::Constant(n, 0.5);
  form.d.resize(0);
  return form;
}

// One island without an answer makes the whole infeasible; the others are solved all the same.
TEST(FactorSolver, OneIslandWithoutAnAnswer) {
  FactorForm form = make_masses(Vector{{-1.0, 2.0, -3.0}});
  SparseMatrix H(3, 8);
  for (Index i = 0; i < 3; ++i) H.insert(i, 2 * i) = 1.0;
  H.insert(1, 6) = -1.0;  // walls on both sides of the second
  form.H = H;
  form.b = Vector::Zero(8);
  form.b[2] = form.b[6] = -0.1;
  form.mu = Vector::Constant(4, 0.5);
  FactorSolver solver;
  ASSERT_EQ(solver.prepare(form), "");
  for (const bool can_condense : {true, false}) {
    solver.limits.entries = can_condense ? 100 : 0;
    Solution solution;
    solver.solve(solution);
    ASSERT_EQ(solution.status, Status::infeasible);
    ASSERT_EQ(solution.proof.size(), 8);
    EXPECT_LT((solution.proof / solution.proof[2] - Vector{{0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0}}).norm(), 1e-8);
    EXPECT_TRUE(certify_infeasible(condense(form).value(), solution.proof).refutes());
    EXPECT_GT(solution.bound, 1e6);
    EXPECT_NEAR(solution.r[0], 1.0, 1e-8);
    EXPECT_NEAR(solution.r[4], 3.0, 1e-8);
  }
}

// A disc that slides along a slope of 30 degrees (step 30 of a scene): its normal speed is 1e-17, what rounding leaves
// of 0.43 m/s, and r = 0 is the answer.
TEST(FactorSolver, SpeedsThatAreRoundingAreData) {
  const FactorForm form = parse_factors(
                              "FCG1 2 alpha 1 bodies 3 1 1 1 1 1 0.004000000000000001 couplings 0 "
                              "v 0.86660204935594 -0.5003329264759332 -1.777752973258807e-14 k 0 0 0 contacts 1 0 0 -1 "
                              "0 3 0 0.49999999999999994 1 0.8660254037844387 2 -3.469446951953614e-17 0 0 rows 0",
                              "disc.fcp")
                              .value();
  FactorSolver solver;
  ASSERT_EQ(solver.prepare(form), "");
  Solution solution;
  solver.solve(solution);
  EXPECT_EQ(solution.status, Status::solved);
}

/// Two kilograms over the plane, in the plane of the picture.
FactorForm make_block(const std::string& v, const std::string& rows) {
  const std::string text = "FCG1 2 alpha 1 bodies 1 2 2 0 0 2 couplings 0 v " + v +
                           " k 0 0 contacts 1 0.5 0 -1 0 1 0 1 0 1 1 1 rows " + rows;
  return parse_factors(text, "block.fcp").value();
}

TEST(FactorSolver, AtRestNothingIsHiddenByRounding) {
  const FactorForm form = make_block("0 0", "0");
  FactorSolver solver;
  ASSERT_EQ(solver.prepare(form), "");
  Solution solution;
  solver.solve(solution);
  EXPECT_EQ(solution.status, Status::solved);
  EXPECT_EQ(solution.certificate.contact_residual, 0.0);
}

TEST(FactorSolver, ContradictingJointsAreInfeasible) {
  FactorForm form = make_masses(Vector{{-1.0, 2.0}});
  form.G.resize(2, 2);
  form.G.insert(1, 0) = form.G.insert(1, 1) = 1.0;
  form.d = Vector{{1.0, 1.5}};
  FactorSolver solver;
  ASSERT_EQ(solver.prepare(form), "");
  Solution solution;
  solver.solve(solution);
  ASSERT_EQ(solution.status, Status::infeasible);
  ASSERT_EQ(solution.proof.size(), 2);
  EXPECT_NEAR(solution.proof[0] / solution.proof[1], -1.0, 1e-12);
  EXPECT_GT(solution.bound, 1e6);
  form.d = Vector{{-1.0, -1.0 - 1e-15}};  // the contact opens
  ASSERT_EQ(solver.prepare(form), "");
  solver.solve(solution);
  EXPECT_EQ(solution.status, Status::solved);
}

// Rows that ask for 1 and 1 + d m/s of what moves at 3 m/s the other way, too near for a proof. Least squares leave
// both d / 2, over 3 + 1 + 1 m/s, and the contact has its impulse all the same: 1 kg that meets the floor at 3 m/s.
TEST(FactorSolver, JointsThatDisagreeByTooLittleForAProof) {
  for (const double apart : {1.4e-7, 1.2e-7, 0.0}) {
    FactorForm form = make_masses(Vector{{-3.0, 0.0}});
    form.v0 = Vector{{0.0, -3.0}};
    form.G.resize(2, 2);
    form.G.insert(1, 0) = form.G.insert(1, 1) = 1.0;
    form.d = Vector{{-1.0, -1.0 - apart}};
    ASSERT_FALSE(certify_contradiction(form, Vector{{1.0, -1.0}}).refutes());
    FactorSolver solver;
    ASSERT_EQ(solver.prepare(form), "") << apart;
    Solution solution;
    solver.solve(solution);
    EXPECT_EQ(solution.status, apart == 0.0 ? Status::solved : Status::iteration_limit) << apart;
    EXPECT_NEAR(solution.certificate.contact_residual, 0.1 * apart, 0.001 * apart + 1e-14);
    EXPECT_NEAR(solver.problem().disagreement, 0.1 * apart, 0.001 * apart + 1e-14);
    EXPECT_NEAR(solution.r[0], 3.0, 1e-12);
    EXPECT_LT(solution.certificate.residual, 1e-8) << "that of the contacts is what it is";
    const Result<Problem> condensed = condense(form);
    ASSERT_TRUE(condensed.ok()) << condensed.error();
    EXPECT_NEAR(certify(condensed.value(), solution.r).contact_residual, 0.1 * apart, 0.001 * apart + 1e-14);
    EXPECT_EQ(to_text(condensed.value()).ok(), apart == 0.0) << "FCP1 has no joints";
  }
}

// Every joint twice, the second time off by a little: refuted or not, there is a verdict, and r with its residuals
// where it is not.
TEST(FactorSolver, DisagreeingJointsHaveAVerdict) {
  int refuted = 0, left = 0, told = 0;
  for (int seed = 400; seed < 460; ++seed) {
    FactorForm form = make_random_form(seed);
    if (seed % 4 >= 2 || form.rows() == 0 || form.compliance[0] != 0.0) continue;
    form.d[0] += seed % 3 == 0 ? 1e-7 : seed % 3 == 1 ? 1e-6 : 1e-3;
    FactorSolver solver;
    ASSERT_EQ(solver.prepare(form), "") << seed;
    Solution solution;
    solver.solve(solution);
    const Result<Problem> condensed = condense(form);
    ASSERT_TRUE(condensed.ok()) << seed << " " << condensed.error();
    EXPECT_EQ(condensed.value().is_contradictory(), solver.problem().is_contradictory()) << seed;
    if (solution.status == Status::infeasible) {
      EXPECT_TRUE(certify_contradiction(form, solution.proof).refutes()) << seed;
      ++refuted;
      continue;
    }
    ++left;
    const Certificate twin = certify(condensed.value(), solution.r);
    EXPECT_GT(solver.problem().disagreement, 1e-10) << seed;
    EXPECT_GE(solution.certificate.contact_residual, solver.problem().disagreement) << seed;
    if (condensed.value().disagreement > 0.0) {
      EXPECT_NEAR(twin.contact_residual, solution.certificate.contact_residual, 1e-9) << seed;
      ++told;
    }
    EXPECT_LT(solution.certificate.residual, 1e-6) << seed;
    EXPECT_EQ(solution.status == Status::solved, solution.certificate.certified()) << seed;
  }
  EXPECT_GE(refuted, 10);
  EXPECT_GE(left, 5);
  EXPECT_GE(told, 3);
}

// Contacts that open need no force, however hard the joints beside them are: each of these twice.
TEST(FactorSolver, WhatNeedsNoForceCostsNoIteration) {
  for (int seed = 500; seed < 510; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    FactorForm form = RandomFactorForm(random, {.bounded = 0, .laws = false}).form;
    for (Index c = 0; c < form.contacts(); ++c) form.b[c * form.dimension] += 100.0;
    FactorSolver solver;
    ASSERT_EQ(solver.prepare(form), "");
    Solution solution;
    solver.solve(solution);
    EXPECT_EQ(solution.status, Status::solved);
    EXPECT_EQ(solution.iterations, 0) << seed;
    EXPECT_TRUE(solution.r.isZero(0.0)) << seed;
    ASSERT_EQ(solution.attempts.size(), 1u);
    EXPECT_EQ(solution.attempts[0].method, "start");
  }
}

// Two masses of 1 kg and 1 t that joints drive away from a wall, 3e-8 m/s apart: on its bodies that island alone took
// thousands of iterations. Beside it 1 kg meets the floor.
TEST(FactorSolver, AnIslandThatNeedsNoForceCostsNoIteration) {
  const auto solve = [](bool is_beside) {
    const FactorForm form =
        parse_factors("FCG1 2 alpha 1 bodies 4 1 1 1 1e3 1 1 1 2 couplings 0 v 0 0 -3 2 k 0 0 0 0 contacts " +
                          std::string(is_beside ? "2 0.5 0 -1 0 1 2 1 0 1 3 1" : "1") +
                          " 0.5 0 -1 0 1 0 1 0 0 rows 3 -inf inf 0 0 2 0 1 1 -1 -inf inf 0 -1 1 1 1 "
                          "-inf inf 0 -1.00000003 1 1 1",
                      "beside.fcp")
            .value();
    FactorSolver solver;
    EXPECT_EQ(solver.prepare(form), "");
    Solution solution;
    solver.solve(solution);
    EXPECT_EQ(solution.status, Status::solved);
    if (is_beside) {
      EXPECT_NEAR(solution.r[0], 3.0, 1e-8);
      EXPECT_NEAR(solution.r[1], -1.5, 1e-8);
    }
    return solution.iterations;
  };
  EXPECT_EQ(solve(false), 0);
  EXPECT_LT(solve(true), 20) << "of the other island alone";
}

// What the first mechanism has too little of for a proof does not hide what the second has.
TEST(FactorSolver, TheWorstMechanismIsRefuted) {
  FactorForm form = make_masses(Vector{{-3.0, 0.0, 0.0}});
  form.G.resize(3, 4);
  for (Index row = 0; row < 4; ++row) form.G.insert(1 + row / 2, row) = 1.0;
  form.d = Vector{{-1.0, -1.0 - 5e-8, -1.0, -2.0}};
  FactorSolver solver;
  ASSERT_EQ(solver.prepare(form), "");
  Solution solution;
  solver.solve(solution);
  EXPECT_EQ(solution.status, Status::infeasible);
  EXPECT_TRUE(condense(form).value().is_contradictory());
}

// A gram under 10 N s between joints that are 5e-5 m/s apart: a share of 1e4 m/s, which nothing moves at.
TEST(FactorSolver, ImpulsesDoNotHideContradictions) {
  for (const double apart : {5e-5, 0.0}) {
    const FactorForm form =
        parse_factors(
            "FCG1 2 alpha 1 bodies 1 2 1e-3 0 0 1e-3 couplings 0 v -1 0.1 k -10 0 contacts 1 0.5 0 -1 "
            "0 1 0 1 0 1 1 1 rows 2 -inf inf 0 -1 1 0 1 -inf inf 0 " +
                std::to_string(-1.0 - apart) + " 1 0 1",
            "gram.fcp")
            .value();
    FactorSolver solver;
    ASSERT_EQ(solver.prepare(form), "");
    Solution solution;
    solver.solve(solution);
    EXPECT_EQ(solution.status == Status::solved, apart == 0.0);
    if (apart > 0.0) {
      EXPECT_NEAR(solution.certificate.contact_residual, 0.5 * apart / 3.0, 0.01 * apart);
    }
  }
}

// 0 = 1, and joints whose squares are no numbers.
TEST(FactorSolver, ContradictionsOfAnySizeAreInfeasible) {
  for (const char* rows :
       {"1 -inf inf 0 -1 0", "1 -inf inf 0 -1 1 0 1e-200", "2 -inf inf 0 -1e160 1 0 1 -inf inf 0 -2e160 1 0 1"}) {
    const FactorForm form = make_block("-1 0.1", rows);
    FactorSolver solver;
    ASSERT_EQ(solver.prepare(form), "") << rows;
    Solution solution;
    solver.solve(solution);
    EXPECT_EQ(solution.status, Status::infeasible) << rows;
    EXPECT_EQ(solution.proof.size(), form.rows()) << rows;
    EXPECT_TRUE(condense(form).value().is_contradictory()) << rows;
  }
}

// A microgram pinned to two tons that a drive moves, at first at 1e9 m/s: R is regular, with rows of 1e9 and 5e-4.
TEST(FactorSolver, RegularJointsOfUnlikeMassesAreSolved) {
  const FactorForm form = parse_factors(
                              "FCG1 2 alpha 1 bodies 2 2 1e-9 0 0 1e-9 2 2e3 0 0 2e3 couplings 0 v -1e9 0.1 0 0 "
                              "k 0 0 0 0 contacts 1 0.5 0 -1 0 1 0 1 0 1 1 1 rows 2 -inf inf 0 0 2 0 1 2 -1 "
                              "-inf inf 0 -0.5 1 2 1",
                              "pinned.fcp")
                              .value();
  FactorSolver solver;
  ASSERT_EQ(solver.prepare(form), "");
  Solution solution;
  solver.solve(solution);
  EXPECT_EQ(solution.status, Status::solved);
}

// A bead of 1 g and a radius of 1 mm hinged to 1 t that is drawn into a wall: both can turn at 500 rad/s.
TEST(FactorSolver, RegularJointsOfUnlikeMassesAreNotRefuted) {
  const FactorForm form = parse_factors(
                              "FCG1 2 alpha 1 bodies 2 3 1e-3 0 0 0 1e-3 0 0 0 4e-10 3 1000 0 0 0 1000 0 0 0 100 "
                              "couplings 0 v -1 0.1 0 0 0 0 k 0 0 0 0 0 0 contacts 1 0.5 0 -1 0 1 0 1 0 2 1 1 2 1e-3 "
                              "rows 4 -inf inf 0 0 3 0 1 2 1e-3 3 -1 -inf inf 0 0 2 1 1 4 -1 -inf inf 0 0 2 2 1 5 -1 "
                              "-inf inf 0 0.5 1 3 1",
                              "bead.fcp")
                              .value();
  FactorSolver solver;
  ASSERT_EQ(solver.prepare(form), "");
  Solution solution;
  solver.solve(solution);
  EXPECT_NE(solution.status, Status::infeasible);
}

// A slider of a milligram between them: the proof of the condensed problem is the sharper one.
TEST(FactorSolver, ProofsOfUnlikeMasses) {
  const FactorForm form = parse_factors(
                              "FCG1 2 alpha 1 bodies 3 3 2 0 0 0 2 0 0 0 0.3 2 1e-9 0 0 3 1 0.7 couplings 0 "
                              "v 0 0 0 0 0 0 k 0 -0.02 0 0 0 0 contacts 2 0.5 0 -1 -0.5 1 0 1 0 2 1 -1 2 -0.1 "
                              "0.5 0 -1 0 2 3 1 0 -1 0 3 4 1 1 -1 2 -0.1 rows 3 -inf inf 0 0 2 3 1 5 -1 "
                              "-inf inf 0 0 1 4 1 -inf inf 0 0.5 1 5 1",
                              "unlike.fcp")
                              .value();
  FactorSolver solver;
  ASSERT_EQ(solver.prepare(form), "");
  Solution solution;
  solver.solve(solution);
  ASSERT_EQ(solution.status, Status::infeasible);
  EXPECT_TRUE(certify_infeasible(condense(form).value(), solution.proof).refutes());
}

// More contacts than W has room for: a plate of 1,000 kg under 3,000 balls has nine million blocks.
TEST(FactorSolver, MoreContactsThanWHasRoomFor) {
  constexpr Index balls = 3000;
  FactorForm form{.dimension = 3};
  const Index n = 6 * (balls + 1);
  std::vector<Eigen::Triplet<double>> M, H;
  Random random(7);
  form.f = Vector::Zero(n);
  form.v0 = Vector::Zero(n);
  for (Index i = 0; i < n; ++i) M.emplace_back(i, i, i < 6 ? 1000.0 : i % 6 < 3 ? 1.0 : 0.004);
  for (Index ball = 0; ball < balls; ++ball) {
    const double x = random.uniform(-1.0, 1.0), y = random.uniform(-1.0, 1.0), radius = 0.1;
    const Index own = 6 * (ball + 1), at = 3 * ball;
    form.f[own + 2] = -0.05;
    for (Index i = 0; i < 3; ++i) form.v0[own + i] = 0.1 * random.normal();
    const Index axis_of[] = {2, 0, 1};  // n up, t and s along x and y
    for (Index k = 0; k < 3; ++k) {
      H.emplace_back(own + axis_of[k], at + k, 1.0);
      H.emplace_back(axis_of[k], at + k, -1.0);
    }
    H.emplace_back(3, at, -y);  // of the plate: (x, y, 0) x d
    H.emplace_back(4, at, x);
    H.emplace_back(5, at + 1, y);
    H.emplace_back(5, at + 2, -x);
    H.emplace_back(own + 4, at + 1, -radius);  // of the ball: (0, 0, -radius) x d
    H.emplace_back(own + 3, at + 2, radius);
  }
  form.M.resize(n, n);
  form.M.setFromTriplets(M.begin(), M.end());
  form.H.resize(n, 3 * balls);
  form.H.setFromTriplets(H.begin(), H.end());
  form.b = Vector::Zero(3 * balls);
  form.mu = Vector::Constant(balls, 0.4);
  EXPECT_NE(condense(form).error().find("entries of W: more than the 20000000"), std::string::npos);
  FactorSolver solver;
  ASSERT_EQ(solver.prepare(form), "");
  Solution solution;
  solver.solve(solution);
  EXPECT_EQ(solution.status, Status::solved) << solution.certificate.contact_residual;
}

TEST(FactorSolver, WhatIsWrongIsTold) {
  FactorSolver solver;
  FactorForm form = make_masses(Vector{{-1.0}});
  form.mu[0] = -1.0;
  EXPECT_NE(solver.prepare(form).find("contact 0"), std::string::npos);
  FactorForm empty = make_masses(Vector{{-1.0}});
  empty.H.resize(1, 0);
  empty.b.resize(0);
  empty.mu.resize(0);
  EXPECT_NE(solver.prepare(empty).find("nothing to solve for"), std::string::npos);
}

}  // namespace
}  // namespace stiction::cone
