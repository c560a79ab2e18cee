#include "stiction/contact/least_forces.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "stiction/contact/polyhedral_solver.h"
#include "stiction/contact/test/one_body_problem.h"
#include "stiction/contact/test/random_step_problem.h"

namespace stiction {
namespace {

struct Found {
  StepSolution by_solver, least;
  StepCertificate certificate;
  LeastForces::Counts counts;
};

Found solve(const StepProblem& problem, bool turns = true) {
  PolyhedralSolver solver({.turn = turns});
  Found found;
  EXPECT_TRUE(solver.solve(problem, found.by_solver, found.certificate));
  EXPECT_TRUE(found.certificate.certified());
  found.least = found.by_solver;
  LeastForces least(turns, 1e-8);
  least.find(problem, found.least, found.certificate);
  EXPECT_TRUE(certify(problem, found.least).certified());
  found.counts = least.counts();
  return found;
}

// A load in the middle of a table: a quarter for each leg, whatever the solver found, and no friction.
TEST(LeastForces, ATableStandsOnAllFourLegs) {
  for (const double mu : {0.0, 0.5}) {
    const Found found = solve(table_problem(mu, 8.0, 0.0, 0.0));
    for (int j = 0; j < 4; ++j) {
      EXPECT_NEAR(found.least.c_n[j], 2.0, 1e-13);
      EXPECT_NEAR(std::hypot(found.least.c_t1[j], found.least.c_t2[j]), 0.0, 1e-13);
    }
  }
}

// Load W at (a, a): W/4 (1 + a x + a y) on the leg at (x, y), until that at (-1, -1) would pull, for a > 1/2; then the
// other three are as statics wants them: W a, and W (1 - a)/2 twice.
TEST(LeastForces, NoLegPulls) {
  constexpr double load = 8.0;
  for (const double a : {0.1, 0.4, 0.6, 0.9}) {
    const Found found = solve(table_problem(0.0, load, a, a));
    const double corner = a < 0.5 ? load / 4.0 * (1.0 - 2.0 * a) : 0.0;
    const double beside = a < 0.5 ? load / 4.0 : load * (1.0 - a) / 2.0;
    const double below = a < 0.5 ? load / 4.0 * (1.0 + 2.0 * a) : load * a;
    EXPECT_NEAR(found.least.c_n[0], corner, 1e-11) << a;
    EXPECT_NEAR(found.least.c_n[1], beside, 1e-11) << a;
    EXPECT_NEAR(found.least.c_n[2], beside, 1e-11) << a;
    EXPECT_NEAR(found.least.c_n[3], below, 1e-11) << a;
  }
}

// Pushed along x at the height of the floor and sliding: every leg slides against it with mu of its own load.
TEST(LeastForces, SlidingLegsKeepToTheirRays) {
  constexpr double mu = 0.3, load = 8.0;
  StepProblem problem = table_problem(mu, load, 0.0, 0.0, 0.0);
  problem.k[0] = 4.0;
  const Found found = solve(problem);
  EXPECT_NEAR(found.least.v[0], 4.0 - mu * load, 1e-12);
  for (int j = 0; j < 4; ++j) {
    EXPECT_NEAR(found.least.c_n[j], 2.0, 1e-12);
    Vector pushed = Vector::Zero(6);
    problem.t1.add_to(j, found.least.c_t1[j], pushed);
    problem.t2.add_to(j, found.least.c_t2[j], pushed);
    EXPECT_NEAR(pushed[0], -mu * 2.0, 1e-12);
    EXPECT_NEAR(pushed[1], 0.0, 1e-12);
  }
}

/// All impulses in one list with the columns of momentum, in round coordinates: by contact c_n, s1, s2, then joints.
struct Stacked {
  linalg::DenseMatrix A;
  Vector x;
};

Stacked stack(const StepProblem& problem, const StepSolution& solution) {
  const int contacts = problem.size(), size = 3 * contacts + problem.joints();
  Stacked all{linalg::DenseMatrix::Zero(problem.velocities(), size), Vector::Zero(size)};
  const auto put = [&](int at, const linalg::Rows& rows, int row, double value) {
    Vector column = Vector::Zero(problem.velocities());
    rows.add_to(row, 1.0, column);
    all.A.col(at) = column;
    all.x[at] = value;
  };
  for (int j = 0; j < contacts; ++j) {
    put(3 * j, problem.n, j, solution.c_n[j]);
    put(3 * j + 1, problem.t1, j, solution.c_t1[j]);
    put(3 * j + 2, problem.t2, j, solution.c_t2[j]);
  }
  for (int i = 0; i < problem.joints(); ++i) put(3 * contacts + i, problem.nu, i, solution.c_nu[i]);
  return all;
}

/// The nearest impulses of one contact that obey the law with the velocities found, by the cases of the law.
Vec3 nearest_lawful(const StepProblem& problem, const StepSolution& solution, int j, const Vec3& x) {
  const double opening = problem.speed(problem.n, j, solution.v) + problem.b_n[j];
  constexpr double still = 1e-8;  // above what an answer is certified to, below what these problems do
  if (opening > still) return Vec3::Zero();
  const double mu = problem.contacts[j].mu;
  const double u1 = problem.speed(problem.t1, j, solution.v), u2 = problem.speed(problem.t2, j, solution.v);
  if (const double slip = std::hypot(u1, u2); slip > still) {
    const Vec3 ray(1.0, -mu * u1 / slip, -mu * u2 / slip);
    return std::max(0.0, ray.dot(x) / ray.squaredNorm()) * ray;
  }
  const double friction = std::hypot(x[1], x[2]);
  if (friction <= mu * x[0]) return x;
  if (mu * friction <= -x[0]) return Vec3::Zero();
  const double c = (x[0] + mu * friction) / (1.0 + mu * mu);
  return {c, mu * c * x[1] / friction, mu * c * x[2] / friction};
}

/// Dykstra's alternating projections (Boyle and Dykstra 1986) from zero: the point of least length of the affine set of
/// momentum and the laws. Slow, and nothing in common with the dual.
Vector least_by_dykstra(const StepProblem& problem, const StepSolution& solution) {
  const Stacked all = stack(problem, solution);
  const Eigen::CompleteOrthogonalDecomposition<linalg::DenseMatrix> pseudo(all.A);
  const Vector load = all.A * all.x;
  Vector x = Vector::Zero(all.x.size()), kept = x;
  for (int turn = 0; turn < 200000; ++turn) {
    const Vector on_plane = x + pseudo.solve(load - all.A * x);
    const Vector from = on_plane + kept;
    Vector next = from;
    for (int j = 0; j < problem.size(); ++j)
      next.segment<3>(3 * j) = nearest_lawful(problem, solution, j, from.segment<3>(3 * j));
    kept = from - next;
    // It may stand still for a while before it goes on: only where both sets meet is the end.
    const double moved = (next - x).norm() + (next - on_plane).norm();
    x = next;
    if (moved < 1e-11 * (1.0 + x.norm())) break;
  }
  return x;
}

TEST(LeastForces, AgreesWithAlternatingProjections) {
  Random random(5);
  int changed = 0, rounds = 0;
  while (rounds < 40) {
    const int contacts = random.integer(7, 10), joints = random.integer(0, 1);
    StepProblem problem = random_step_problem(random, 1, contacts, joints);
    std::fill(problem.b_n.begin(), problem.b_n.end(), 0.0);
    const Found found = solve(problem);
    if (found.counts.islands == 0) continue;
    ++rounds;
    EXPECT_EQ(found.counts.left, 0);
    changed += found.counts.changed > 0;
    const Vector least = stack(problem, found.least).x, slow = least_by_dykstra(problem, found.by_solver);
    EXPECT_LE((least - slow).norm(), 1e-6 * (1.0 + slow.norm())) << rounds;
  }
  EXPECT_GE(changed, 15);
}

/// The same problem with its contacts in another order.
StepProblem shuffled(const StepProblem& problem, Random& random) {
  std::vector<int> order(static_cast<std::size_t>(problem.size()));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(random.integer(0, static_cast<int>(i) - 1))]);
  StepProblem other = problem;
  other.clear_constraints();
  other.nu = problem.nu;
  other.b_nu = problem.b_nu;
  for (const int j : order) {
    other.contacts.push_back(problem.contacts[j]);
    other.n.append(problem.n, j);
    other.t1.append(problem.t1, j);
    other.t2.append(problem.t2, j);
    other.b_n.push_back(problem.b_n[j]);
    other.b_t1.push_back(problem.b_t1[j]);
    other.b_t2.push_back(problem.b_t2[j]);
  }
  return other;
}

