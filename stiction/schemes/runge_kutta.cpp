#include "stiction/schemes/runge_kutta.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr std::array<double, 6> c{0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0};
constexpr std::array<std::array<double, 5>, 6> a{
    {{},
     {1.0 / 5},
     {3.0 / 40, 9.0 / 40},
     {44.0 / 45, -56.0 / 15, 32.0 / 9},
     {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
     {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}}};
constexpr std::array<double, 6> b{35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84};
// The weights of order 5 less those of order 4.
constexpr std::array<double, 7> e{71.0 / 57600,      0.0,          -71.0 / 16695, 71.0 / 1920,
                                  -17253.0 / 339200, 22.0 / 525.0, -1.0 / 40};

}  // namespace

bool DormandPrince::advance(VectorField& field, double t, const linalg::Vector& y, const linalg::Vector& dy, double h,
                            linalg::Vector& y_new) {
  k_[0] = dy;
  for (std::size_t i = 1; i < k_.size(); ++i) {
    y_stage_ = y;
    for (std::size_t j = 0; j < i; ++j)
      if (a[i][j] != 0.0) y_stage_ += (h * a[i][j]) * k_[j];
    if (!field.evaluate(t + c[i] * h, y_stage_, k_[i])) return false;
  }
  y_new = y;
  for (std::size_t i = 0; i < k_.size(); ++i)
    if (b[i] != 0.0) y_new += (h * b[i]) * k_[i];
  return true;
}

double DormandPrince::error(const linalg::Vector& y, const linalg::Vector& dy_new, double h, linalg::Index count,
                            double tolerance) const {
  double largest = 0.0;
  for (linalg::Index i = 0; i < count; ++i) {
    double sum = e[6] * dy_new[i];
    for (std::size_t j = 0; j < k_.size(); ++j) sum += e[j] * k_[j][i];
    const double error = std::abs(h * sum) / (tolerance * (1.0 + std::abs(y[i])));
    largest = std::isfinite(error) ? std::max(largest, error) : INFINITY;
  }
  return largest;
}

double DormandPrince::factor(double error) {
  constexpr double safety = 0.9, least = 0.2, most = 5.0;
  return error > 0.0 ? std::clamp(safety * std::pow(error, -0.2), least, most) : most;
}

}  // namespace stiction
