#include "stiction/schemes/earlier_contacts.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

/// One contact of a body with three velocities along its normal.
struct Seen {
  GapSet gaps;

  Seen& add(std::uint64_t id, const Vec3& normal, double Phi = 0.0) {
    ContactPoint contact;
    contact.id = id;
    contact.normal = normal;
    contact.Phi = Phi;
    contact.curvature = 10.0;
    gaps.contacts.push_back(contact);
    for (linalg::Rows* rows : {&gaps.n, &gaps.t1, &gaps.t2}) {
      for (int i = 0; i < 3; ++i) rows->push(i, normal[i]);
      rows->end_row();
    }
    for (auto* speeds : {&gaps.normal_speed, &gaps.slip1, &gaps.slip2}) speeds->push_back(0.0);
    return *this;
  }
  /// A problem of these contacts, in which all push.
  void pose(StepProblem& problem, StepSolution& solution, double b_n) const {
    problem = {};
    solution = {};
    for (const ContactPoint& contact : gaps.contacts) {
      for (int i = 0; i < 3; ++i) problem.n.push(i, contact.normal[i]);
      problem.n.end_row();
      problem.contacts.push_back({contact.id});
      problem.b_n.push_back(b_n);
      solution.c_n.push_back(1.0);
    }
  }
};

constexpr double h = 1e-3, tolerance = 1e-7;  // s, m

struct EarlierContactsTest : testing::Test {
  EarlierContacts earlier;
  StepProblem problem;
  StepSolution solution;
  Vector v_hat = Vector::Zero(3);

  void note(const Seen& here, const Seen& end, double b_n) {
    here.pose(problem, solution, b_n);
    earlier.note(problem, solution, here.gaps, end.gaps, v_hat);
  }
};

TEST_F(EarlierContactsTest, KeepWhatPushedAndIsNotSeenAtTheEnd) {
  const Seen here = Seen().add(1, Vec3::UnitZ()).add(2, Vec3::UnitX()), end = Seen().add(2, Vec3::UnitX());
  note(here, end, -0.3);
  ASSERT_EQ(earlier.rows().size(), 1);
  EXPECT_EQ(earlier.rows().contacts[0].id, 1U);
  EXPECT_EQ(earlier.b_n(0), -0.3);
  EXPECT_TRUE(earlier.is_wanted(0, end.gaps, v_hat, h, tolerance));
  EXPECT_FALSE(earlier.is_wanted(0, here.gaps, v_hat, h, tolerance)) << "it is seen";
  earlier.clear();
  EXPECT_TRUE(earlier.empty());
}

TEST_F(EarlierContactsTest, WhatOnlyTouchedIsNotKept) {
  const Seen here = Seen().add(1, Vec3::UnitZ());
  here.pose(problem, solution, 0.0);
  solution.c_n[0] = 0.0;
  earlier.note(problem, solution, here.gaps, Seen().gaps, v_hat);
  EXPECT_TRUE(earlier.empty());
}

// One id may have another normal at the end: the nearest points of an edge that is passed.
TEST_F(EarlierContactsTest, AnotherNormalIsAnotherView) {
  const Vec3 tilted = Vec3(0.1, 0.0, 1.0).normalized(), nearly = Vec3(1e-5, 0.0, 1.0).normalized();
  note(Seen().add(1, Vec3::UnitZ()), Seen().add(1, nearly), 0.0);
  EXPECT_TRUE(earlier.empty());
  note(Seen().add(1, Vec3::UnitZ()), Seen().add(1, tilted), 0.0);
  ASSERT_EQ(earlier.rows().size(), 1);
  EXPECT_TRUE(earlier.is_wanted(0, Seen().add(1, tilted).gaps, v_hat, h, tolerance));
  EXPECT_FALSE(earlier.is_wanted(0, Seen().add(1, nearly).gaps, v_hat, h, tolerance));
}

// The gap of a row from far off is not known to the tolerance: 10/m (1e-3 m)^2/2 is 5e-6 m.
TEST_F(EarlierContactsTest, RowsFromFarOffAreNotWanted) {
  const Seen end;
  note(Seen().add(1, Vec3::UnitZ()), end, 0.0);
  Vector near = v_hat, far = v_hat;
  near[0] = 0.1;
  far[0] = 1.0;
  EXPECT_TRUE(earlier.is_wanted(0, end.gaps, near, h, tolerance));
  EXPECT_FALSE(earlier.is_wanted(0, end.gaps, far, h, tolerance));
}

// Each of two views in turn: both are kept, each as it was seen last.
TEST_F(EarlierContactsTest, NewerRowsTakeThePlaceOfOlderOnes) {
  const Seen first = Seen().add(1, Vec3::UnitZ()), second = Seen().add(2, Vec3::UnitX());
  note(first, second, 0.1);
  note(second, first, 0.2);
  ASSERT_EQ(earlier.rows().size(), 2);
  EXPECT_EQ(earlier.b_n(0), 0.1);
  EXPECT_EQ(earlier.b_n(1), 0.2);
  v_hat[0] = 0.5;
  note(first, second, 0.3);
  ASSERT_EQ(earlier.rows().size(), 2);
  EXPECT_EQ(earlier.b_n(0), 0.3);
  EXPECT_TRUE(earlier.is_wanted(0, second.gaps, v_hat, h, tolerance));
  EXPECT_FALSE(earlier.is_wanted(1, Seen().gaps, v_hat, h, tolerance)) << "half a millimetre off";
}

}  // namespace
}  // namespace stiction
