#include "stiction/geometry/loop_in_cavity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace stiction {
namespace {

constexpr double pi = std::numbers::pi;
constexpr int samples = 16;
/// Of the square of the size: slopes below say that all places are as far.
constexpr double level = 1e-12;

/// Half the square of the distance from the cavity's middle along a loop; of degree two in cosine and sine, so that it
/// has two largest places at most.
class Distance {
 public:
  Distance(const Loop& loop, const Cavity& cavity) {
    const auto across = [&](const Vec3& x) { return Vec3(x - cavity.axis.dot(x) * cavity.axis); };
    center_ = across(loop.center - cavity.center);
    first_ = across(loop.first);
    second_ = across(loop.second);
    const double size = center_.norm() + first_.norm() + second_.norm();
    level_ = level * size * size;
  }
  [[nodiscard]] double slope(double t) const { return place(t).dot(along(t)); }
  [[nodiscard]] bool is_level() const {
    for (int i = 0; i < samples; ++i) {
      if (std::abs(slope(2.0 * pi * i / samples)) > level_) return false;
    }
    return true;
  }
  /// Between a place where it rises and one where it falls, by Newton's method, halving where that leaves the two.
  [[nodiscard]] double largest(double low, double high) const {
    double t = 0.5 * (low + high);
    for (int round = 0; round < 60 && high - low > 1e-15; ++round) {
      const double rise = slope(t);
      (rise > 0.0 ? low : high) = t;
      const double bend = along(t).squaredNorm() + place(t).dot(center_ - place(t));
      const double next = t - rise / bend;
      const double before = std::exchange(t, next > low && next < high ? next : 0.5 * (low + high));
      if (std::abs(t - before) < 1e-16) break;
    }
    return t;
  }

 private:
  [[nodiscard]] Vec3 place(double t) const { return center_ + std::cos(t) * first_ + std::sin(t) * second_; }
  [[nodiscard]] Vec3 along(double t) const { return -std::sin(t) * first_ + std::cos(t) * second_; }

  Vec3 center_, first_, second_;
  double level_;
};

struct Largest {
  std::array<double, 2> places{};  ///< In the order in which they lie on the loop, so that equal ones keep theirs.
  int count = 0;
};

Largest find_largest(const Distance& distance) {
  Largest found;
  if (distance.is_level()) {
    found.count = 1;
    return found;
  }
  double before = distance.slope(0.0);
  for (int i = 1; i <= samples && found.count < 2; ++i) {
    const double next = distance.slope(2.0 * pi * i / samples);
    if (before > 0.0 && !(next > 0.0)) {
      found.places[static_cast<std::size_t>(found.count++)] =
          distance.largest(2.0 * pi * (i - 1) / samples, 2.0 * pi * i / samples);
    }
    before = next;
  }
  found.count = std::max(found.count, 1);
  return found;
}

Loop rim(const Pose& pose, const Vec3& axis, double place, double radius) {
  const Vec3 out = axis.unitOrthogonal();
  return {pose.to_world(place * axis), radius * (pose.orientation * out), radius * (pose.orientation * axis.cross(out)),
          1.0 / radius};
}

}  // namespace

void add_loop_in_cavity(const Loop& loop, const Cavity& cavity, int feature, double margin,
                        std::vector<SurfaceContact>& contacts) {
  const Largest largest = find_largest(Distance(loop, cavity));
  std::array<double, 4> places{};
  for (int quarter = 0; quarter < 4; ++quarter) places[quarter] = largest.places[0] + 0.5 * pi * quarter;
  if (largest.count == 2) {
    const double turn = largest.places[1] - largest.places[0];
    const int nearest = static_cast<int>(std::lround(turn / (0.5 * pi)));
    places[std::clamp(((nearest % 4) + 4) % 4, 1, 3)] = largest.places[1];
  }
  for (int i = 0; i < 4; ++i) {
    const std::size_t count = contacts.size();
    add_ball_in_cavity(loop.center + std::cos(places[i]) * loop.first + std::sin(places[i]) * loop.second, 0.0, cavity,
                       feature + i, margin, contacts);
    if (contacts.size() > count) contacts.back().curvature += loop.curvature;
  }
}

void add_in_cavity(const Cylinder& shape, const Pose& pose, const Cavity& cavity, double margin,
                   std::vector<SurfaceContact>& contacts) {
  add_loop_in_cavity(rim(pose, shape.axis, -0.5 * shape.length, shape.radius), cavity, 0, margin, contacts);
  add_loop_in_cavity(rim(pose, shape.axis, 0.5 * shape.length, shape.radius), cavity, 4, margin, contacts);
}

void add_in_cavity(const Cone& shape, const Pose& pose, const Cavity& cavity, double margin,
                   std::vector<SurfaceContact>& contacts) {
  add_loop_in_cavity(rim(pose, shape.axis, -0.25 * shape.height, shape.radius), cavity, 0, margin, contacts);
  add_ball_in_cavity(pose.to_world(0.75 * shape.height * shape.axis), 0.0, cavity, 4, margin, contacts);
}

void add_in_pipe(const Ellipsoid& shape, const Pose& pose, const Cavity& cavity, double margin,
                 std::vector<SurfaceContact>& contacts) {
  const Vec3 half(shape.x, shape.y, shape.z);
  // Stretched to a ball, what is seen along the pipe ends at a circle across this direction.
  const Vec3 across = (pose.orientation.conjugate() * cavity.axis).cwiseQuotient(half).normalized();
  const Vec3 first = across.unitOrthogonal(), second = across.cross(first);
  const double curvature = half.maxCoeff() / (half.minCoeff() * half.minCoeff());
  add_loop_in_cavity({pose.position, pose.orientation * half.cwiseProduct(first),
                      pose.orientation * half.cwiseProduct(second), curvature},
                     cavity, 0, margin, contacts);
}

}  // namespace stiction
