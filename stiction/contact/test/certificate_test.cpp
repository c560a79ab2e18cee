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
  if (!round) ask_for_facets(result.problem, 8);
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

/// A point of unit mass for each entry, sliding on the floor with its velocity under the weight g h = 0.05, mu = 0.5.
StepProblem sliding_points(const std::vector<Vec3>& velocities) {
  StepProblem problem;
  const int n = 3 * static_cast<int>(velocities.size());
  problem.M.resize(n, n);
  problem.M.setIdentity();
  problem.v.resize(n);
  problem.k = Vector::Zero(n);
  linalg::Rows* const rows[] = {&problem.t1, &problem.t2, &problem.n};
  for (int j = 0; j < n / 3; ++j) {
    problem.v.segment<3>(3 * j) = velocities[static_cast<std::size_t>(j)];
    problem.k[3 * j + 2] = -0.05;
    for (int i = 0; i < 3; ++i) {
      rows[i]->push(3 * j + i, 1.0);
      rows[i]->end_row();
    }
    problem.contacts.push_back({static_cast<std::uint64_t>(j + 1), 0.5, 0.5, 0.0, 2});
    for (auto* list : {&problem.b_n, &problem.b_t1, &problem.b_t2}) list->push_back(0.0);
  }
  return problem;
}

// An answer of facets 5 degrees off the sliding is none of the true cone, whatever it says of itself; the problem that
// asks for these facets accepts it.
TEST(StepCertificate, APolyhedralAnswerIsNotFullWhereTheTrueConeIsAskedFor) {
  const double off = 5.0 * std::numbers::pi / 180.0;
  StepProblem problem = sliding_points({Vec3(std::cos(off), std::sin(off), 0.0)});
  StepSolution solution;
  StepCertificate certificate;
  ASSERT_TRUE(PolyhedralSolver({.turn = false}).solve(problem, solution, certificate));
  EXPECT_FALSE(certify(problem, solution).certified());
  EXPECT_TRUE(certificate.certified()) << "it is certified, as what it is:";
  EXPECT_TRUE(certificate.polyhedral);
  EXPECT_FALSE(certificate.is_full());
  EXPECT_GT(certificate.own_residual, 1e-3) << "and says how far it is off";
  solution.facets[0].round = true;  // lies
  EXPECT_FALSE(certify(problem, solution).certified());
  ASSERT_TRUE(PolyhedralSolver({}).solve(problem, solution, certificate));
  EXPECT_TRUE(certificate.is_full()) << "the solver finds the true one";
  ask_for_facets(problem, 8);
  ASSERT_TRUE(PolyhedralSolver({.turn = false}).solve(problem, solution, certificate));
  EXPECT_TRUE(certificate.is_full());
  solution.facets[0].turn = 0.1;
  EXPECT_FALSE(certify(problem, solution).certified()) << "other facets than those asked for";
}

// Two thousand contacts, all right but one, whose point moves by 1 mm/s into the floor, among others of 100 km/s: of
// the largest speed that is nothing.
TEST(StepCertificate, OneContactOfTwoThousandWrongByAMillimetreASecond) {
  std::vector<Vec3> velocities(2000, Vec3::Zero());
  for (std::size_t j = 1000; j < 2000; ++j) velocities[j] = Vec3(1e5 + static_cast<double>(j), 0.0, 0.0);
  StepProblem problem = sliding_points(velocities);
  StepSolution solution;
  StepCertificate certificate;
  ASSERT_TRUE(PolyhedralSolver({}).solve(problem, solution, certificate));
  ASSERT_TRUE(certificate.is_full());
  solution.v[3 * 7 + 2] = -1e-3;
  solution.c_n[7] -= 1e-3;  // momentum is kept
  const StepCertificate wrong = certify(problem, solution);
  EXPECT_LE(wrong.momentum_defect, 1e-10);
  EXPECT_LE(wrong.residual, 2e-8) << "the one measure does not see it";
  EXPECT_GT(wrong.contact_residual, 1e-3);
  EXPECT_EQ(wrong.worst_contact, 8U);
  EXPECT_FALSE(wrong.certified());
  EXPECT_FALSE(wrong.is_loose());
}

// A contact that opens and has a small impulse all the same, beside one that is fast.
TEST(StepCertificate, AnOpenContactWithASmallImpulse) {
  StepProblem problem = sliding_points({Vec3(1e4, 0.0, 0.0), Vec3(1.0, 0.0, 2.0)});
  StepSolution solution;
  StepCertificate certificate;
  ASSERT_TRUE(PolyhedralSolver({}).solve(problem, solution, certificate));
  ASSERT_TRUE(certificate.is_full());
  ASSERT_EQ(solution.c_n[1], 0.0);
  solution.c_n[1] = 1e-6;
  solution.v[5] += 1e-6;
  solution.c_t1[1] = -0.5e-6;  // on the cone, against the sliding
  solution.v[3] -= 0.5e-6;
  solution.lambda[1] -= 0.5e-6;
  const StepCertificate wrong = certify(problem, solution);
  EXPECT_LE(wrong.momentum_defect, 1e-10);
  EXPECT_LE(wrong.residual, 1e-8) << "the one measure does not see it";
  EXPECT_FALSE(wrong.certified());
}

