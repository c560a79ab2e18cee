#include "stiction/geometry/separating_axes.h"

#include <cmath>
#include <limits>

namespace stiction {
namespace {

/// Squared sine below which two edges are parallel; their faces' normals separate as well then.
constexpr double parallel = 1e-12;
/// Of the size: what a direction across two edges must bring more than a face's, so that faces stay faces.
constexpr double edge_handicap = 1e-10;

}  // namespace

BoxAxis find_separating_axis(const Core& a, const Core& b, double limit) {
  const Mat3 C = a.R.transpose() * b.R;
  const Mat3 reach = C.cwiseAbs();
  // From b to a, seen from each.
  const Vec3 apart = a.position - b.position;
  const Vec3 in_a = a.R.transpose() * apart, in_b = b.R.transpose() * apart;
  BoxAxis best;
  best.separation = -std::numeric_limits<double>::infinity();
  const Vec3 along_a = in_a.cwiseAbs() - a.extent - reach * b.extent;
  const Vec3 along_b = in_b.cwiseAbs() - b.extent - reach.transpose() * a.extent;
  for (int i = 0; i < 3; ++i) {
    if (along_a[i] > best.separation) {
      best.separation = along_a[i];
      best.normal = in_a[i] < 0.0 ? Vec3(-a.R.col(i)) : Vec3(a.R.col(i));
    }
  }
  for (int i = 0; i < 3; ++i) {
    if (along_b[i] > best.separation) {
      best.separation = along_b[i];
      best.normal = in_b[i] < 0.0 ? Vec3(-b.R.col(i)) : Vec3(b.R.col(i));
    }
  }
  if (best.separation > limit) return best;
  int edge_a = -1, edge_b = -1;
  double side = 1.0, least = best.separation + edge_handicap * (a.size + b.size);
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      // Not 1 - cosine^2, which has no digits left where the edges are nearly parallel.
      const double sine_squared = C(i1, j) * C(i1, j) + C(i2, j) * C(i2, j);
      if (sine_squared < parallel) continue;
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double distance = in_a[i2] * C(i1, j) - in_a[i1] * C(i2, j);
      const double half = a.extent[i1] * reach(i2, j) + a.extent[i2] * reach(i1, j) + b.extent[j1] * reach(i, j2) +
                          b.extent[j2] * reach(i, j1);
      // Division by a sine only takes an overlap further down.
      const double overlap = std::abs(distance) - half;
      if (overlap < 0.0 && !(overlap > least)) continue;
      const double separation = overlap / std::sqrt(sine_squared);
      if (!(separation > least)) continue;
      least = separation;
      edge_a = i;
      edge_b = j;
      side = distance < 0.0 ? -1.0 : 1.0;
    }
  }
  if (edge_a < 0) return best;
  best.separation = least;
  best.is_face = false;
  best.normal = side * a.R.col(edge_a).cross(b.R.col(edge_b)).normalized();
  return best;
}

}  // namespace stiction
