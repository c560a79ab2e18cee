#include "stiction/cone/cone_projection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/base/random.h"

namespace stiction::cone {
namespace {

TEST(ConeProjection, LengthsOutsideTheRangeOfSquares) {
  for (const double unit : {1.0, 1e-200, 1e200}) EXPECT_NEAR(length(3.0 * unit, -4.0 * unit) / unit, 5.0, 1e-14);
  EXPECT_EQ(length(0.0, 0.0), 0.0);
}

TEST(ConeProjection, IsTheNearestPointOfTheCone) {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    const double mu = i % 5 == 0 ? 0.0 : random.uniform(0.0, 2.0);
    const double x[3] = {random.normal(), i % 7 == 0 ? 0.0 : random.normal(), i % 7 == 0 ? 0.0 : random.normal()};
    double p[3] = {x[0], x[1], x[2]};
    project_on_cone(mu, p);
    ASSERT_LE(std::hypot(p[1], p[2]), mu * p[0] + 1e-15);
    // The obtuse angle criterion: (x - p).(y - p) <= 0 for every y of the cone.
    for (int k = 0; k < 20; ++k) {
      const double n = random.uniform(0.0, 3.0), angle = random.uniform(0.0, 6.3), t = mu * n * random.uniform();
      const double y[3] = {n, t * std::cos(angle), t * std::sin(angle)};
      double product = 0.0;
      for (int c = 0; c < 3; ++c) product += (x[c] - p[c]) * (y[c] - p[c]);
      ASSERT_LE(product, 1e-12);
    }
  }
}

}  // namespace
}  // namespace stiction::cone
