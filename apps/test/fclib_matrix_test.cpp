// The three storages of FCLIB against each other, and what is not one of them.
#include "apps/fclib_matrix.h"

#include <gtest/gtest.h>

#include <string>

namespace stiction::apps {
namespace {

// [1 2 0; 0 0 3], two rows and three columns.
TEST(FclibMatrix, ThreeStoragesOfOneMatrix) {
  const cone::DenseMatrix expected{{1.0, 2.0, 0.0}, {0.0, 0.0, 3.0}};
  for (const FclibMatrix& stored : {FclibMatrix{2, 3, 3, {0, 1, 2}, {0, 0, 1}, {1.0, 2.0, 3.0}},
                                    FclibMatrix{2, 3, -1, {0, 1, 2, 3}, {0, 0, 1}, {1.0, 2.0, 3.0}},
                                    FclibMatrix{2, 3, -2, {0, 2, 3}, {0, 1, 2}, {1.0, 2.0, 3.0}},
                                    FclibMatrix{2, 3, -2, {0, 2, 3}, {0, 1, 2, 0}, {1.0, 2.0, 3.0, 0.0}}}) {
    const auto matrix = to_sparse(stored);
    ASSERT_TRUE(matrix.ok()) << matrix.error();
    EXPECT_EQ(cone::DenseMatrix(matrix.value()), expected) << stored.nz;
  }
}

TEST(FclibMatrix, AnEmptyOne) {
  for (const int nz : {0, -1, -2}) {
    const auto matrix =
        to_sparse({2, 0, nz, nz == 0 ? std::vector<int>{} : std::vector<int>(nz == -1 ? 1 : 3), {}, {}});
    ASSERT_TRUE(matrix.ok()) << matrix.error();
    EXPECT_EQ(matrix.value().rows(), 2);
    EXPECT_EQ(matrix.value().cols(), 0);
  }
}

void expect_refused(const FclibMatrix& stored, const std::string& why) {
  const auto matrix = to_sparse(stored);
  ASSERT_FALSE(matrix.ok()) << why;
  EXPECT_NE(matrix.error().find(why), std::string::npos) << matrix.error();
}

TEST(FclibMatrix, MalformedPointersAreRefused) {
  const std::vector<double> x{1.0, 2.0, 3.0};
  expect_refused({3, 3, -1, {1, 1, 2, 3}, {0, 1, 2}, x}, "p[0] is 1, expected 0");
  expect_refused({3, 3, -1, {-1, 1, 2, 3}, {0, 1, 2}, x}, "p[0] is -1, expected 0");
  expect_refused({3, 3, -1, {0, 2, 1, 3}, {0, 1, 2}, x}, "p[2] is 1 after 2");
  expect_refused({3, 3, -2, {0, 1, 9, 9}, {0, 1, 2}, x}, "p[2] is 9, but i and x have 3 numbers");
  expect_refused({3, 3, -2, {0, 1, 2, 2}, {0, 1, 2}, x}, "p ends with 2, but i and x have 3 numbers");
  expect_refused({3, 3, -1, {0, 1, 3}, {0, 1, 2}, x}, "p has 3 numbers, expected 4");
  expect_refused({2, 3, -2, {0, 1, 2, 3}, {0, 1, 2}, x}, "2 by 3, nz -2: p has 4 numbers, expected 3");
  expect_refused({3, 3, -1, {}, {0, 1, 2}, x}, "p has 0 numbers, expected 4");
}

TEST(FclibMatrix, IndicesOutsideAreRefused) {
  const std::vector<double> x{1.0, 2.0, 3.0};
  expect_refused({2, 3, 3, {0, 1, 2}, {0, 0, 2}, x}, "i[2] is 2, expected a row from 0 to 1");
  expect_refused({3, 2, 3, {0, 1, 2}, {0, 0, 2}, x}, "p[2] is 2, expected a column from 0 to 1");
  expect_refused({3, 3, -1, {0, 1, 2, 3}, {0, -1, 2}, x}, "i[1] is -1, expected a row");
  expect_refused({3, 3, -2, {0, 1, 2, 3}, {0, 3, 2}, x}, "i[1] is 3, expected a column");
  expect_refused({3, 3, 4, {0, 1, 2}, {0, 0, 2}, x}, "nz is 4, but p, i and x have 3, 3 and 3 numbers");
  expect_refused({3, 3, -1, {0, 1, 2, 3}, {0, 1}, x}, "i has 2 numbers and x has 3");
  expect_refused({3, 3, -3, {}, {}, {}}, "nz -3");
  expect_refused({-3, 3, 0, {}, {}, {}}, "-3 by 3");
}

}  // namespace
}  // namespace stiction::apps
