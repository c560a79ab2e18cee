#include "stiction/geometry/refine.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "stiction/geometry/surface_part.h"

namespace stiction {
namespace {

/// Of the two sizes together: how well the points and the separation must agree.
constexpr double proven = 1e-13;
/// And across the normal, where a rim nearly faces it and its point has fewer digits.
constexpr double in_line = 1e-10;
/// The same for points on flat faces, which may stand on their borders.
constexpr double on_the_face = 1e-12;
/// Cosine of the angle up to which a face's normal may take the place of the one that is known to a few digits.
constexpr double nearly_facing = 0.999;
constexpr int most_rounds = 12;
/// How far the normal may turn in one round and in all.
constexpr double farthest_turn = 0.2;

double separation(const Core& a, const Core& b, const Vec3& normal) {
  return normal.dot(a.support(-normal) - b.support(normal));
}

/// Across a face of `b`, outwards `normal`, on which a point of `a` stands.
bool refine_on_face(const Core& a, const Core& b, const Vec3& on_a, const Vec3& normal, double size, double least,
                    CoreGap& found) {
  const Vec3 lowest = a.support(-normal);
  found.normal = normal;
  found.gap = normal.dot(lowest - b.support(normal));
  if (found.gap < least) return false;
  found.on_a = lowest;
  found.on_b = lowest - found.gap * normal;
  if (outside(b, found.on_b) <= on_the_face * size) return true;
  // A line or face of a lies along this one: what was known of the place, put on it.
  found.on_a = on_a + normal.dot(lowest - on_a) * normal;
  found.on_b = found.on_a - found.gap * normal;
  return outside(b, found.on_b) <= on_the_face * size && outside(a, found.on_a) <= on_the_face * size;
}

bool refine_on_faces(const Core& a, const Core& b, double size, CoreGap& gap) {
  const double least = gap.gap - proven * size;
  Vec3 normal;
  CoreGap found;
  found.found = true;
  if (find_face(b, gap.normal, normal) && normal.dot(gap.normal) > nearly_facing &&
      refine_on_face(a, b, gap.on_a, normal, size, least, found)) {
    gap = found;
    return true;
  }
  if (find_face(a, -gap.normal, normal) && -normal.dot(gap.normal) > nearly_facing &&
      refine_on_face(b, a, gap.on_b, normal, size, least, found)) {
    std::swap(found.on_a, found.on_b);
    found.normal = -found.normal;
    gap = found;
    return true;
  }
  return false;
}

/// Newton's method for: the points with the normals -n on a and n on b are d n apart, n has unit length, and lines lie
/// across n. Unknowns are n, d and the places along the lines of a and b.
class PartPair {
 public:
  PartPair(const SurfacePart& a, const SurfacePart& b, const CoreGap& gap, double scale)
      : a_(a), b_(b), n_(gap.normal), start_(gap.normal), d_(gap.gap / scale) {
    if (a.has_lines()) place_a_ = point_of(a, -n_, 0.0).along.dot(gap.on_a / scale - a.base);
    if (b.has_lines()) place_b_ = point_of(b, n_, 0.0).along.dot(gap.on_b / scale - b.base);
  }

  bool solve() {
    for (int round = 0; round < most_rounds; ++round) {
      const double step = advance();
      if (!(step < farthest_turn) || (n_ - start_).squaredNorm() > farthest_turn * farthest_turn) return false;
      if (step < 1e-15 || (round > 3 && step < 1e-13)) break;
    }
    return within(a_, place_a_) && within(b_, place_b_);
  }
  [[nodiscard]] CoreGap answer(double scale) const {
    const Vec3 on_a = scale * point_of(a_, -n_, place_a_).x, on_b = scale * point_of(b_, n_, place_b_).x;
    return {true, n_.dot(on_a - on_b), n_, on_a, on_b};
  }

 private:
  static bool within(const SurfacePart& part, double place) {
    return !part.has_lines() || (place >= -on_the_face && place <= part.length + on_the_face);
  }

  /// The length of the step in the normal and places.
  double advance() {
    const PartPoint at_a = point_of(a_, -n_, place_a_), at_b = point_of(b_, n_, place_b_);
    Eigen::Matrix<double, 6, 6> J = Eigen::Matrix<double, 6, 6>::Zero();
    Eigen::Matrix<double, 6, 1> f = Eigen::Matrix<double, 6, 1>::Zero();
    J.topLeftCorner<3, 3>() = at_a.turned + at_b.turned + d_ * Mat3::Identity();
    J.block<3, 1>(0, 3) = n_;
    J.block<1, 3>(3, 0) = n_.transpose();
    J(4, 4) = J(5, 5) = 1.0;
    f.head<3>() = at_a.x - at_b.x - d_ * n_;
    if (a_.has_lines()) {
      J.block<3, 1>(0, 4) = -at_a.along;
      J.block<1, 3>(4, 0) = at_a.along.transpose();
      J(4, 4) = 0.0;
      f[4] = -at_a.along.dot(n_);
    }
    if (b_.has_lines()) {
      J.block<3, 1>(0, 5) = at_b.along;
      J.block<1, 3>(5, 0) = at_b.along.transpose();
      J(5, 5) = 0.0;
      f[5] = -at_b.along.dot(n_);
    }
    // Lines along each other leave one place free.
    Eigen::FullPivLU<Eigen::Matrix<double, 6, 6>> lu(J);
    lu.setThreshold(1e-10);
    const Eigen::Matrix<double, 6, 1> step = lu.solve(f);
    n_ = (n_ + step.head<3>()).normalized();
    d_ += step[3];
    place_a_ += step[4];
    place_b_ += step[5];
    return step.norm();
  }

  const SurfacePart &a_, &b_;
  Vec3 n_, start_;
  double d_, place_a_ = 0.0, place_b_ = 0.0;
};

}  // namespace

bool refine(const Core& a, const Core& b, CoreGap& gap) {
  const double size = a.size + b.size;
  if (refine_on_faces(a, b, size, gap)) return true;
  SurfaceParts parts_a, parts_b;
  find_parts(a, -gap.normal, gap.on_a, size, parts_a);
  find_parts(b, gap.normal, gap.on_b, size, parts_b);
  for (int i = 0; i < parts_a.count; ++i) {
    for (int j = 0; j < parts_b.count; ++j) {
      PartPair pair(parts_a.parts[i], parts_b.parts[j], gap, size);
      if (!pair.solve()) continue;
      const CoreGap found = pair.answer(size);
      if (!(std::abs(found.gap - separation(a, b, found.normal)) <= proven * size) ||
          !((found.on_a - found.on_b - found.gap * found.normal).norm() <= in_line * size) ||
          found.gap < gap.gap - proven * size) {
        continue;
      }
      gap = found;
      return true;
    }
  }
  return false;
}

}  // namespace stiction
