#include "stiction/lcp/lemke_path.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/lcp/basic_point.h"
#include "stiction/lcp/certificate.h"
#include "stiction/lcp/test/literals.h"
#include "stiction/lcp/test/random_problems.h"

namespace stiction::lcp {
namespace {

using End = LemkePath::End;
using test::matrix;
using test::vector;

struct Ran {
  End end;
  int pivots;
  Vector z;  ///< Of the final basis, after `solution`.
};

Ran run(const Problem& problem, std::vector<bool> basic = {}, const LemkePath::Settings& settings = {}) {
  StandardForm form;
  form.build(problem, {});
  if (basic.empty()) basic.assign(static_cast<std::size_t>(form.size()), false);
  LemkePath path;
  Ran ran{path.run(form, basic, settings), path.pivots(), {}};
  BasicPoint point;
  if (ran.end == End::solution && !point.evaluate(form, path.basic(), ran.z)) ran.end = End::singular;
  return ran;
}

bool solves(const Problem& problem, const Ran& ran) {
  return ran.end == End::solution && certify(problem, ran.z).certified(1e-12);
}

TEST(LemkePath, NothingToDoWhereQIsNotNegative) {
  const Ran ran = run({"", matrix(2, {0, -1, -1, 0}), vector({0, 3})});
  EXPECT_EQ(ran.end, End::solution);
  EXPECT_EQ(ran.pivots, 0);
  EXPECT_EQ(ran.z, vector({0, 0}));
}

TEST(LemkePath, PivotsAreThoseOfTheBook) {
  // Entries within a factor of two, which equilibration leaves alone: cover vector of ones, as in the books.
  // One variable: z0 enters and drives w out, z enters and drives z0 out.
  EXPECT_EQ(run({"", matrix(1, {1}), vector({-1})}).pivots, 2);
  // Cottle, Pang and Stone 1992, example 4.4.16: z0 takes the place of w2, z2 drives out z0; z = (0, 1).
  const Problem problem{"", matrix(2, {1, -1, -1, 1}), vector({1, -1})};
  const Ran ran = run(problem);
  EXPECT_EQ(ran.pivots, 2);
  EXPECT_EQ(ran.z, vector({0, 1}));
}

TEST(LemkePath, ARayHasItsDirection) {
  const Problem problem{"", matrix(1, {-1}), vector({-1})};
  StandardForm form;
  form.build(problem, {});
  LemkePath path;
  EXPECT_EQ(path.run(form, {false}, {}), End::ray);
  EXPECT_EQ(path.ray(), std::vector<double>{1.0});
  Vector proof;
  form.proof_to_problem(path.ray(), proof);
  EXPECT_TRUE(certify_infeasible(problem, proof).valid);
}

TEST(LemkePath, StartsFromAnyBasisOfAPositiveDefiniteMatrix) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = random.integer(1, 10);
    DenseMatrix M = test::random_matrix(random, n, n);
    M = M * M.transpose() + 0.1 * DenseMatrix::Identity(n, n);
    const Problem problem{"", M, test::random_vector(random, n)};
    std::vector<bool> basic(static_cast<std::size_t>(n));
    for (auto&& entry : basic) entry = random.integer(0, 1) == 1;
    EXPECT_TRUE(solves(problem, run(problem, basic))) << trial;
  }
}

TEST(LemkePath, CoverOrderAndPerturbationChangeThePathAndNotTheAnswer) {
  Random random(2);
  for (int trial = 0; trial < 50; ++trial) {
    const Problem problem = test::random_p(random, 8);
    const Ran first = run(problem);
    ASSERT_TRUE(solves(problem, first));
    for (const LemkePath::Settings& settings :
         {LemkePath::Settings{.random_cover = true, .seed = 5}, LemkePath::Settings{.perturbation = 1e-9, .seed = 6},
          LemkePath::Settings{.tie = 1e-9, .pivot = 1e-7}}) {
      const Ran other = run(problem, {}, settings);
      EXPECT_TRUE(solves(problem, other)) << trial;
      EXPECT_LT((other.z - first.z).norm(), 1e-9);
    }
  }
}

TEST(LemkePath, LexicographicOrderEndsDegeneratePaths) {
  // Every ratio is a tie at every step: copies of rows and zeros in q.
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const Index half = random.integer(1, 6), n = 2 * half;
    const DenseMatrix B = test::random_integers(random, half, half);
    DenseMatrix G(half, n);
    G << B, B;
    const Vector r = test::random_integers(random, half, 1);
    const Problem problem{"", DenseMatrix(G.transpose() * G), Vector(G.transpose() * r)};
    EXPECT_TRUE(solves(problem, run(problem))) << trial;
  }
}

TEST(LemkePath, GivesUpAtItsLimit) {
  // Each variable has to enter once; 200 pivots are free.
  const Problem problem{"", DenseMatrix(DenseMatrix::Identity(300, 300)), Vector::LinSpaced(300, -2.0, -1.0)};
  const Ran ran = run(problem, {}, {.pivots_per_row = 0.0});
  EXPECT_EQ(ran.end, End::limit);
  EXPECT_EQ(ran.pivots, 200);
  EXPECT_EQ(run(problem, {}, {.pivots_per_row = 1.0}).pivots, 301);
}

TEST(LemkePath, ASingularStartIsSaid) {
  const Problem problem{"", matrix(2, {1, 1, 1, 1}), vector({-1, -1})};
  EXPECT_EQ(run(problem, {true, true}).end, End::no_start);
  EXPECT_TRUE(solves(problem, run(problem, {true, false})));
}

TEST(LemkePath, MultipliersThatCannotBeLeftOutAreNoStart) {
  const Problem problem{"", matrix(2, {1, -1, 1, 0}), vector({1, -2}), vector({0, -infinity}),
                        Vector::Constant(2, infinity)};
  EXPECT_EQ(run(problem).end, End::no_start);
  EXPECT_TRUE(solves(problem, run(problem, {true, true})));
}

TEST(LemkePath, RedundantEqualitiesAreNoObstacle) {
  // The velocity x is held twice by the same joint (c1, c2 free), and pushed against a stop (d >= 0).
  //   x - c1 - c2 - d = -1,  x = 0,  x = 0,  0 <= x + 0 | d >= 0.
  const Problem problem{"", matrix(4, {1, -1, -1, -1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}), vector({1, 0, 0, 0}),
                        vector({-infinity, -infinity, -infinity, 0}), Vector::Constant(4, infinity)};
  const Ran ran = run(problem);
  EXPECT_TRUE(solves(problem, ran));
}

TEST(LemkePath, TheLastBasisIsKnownWhateverTheEnd) {
  StandardForm form, other;
  const Problem one{"", matrix(1, {1}), vector({-1})};
  const Problem singular{"", matrix(3, {1, 1, 0, 1, 1, 0, 0, 0, 1}), vector({-1, -1, -1})};
  LemkePath path;
  form.build(one, {});
  ASSERT_EQ(path.run(form, {false}, {}), End::solution);
  EXPECT_EQ(path.basic(), std::vector<bool>{true});
  other.build(singular, {});
  ASSERT_EQ(path.run(other, {true, true, false}, {}), End::no_start);
  EXPECT_EQ(path.basic(), (std::vector<bool>{true, true, false}));
}

TEST(LemkePath, SolvesTheEmptyProblem) {
  EXPECT_EQ(run({"", DenseMatrix(0, 0), Vector(0)}).end, End::solution);
}

}  // namespace
}  // namespace stiction::lcp
