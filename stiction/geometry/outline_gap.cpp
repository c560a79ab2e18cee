#include "stiction/geometry/outline_gap.h"

#include <algorithm>

namespace stiction {
namespace {

using Vec2 = Eigen::Vector2d;

/// How many times `tiny` the points may be apart for an edge to tell the direction: farther, they tell it better.
constexpr double nearly_touching = 1e6;

/// The corner of `other` that is least far out of each edge of `outline`, where that is most (separating axes).
/// `sign` is 1 where `outline` is b.
void separate_by_edges(const Outline& outline, const Outline& other, double sign, OutlineGap& best) {
  for (int edge = 0; edge < outline.edges(); ++edge) {
    const Vec2 out = outline.normal(edge);
    const int corner = other.farthest(-out);
    const double apart = out.dot(other.from(corner) - outline.from(edge));
    if (!(apart > best.distance)) continue;
    best.distance = apart;
    best.normal = sign * out;
    const Vec2& x = other.from(corner);
    const Vec2 foot = x - apart * out;
    best.on_a = sign > 0.0 ? x : foot;
    best.on_b = sign > 0.0 ? foot : x;
  }
}

void approach(const Vec2& on_a, const Vec2& on_b, OutlineGap& best) {
  const double distance = (on_a - on_b).norm();
  if (!(distance < best.distance)) return;
  best = {distance, distance > 0.0 ? Vec2((on_a - on_b) / distance) : Vec2(Vec2::UnitY()), on_a, on_b};
}

Vec2 nearest_on(const Outline& outline, const Vec2& x) {
  Vec2 best = outline.from(0);
  for (int edge = 0; edge < outline.edges(); ++edge) {
    const Vec2 along = outline.to(edge) - outline.from(edge);
    const double share = std::clamp(along.dot(x - outline.from(edge)) / along.squaredNorm(), 0.0, 1.0);
    const Vec2 y = outline.from(edge) + share * along;
    if ((x - y).squaredNorm() < (x - best).squaredNorm()) best = y;
  }
  return best;
}

}  // namespace

OutlineGap find_outline_gap(const Outline& a, const Outline& b, double tiny) {
  OutlineGap axis;
  separate_by_edges(b, a, 1.0, axis);
  separate_by_edges(a, b, -1.0, axis);
  // Two points have no edges; a point or segment and another, on one line, can be apart although no edge says so.
  const bool has_edges = a.count > 1 || b.count > 1, thin = a.count < 3 && b.count < 3;
  if (has_edges && axis.distance <= (thin ? -tiny : tiny)) return axis;
  OutlineGap best;
  best.distance = std::numeric_limits<double>::infinity();
  for (int i = 0; i < a.count; ++i) approach(a.from(i), nearest_on(b, a.from(i)), best);
  for (int i = 0; i < b.count; ++i) approach(nearest_on(a, b.from(i)), b.from(i), best);
  // The difference of two points that are nearly one is rounding; an edge that separates as well is not.
  if (best.distance <= nearly_touching * tiny && axis.distance >= best.distance - tiny) {
    best.distance = axis.distance;
    best.normal = axis.normal;
  }
  return best;
}

}  // namespace stiction
