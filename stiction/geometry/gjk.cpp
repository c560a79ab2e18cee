#include "stiction/geometry/gjk.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr int most_rounds = 100;

/// Up to four corners, and the weights of the point of them that is nearest to the origin.
struct Simplex {
  std::array<Difference, 4> corners;
  std::array<double, 4> weights{};
  int count = 0;

  [[nodiscard]] Vec3 point() const { return combined(&Difference::at); }
  [[nodiscard]] Vec3 combined(Vec3 Difference::* part) const {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < count; ++i) sum += weights[i] * (corners[i].*part);
    return sum;
  }
};

/// Barycentric weights of the point of a segment, triangle or tetrahedron nearest to the origin.
struct Weights {
  std::array<double, 4> w{};
  double distance = std::numeric_limits<double>::infinity();  ///< Squared.
};

Weights on_segment(const Simplex& s, int i, int j) {
  const Vec3 &a = s.corners[i].at, &b = s.corners[j].at;
  const Vec3 along = b - a;
  const double square = along.squaredNorm();
  const double t = square > 0.0 ? std::clamp(-a.dot(along) / square, 0.0, 1.0) : 0.0;
  Weights result;
  result.w[i] = 1.0 - t;
  result.w[j] = t;
  result.distance = (a + t * along).squaredNorm();
  return result;
}

void improve(const Weights& other, Weights& best) {
  if (other.distance < best.distance) best = other;
}

/// Inside where the plane's foot is, else on the edges.
Weights on_triangle(const Simplex& s, int i, int j, int k) {
  const Vec3 &a = s.corners[i].at, &b = s.corners[j].at, &c = s.corners[k].at;
  const Vec3 ab = b - a, ac = c - a, normal = ab.cross(ac);
  const double square = normal.squaredNorm();
  if (square > 0.0) {
    const double v = normal.dot(ac.cross(a)) / square, u = normal.dot(a.cross(ab)) / square;
    // The foot of the origin is a + v ab + u ac.
    if (v >= 0.0 && u >= 0.0 && v + u <= 1.0) {
      Weights result;
      result.w[i] = 1.0 - v - u;
      result.w[j] = v;
      result.w[k] = u;
      result.distance = (a + v * ab + u * ac).squaredNorm();
      return result;
    }
  }
  Weights best = on_segment(s, i, j);
  improve(on_segment(s, j, k), best);
  improve(on_segment(s, i, k), best);
  return best;
}

Weights on_tetrahedron(const Simplex& s) {
  static constexpr int faces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
  Weights best;
  bool inside = true;
  for (const auto& face : faces) {
    const Vec3& a = s.corners[face[0]].at;
    const Vec3 normal = (s.corners[face[1]].at - a).cross(s.corners[face[2]].at - a);
    const double own = normal.dot(s.corners[face[3]].at - a), origin = -normal.dot(a);
    if (own * origin > 0.0) continue;
    inside = false;
    improve(on_triangle(s, face[0], face[1], face[2]), best);
  }
  if (inside) best.distance = 0.0;
  return best;
}

/// Keeps the corners that carry weight. True where the origin is inside.
bool reduce(Simplex& s) {
  Weights best;
  switch (s.count) {
    case 1:
      best.w[0] = 1.0;
      break;
    case 2:
      best = on_segment(s, 0, 1);
      break;
    case 3:
      best = on_triangle(s, 0, 1, 2);
      break;
    default:
      best = on_tetrahedron(s);
      if (best.distance == 0.0) return true;
  }
  int kept = 0;
  for (int i = 0; i < s.count; ++i) {
    if (!(best.w[i] > 0.0)) continue;
    s.corners[kept] = s.corners[i];
    s.weights[kept++] = best.w[i];
  }
  s.count = kept;
  return false;
}

bool has(const Simplex& s, const Vec3& at) {
  for (int i = 0; i < s.count; ++i) {
    if (s.corners[i].at == at) return true;
  }
  return false;
}

}  // namespace

GjkAnswer find_distance(const Core& a, const Core& b, const Vec3& guess, double limit, double near, double tolerance) {
  Simplex simplex;
  simplex.corners[0] = difference(a, b, -guess);
  simplex.weights[0] = 1.0;
  simplex.count = 1;
  GjkAnswer answer;
  answer.distance = std::numeric_limits<double>::infinity();
  for (int round = 0; round < most_rounds; ++round) {
    const Vec3 v = simplex.point();
    const double length = v.norm();
    // No nearer than before is as near as rounding lets it come.
    if (!(length < answer.distance)) break;
    answer.distance = length;
    answer.on_a = simplex.combined(&Difference::on_a);
    answer.on_b = simplex.combined(&Difference::on_b);
    if (length <= near) break;
    const Difference next = difference(a, b, -v);
    if (v.dot(next.at) / length > answer.lower) {
      answer.lower = v.dot(next.at) / length;
      answer.normal = v / length;
    }
    if (answer.lower > limit || length - answer.lower <= std::max(tolerance, 1e-15 * length) || has(simplex, next.at))
      break;
    simplex.corners[simplex.count++] = next;
    if (reduce(simplex)) {
      // A flat simplex can seem to hold the origin; a separation is a proof.
      if (answer.lower > 0.0) break;
      answer.distance = 0.0;
      answer.encloses = true;
      answer.corners = simplex.corners;
      break;
    }
  }
  return answer;
}

}  // namespace stiction
