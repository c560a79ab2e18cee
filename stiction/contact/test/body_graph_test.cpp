#include "stiction/contact/body_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "stiction/contact/islands.h"
#include "stiction/contact/test/random_step_problem.h"
#include "stiction/contact/test/with_blocks.h"

namespace stiction {
namespace {

std::vector<int> list(std::span<const int> part) {
  return {part.begin(), part.end()};
}

/// Bodies of six velocities with a contact, along the first velocity of each side, for each pair.
StepProblem touching(const BodyStructure& structure, const std::vector<BodyPair>& pairs) {
  StepProblem problem;
  problem.set_bodies(structure);
  linalg::Rows rows;
  for (const BodyPair& pair : pairs) {
    rows.clear();
    rows.push(structure.starts[std::max(pair.a, pair.b)], 1.0);
    rows.end_row();
    problem.add_contact({}, pair, {&rows, 0}, {}, {}, {});
  }
  return problem;
}

TEST(BodyGraph, HasNeighboursAndIslands) {
  const BodyStructure structure = bodies_of_size(36, 6);
  BodyGraph graph;
  EXPECT_TRUE(graph.take(touching(structure, {{4, 1}, {1, 4}, {2, -1}, {1, 0}})));
  ASSERT_EQ(graph.size(), 6);
  EXPECT_EQ(list(graph.neighbours(1)), (std::vector<int>{0, 4}));
  EXPECT_EQ(list(graph.neighbours(4)), (std::vector<int>{1}));
  EXPECT_TRUE(graph.neighbours(2).empty());
  ASSERT_EQ(graph.islands(), 2);
  EXPECT_EQ(list(graph.nodes(0)), (std::vector<int>{0, 1, 4}));
  EXPECT_EQ(list(graph.nodes(1)), (std::vector<int>{2}));
  EXPECT_EQ(graph.island_of(3), -1);
  EXPECT_EQ(graph.island_of(5), -1);
}

TEST(BodyGraph, IsKeptWhileThePairsAreTheSame) {
  const BodyStructure structure = bodies_of_size(36, 6);
  BodyGraph graph;
  EXPECT_TRUE(graph.take(touching(structure, {{0, 1}, {2, -1}})));
  EXPECT_FALSE(graph.take(touching(structure, {{0, 1}, {2, -1}})));
  EXPECT_FALSE(graph.take(touching(structure, {{0, 1}, {0, 1}, {0, 1}, {2, -1}})));  // more points of one pair
  EXPECT_TRUE(graph.take(touching(structure, {{0, 1}, {2, 3}})));
  EXPECT_EQ(graph.islands(), 2);
  EXPECT_TRUE(graph.take(touching(bodies_of_size(24, 6), {{0, 1}, {2, 3}})));
  EXPECT_EQ(graph.size(), 4);
}

TEST(BodyGraph, CompoundsAreOneNode) {
  BodyStructure structure = bodies_of_size(30, 6);
  structure.compound = {0, 1, 0, 3, 1};
  StepProblem problem;
  problem.set_bodies(structure);
  linalg::Rows rows;
  for (const int column : {0, 13}) rows.push(column, 1.0);
  rows.end_row();
  problem.add_joint({2, -1, true}, 0, {&rows, 0}, 0.0);
  BodyGraph graph;
  graph.take(problem);
  ASSERT_EQ(graph.size(), 3);
  EXPECT_EQ(list(graph.bodies(0)), (std::vector<int>{0, 2}));
  EXPECT_EQ(list(graph.bodies(1)), (std::vector<int>{1, 4}));
  EXPECT_EQ(graph.node_of(4), 1);
  EXPECT_TRUE(graph.neighbours(0).empty());
  EXPECT_EQ(graph.islands(), 1);
}

TEST(BodyGraph, SpringsOfTheMassMatrixJoin) {
  BodyStructure structure = bodies_of_size(24, 6);
  structure.springs = {{0, 3}, {1, 2}};
  BodyGraph graph;
  graph.take(touching(structure, {{3, -1}}));
  EXPECT_EQ(list(graph.neighbours(3)), (std::vector<int>{0}));
  ASSERT_EQ(graph.islands(), 1);
  EXPECT_EQ(list(graph.nodes(0)), (std::vector<int>{0, 3}));
  EXPECT_EQ(graph.island_of(1), -1);  // a spring constrains nothing
}

// With no zero in any row the islands of velocities are those of bodies.
TEST(BodyGraph, AgreesWithTheIslandsOfVelocities) {
  Random random(6);
  for (int trial = 0; trial < 100; ++trial) {
    const int bodies = random.integer(1, 12);
    const StepProblem problem = with_blocks(
        random_step_problem(random, bodies, random.integer(0, 8), random.integer(0, 4)), bodies_of_size(6 * bodies, 6));
    BodyGraph graph;
    graph.take(problem);
    Islands islands;
    islands.split(problem);
    std::set<std::set<int>> mine, theirs;
    for (int i = 0; i < graph.islands(); ++i) mine.insert(std::set<int>(graph.nodes(i).begin(), graph.nodes(i).end()));
    for (int i = 0; i < islands.size(); ++i) {
      if (islands.joints(i).empty() && islands.contacts(i).empty()) continue;
      std::set<int> found;
      for (const int velocity : islands.velocities(i)) found.insert(velocity / 6);
      theirs.insert(found);
    }
    EXPECT_EQ(mine, theirs);
  }
}

}  // namespace
}  // namespace stiction