TEST(LeastForces, DoNotDependOnTheOrderOfContacts) {
  Random random(11);
  int differed = 0;
  for (int trial = 0; trial < 40; ++trial) {
    StepProblem problem = random_step_problem(random, 1, 8, 0);
    std::fill(problem.b_n.begin(), problem.b_n.end(), 0.0);
    const StepProblem other = shuffled(problem, random);
    const Found a = solve(problem), b = solve(other);
    if ((a.by_solver.v - b.by_solver.v).norm() > 1e-10) continue;  // friction may have several answers
    const double size = 1.0 + *std::max_element(a.least.c_n.begin(), a.least.c_n.end());
    for (int j = 0; j < other.size(); ++j) {
      const auto same = static_cast<std::size_t>(other.contacts[j].id - 1);
      EXPECT_NEAR(b.least.c_n[j], a.least.c_n[same], 1e-7 * size) << trial;
      EXPECT_NEAR(b.least.c_t1[j], a.least.c_t1[same], 1e-7 * size) << trial;
      EXPECT_NEAR(b.least.c_t2[j], a.least.c_t2[same], 1e-7 * size) << trial;
      differed += std::abs(b.by_solver.c_n[j] - a.by_solver.c_n[same]) > 1e-3 * size;
    }
  }
  EXPECT_GE(differed, 10);
}

