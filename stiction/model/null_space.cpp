#include "stiction/model/null_space.h"

namespace stiction {

using linalg::DenseMatrix;
using linalg::Index;
using linalg::Vector;

namespace {

// Share of a row's length that is rounding.
constexpr double rounding = 1e-11;

}  // namespace

/// Zero where the row is in the span of those held.
Vector NullSpace::coordinates(const Vector& row) const {
  const Vector scaled = mobility_.cwiseProduct(row);
  Vector r = Z_.transpose() * scaled;
  if (r.norm() <= rounding * scaled.norm()) r.setZero();
  return r;
}

double NullSpace::violation(const Vector& row) const {
  const Vector r = coordinates(row);
  const Vector v = motion(r);
  const double fastest = v.size() == 0 ? 0.0 : v.lpNorm<Eigen::Infinity>();
  return fastest > 0.0 ? r.squaredNorm() / fastest : 0.0;
}

bool NullSpace::hold(const Vector& row) {
  Vector w = coordinates(row);
  const double length = w.norm();
  if (!(length > 0.0)) return false;
  // Householder: the first column becomes the direction that the row opposes, and goes.
  w[0] += w[0] >= 0.0 ? length : -length;
  const Vector Zw = Z_ * w;
  Z_ -= (2.0 / w.squaredNorm()) * Zw * w.transpose();
  const Index left = Z_.cols() - 1;
  Z_ = DenseMatrix(Z_.rightCols(left));
  return true;
}

}  // namespace stiction
