#include "stiction/cone/second_order_cone.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/base/random.h"

namespace stiction::soc {
namespace {

void inside(Random& random, int dim, double* x) {
  double tail = 0.0;
  for (int i = 1; i < dim; ++i) {
    x[i] = random.normal();
    tail += x[i] * x[i];
  }
  x[0] = std::sqrt(tail) + random.uniform(0.01, 2.0);
}

TEST(SecondOrderCone, ScalingMapsBothToOnePoint) {
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    const int dim = 1 + i % 3;
    double x[3], y[3], a[3], b[3], back[3];
    inside(random, dim, x);
    inside(random, dim, y);
    Scaling scaling;
    ASSERT_TRUE(scaling.set(dim, x, y));
    scaling.apply(x, a);
    scaling.apply_inverse(y, b);
    scaling.apply_inverse(a, back);
    for (int k = 0; k < dim; ++k) {
      EXPECT_NEAR(a[k], b[k], 1e-11);
      EXPECT_NEAR(back[k], x[k], 1e-11);
      double squared = 0.0, twice[3];
      for (int j = 0; j < dim; ++j) squared += scaling.squared(k, j) * x[j];
      scaling.apply(a, twice);
      EXPECT_NEAR(squared, twice[k], 1e-10);
    }
  }
}

TEST(SecondOrderCone, DivisionUndoesMultiplication) {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const int dim = 1 + i % 3;
    double x[3], y[3], product[3], quotient[3];
    inside(random, dim, x);
    for (int k = 0; k < dim; ++k) y[k] = random.normal();
    multiply(dim, x, y, product);
    divide(dim, x, product, quotient);
    for (int k = 0; k < dim; ++k) EXPECT_NEAR(quotient[k], y[k], 1e-9);
  }
}

}  // namespace
}  // namespace stiction::soc
