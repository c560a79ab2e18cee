#include "stiction/geometry/round_contacts.h"

#include <array>
#include <cmath>

namespace stiction {
namespace {

/// Squares of the sine of the angle between two segments. Below `parallel` the nearest points are anywhere along the
/// common length, and leaving the ones between the ends out misses a gap by less than 1e-10 of the length. Below
/// `nearly_parallel` the ends of the common length are contacts too, because a small turn brings them together.
constexpr double parallel = 1e-10;
constexpr double nearly_parallel = 1e-2;

/// Of the size, and of the coordinates: segments so near to each other meet.
constexpr double meeting = 1e-10, last_digits = 4e-15;

struct NearPair {
  double s, t;
  int feature;
};

/// At most three, kept in the order of their features, each feature once.
struct NearPairs {
  std::array<NearPair, 3> pairs;
  int count = 0;

  void add(const NearPair& pair) {
    int place = 0;
    while (place < count && pairs[place].feature < pair.feature) ++place;
    if (place < count && pairs[place].feature == pair.feature) return;
    for (int i = count; i > place; --i) pairs[i] = pairs[i - 1];
    pairs[place] = pair;
    ++count;
  }
};

int end_feature(int first, double s) {
  return s < 0.0 ? first : first + 1;
}

/// The nearest points of two segments: the lines' own, then clamped to one segment and the other (Ericson, Real-Time
/// Collision Detection, 5.1.9).
NearPair nearest_pair(const Segment& a, const Segment& b, double sine_squared) {
  const double cosine = a.direction.dot(b.direction);
  const Vec3 apart = a.center - b.center;
  const double along_a = a.direction.dot(apart), along_b = b.direction.dot(apart);
  double s = sine_squared > 0.0 ? a.clamp((cosine * along_b - along_a) / sine_squared) : 0.0;
  double t = cosine * s + along_b;
  if (std::abs(t) > b.half_length) {
    t = b.clamp(t);
    s = a.clamp(cosine * t - along_a);
  }
  if (std::abs(s) == a.half_length) return {s, t, end_feature(1, s)};
  if (std::abs(t) == b.half_length) return {s, t, end_feature(3, t)};
  return {s, t, 0};
}

/// The contact at one end of the length that the two have in common, seen along a: at `end_of_a` or where b's end
/// `end_of_b` (at s_b along a) is, whichever comes first.
void add_common_end(const Segment& a, const Segment& b, double end_of_a, double end_of_b, double s_b,
                    NearPairs& found) {
  if (end_of_a < 0.0 ? s_b > end_of_a : s_b < end_of_a) {
    found.add({a.nearest(b.at(end_of_b)), end_of_b, end_feature(3, end_of_b)});
  } else {
    found.add({end_of_a, b.nearest(a.at(end_of_a)), end_feature(1, end_of_a)});
  }
}

void add_common_ends(const Segment& a, const Segment& b, NearPairs& found) {
  const double low_end = a.direction.dot(b.direction) > 0.0 ? -b.half_length : b.half_length;
  const double low = a.direction.dot(b.at(low_end) - a.center);
  const double high = a.direction.dot(b.at(-low_end) - a.center);
  if (!(std::max(low, -a.half_length) < std::min(high, a.half_length))) return;
  add_common_end(a, b, -a.half_length, low_end, low, found);
  add_common_end(a, b, a.half_length, -low_end, high, found);
}

/// Unit, from b's point at t to a's at s. What is inside of a segment is left across it; where the two nearly meet,
/// their difference is rounding, and any direction across both segments is the way out.
Vec3 normal_between(const Segment& a, double s, const Segment& b, double t, const Vec3& across_both, double radii) {
  const Vec3 apart = a.at(s) - b.at(t);
  const bool inside_a = std::abs(s) < a.half_length, inside_b = std::abs(t) < b.half_length;
  Vec3 way = apart;
  for (int again = 0; again < 2; ++again) {
    if (inside_a) way -= a.direction.dot(way) * a.direction;
    if (inside_b) way -= b.direction.dot(way) * b.direction;
  }
  const double size = a.half_length + b.half_length + radii;
  const double far = std::max(a.center.cwiseAbs().maxCoeff(), b.center.cwiseAbs().maxCoeff());
  const double distance = way.norm();
  if ((inside_a && inside_b) || !(distance > meeting * size + last_digits * far)) {
    return across_both.dot(apart) < 0.0 ? Vec3(-across_both) : across_both;
  }
  return way / distance;
}

}  // namespace

Segment segment_in_world(const Capsule& capsule, const Pose& pose) {
  return {pose.position, pose.orientation * capsule.axis, 0.5 * capsule.length};
}

void add_round_contact(const Ball& a, const Ball& b, const Vec3& normal, int feature, double margin,
                       std::vector<SurfaceContact>& contacts) {
  const double gap = normal.dot(a.center - b.center) - (a.radius + b.radius);
  if (!(gap <= margin)) return;
  const double curvature = (a.radius > 0.0 ? 1.0 / a.radius : 0.0) + (b.radius > 0.0 ? 1.0 / b.radius : 0.0);
  contacts.push_back({.point_a = a.center - a.radius * normal,
                      .point_b = b.center + b.radius * normal,
                      .normal = normal,
                      .gap = gap,
                      .curvature = curvature,
                      .feature = feature});
}

void add_sphere_contact(const Ball& a, const Ball& b, double margin, std::vector<SurfaceContact>& contacts) {
  const Vec3 apart = a.center - b.center;
  const double distance = apart.norm();
  add_round_contact(a, b, distance > 0.0 ? Vec3(apart / distance) : Vec3(Vec3::UnitZ()), 0, margin, contacts);
}

void add_capsule_contact(const Ball& a, const Segment& b, double radius_b, double margin,
                         std::vector<SurfaceContact>& contacts) {
  const Segment point{a.center, b.direction, 0.0};
  const double t = b.nearest(a.center);
  const Vec3 normal = normal_between(point, 0.0, b, t, b.direction.unitOrthogonal(), a.radius + radius_b);
  add_round_contact(a, {b.at(t), radius_b}, normal, 0, margin, contacts);
}

void add_capsule_contacts(const Segment& a, double radius_a, const Segment& b, double radius_b, double margin,
                          std::vector<SurfaceContact>& contacts) {
  const Vec3 across = a.direction.cross(b.direction);
  const double sine_squared = across.squaredNorm();
  NearPairs found;
  if (sine_squared < nearly_parallel) add_common_ends(a, b, found);
  if (sine_squared > parallel || found.count == 0) found.add(nearest_pair(a, b, sine_squared));
  const Vec3 across_both = sine_squared > parallel ? Vec3(across.normalized()) : a.direction.unitOrthogonal();
  for (int i = 0; i < found.count; ++i) {
    const NearPair& pair = found.pairs[i];
    const Vec3 normal = normal_between(a, pair.s, b, pair.t, across_both, radius_a + radius_b);
    add_round_contact({a.at(pair.s), radius_a}, {b.at(pair.t), radius_b}, normal, pair.feature, margin, contacts);
  }
}

}  // namespace stiction
