#include <gtest/gtest.h>

#include <algorithm>

#include "stiction/contact/test/random_step_problem.h"
#include "stiction/contact/test/with_blocks.h"

namespace stiction {
namespace {

bool same_rows(const linalg::Rows& a, const linalg::Rows& b) {
  if (a.size() != b.size()) return false;
  for (int row = 0; row < a.size(); ++row)
    if (!std::ranges::equal(a.columns(row), b.columns(row)) || !std::ranges::equal(a.values(row), b.values(row)))
      return false;
  return true;
}

TEST(StepBlocks, GiveBackTheRowsTheyAreMadeOf) {
  Random random(1);
  for (int trial = 0; trial < 20; ++trial) {
    StepProblem problem = random_step_problem(random, 4, 6, 3);
    if (trial % 2 == 0) add_blocks(random, problem);
    const StepProblem copy = with_blocks(problem, bodies_of_size(24, 6));
    EXPECT_EQ(difference_of_blocks(copy), "");
    for (linalg::Rows StepProblem::* list : {&StepProblem::nu, &StepProblem::n, &StepProblem::t1, &StepProblem::t2})
      EXPECT_TRUE(same_rows(copy.*list, problem.*list));
    EXPECT_EQ(copy.b_nu, problem.b_nu);
    EXPECT_EQ(copy.b_t2, problem.b_t2);
    EXPECT_EQ(copy.row_laws.size(), problem.row_laws.size());
    EXPECT_EQ(copy.blocks.contacts.width(), 6);
  }
}

TEST(StepBlocks, ASignTurnedRoundIsSeen) {
  Random random(2);
  const StepProblem problem = with_blocks(random_step_problem(random, 3, 4, 2), bodies_of_size(18, 6));
  StepProblem wrong = problem;
  wrong.M.coeffRef(4, 4) *= -1.0;
  EXPECT_EQ(difference_of_blocks(wrong), "M");
  wrong = problem;
  wrong.n.clear();
  for (int j = 0; j < problem.size(); ++j) wrong.n.append(problem.t1, j);
  EXPECT_EQ(difference_of_blocks(wrong), "n");
}

TEST(StepBlocks, ZerosHaveTheirPlace) {
  StepProblem problem;
  problem.set_bodies(bodies_of_size(12, 6));
  linalg::Rows rows;
  rows.push(2, 1.0);  // straight up on one body, straight down on the other
  rows.push(8, -1.0);
  rows.end_row();
  rows.push(2, 1.0);  // the other is not moved, but it is there
  rows.end_row();
  for (const int row : {0, 1}) problem.add_contact({}, {0, 1}, {&rows, row}, {}, {}, {});
  const JacobianBlocks& blocks = problem.blocks.contacts;
  for (const int j : {0, 1}) EXPECT_EQ(blocks.bodies(j), (BodyPair{0, 1}));
  EXPECT_EQ(blocks.J_a().size(), 2 * 3 * 6);
  EXPECT_EQ(blocks.J_b(0)[2], -1.0);
  EXPECT_EQ(blocks.J_b(3)[2], 0.0);
  EXPECT_EQ(problem.n.columns(0).size(), 2);
  EXPECT_EQ(problem.n.columns(1).size(), 1);
}

TEST(StepBlocks, RowsOfOneOwnerAreOneBlock) {
  Random random(3);
  const StepProblem drawn = random_step_problem(random, 2, 0, 1);
  StepProblem problem;
  problem.set_bodies(bodies_of_size(12, 6));
  const BodyPair pair = bodies_of_rows(problem.blocks.structure, {{&drawn.nu, 0}});
  for (int i = 0; i < 8; ++i) problem.add_joint(pair, 5, {&drawn.nu, 0}, 0.0);  // six and two
  problem.add_joint(pair, 6, {&drawn.nu, 0}, 0.0);
  problem.add_drive(pair, 6, {&drawn.nu, 0}, 0.0, {-1.0, 1.0, 0.0});
  problem.add_drive(pair, 6, {&drawn.nu, 0}, 0.0, {-1.0, 1.0, 0.0});
  const JacobianBlocks& rows = problem.blocks.rows;
  ASSERT_EQ(rows.size(), 4);
  EXPECT_EQ(rows.rows(0), 6);
  EXPECT_EQ(rows.rows(1), 2);
  EXPECT_EQ(rows.rows(2), 1);
  EXPECT_EQ(rows.rows(3), 2);
  EXPECT_EQ(rows.first_row(3), 9);
  EXPECT_EQ(problem.row_laws.size(), 11U);
  EXPECT_TRUE(problem.row_law(8).is_joint());
  EXPECT_FALSE(problem.row_law(9).is_joint());
}

TEST(StepBlocks, WideRowsKeepTheirColumns) {
  linalg::Rows rows;
  for (const int column : {7, 3, 12, 1}) rows.push(column, 0.5 + column);
  rows.end_row();
  // On three bodies of six velocities each, and on one with eighteen.
  BodyStructure compound = bodies_of_size(18, 6);
  compound.compound = {0, 0, 0};
  for (const BodyStructure& structure : {compound, BodyStructure::one(18)}) {
    StepProblem problem;
    problem.set_bodies(structure);
    problem.add_joint({0, -1, structure.size() > 1}, 0, {&rows, 0}, 0.0);
    problem.add_contact({}, {0, -1, structure.size() > 1}, {&rows, 0}, {}, {}, {});
    EXPECT_TRUE(problem.blocks.rows.is_wide(0));
    EXPECT_TRUE(same_rows(problem.nu, rows));
    EXPECT_TRUE(same_rows(problem.n, rows));
    EXPECT_EQ(problem.t2.size(), 1);
  }
}

TEST(StepBlocks, InThePlaneRowsAreThreeWide) {
  BodyStructure structure = bodies_of_size(6, 3);
  structure.planar = true;
  StepProblem problem;
  problem.set_bodies(structure);
  linalg::Rows rows;
  for (const int column : {0, 2, 4}) rows.push(column, 1.0 + column);
  rows.end_row();
  problem.add_contact({}, {0, 1}, {&rows, 0}, {&rows, 0}, {}, {});
  EXPECT_EQ(problem.blocks.contacts.J_a().size(), 3 * 3);
  EXPECT_EQ(problem.blocks.contacts.J_b(1)[1], 5.0);
  EXPECT_TRUE(same_rows(problem.n, rows));
}

TEST(StepBlocksDeathTest, ARowOnABodyThatIsNotNamedIsAMistake) {
  StepProblem problem;
  problem.set_bodies(bodies_of_size(12, 6));
  linalg::Rows rows;
  rows.push(7, 1.0);
  rows.end_row();
  EXPECT_DEATH(problem.add_joint({0, -1}, 0, {&rows, 0}, 0.0), "does not name");
  EXPECT_DEATH(problem.add_row(rows, 0, 0.0, {}), "made of blocks");
}

TEST(BodyMasses, HoldAnyMatrixWithItsCouplings) {
  Random random(4);
  BodyStructure structure = bodies_of_size(14, 6);
  structure.starts.back() = 14;  // 6, 6, 2
  structure.springs = {{0, 1}};
  linalg::DenseMatrix M = linalg::DenseMatrix::Zero(14, 14);
  for (int i = 0; i < 14; ++i)
    for (int j = 0; j < 14; ++j) {
      const bool apart = (i < 6) != (j < 6) && std::max(i, j) >= 12;  // 0 and 2
      if (!apart) M(i, j) = random.normal() + (i == j ? 20.0 : 0.0);
    }
  BodyMasses masses;
  masses.reset(structure);
  const linalg::SparseMatrix sparse = M.sparseView();
  masses.take(structure, sparse);
  EXPECT_EQ(dense_mass(structure, masses), M);
  const std::vector<std::pair<int, int>> coupled{{0, 1}, {1, 2}};
  EXPECT_EQ(masses.coupled(), coupled);
  // What is coupled once has its place from then on.
  masses.take(structure, linalg::SparseMatrix(linalg::DenseMatrix(M.diagonal().asDiagonal()).sparseView()));
  EXPECT_EQ(masses.coupled(), coupled);
  EXPECT_TRUE(masses.upper(1).isZero(0.0));
  masses.take(structure, sparse);
  EXPECT_EQ(dense_mass(structure, masses), M);
}

// A user's own system of a thousand velocities would have a million numbers in one block.
TEST(BodyMasses, LeaveLargeBodiesToTheSparseMatrix) {
  const BodyStructure structure = BodyStructure::one(1000);
  BodyMasses masses;
  masses.reset(structure);
  linalg::SparseMatrix M(1000, 1000);
  M.setIdentity();
  masses.take(structure, M);
  EXPECT_EQ(masses.block(0).size(), 0);
  EXPECT_TRUE(masses.coupled().empty());
}

}  // namespace
}  // namespace stiction