// Facets that do not turn: the law is theirs, and what is found certifies with it.
TEST(LeastForces, KeepToFacetsThatDoNotTurn) {
  Random random(17);
  long changed = 0;
  for (int trial = 0; trial < 30; ++trial) {
    StepProblem problem = random_step_problem(random, 1, 6, 0);
    std::fill(problem.b_n.begin(), problem.b_n.end(), 0.0);
    ask_for_facets(problem, 8);
    changed += solve(problem, false).counts.changed;
  }
  EXPECT_GE(changed, 5);
  StepProblem leaning = table_problem(0.5, 8.0, 0.2, 0.0);
  ask_for_facets(leaning, 8);
  const Found table = solve(leaning, false);
  EXPECT_NEAR(table.least.c_n[0], 2.0 * 0.8, 1e-12);
  EXPECT_NEAR(table.least.c_n[3], 2.0 * 1.2, 1e-12);
}

// Two supports that say the same, one of them a drive that holds at most 1: without its bound they would share evenly.
TEST(LeastForces, ADriveTakesWhatItMay) {
  StepProblem problem = one_body_problem({{Vec3::Zero(), Vec3::UnitZ()}}, 0.0);
  problem.k[2] = -6.0;
  linalg::Rows up;
  up.push(2, 1.0);
  up.end_row();
  problem.add_row(up, 0, 0.0, {-1.0, 1.0, 0.0});
  const Found found = solve(problem);
  EXPECT_NEAR(found.least.c_nu[0], 1.0, 1e-12);
  EXPECT_NEAR(found.least.c_n[0], 5.0, 1e-12);
  problem.row_laws[0] = {-4.0, 4.0, 0.0};
  const Found even = solve(problem);
  EXPECT_NEAR(even.least.c_nu[0], 3.0, 1e-12);
  EXPECT_NEAR(even.least.c_n[0], 3.0, 1e-12);
}

// Loads that wander, so that legs leave and come back: a finder that starts from the last step's answer has that of
// a new one, and where nothing changes it needs no new factors.
TEST(LeastForces, StartFromTheLastStep) {
  Random random(41);
  for (const double mu : {0.0, 0.5}) {
    LeastForces resumed(true, 1e-8);
    double x = 0.0, y = 0.0;
    for (int step = 0; step < 60; ++step) {
      const bool moves = step % 3 != 0 || step == 0;
      if (moves) {
        x = std::clamp(x + random.uniform(-0.3, 0.3), -0.9, 0.9);
        y = std::clamp(y + random.uniform(-0.3, 0.3), -0.9, 0.9);
      }
      const Found fresh = solve(table_problem(mu, 8.0, x, y));
      const StepProblem problem = table_problem(mu, 8.0, x, y);
      StepSolution least = fresh.by_solver;
      StepCertificate certificate = certify(problem, least);
      const long before = resumed.counts().iterations;
      resumed.find(problem, least, certificate);
      EXPECT_TRUE(moves || resumed.counts().iterations == before) << step;
      for (int j = 0; j < 4; ++j) {
        EXPECT_NEAR(least.c_n[j], fresh.least.c_n[j], 1e-11) << step;
        EXPECT_NEAR(least.c_t1[j], fresh.least.c_t1[j], 1e-11) << step;
        EXPECT_NEAR(least.c_t2[j], fresh.least.c_t2[j], 1e-11) << step;
      }
    }
  }
}

/// Two problems that have nothing to do with each other, as one.
StepProblem beside(const StepProblem& a, const StepProblem& b) {
  StepProblem both = a;
  const int shift = a.velocities();
  both.M.resize(shift + b.velocities(), shift + b.velocities());
  both.v.resize(shift + b.velocities());
  both.k.resize(shift + b.velocities());
  both.v << a.v, b.v;
  both.k << a.k, b.k;
  for (const auto& [from, at] : {std::pair(&a, 0), std::pair(&b, shift)})
    for (int i = 0; i < from->velocities(); ++i) both.M.insert(at + i, at + i) = from->M.coeff(i, i);
  both.M.makeCompressed();
  const auto append = [&](linalg::Rows& rows, const linalg::Rows& more, int row) {
    for (std::size_t p = 0; p < more.columns(row).size(); ++p)
      rows.push(shift + more.columns(row)[p], more.values(row)[p]);
    rows.end_row();
  };
  for (int j = 0; j < b.size(); ++j) {
    both.contacts.push_back(b.contacts[j]);
    both.contacts.back().id += 1000;
    append(both.n, b.n, j);
    append(both.t1, b.t1, j);
    append(both.t2, b.t2, j);
    both.b_n.push_back(b.b_n[j]);
    both.b_t1.push_back(b.b_t1[j]);
    both.b_t2.push_back(b.b_t2[j]);
  }
  return both;
}

