#include "stiction/contact/islands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "stiction/contact/polyhedral_solver.h"
#include "stiction/contact/test/random_step_problem.h"

namespace stiction {
namespace {

/// Velocities with a diagonal mass, and nothing else.
StepProblem free_problem(int velocities) {
  StepProblem problem;
  problem.M.resize(velocities, velocities);
  problem.M.setIdentity();
  problem.v = problem.k = Vector::Zero(velocities);
  return problem;
}

void add_joint(StepProblem& problem, std::initializer_list<int> columns) {
  for (const int column : columns) problem.nu.push(column, 1.0);
  problem.nu.end_row();
  problem.b_nu.push_back(0.0);
}

void add_contact(StepProblem& problem, std::initializer_list<int> n, std::initializer_list<int> t1 = {}) {
  for (const int column : n) problem.n.push(column, 1.0);
  for (const int column : t1) problem.t1.push(column, 1.0);
  problem.n.end_row();
  problem.t1.end_row();
  problem.t2.end_row();
  problem.contacts.push_back({static_cast<std::uint64_t>(problem.size() + 1), 0.5, 0.5, 0.0, t1.size() > 0 ? 1 : 0});
  problem.b_n.push_back(0.0);
  problem.b_t1.push_back(0.0);
  problem.b_t2.push_back(0.0);
}

std::vector<int> list(std::span<const int> part) {
  return {part.begin(), part.end()};
}

TEST(Islands, OfNothing) {
  Islands islands;
  islands.split(free_problem(0));
  ASSERT_EQ(islands.size(), 1);
  EXPECT_TRUE(islands.velocities(0).empty());
}

TEST(Islands, FreeVelocitiesAreOneLastIsland) {
  StepProblem problem = free_problem(6);
  add_contact(problem, {4});
  add_joint(problem, {1, 2});
  Islands islands;
  islands.split(problem);
  ASSERT_EQ(islands.size(), 3);
  EXPECT_EQ(list(islands.velocities(0)), (std::vector{1, 2}));  // by the lowest velocity
  EXPECT_EQ(list(islands.joints(0)), (std::vector{0}));
  EXPECT_TRUE(islands.contacts(0).empty());
  EXPECT_EQ(list(islands.velocities(1)), (std::vector{4}));
  EXPECT_EQ(list(islands.contacts(1)), (std::vector{0}));
  EXPECT_EQ(list(islands.velocities(2)), (std::vector{0, 3, 5}));
  EXPECT_TRUE(islands.contacts(2).empty() && islands.joints(2).empty());
  EXPECT_EQ(islands.local(2), 1);
  EXPECT_EQ(islands.local(5), 2);
}

TEST(Islands, TangentsJointsAndMassesCouple) {
  StepProblem problem = free_problem(8);
  add_contact(problem, {0}, {1});  // a tangent alone reaches 1
  add_contact(problem, {2, 3});
  add_joint(problem, {3, 4});
  problem.M.insert(5, 4) = 0.1;  // one-sided coupling of a mass is coupling
  Islands islands;
  islands.split(problem);
  ASSERT_EQ(islands.size(), 3);
  EXPECT_EQ(list(islands.velocities(0)), (std::vector{0, 1}));
  EXPECT_EQ(list(islands.velocities(1)), (std::vector{2, 3, 4, 5}));
  EXPECT_EQ(list(islands.contacts(1)), (std::vector{1}));
  EXPECT_EQ(list(islands.joints(1)), (std::vector{0}));
  EXPECT_EQ(list(islands.velocities(2)), (std::vector{6, 7}));
}

TEST(Islands, AChainIsOne) {
  StepProblem problem = free_problem(30);
  for (int i = 28; i >= 0; --i) add_contact(problem, {i, i + 1});
  Islands islands;
  islands.split(problem);
  EXPECT_EQ(islands.size(), 1);
  EXPECT_EQ(islands.contacts(0).size(), 29U);
}

TEST(Islands, RowsThatNothingCanMoveAreJudgedAllTheSame) {
  StepProblem problem = free_problem(2);
  add_contact(problem, {1});
  add_contact(problem, {});
  add_joint(problem, {});
  Islands islands;
  islands.split(problem);
  int contacts = 0, joints = 0;
  for (int g = 0; g < islands.size(); ++g) {
    contacts += static_cast<int>(islands.contacts(g).size());
    joints += static_cast<int>(islands.joints(g).size());
  }
  EXPECT_EQ(contacts, 2);
  EXPECT_EQ(joints, 1);
}

// Splitting again forgets what was there.
TEST(Islands, AreReused) {
  Islands islands;
  StepProblem first = free_problem(4);
  add_contact(first, {0, 3});
  islands.split(first);
  StepProblem second = free_problem(2);
  add_contact(second, {1});
  islands.split(second);
  ASSERT_EQ(islands.size(), 2);
  EXPECT_EQ(list(islands.velocities(0)), (std::vector{1}));
  EXPECT_EQ(list(islands.velocities(1)), (std::vector{0}));
}

// Two problems side by side, columns mixed, have the answers they have alone.
TEST(Islands, DoNotChangeTheAnswer) {
  Random random(311);
  for (int trial = 0; trial < 20; ++trial) {
    const StepProblem parts[] = {random_step_problem(random, 2, 3, 1), random_step_problem(random, 1, 2, 0)};
    const int n = parts[0].velocities() + parts[1].velocities();
    std::vector<int> place(static_cast<std::size_t>(n));
    std::iota(place.begin(), place.end(), 0);
    for (int i = n - 1; i > 0; --i) std::swap(place[i], place[random.integer(0, i)]);
    StepProblem both = free_problem(n);
    both.M.setZero();
    int offset = 0;
    for (const StepProblem& part : parts) {
      const auto append = [&](const linalg::Rows& from, linalg::Rows& to) {
        for (int row = 0; row < from.size(); ++row) {
          for (std::size_t p = 0; p < from.columns(row).size(); ++p)
            to.push(place[offset + from.columns(row)[p]], from.values(row)[p]);
          to.end_row();
        }
      };
      for (int i = 0; i < part.velocities(); ++i) {
        both.M.coeffRef(place[offset + i], place[offset + i]) = part.M.coeff(i, i);
        both.v[place[offset + i]] = part.v[i];
        both.k[place[offset + i]] = part.k[i];
      }
      append(part.nu, both.nu);
      append(part.n, both.n);
      append(part.t1, both.t1);
      append(part.t2, both.t2);
      both.b_nu.insert(both.b_nu.end(), part.b_nu.begin(), part.b_nu.end());
      both.b_n.insert(both.b_n.end(), part.b_n.begin(), part.b_n.end());
      both.b_t1.insert(both.b_t1.end(), part.b_t1.begin(), part.b_t1.end());
      both.b_t2.insert(both.b_t2.end(), part.b_t2.begin(), part.b_t2.end());
      for (StepProblem::Contact contact : part.contacts) {
        contact.id = both.contacts.size() + 1;
        both.contacts.push_back(contact);
      }
      offset += part.velocities();
    }
    StepSolution whole;
    StepCertificate certificate;
    PolyhedralSolver solver({.turn = false});
    ASSERT_TRUE(solver.solve(both, whole, certificate));
    EXPECT_TRUE(certificate.certified());
    offset = 0;
    for (const StepProblem& part : parts) {
      StepSolution alone;
      PolyhedralSolver other({.turn = false});
      ASSERT_TRUE(other.solve(part, alone, certificate));
      for (int i = 0; i < part.velocities(); ++i) EXPECT_NEAR(whole.v[place[offset + i]], alone.v[i], 1e-9) << trial;
      offset += part.velocities();
    }
  }
}

}  // namespace
}  // namespace stiction
