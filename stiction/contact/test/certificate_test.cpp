#include "stiction/contact/certificate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/contact/polyhedral_solver.h"
#include "stiction/contact/test/random_step_problem.h"

namespace stiction {
namespace {

struct Solved {
  StepProblem problem;
  StepSolution solution;
};

Solved solved_problem(std::uint64_t seed, double alpha = 1.0, bool round = false) {
  Random random(seed);
  Solved result{random_step_problem(random, 3, 6, 2, alpha), {}};
  PolyhedralSolver solver({.turn = round, .round = round});
  StepCertificate certificate;
  EXPECT_TRUE(solver.solve(result.problem, result.solution, certificate));
  return result;
}

TEST(StepCertificate, HoldsForSolutionsAtEveryAlpha) {
  for (const double alpha : {1.0, 0.5, 0.75}) {
    const Solved s = solved_problem(7, alpha);
    EXPECT_TRUE(certify(s.problem, s.solution).certified()) << alpha;
  }
}

// Whatever is changed in an answer, one of the laws must break.
TEST(StepCertificate, FailsWhenAnyNumberOfTheAnswerIsWrong) {
  const Solved s = solved_problem(11);
  ASSERT_TRUE(certify(s.problem, s.solution).certified());
  const auto fails_when = [&](auto change, const char* what) {
    StepSolution wrong = s.solution;
    change(wrong);
    EXPECT_FALSE(certify(s.problem, wrong).certified()) << what;
  };
  for (Eigen::Index i = 0; i < s.solution.v.size(); ++i) fails_when([&](StepSolution& w) { w.v[i] += 1e-6; }, "v");
  for (std::size_t i = 0; i < s.solution.c_nu.size(); ++i)
    fails_when([&](StepSolution& w) { w.c_nu[i] += 1e-6; }, "c_nu");
  for (std::size_t j = 0; j < s.solution.c_n.size(); ++j) {
    fails_when([&](StepSolution& w) { w.c_n[j] += 1e-6; }, "c_n");
    fails_when([&](StepSolution& w) { w.c_n[j] = -w.c_n[j] - 1e-3; }, "c_n negative");
    fails_when([&](StepSolution& w) { w.c_t1[j] += 1e-6; }, "c_t1");
    fails_when([&](StepSolution& w) { w.lambda[j] -= 1e-3; }, "lambda");
  }
  for (std::size_t i = 0; i < s.solution.beta.size(); ++i)
    fails_when([&](StepSolution& w) { w.beta[i] += 1e-3; }, "beta");
  fails_when([](StepSolution& w) { w.v[0] = std::nan(""); }, "NaN");
}

// The same on the true cone, which has no facets: friction that turns, grows or leaves its rim by a little must show.
TEST(StepCertificate, FailsWhenAnyNumberOfAnAnswerOfTheTrueConeIsWrong) {
  int sliding = 0, sticking = 0;
  for (std::uint64_t seed = 11; seed < 35; ++seed) {
    const Solved s = solved_problem(seed, 1.0, true);
    ASSERT_TRUE(certify(s.problem, s.solution).certified());
    const auto fails_when = [&](auto change, const char* what) {
      StepSolution wrong = s.solution;
      change(wrong);
      EXPECT_FALSE(certify(s.problem, wrong).certified()) << what << ", seed " << seed;
    };
    // Momentum is kept below: what changes at a contact is taken from k, so that only the contact's law can tell.
    const auto law_fails_when = [&](int j, auto change, const char* what) {
      StepSolution wrong = s.solution;
      change(wrong);
      StepProblem other = s.problem;
      other.n.add_to(j, s.solution.c_n[j] - wrong.c_n[j], other.k);
      other.t1.add_to(j, s.solution.c_t1[j] - wrong.c_t1[j], other.k);
      other.t2.add_to(j, s.solution.c_t2[j] - wrong.c_t2[j], other.k);
      const StepCertificate certificate = certify(other, wrong);
      EXPECT_LE(certificate.momentum_defect, 1e-10) << what;
      EXPECT_GT(certificate.residual, 1e-8) << what << ", seed " << seed << ", contact " << j;
    };
    for (Eigen::Index i = 0; i < s.solution.v.size(); ++i) fails_when([&](StepSolution& w) { w.v[i] += 1e-6; }, "v");
    for (int j = 0; j < s.problem.size(); ++j) {
      ASSERT_TRUE(s.solution.facets[j].round);
      fails_when([&](StepSolution& w) { w.lambda[j] += 1e-3; }, "lambda");
      fails_when([&](StepSolution& w) { w.c_t1[j] += 1e-6; }, "c_t1");
      fails_when([&](StepSolution& w) { w.c_t2[j] += 1e-6; }, "c_t2");
      if (!(s.solution.c_n[j] > 1e-3) || !(s.problem.contacts[j].mu > 0.05)) continue;
      const double friction = std::hypot(s.solution.c_t1[j], s.solution.c_t2[j] / s.problem.contacts[j].ratio());
      const bool slides = s.solution.lambda[j] > 1e-3;
      (slides ? sliding : sticking) += 1;
      if (!slides) {  // a little more than the cone allows
        law_fails_when(j, [&](StepSolution& w) { w.c_t1[j] += 1e-3 + 2.0 * s.problem.radius(j, w.c_n); }, "too much");
        continue;
      }
      EXPECT_NEAR(friction, s.problem.radius(j, s.solution.c_n), 1e-9);
      const auto scale = [&](StepSolution& w, double by) {
        w.c_t1[j] *= by;
        w.c_t2[j] *= by;
      };
      law_fails_when(j, [&](StepSolution& w) { scale(w, 1.0 - 1e-4); }, "too little friction");
      law_fails_when(j, [&](StepSolution& w) { scale(w, 1.0 + 1e-4); }, "too much friction");
      law_fails_when(
          j,
          [&](StepSolution& w) {
            const double ratio = s.problem.contacts[j].ratio(), s1 = w.c_t1[j], s2 = w.c_t2[j] / ratio;
            w.c_t1[j] = std::cos(1e-3) * s1 - std::sin(1e-3) * s2;
            w.c_t2[j] = ratio * (std::sin(1e-3) * s1 + std::cos(1e-3) * s2);
          },
          "turned");
    }
  }
  EXPECT_GT(sliding, 3);
  EXPECT_GT(sticking, 1);
}

// A wrong sign anywhere in the problem makes the old answer wrong.
TEST(StepCertificate, FailsWhenTheProblemIsAnother) {
  const Solved s = solved_problem(13);
  const auto fails_when = [&](auto change, const char* what) {
    StepProblem other = s.problem;
    change(other);
    EXPECT_FALSE(certify(other, s.solution).certified()) << what;
  };
  fails_when([](StepProblem& p) { p.k = -p.k; }, "k");
  fails_when([](StepProblem& p) { p.M *= 1.0 + 1e-6; }, "M");
  fails_when([](StepProblem& p) { p.v[0] += 1e-6; }, "v");
  fails_when([](StepProblem& p) { p.b_nu[0] += 1e-6; }, "b_nu");
  const auto loaded = std::max_element(s.solution.c_n.begin(), s.solution.c_n.end()) - s.solution.c_n.begin();
  fails_when([&](StepProblem& p) { p.b_n[loaded] += 1e-5; }, "b_n");
  fails_when([&](StepProblem& p) { p.b_n[loaded] -= 1e-5; }, "b_n");
}

// Halfway between two facets friction opposes sliding and is still too small: by 1 - cos(pi/k), at its worst.
TEST(StepCertificate, MeasuresTheFrictionThatFacetsLeaveOut) {
  for (const int facets : {4, 8, 16}) {
    for (const double share : {0.0, 0.25, 0.5}) {
      const double heading = share * 2.0 * std::numbers::pi / facets;
      StepProblem problem;
      problem.M.resize(3, 3);
      for (int i = 0; i < 3; ++i) problem.M.insert(i, i) = 1.0;
      problem.M.makeCompressed();
      problem.v = Vec3(10.0 * std::cos(heading), 10.0 * std::sin(heading), 0.0);
      problem.k = Vec3(0.0, 0.0, -1e-6);  // so light that friction does not change the heading
      linalg::Rows* const rows[] = {&problem.t1, &problem.t2, &problem.n};
      for (int i = 0; i < 3; ++i) {
        rows[i]->push(i, 1.0);
        rows[i]->end_row();
      }
      problem.contacts.push_back({1, 0.5, 0.5, 0.0, 2});
      problem.b_n = problem.b_t1 = problem.b_t2 = {0.0};
      StepSolution solution;
      StepCertificate certificate;
      const PolyhedralOptions options{.facets = facets, .turn = false};
      ASSERT_TRUE(PolyhedralSolver(options).solve(problem, solution, certificate));
      EXPECT_TRUE(certificate.certified());
      // Friction is all along the nearest facet: off the heading by so much.
      const double off = std::min(share, 1.0 - share) * 2.0 * std::numbers::pi / facets;
      EXPECT_NEAR(certificate.friction_loss, 1.0 - std::cos(off), 1e-6) << facets << ", " << share;
      EXPECT_LE(certificate.friction_loss, options.worst_friction_loss() + 1e-6);
      ASSERT_TRUE(PolyhedralSolver({.facets = facets}).solve(problem, solution, certificate));
      EXPECT_LT(certificate.friction_loss, 1e-9);
    }
  }
  EXPECT_NEAR((PolyhedralOptions{.facets = 8, .turn = false}.worst_friction_loss()), 0.0761, 1e-4);
  EXPECT_EQ((PolyhedralOptions{.facets = 8}.worst_friction_loss()), 0.0);
}

}  // namespace
}  // namespace stiction
