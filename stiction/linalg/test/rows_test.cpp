#include "stiction/linalg/rows.h"

#include <gtest/gtest.h>

namespace stiction::linalg {
namespace {

/// (1, 0, -2) and an empty row.
Rows two_rows() {
  Rows rows;
  rows.push(0, 1.0);
  rows.push(1, 0.0);
  rows.push(2, -2.0);
  rows.end_row();
  rows.end_row();
  return rows;
}

TEST(Rows, DotAddAndAppend) {
  Rows rows = two_rows();
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows.columns(0).size(), 2U) << "zeros are left out";
  EXPECT_TRUE(rows.is_zero(1));
  Vector v(3);
  v << 3.0, 5.0, 7.0;
  EXPECT_EQ(rows.dot(0, v), 3.0 - 14.0);
  EXPECT_EQ(rows.dot(1, v), 0.0);
  rows.add_to(0, 2.0, v);
  EXPECT_EQ(v[0], 5.0);
  EXPECT_EQ(v[1], 5.0);
  EXPECT_EQ(v[2], 3.0);
  EXPECT_EQ(rows.append(two_rows(), 0), 2);
  EXPECT_EQ(rows.dot(2, v), rows.dot(0, v));
}

// 1^2/2 + 2^2/8
TEST(Rows, MobilityIsThatOfTheDiagonal) {
  SparseMatrix M(3, 3);
  M.insert(0, 0) = 2.0;
  M.insert(1, 1) = 1.0;
  M.insert(2, 2) = 8.0;
  M.insert(0, 2) = 1.0;
  EXPECT_EQ(two_rows().mobility(0, M), 1.0);
  EXPECT_EQ(two_rows().mobility(1, M), 0.0);
}

}  // namespace
}  // namespace stiction::linalg
