#include "stiction/schemes/shortest_way.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

using linalg::Vector;

linalg::Rows rows_of(std::initializer_list<std::initializer_list<double>> values) {
  linalg::Rows rows;
  for (const auto& row : values) {
    int column = 0;
    for (const double value : row) rows.push(column++, value);
    rows.end_row();
  }
  return rows;
}

// Of two bodies that must part by 1 the one of three times the mass moves a third as far.
TEST(ShortestWay, IsWeighedByMass) {
  Vector x;
  ShortestWay().find(rows_of({{1.0, -1.0}}), (Vector(2) << 1.0, 3.0).finished(), {-1.0}, 1e-15, x);
  EXPECT_NEAR(x[0], 0.75, 1e-14);
  EXPECT_NEAR(x[1], -0.25, 1e-14);
}

// Rows that contradict each other are met halfway, and what they do not touch stays.
TEST(ShortestWay, MeetsContradictionsInTheMiddle) {
  Vector x;
  ShortestWay().find(rows_of({{1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 2.0, 0.0}}), Vector::Ones(3), {-1.0, -2.0, 3.0},
                     1e-15, x);
  EXPECT_NEAR(x[0], 1.5, 1e-13);
  EXPECT_NEAR(x[1], -1.5, 1e-13);
  EXPECT_EQ(x[2], 0.0);
}

TEST(ShortestWay, NothingToDoIsNothingDone) {
  Vector x;
  ShortestWay().find(rows_of({{1.0}}), Vector::Ones(1), {1e-9}, 1e-8, x);
  EXPECT_EQ(x[0], 0.0);
  ShortestWay().find({}, Vector::Ones(2), {}, 1e-8, x);
  EXPECT_EQ(x.size(), 2);
}

}  // namespace
}  // namespace stiction
