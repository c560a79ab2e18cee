#include "problems/generator/families.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "stiction/base/random.h"
#include "stiction/lcp/certificate.h"

namespace stiction::families {
namespace {

class Hash {
 public:
  void add(std::uint64_t bits) {
    for (int byte = 0; byte < 8; ++byte) value_ = (value_ ^ ((bits >> (8 * byte)) & 0xff)) * 0x100000001b3ULL;
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  void add(const lcp::Problem& problem) {
    for (Index j = 0; j < problem.size(); ++j) {
      add(problem.q[j]);
      problem.M.for_each_in_column(j,
                                   [&](Index row, double value) { add(static_cast<std::uint64_t>(row)), add(value); });
    }
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

std::uint64_t hash_of(const Family& family) {
  Hash hash;
  for (const Index contacts : {2, 5, 13, 24})
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const ContactProblem problem = family.make({.contacts = contacts, .mass_ratio = 1000.0, .seed = seed});
      hash.add(to_mixed(problem, 8));
      hash.add(to_dense_lcp(problem, 8));
    }
  return hash.value();
}

// A seed names a problem for ever. A change here is a change of every recorded figure: say so in the changelog.
TEST(Families, SameSeedSameBits) {
  const std::pair<std::string_view, std::uint64_t> expected[] = {
      {"random_contacts", 0x0cd96ec0cf04a2d3ULL},
      {"single_body", 0x43ed3587800eff0bULL},
      {"spinning", 0x7e074eefcb3990e3ULL},
      {"jointed", 0x565d78491c7db307ULL},
      {"sphere_pile", 0xdf8e218146400576ULL},
      {"approaching", 0x19670c682ec11cd1ULL},
      {"frictionless_mix", 0x09a59edcf8861622ULL},
      {"colliding_cluster", 0xaf8e2dc37118bb7cULL},
      {"sphere_row", 0xe2bb5a34394173a9ULL},
      {"box_stack", 0x3a13787c903bf764ULL},
      {"brick_wall", 0x3fec3a3a0c58c998ULL},
      {"tables", 0x3cdcee6503929b79ULL},
      {"arch", 0x312e8d3104d50c00ULL},
      {"painleve_rods", 0x5b0354e320a4b3e3ULL},
      {"slope", 0x5efa04c173cf1453ULL},
      {"conveyor", 0xaa690f6ce5443dacULL},
      {"squeezed_box", 0x507bad82a96c0ef5ULL},
      {"squeezed_row", 0x9f71fa4e770a1d69ULL},
  };
  std::size_t count = 0;
  for (const auto& families : {solvable_families(), infeasible_families()})
    for (const Family& family : families) {
      ASSERT_LT(count, std::size(expected));
      EXPECT_EQ(expected[count].first, family.name);
      EXPECT_EQ(expected[count].second, hash_of(family)) << family.name;
      EXPECT_EQ(hash_of(family), hash_of(family));
      ++count;
    }
  EXPECT_EQ(count, std::size(expected));
}

TEST(Families, SizesAndClassAreAsRequested) {
  ASSERT_GE(solvable_families().size(), 10u);
  for (const Family& family : solvable_families())
    for (const Index contacts : {1, 2, 3, 4, 5, 9, 24, 60})
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const ContactProblem problem = family.make({.contacts = contacts, .mass_ratio = 1e6, .seed = seed});
        SCOPED_TRACE(problem.name);
        ASSERT_EQ(problem.contacts(), contacts);
        EXPECT_EQ(to_dense_lcp(problem, 8).size(), problem.joints() + 10 * contacts);
        EXPECT_EQ(lcp::find_defect(to_dense_lcp(problem, 8)), "");
        EXPECT_EQ(lcp::find_defect(to_mixed(problem, 8)), "");
        // Theorem 2.1 of 1997 asks for b >= 0.
        EXPECT_GE(problem.b_n.minCoeff(), 0.0);
        EXPECT_GE(problem.hf.minCoeff(), 0.0);
        EXPECT_GE(problem.mu.minCoeff(), 0.0);
        EXPECT_TRUE(problem.b_nu.isZero(0.0));
        EXPECT_TRUE(family.name == "conveyor" || (problem.b_t1.isZero(0.0) && problem.b_t2.isZero(0.0)));
      }
}

TEST(Families, MassMatrixIsPositiveDefiniteWithinTheRatio) {
  Random random(11);
  for (const Family& family : solvable_families()) {
    const ContactProblem problem = family.make({.contacts = 12, .mass_ratio = 1000.0, .seed = 2});
    const lcp::DenseMatrix A(problem.A), product = A * lcp::DenseMatrix(problem.A_inverse);
    const Index nv = problem.velocities();
    EXPECT_LE((product - lcp::DenseMatrix::Identity(nv, nv)).cwiseAbs().maxCoeff(), 1e-12) << family.name;
    for (int trial = 0; trial < 20; ++trial) {
      Vector x(nv);
      for (Index i = 0; i < nv; ++i) x[i] = random.normal();
      EXPECT_GT(x.dot(A * x), 0.0) << family.name;
    }
    for (Index i = 0; i < nv; i += 6) {
      EXPECT_GE(A(i, i), 1.0) << family.name;
      EXPECT_LE(A(i, i), 1000.0) << family.name;
    }
  }
}

TEST(Families, MatricesAreCopositive) {
  Random random(12);
  for (const Family& family : solvable_families()) {
    const ContactProblem problem = family.make({.contacts = 6, .mass_ratio = 10.0, .seed = 5});
    const lcp::Problem dense = to_dense_lcp(problem, 8);
    for (int trial = 0; trial < 50; ++trial) {
      Vector z(dense.size()), w = Vector::Zero(dense.size());
      for (Index i = 0; i < z.size(); ++i) z[i] = i < problem.joints() ? random.normal() : random.uniform();
      dense.M.multiply_add(z, 1.0, w);
      EXPECT_GE(z.dot(w), -1e-10 * (1.0 + z.cwiseAbs().dot(w.cwiseAbs()))) << family.name;
    }
  }
}

// Unit normals and tangents that push two bodies apart, or one body from the world.
TEST(Families, ContactDirectionsAreOrthonormal) {
  for (const auto& families : {solvable_families(), infeasible_families()})
    for (const Family& family : families) {
      const ContactProblem problem = family.make({.contacts = 20, .mass_ratio = 1.0, .seed = 9});
      const lcp::DenseMatrix n(problem.n), t1(problem.t1), t2(problem.t2);
      for (Index j = 0; j < problem.contacts(); ++j) {
        int touched = 0;
        Eigen::Vector3d sum = Eigen::Vector3d::Zero();
        for (Index i = 0; i < problem.velocities(); i += 6) {
          const Eigen::Vector3d normal = n.block<3, 1>(i, j), first = t1.block<3, 1>(i, j),
                                second = t2.block<3, 1>(i, j);
          if (normal.isZero(0.0)) continue;
          ++touched;
          sum += normal;
          EXPECT_NEAR(normal.norm(), 1.0, 1e-12);
          EXPECT_NEAR(first.norm(), 1.0, 1e-12);
          EXPECT_NEAR(second.norm(), 1.0, 1e-12);
          EXPECT_NEAR(normal.dot(first), 0.0, 1e-12);
          EXPECT_NEAR(normal.dot(second), 0.0, 1e-12);
          EXPECT_NEAR(first.dot(second), 0.0, 1e-12);
        }
        EXPECT_GE(touched, 1) << family.name;
        EXPECT_LE(touched, 2) << family.name;
        EXPECT_NEAR(sum.norm(), touched == 2 ? 0.0 : 1.0, 1e-12);
      }
    }
}

// The squeezed bodies' own proof: unit impulses along the row, or of the first facing pair, balance and do work.
TEST(Families, SqueezedBodiesHaveNoSolution) {
  for (const Family& family : infeasible_families())
    for (const Index contacts : {2, 3, 4, 7, 24})
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const ContactProblem problem = family.make({.contacts = contacts, .mass_ratio = 1000.0, .seed = seed});
        const lcp::Problem dense = to_dense_lcp(problem, 8);
        const Index in_row = family.name == "squeezed_row" ? std::max<Index>(1, contacts / 2) + 1 : 2;
        Vector y = Vector::Zero(dense.size());
        for (Index j = 0; j < in_row; ++j) y[10 * j] = 1.0;
        EXPECT_TRUE(lcp::certify_infeasible(dense, y).valid) << problem.name;
        const lcp::Problem mixed = to_mixed(problem, 8);
        Vector y_mixed = Vector::Zero(mixed.size());
        // In the mixed form the same y with the momentum rows' multipliers A^-1 n y, which vanish here.
        y_mixed.tail(y.size()) = y;
        EXPECT_TRUE(lcp::certify_infeasible(mixed, y_mixed).valid) << problem.name;
      }
}

TEST(Families, FindsByName) {
  ASSERT_NE(find_family("box_stack"), nullptr);
  EXPECT_EQ(find_family("box_stack")->name, "box_stack");
  EXPECT_NE(find_family("squeezed_row"), nullptr);
  EXPECT_EQ(find_family("nothing"), nullptr);
}

}  // namespace
}  // namespace stiction::families
