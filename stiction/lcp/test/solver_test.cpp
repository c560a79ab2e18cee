#include "stiction/lcp/solver.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "stiction/lcp/test/literals.h"

namespace stiction::lcp {
namespace {

using test::matrix;
using test::vector;

/// Says what it is told to say.
class Liar final : public Solver {
 public:
  std::function<void(Solution&)> claim;
  int runs = 0;
  [[nodiscard]] std::string_view name() const override { return "liar"; }

 protected:
  void run(const Problem&, Solution& solution) override {
    ++runs;
    claim(solution);
  }
};

Problem solvable() {
  return {"solvable", matrix(2, {2, 1, 1, 2}), vector({-4, -5})};
}

Problem infeasible() {
  return {"infeasible", matrix(2, {1, -1, -1, 1}), vector({-1, -1})};
}

Solution ask(const Problem& problem, const std::function<void(Solution&)>& claim) {
  Liar liar;
  liar.claim = claim;
  Solution solution;
  liar.solve(problem, solution);
  return solution;
}

TEST(Solver, SolvedNeedsTheCertificate) {
  const auto says = [](const Vector& z) {
    return [z](Solution& s) {
      s.z = z;
      s.status = Status::solved;
    };
  };
  const Solution right = ask(solvable(), says(vector({1, 2})));
  EXPECT_EQ(right.status, Status::solved);
  EXPECT_EQ(right.certificate.residual, 0.0);
  EXPECT_EQ(ask(solvable(), says(vector({1, 2.001}))).status, Status::iteration_limit);
  EXPECT_EQ(ask(solvable(), says(vector({1, 2, 3}))).status, Status::iteration_limit);
  EXPECT_EQ(ask(solvable(), says(Vector())).status, Status::iteration_limit);
  EXPECT_EQ(ask(solvable(), says(vector({1, std::numeric_limits<double>::quiet_NaN()}))).status,
            Status::iteration_limit);
  EXPECT_EQ(ask(infeasible(), says(vector({1e10, 1e10}))).status, Status::iteration_limit);
}

TEST(Solver, AnAnswerThatCertifiesIsSolvedWhateverTheMethodThinks) {
  for (const Status status : {Status::ray, Status::iteration_limit, Status::infeasible}) {
    const Solution solution = ask(solvable(), [&](Solution& s) {
      s.z = vector({1, 2});
      s.proof = vector({1, 1});
      s.status = status;
    });
    EXPECT_EQ(solution.status, Status::solved);
    EXPECT_EQ(solution.proof.size(), 0);
  }
}

TEST(Solver, InfeasibleNeedsTheProof) {
  const auto says = [](const Vector& y) {
    return [y](Solution& s) {
      s.z = vector({0, 0});
      s.proof = y;
      s.status = Status::infeasible;
    };
  };
  EXPECT_EQ(ask(infeasible(), says(vector({1, 1}))).status, Status::infeasible);
  EXPECT_EQ(ask(infeasible(), says(vector({1, 2}))).status, Status::ray);
  EXPECT_EQ(ask(infeasible(), says(Vector())).status, Status::ray);
  EXPECT_EQ(ask(solvable(), says(vector({1, 1}))).status, Status::ray);
}

TEST(Solver, OnlyAProvenEndCarriesAProof) {
  const Solution solution = ask(infeasible(), [](Solution& s) {
    s.z = vector({0, 0});
    s.proof = vector({1, 2});
    s.status = Status::infeasible;
  });
  EXPECT_EQ(solution.proof.size(), 0);
}

TEST(Solver, InvalidStaysInvalid) {
  const Solution solution = ask(solvable(), [](Solution& s) {
    s.z = vector({1, 2});
    s.status = Status::invalid;
  });
  EXPECT_EQ(solution.status, Status::invalid);
  EXPECT_EQ(solution.certificate.residual, infinity);
}

TEST(Solver, MalformedProblemsAreNotRun) {
  Liar liar;
  liar.claim = [](Solution& s) { s.status = Status::solved; };
  Problem problem = solvable();
  problem.q[0] = infinity;
  Solution solution;
  liar.solve(problem, solution);
  EXPECT_EQ(solution.status, Status::invalid);
  EXPECT_EQ(liar.runs, 0);
}

TEST(Solver, TheToleranceIsTheUsers) {
  Liar liar;
  liar.claim = [](Solution& s) {
    s.z = vector({1, 2.001});
    s.status = Status::solved;
  };
  liar.tolerance = 1e-2;
  Solution solution;
  liar.solve(solvable(), solution);
  EXPECT_EQ(solution.status, Status::solved);
}

TEST(Solver, WhatWasInTheSolutionBeforeIsGone) {
  Liar liar;
  liar.claim = [](Solution& s) {
    EXPECT_EQ(s.iterations, 0);
    EXPECT_FALSE(s.reused_basis);
    EXPECT_EQ(s.proof.size(), 0);
    EXPECT_EQ(s.certificate.residual, infinity);
    s.status = Status::ray;
  };
  Solution solution;
  solution.iterations = 7;
  solution.reused_basis = true;
  solution.proof = vector({1});
  solution.certificate.residual = 0.0;
  liar.solve(solvable(), solution);
  EXPECT_EQ(solution.status, Status::ray);
}

TEST(Solver, StatusNamesAreThoseOfTheContract) {
  EXPECT_EQ(to_string(Status::solved), "solved");
  EXPECT_EQ(to_string(Status::infeasible), "infeasible");
  EXPECT_EQ(to_string(Status::ray), "ray");
  EXPECT_EQ(to_string(Status::iteration_limit), "iteration_limit");
  EXPECT_EQ(to_string(Status::invalid), "invalid");
}

}  // namespace
}  // namespace stiction::lcp
