#include "stiction/schemes/shortest_way.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr int most_iterations = 500;
// Of the gradient: less than this of the first is rounding.
constexpr double exhausted = 1e-12;

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

void ShortestWay::find(const linalg::Rows& rows, const linalg::Vector& masses, const std::vector<double>& errors,
                       double enough, linalg::Vector& x) {
  x.setZero(masses.size());
  left_ = errors;
  along_.resize(errors.size());
  double before = 0.0, first = 0.0;
  for (int iteration = 0; iteration < most_iterations && largest(left_) > enough; ++iteration) {
    slope_.setZero(masses.size());
    for (int i = 0; i < rows.size(); ++i) rows.add_to(i, -left_[i], slope_);
    // gamma = |M^-1/2 slope|^2: the directions are conjugate in the metric of M.
    double gamma = 0.0;
    for (linalg::Index i = 0; i < slope_.size(); ++i) {
      gamma += slope_[i] * slope_[i] / masses[i];
      slope_[i] /= masses[i];
    }
    if (iteration == 0) first = gamma;
    if (!(gamma > exhausted * exhausted * first)) return;
    if (iteration == 0)
      direction_ = slope_;
    else
      direction_ = slope_ + (gamma / before) * direction_;
    before = gamma;
    double square = 0.0;
    for (int i = 0; i < rows.size(); ++i) {
      along_[i] = rows.dot(i, direction_);
      square += along_[i] * along_[i];
    }
    if (!(square > 0.0)) return;
    const double step = gamma / square;
    x += step * direction_;
    for (std::size_t i = 0; i < left_.size(); ++i) left_[i] += step * along_[i];
  }
}

}  // namespace stiction
