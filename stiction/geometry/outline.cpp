#include "stiction/geometry/outline.h"

#include <algorithm>

namespace stiction {
namespace {

using Vec2 = Eigen::Vector2d;

double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

void begin(const Pose& pose, double radius, Outline& outline) {
  outline.count = 0;
  outline.radius = radius;
  outline.origin = pose.position.head<2>();
}

void add(const Vec3& point, Outline& outline) {
  outline.points[static_cast<std::size_t>(outline.count++)] = point.head<2>();
}

}  // namespace

int Outline::farthest(const Vec2& direction) const {
  int best = 0;
  for (int i = 1; i < count; ++i) {
    if (direction.dot(from(i)) > direction.dot(from(best))) best = i;
  }
  return best;
}

int Outline::facing(const Vec2& direction) const {
  int best = -1;
  double most = -2.0;
  for (int i = 0; i < edges(); ++i) {
    const double along = normal(i).dot(direction);
    if (along > most) {
      most = along;
      best = i;
    }
  }
  return best;
}

void outline_of(const Sphere& shape, const Pose& pose, Outline& outline) {
  begin(pose, shape.radius, outline);
  add(pose.position, outline);
}

void outline_of(const Disc& shape, const Pose& pose, Outline& outline) {
  begin(pose, shape.radius, outline);
  add(pose.position, outline);
}

void outline_of(const Capsule& shape, const Pose& pose, Outline& outline) {
  begin(pose, shape.radius, outline);
  const Vec3 arm = pose.orientation * (0.5 * shape.length * shape.axis);
  add(pose.position - arm, outline);
  // One that stands along z is seen as a disc.
  if (arm.head<2>().norm() > 1e-9 * shape.length) add(pose.position + arm, outline);
}

void outline_of(const Box& shape, const Pose& pose, Outline& outline) {
  begin(pose, 0.0, outline);
  std::array<Vec2, 8> corners;
  for (int vertex = 0; vertex < 8; ++vertex) {
    const Vec3 local((vertex & 1) != 0 ? 0.5 * shape.x : -0.5 * shape.x,
                     (vertex & 2) != 0 ? 0.5 * shape.y : -0.5 * shape.y,
                     (vertex & 4) != 0 ? 0.5 * shape.z : -0.5 * shape.z);
    corners[static_cast<std::size_t>(vertex)] = pose.to_world(local).head<2>();
  }
  // Around it, from the first corner on, to the point that has all others on its left (Jarvis).
  const double least = 1e-12 * std::max({shape.x, shape.y, shape.z});
  const Vec2 start = *std::min_element(corners.begin(), corners.end(), [](const Vec2& a, const Vec2& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  });
  Vec2 at = start;
  while (outline.count < 8) {
    outline.points[static_cast<std::size_t>(outline.count++)] = at;
    Vec2 next = at;
    for (const Vec2& x : corners) {
      if ((x - at).norm() <= least) continue;
      const double turn = (next - at).norm() <= least ? -1.0 : cross(next - at, x - at) / (next - at).norm();
      const bool farther = std::abs(turn) <= least && (x - at).squaredNorm() > (next - at).squaredNorm();
      if (turn < -least || farther) next = x;
    }
    if ((next - start).norm() <= least || (next - at).norm() <= least) break;
    at = next;
  }
}

void outline_of(const Polygon& shape, const Pose& pose, Outline& outline) {
  begin(pose, 0.0, outline);
  for (const Vec2& x : *shape.points) add(pose.to_world(Vec3(x.x(), x.y(), 0.0)), outline);
}

}  // namespace stiction
