#include <gtest/gtest.h>

#include <cmath>

#include "stiction/base/random.h"
#include "stiction/contact/polyhedral_solver.h"

namespace stiction {
namespace {

/// Two slabs of very different mass, one on the other on the floor, each on `corners` points of a plane whose gaps
/// differ by a little more than rounding: at most three of them can be closed, and which ones only `noise` decides.
StepProblem stacked_slabs(Random& random, int corners, double noise, double push) {
  StepProblem problem;
  const double masses[] = {0.02, 50.0};
  problem.M.resize(12, 12);
  problem.v = Vector::Zero(12);
  problem.k = Vector::Zero(12);
  for (int i = 0; i < 12; ++i) problem.M.insert(i, i) = masses[i / 6] * (i % 6 < 3 ? 1.0 : 0.01);
  problem.M.makeCompressed();
  for (const int body : {0, 1}) {
    problem.k[6 * body] = push * masses[body];
    problem.k[6 * body + 2] = -0.05 * masses[body];
  }
  const auto add = [&](linalg::Rows& rows, int body, const Vec3& at, const Vec3& along) {
    const Vec3 turn = at.cross(along);
    for (int c = 0; c < 3; ++c) rows.push(6 * body + c, along[c]);
    for (int c = 0; c < 3; ++c) rows.push(6 * body + 3 + c, turn[c]);
    if (body == 1) {
      const Vec3 below = (at + Vec3(0.0, 0.0, 0.2)).cross(along);
      for (int c = 0; c < 3; ++c) rows.push(c, -along[c]);
      for (int c = 0; c < 3; ++c) rows.push(3 + c, -below[c]);
    }
    rows.end_row();
  };
  for (const int body : {0, 1}) {
    for (int i = 0; i < corners; ++i) {
      const Vec3 at(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), -0.1);
      add(problem.n, body, at, Vec3::UnitZ());
      add(problem.t1, body, at, Vec3::UnitX());
      add(problem.t2, body, at, Vec3::UnitY());
      problem.contacts.push_back({static_cast<std::uint64_t>(100 * body + i + 1), 0.6, 0.6, 0.0, 2});
      problem.b_n.push_back(noise * random.normal());
      problem.b_t1.push_back(0.0);
      problem.b_t2.push_back(0.0);
    }
  }
  return problem;
}

// Nothing promises that it arrives, so a few may need Lemke's method; a third of them do if it is left out.
TEST(ConeApproach, RedundantContactsThatDisagreeByLittleHardlyNeedAPivot) {
  int pivoted = 0;
  for (const double noise : {1e-11, 1e-10, 1e-9, 1e-8, 1e-7}) {
    Random random(31);
    for (int trial = 0; trial < 100; ++trial) {
      const StepProblem problem = stacked_slabs(random, random.integer(4, 9), noise, random.uniform(0.0, 0.06));
      PolyhedralSolver solver({});
      StepSolution solution;
      StepCertificate certificate;
      ASSERT_TRUE(solver.solve(problem, solution, certificate)) << noise << ", " << trial;
      EXPECT_TRUE(certificate.certified()) << noise << ", " << trial << ": residual " << certificate.residual
                                           << ", energy " << certificate.energy_defect;
      pivoted += solver.counts().pivots > 0;
      EXPECT_LT(certificate.misalignment, 1e-6) << noise << ", " << trial;
    }
  }
  EXPECT_LE(pivoted, 5);  // of 500
}

}  // namespace
}  // namespace stiction
