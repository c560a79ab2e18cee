#include "stiction/contact/body_islands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "stiction/contact/test/random_step_problem.h"
#include "stiction/contact/test/with_blocks.h"

namespace stiction {
namespace {

using cone::BodyProblem;
using List = BodyIslands::Source::List;

/// Bodies of six velocities and unit mass, and nothing else.
StepProblem free_bodies(int bodies) {
  StepProblem problem;
  problem.M.resize(6 * bodies, 6 * bodies);
  problem.M.setIdentity();
  problem.v = problem.k = Vector::Zero(6 * bodies);
  return problem;
}

void push(linalg::Rows& rows, std::initializer_list<int> columns) {
  for (const int column : columns) rows.push(column, 1.0);
  rows.end_row();
}

void add_joint(StepProblem& problem, std::initializer_list<int> columns) {
  push(problem.nu, columns);
  problem.b_nu.push_back(0.0);
}

StepProblem::Contact& add_contact(StepProblem& problem, std::initializer_list<int> n,
                                  std::initializer_list<int> t1 = {}) {
  push(problem.n, n);
  push(problem.t1, t1);
  push(problem.t2, {});
  problem.contacts.push_back({static_cast<std::uint64_t>(problem.size() + 1), 0.5, 0.5, 0.0, t1.size() > 0 ? 1 : 0});
  for (auto* b : {&problem.b_n, &problem.b_t1, &problem.b_t2}) b->push_back(0.0);
  return problem.contacts.back();
}

std::vector<int> list(std::span<const int> part) {
  return {part.begin(), part.end()};
}

TEST(BodyIslands, FreeBodiesAreOneLastIsland) {
  StepProblem problem = free_bodies(6);
  add_contact(problem, {24, 25});
  add_joint(problem, {7, 13});
  BodyIslands islands;
  islands.split(problem);
  ASSERT_EQ(islands.size(), 3);
  EXPECT_EQ(islands.nodes(), 6);
  EXPECT_EQ(list(islands.nodes(0)), (std::vector{1, 2}));  // by the lowest node
  EXPECT_EQ(list(islands.nodes(1)), (std::vector{4}));
  EXPECT_EQ(list(islands.nodes(2)), (std::vector{0, 3, 5}));
  BodyProblem posed;
  std::vector<BodyIslands::Source> sources;
  islands.pose(problem, 2, posed, sources);
  EXPECT_EQ(posed.nodes, 3);
  EXPECT_TRUE(posed.units.empty() && sources.empty());
  islands.pose(problem, 0, posed, sources);
  ASSERT_EQ(posed.units.size(), 1U);
  EXPECT_EQ(posed.units[0].kind, BodyProblem::Kind::joint);
  EXPECT_EQ(posed.touched, (std::vector{0, 1}));
}

TEST(BodyIslands, OfNothing) {
  BodyIslands islands;
  islands.split(free_bodies(0));
  EXPECT_EQ(islands.size(), 0);
  islands.split(free_bodies(2));
  ASSERT_EQ(islands.size(), 1);
  EXPECT_EQ(list(islands.nodes(0)), (std::vector{0, 1}));
}

TEST(BodyIslands, TangentsMassesAndRowsCouple) {
  StepProblem problem = free_bodies(7);
  add_contact(problem, {0}, {6});  // a tangent alone reaches body 1
  problem.M.insert(20, 13) = 0.1;  // one-sided coupling of a mass is coupling
  add_joint(problem, {12});
  add_joint(problem, {24, 30, 36});  // one row on three bodies
  BodyIslands islands;
  islands.split(problem);
  ASSERT_EQ(islands.size(), 3);
  EXPECT_EQ(list(islands.nodes(0)), (std::vector{0, 1}));
  EXPECT_EQ(list(islands.nodes(1)), (std::vector{2, 3}));
  EXPECT_EQ(list(islands.nodes(2)), (std::vector{4, 5, 6}));
  BodyProblem posed;
  std::vector<BodyIslands::Source> sources;
  islands.pose(problem, 1, posed, sources);
  ASSERT_EQ(posed.coupled, (std::vector<std::pair<int, int>>{{0, 1}}));
  EXPECT_EQ(posed.lower[2 * 6 + 1], 0.1);  // M(20, 13): row 2 of the second node, column 1 of the first
  EXPECT_EQ(std::count(posed.lower.begin(), posed.lower.end(), 0.0), 35);
  EXPECT_EQ(std::count(posed.upper.begin(), posed.upper.end(), 0.0), 36);
}

TEST(BodyIslands, RowsThatNothingCanMoveAreLeftOut) {
  for (const bool blocks : {false, true}) {
    StepProblem problem = free_bodies(2);
    add_joint(problem, {});
    add_joint(problem, {3});
    add_joint(problem, {});
    add_contact(problem, {});
    add_contact(problem, {8});
    if (blocks) problem = with_blocks(problem, bodies_of_size(12, 6));
    BodyIslands islands;
    islands.split(problem);
    ASSERT_EQ(islands.size(), 2);
    BodyProblem posed;
    std::vector<BodyIslands::Source> sources;
    islands.pose(problem, 0, posed, sources);
    ASSERT_EQ(sources.size(), 1U);
    EXPECT_EQ(sources[0].list, List::nu);
    EXPECT_EQ(sources[0].row, 1);
    islands.pose(problem, 1, posed, sources);
    ASSERT_EQ(sources.size(), 1U);
    EXPECT_EQ(sources[0].list, List::n);
    EXPECT_EQ(sources[0].row, 1);
  }
}

TEST(BodyIslands, FrictionOfNothingIsLeftOut) {
  // Friction that needs no normal force, of a radius of zero: a unit without rows.
  StepProblem problem = free_bodies(2);
  add_contact(problem, {2}, {0});
  StepProblem::Contact& none = add_contact(problem, {}, {4});
  none.normal = 1;
  none.mu = none.mu2 = 0.0;
  BodyIslands islands;
  islands.split(problem);
  BodyProblem posed;
  std::vector<BodyIslands::Source> sources;
  islands.pose(problem, 0, posed, sources);
  ASSERT_EQ(posed.units.size(), 1U);
  EXPECT_EQ(posed.units[0].rows, 2);
  problem.contacts[1].hf = 0.1;
  islands.split(problem);
  islands.pose(problem, 0, posed, sources);
  ASSERT_EQ(posed.units.size(), 2U);
  EXPECT_EQ(posed.units[1].rows, 1);
  EXPECT_EQ(posed.groups[1].hf, 0.1);
}

TEST(BodyIslands, SlidingRollingAndSpinningAreOneUnit) {
  StepProblem problem = free_bodies(1);
  add_contact(problem, {2}, {0}).mu = 0.7;
  for (const int turn : {5, 3}) {  // after it, borne by it; without any friction: left out
    StepProblem::Contact& block = add_contact(problem, {}, {turn});
    block.normal = 0;
    block.mu = turn == 5 ? 0.1 : 0.0;
  }
  BodyIslands islands;
  islands.split(problem);
  BodyProblem posed;
  std::vector<BodyIslands::Source> sources;
  islands.pose(problem, 0, posed, sources);
  ASSERT_EQ(posed.units.size(), 1U);
  EXPECT_EQ(posed.units[0].rows, 3);
  EXPECT_TRUE(posed.units[0].has_normal);
  ASSERT_EQ(posed.units[0].groups, 2);
  EXPECT_EQ(posed.groups[0].first, 1);
  EXPECT_EQ(posed.groups[0].mu, 0.7);
  EXPECT_EQ(posed.groups[1].first, 2);
  EXPECT_EQ(posed.groups[1].size, 1);
  EXPECT_EQ(posed.groups[1].mu, 0.1);
  ASSERT_EQ(sources.size(), 3U);
  EXPECT_EQ(sources[2].list, List::t1);
  EXPECT_EQ(sources[2].row, 1);
}

TEST(BodyIslands, ASoftFingerIsOneBall) {
  // |c_t|^2 / 0.5^2 + c_s^2 / 0.1^2 <= c_n^2: the spin in units of slip has the scale 0.1 / 0.5.
  StepProblem problem = free_bodies(1);
  add_contact(problem, {2}, {0}).partner = 1;
  StepProblem::Contact& spin = add_contact(problem, {}, {5});
  spin.normal = spin.partner = 0;
  spin.mu = spin.mu2 = 0.1;
  BodyIslands islands;
  islands.split(problem);
  BodyProblem posed;
  std::vector<BodyIslands::Source> sources;
  islands.pose(problem, 0, posed, sources);
  ASSERT_EQ(posed.units.size(), 1U);
  ASSERT_EQ(posed.units[0].groups, 1);
  EXPECT_EQ(posed.groups[0].size, 2);
  EXPECT_EQ(posed.groups[0].mu, 0.5);
  ASSERT_EQ(sources.size(), 3U);
  EXPECT_DOUBLE_EQ(sources[2].scale, 0.2);
  EXPECT_DOUBLE_EQ(posed.J[2 * 6 + 5], 0.2);
}

TEST(BodyIslands, RowsOfOneJointAreOneUnitAndDrivesStandAlone) {
  StepProblem problem = free_bodies(2);
  problem.set_bodies(bodies_of_size(12, 6));
  problem.take_masses();
  linalg::Rows rows;
  for (int i = 0; i < 4; ++i) {
    rows.push(i, 1.0);
    rows.push(6 + i, -1.0);
    rows.end_row();
  }
  for (int i = 0; i < 3; ++i) problem.add_joint({0, 1}, 0, {&rows, i}, 0.1 * i);
  problem.add_drive({0, 1}, 1, {&rows, 3}, 0.5, {-1.0, lcp::infinity, 0.25});
  BodyIslands islands;
  islands.split(problem);
  ASSERT_EQ(islands.size(), 1);
  BodyProblem posed;
  std::vector<BodyIslands::Source> sources;
  islands.pose(problem, 0, posed, sources);
  ASSERT_EQ(posed.units.size(), 2U);
  EXPECT_EQ(posed.units[0].kind, BodyProblem::Kind::joint);
  EXPECT_EQ(posed.units[0].rows, 3);
  EXPECT_EQ(posed.units[1].kind, BodyProblem::Kind::bounded);
  EXPECT_EQ(posed.least[3], -1.0);
  EXPECT_EQ(posed.most[3], lcp::infinity);
  EXPECT_EQ(posed.compliance[3], 0.25);
  EXPECT_EQ(posed.b, (std::vector<double>{0.0, 0.1, 0.2, 0.5}));
}

/// All rows and M of the islands against those of the problem, over all velocities.
void compare(const StepProblem& problem, int width) {
  BodyIslands islands;
  islands.split(problem);
  BodyProblem posed;
  std::vector<BodyIslands::Source> sources;
  linalg::DenseMatrix M = linalg::DenseMatrix::Zero(problem.velocities(), problem.velocities());
  int rows = 0, nodes = 0;
  for (int island = 0; island < islands.size(); ++island) {
    islands.pose(problem, island, posed, sources);
    ASSERT_EQ(posed.width, width);
    ASSERT_EQ(posed.rows(), static_cast<int>(sources.size()));
    rows += posed.rows();
    nodes += posed.nodes;
    std::vector<int> velocity(static_cast<std::size_t>(posed.velocities()), -1);
    for (int i = 0; i < posed.nodes; ++i) {
      const int node = islands.nodes(island)[i];
      for (int k = 0; k < islands.velocities(node); ++k) velocity[i * width + k] = islands.first_velocity(node) + k;
    }
    const auto put = [&](const std::vector<double>& blocks, std::size_t at, int row, int column) {
      for (int i = 0; i < width; ++i)
        for (int j = 0; j < width; ++j) {
          const double value = blocks[(at * width + i) * width + j];
          const int a = velocity[row * width + i], b = velocity[column * width + j];
          if (a < 0 || b < 0)
            EXPECT_EQ(value, row == column && i == j ? 1.0 : 0.0);
          else
            M(a, b) = value * problem.alpha;
        }
    };
    for (int i = 0; i < posed.nodes; ++i) put(posed.M, static_cast<std::size_t>(i), i, i);
    for (std::size_t i = 0; i < posed.coupled.size(); ++i) {
      put(posed.upper, i, posed.coupled[i].first, posed.coupled[i].second);
      put(posed.lower, i, posed.coupled[i].second, posed.coupled[i].first);
    }
    for (const BodyProblem::Unit& unit : posed.units) {
      EXPECT_GT(unit.speed, 0.0);
      for (int i = 0; i < unit.rows; ++i) {
        const BodyIslands::Source& source = sources[unit.first_row + i];
        const linalg::Rows& of = source.list == List::nu   ? problem.nu
                                 : source.list == List::n  ? problem.n
                                 : source.list == List::t1 ? problem.t1
                                                           : problem.t2;
        Vector expected = Vector::Zero(problem.velocities()), found = expected;
        of.add_to(source.row, source.scale, expected);
        for (int t = 0; t < unit.touches; ++t)
          for (int j = 0; j < width; ++j) {
            const int at = velocity[posed.touched[unit.first_touch + t] * width + j];
            const double value = posed.J[unit.jacobian + (t * unit.rows + i) * width + j];
            if (at < 0)
              EXPECT_EQ(value, 0.0);
            else
              found[at] += value;
          }
        EXPECT_EQ(found, expected);
      }
    }
  }
  EXPECT_EQ(nodes, islands.nodes());
  EXPECT_LE((M - linalg::DenseMatrix(problem.M)).cwiseAbs().maxCoeff(), 1e-15);
  int expected = 0;
  for (int i = 0; i < problem.joints(); ++i) expected += !problem.nu.is_zero(i);
  for (int j = 0; j < problem.size(); ++j)
    expected += (problem.has_normal(j) ? 1 : 0) + (problem.contacts[j].mu > 0.0 ? problem.contacts[j].tangents : 0);
  EXPECT_EQ(rows, expected);
}

TEST(BodyIslands, PoseWhatTheProblemSays) {
  Random random(81);
  for (int turn = 0; turn < 40; ++turn) {
    StepProblem problem = random_step_problem(random, 1 + turn % 6, turn % 8, turn % 3, turn % 2 == 0 ? 1.0 : 0.5);
    if (turn % 3 == 0) add_blocks(random, problem);
    if (turn % 4 == 0 && problem.velocities() > 6) {
      problem.M.coeffRef(2, 7) = 0.01;
      problem.M.coeffRef(8, 1) = -0.02;
      problem.M.makeCompressed();
    }
    compare(problem, 6);
    BodyStructure structure = bodies_of_size(problem.velocities(), 6);
    structure.springs = {{0, 1}};
    if (turn % 4 != 0 || problem.velocities() == 6) structure.springs.clear();
    compare(with_blocks(problem, structure), 6);
  }
}

TEST(BodyIslands, BodiesInThePlaneHaveThreeVelocities) {
  StepProblem problem = free_bodies(1);
  add_contact(problem, {1}, {0, 2});
  add_joint(problem, {3, 5});
  BodyStructure structure = bodies_of_size(6, 3);
  structure.planar = true;
  compare(with_blocks(problem, structure), 3);
  // And what has fewer is filled up with ones.
  structure.starts = {0, 3, 4, 6};
  structure.compound = {0, 1, 2};
  compare(with_blocks(problem, structure), 3);
}

}  // namespace
}  // namespace stiction