/// The larger of an answer's two residuals.
double worst_of(const StepProblem& problem, const StepSolution& answer) {
  const StepCertificate found = certify(problem, answer);
  return std::max(found.residual, found.contact_residual);
}

// Islands whose shortest forces are so many times further off than the solver's: a tolerance fits in between.
constexpr double far_off = 4.0;

// A table beside an island whose shortest forces miss a tolerance that the solver's keep: the table has its quarters
// all the same, and the island the solver's forces.
TEST(LeastForces, AnIslandWhoseForcesDoNotCertifyKeepsItsOwnAlone) {
  Random random(29);
  int seen = 0;
  for (int trial = 0; trial < 400 && seen < 3; ++trial) {
    StepProblem island = random_step_problem(random, 1, 8, 0);
    std::fill(island.b_n.begin(), island.b_n.end(), 0.0);
    StepProblem problem = table_problem(0.0, 8.0, 0.0, 0.0);
    problem = trial % 2 == 0 ? beside(problem, island) : beside(island, problem);
    const int table = trial % 2 == 0 ? 0 : island.size(), other = trial % 2 == 0 ? 4 : 0;
    const Found all = solve(problem);
    const double before = worst_of(problem, all.by_solver), after = worst_of(problem, all.least);
    if (all.counts.changed < 2 || after < far_off * before || after == 0.0) continue;
    ++seen;
    const double tolerance = std::sqrt(std::max(before, 1e-4 * after) * after);
    StepSolution least = all.by_solver;
    StepCertificate certificate = certify(problem, least);
    LeastForces finder(true, tolerance);
    EXPECT_TRUE(finder.find(problem, least, certificate));
    EXPECT_TRUE(certify(problem, least).certified(tolerance));
    EXPECT_LE(certify(problem, least).residual, certificate.residual);
    EXPECT_EQ(finder.counts().left, 1);
    EXPECT_EQ(finder.counts().changed, 1);
    for (int j = 0; j < 4; ++j) EXPECT_NEAR(least.c_n[table + j], 2.0, 1e-13);
    for (int j = 0; j < island.size(); ++j) EXPECT_EQ(least.c_n[other + j], all.by_solver.c_n[other + j]);
  }
  EXPECT_EQ(seen, 3);
}

// Many islands whose shortest forces miss the tolerance, with a table after some: all tables have their quarters,
// and the work grows as the number of islands does.
TEST(LeastForces, ManyIslandsThatDoNotCertifyAreJudgedOnceEach) {
  Random random(29);
  StepProblem island;
  double tolerance = 0.0;
  for (int trial = 0; trial < 400 && tolerance == 0.0; ++trial) {
    island = random_step_problem(random, 1, 8, 0);
    std::fill(island.b_n.begin(), island.b_n.end(), 0.0);
    const Found alone = solve(island);
    const double before = worst_of(island, alone.by_solver), after = worst_of(island, alone.least);
    if (alone.counts.changed == 0 || after < far_off * before || after == 0.0) continue;
    tolerance = std::sqrt(std::max(before, 1e-4 * after) * after);
  }
  ASSERT_GT(tolerance, 0.0);
  for (const int tables : {0, 1, 7}) {
    const StepProblem table = table_problem(0.0, 8.0, 0.0, 0.0);
    std::vector<int> at;
    StepProblem problem = island;
    for (int i = 1; i < 24; ++i) {
      problem = beside(problem, island);
      if (i % 3 != 0 || static_cast<int>(at.size()) == tables) continue;
      at.push_back(problem.size());
      problem = beside(problem, table);
    }
    ASSERT_EQ(static_cast<int>(at.size()), tables);
    const StepSolution by_solver = solve(problem).by_solver;
    StepSolution least = by_solver;
    StepCertificate certificate = certify(problem, least);
    LeastForces finder(true, tolerance);
    EXPECT_EQ(finder.find(problem, least, certificate), tables > 0);
    EXPECT_TRUE(certify(problem, least).certified(tolerance));
    EXPECT_EQ(finder.counts().left, 24);
    EXPECT_EQ(finder.counts().changed, tables);
    EXPECT_LE(finder.counts().judged, 3L * problem.size());
    for (const int first : at)
      for (int j = 0; j < 4; ++j) EXPECT_NEAR(least.c_n[first + j], 2.0, 1e-13);
    EXPECT_EQ(least.c_n[0], by_solver.c_n[0]);
  }
}

}  // namespace
}  // namespace stiction