// No impulse buys a residual: a point between two walls that close at 5e-5 m/s, beside a contact of 1 m/s.
TEST(StepCertificate, AWedgeThatClosesHasNoAnswerWhateverItsImpulses) {
  for (const double closing : {1e-1, 5e-5, 1e-7}) {
    StepProblem problem;
    problem.M.resize(2, 2);
    problem.M.setIdentity();
    problem.v = Vector::Zero(2);
    problem.v[1] = -1.0;
    problem.k = Vector::Zero(2);
    const auto touch = [&](int body, double sign, double b) {
      problem.n.push(body, sign);
      problem.n.end_row();
      problem.t1.end_row();
      problem.t2.end_row();
      problem.contacts.push_back({static_cast<std::uint64_t>(problem.size() + 1)});
      problem.b_n.push_back(b);
      problem.b_t1.push_back(0.0);
      problem.b_t2.push_back(0.0);
    };
    touch(0, 1.0, -closing);
    touch(0, -1.0, -closing);
    touch(1, 1.0, 0.0);
    for (const double impulse : {0.0, 1.0, 1e5, 1e12, 1e17}) {
      StepSolution solution;
      solution.v = Vector::Zero(2);
      solution.c_n = {impulse, impulse, 1.0};
      solution.c_t1 = solution.c_t2 = solution.lambda = {0.0, 0.0, 0.0};
      solution.facets.resize(3);
      solution.beta_start = {0, 0, 0, 0};
      const StepCertificate certificate = certify(problem, solution);
      EXPECT_LE(certificate.momentum_defect, 1e-10);
      EXPECT_FALSE(certificate.certified()) << closing << ", " << impulse;
      EXPECT_FALSE(certificate.is_loose()) << closing << ", " << impulse;
    }
  }
}

// A gram carried by nothing beside a ship: of the largest momentum that is nothing.
TEST(StepCertificate, ALightBodyIsJudgedByItself) {
  StepProblem problem = sliding_points({Vec3(100.0, 0.0, 0.0), Vec3::Zero()});
  for (int i = 0; i < 3; ++i) {
    problem.M.coeffRef(i, i) = 1e8;
    problem.M.coeffRef(3 + i, 3 + i) = 1e-3;
  }
  problem.k[2] = -0.05 * 1e8;
  problem.k[5] = -0.05 * 1e-3;
  StepSolution solution;
  StepCertificate certificate;
  ASSERT_TRUE(PolyhedralSolver({}).solve(problem, solution, certificate));
  ASSERT_TRUE(certificate.is_full()) << certificate.contact_residual;
  StepSolution wrong = solution;
  wrong.c_n[1] = 0.0;  // and rests all the same
  EXPECT_LE(certify(problem, wrong).momentum_defect, 1e-10) << "the one measure does not see it";
  EXPECT_FALSE(certify(problem, wrong).certified());
  wrong = solution;
  wrong.v[3] = 0.3;  // set off by nothing
  EXPECT_FALSE(certify(problem, wrong).certified());
}

// Laws other than the cone: a drive that is asked for 1 m/s and stands still with a huge impulse within huge bounds,
// and friction that needs no normal force, which slides though its impulse is far from its bound.
TEST(StepCertificate, NoLawLosesItsErrorInALargeImpulse) {
  for (const double impulse : {1.0, 1e10, 1e17}) {
    StepProblem problem = sliding_points({Vec3::Zero()});
    problem.k.setZero();
    linalg::Rows row;
    row.push(0, 1.0);
    row.end_row();
    for (int twice = 0; twice < 2; ++twice) problem.add_row(row, 0, -1.0, {-1e20, 1e20, 0.0});  // they hold each other
    StepSolution solution;
    solution.v = Vector::Zero(3);
    solution.c_nu = {impulse, -impulse};
    solution.c_n = solution.c_t1 = solution.c_t2 = solution.lambda = {0.0};
    solution.facets.resize(1);
    solution.facets[0].round = true;
    solution.beta_start = {0, 0};
    const StepCertificate certificate = certify(problem, solution);
    EXPECT_LE(certificate.momentum_defect, 1e-10);
    EXPECT_GT(certificate.contact_residual, 0.1) << impulse;
    EXPECT_FALSE(certificate.certified());

    StepProblem rubbing = sliding_points({Vec3(1.0, 0.0, 0.0)});
    rubbing.contacts[0].hf = 10.0 * impulse;
    rubbing.k.setZero();
    rubbing.k[0] = impulse;
    solution.v = rubbing.v;
    solution.c_nu.clear();
    solution.c_t1 = {-impulse};
    solution.lambda = {1.0};
    EXPECT_GT(certify(rubbing, solution).contact_residual, 1e-2 / impulse) << "beside what the force applied could do";
  }
}

// A contact without friction has no tangential impulse, however small.
TEST(StepCertificate, AFrictionlessContactPushesAlongItsNormalAlone) {
  StepProblem problem = sliding_points({Vec3(1e4, 0.0, 0.0), Vec3::Zero()});
  problem.contacts[1].tangents = 0;
  StepSolution solution;
  StepCertificate certificate;
  ASSERT_TRUE(PolyhedralSolver({}).solve(problem, solution, certificate));
  ASSERT_TRUE(certificate.is_full());
  solution.c_t1[1] = 1e-6;
  solution.v[3] += 1e-6;
  EXPECT_FALSE(certify(problem, solution).certified());
}

}  // namespace
}  // namespace stiction
