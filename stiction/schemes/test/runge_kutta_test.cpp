#include "stiction/schemes/runge_kutta.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stiction {
namespace {

using linalg::Vector;

/// A spring that is pushed: y'' = -y + t, with y = sin t + t from y = 0, y' = 2.
class Pushed final : public VectorField {
 public:
  bool evaluate(double t, const Vector& y, Vector& dy) override {
    dy.resize(2);
    dy << y[1], -y[0] + t;
    return t < limit;
  }
  double limit = 1e9;
};

double error_after(double end, int steps, double& estimate) {
  Pushed field;
  DormandPrince method;
  Vector y(2), dy, y_new, dy_new;
  y << 0.0, 2.0;
  const double h = end / steps;
  field.evaluate(0.0, y, dy);
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(method.advance(field, i * h, y, dy, h, y_new));
    field.evaluate((i + 1) * h, y_new, dy_new);
    estimate = method.error(y, dy_new, h, 2, 1.0);
    y = y_new;
    dy = dy_new;
  }
  return std::hypot(y[0] - std::sin(end) - end, y[1] - std::cos(end) - 1.0);
}

TEST(DormandPrince, IsOfOrderFiveAndEstimatesOfOrderFour) {
  double estimate1 = 0.0, estimate2 = 0.0;
  const double coarse = error_after(2.0, 20, estimate1), fine = error_after(2.0, 40, estimate2);
  EXPECT_NEAR(std::log2(coarse / fine), 5.0, 0.2);
  EXPECT_NEAR(std::log2(estimate1 / estimate2), 5.0, 0.3);  // local errors are one order higher
  EXPECT_LT(fine, 1e-8);
}

TEST(DormandPrince, SaysWhereTheFieldEnds) {
  Pushed field;
  field.limit = 0.5;
  DormandPrince method;
  Vector y = Vector::Zero(2), dy = Vector::Zero(2), y_new;
  EXPECT_TRUE(method.advance(field, 0.0, y, dy, 0.4, y_new));
  EXPECT_FALSE(method.advance(field, 0.0, y, dy, 0.6, y_new));
}

TEST(DormandPrince, StepsFollowTheError) {
  EXPECT_DOUBLE_EQ(DormandPrince::factor(0.0), 5.0);
  EXPECT_DOUBLE_EQ(DormandPrince::factor(1e9), 0.2);
  EXPECT_NEAR(DormandPrince::factor(1.0), 0.9, 1e-15);
  EXPECT_NEAR(DormandPrince::factor(32.0), 0.45, 1e-12);
}

}  // namespace
}  // namespace stiction
