#include "stiction/geometry/contact_points.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/geometry/round_contacts.h"

namespace stiction {
namespace {

using Contacts = std::vector<SurfaceContact>;

struct Plane {
  Vec3 normal;
  double offset;
};

Plane plane_in_world(const HalfSpace& half_space, const Pose& pose) {
  const Vec3 normal = pose.orientation * half_space.normal;
  return {normal, half_space.offset + normal.dot(pose.position)};
}

/// A ball of a shape whose frame is `pose` against a plane.
void add_ball_on_plane(const Vec3& center, double radius, const Pose& pose, const Plane& plane, int feature,
                       double margin, Contacts& contacts) {
  const double height = plane.normal.dot(center) - plane.offset;
  const double gap = height - radius;
  if (!(gap <= margin)) return;
  const Vec3 point = center - radius * plane.normal;
  const double arm = std::max(radius, (point - pose.position).norm());
  contacts.push_back({.point_a = point,
                      .point_b = center - height * plane.normal,
                      .normal = plane.normal,
                      .gap = gap,
                      .curvature = arm > 0.0 ? 1.0 / arm : 0.0,
                      .feature = feature});
}

void find(const Sphere& a, const Pose& pose_a, const HalfSpace& b, const Pose& pose_b, double margin, Contacts& out) {
  add_ball_on_plane(pose_a.position, a.radius, pose_a, plane_in_world(b, pose_b), 0, margin, out);
}

void find(const Capsule& a, const Pose& pose_a, const HalfSpace& b, const Pose& pose_b, double margin, Contacts& out) {
  const Plane plane = plane_in_world(b, pose_b);
  const Vec3 arm = pose_a.orientation * (0.5 * a.length * a.axis);
  add_ball_on_plane(pose_a.position - arm, a.radius, pose_a, plane, 0, margin, out);
  if (a.length > 0.0) add_ball_on_plane(pose_a.position + arm, a.radius, pose_a, plane, 1, margin, out);
}

void find(const Box& a, const Pose& pose_a, const HalfSpace& b, const Pose& pose_b, double margin, Contacts& out) {
  const Plane plane = plane_in_world(b, pose_b);
  const Mat3 R = pose_a.orientation.toRotationMatrix();
  const Mat3 arms = R * Vec3(0.5 * a.x, 0.5 * a.y, 0.5 * a.z).asDiagonal();
  for (int vertex = 0; vertex < 8; ++vertex) {
    Vec3 point = pose_a.position;
    for (int axis = 0; axis < 3; ++axis) point += ((vertex >> axis) & 1 ? 1.0 : -1.0) * arms.col(axis);
    add_ball_on_plane(point, 0.0, pose_a, plane, vertex, margin, out);
  }
}

void find(const Sphere& a, const Pose& pose_a, const Sphere& b, const Pose& pose_b, double margin, Contacts& out) {
  if (a.radius == 0.0 && b.radius == 0.0) return;
  add_round_contact({pose_a.position, a.radius}, {pose_b.position, b.radius}, Vec3::UnitZ(), 0, margin, out);
}

void find(const Sphere& a, const Pose& pose_a, const Capsule& b, const Pose& pose_b, double margin, Contacts& out) {
  const Segment segment = segment_in_world(b, pose_b);
  const Vec3 nearest = segment.at(segment.nearest(pose_a.position));
  add_round_contact({pose_a.position, a.radius}, {nearest, b.radius}, segment.direction.unitOrthogonal(), 0, margin,
                    out);
}

void find(const Capsule& a, const Pose& pose_a, const Capsule& b, const Pose& pose_b, double margin, Contacts& out) {
  add_capsule_contacts(segment_in_world(a, pose_a), a.radius, segment_in_world(b, pose_b), b.radius, margin, out);
}

void find(const Sphere& a, const Pose& pose_a, const Box& b, const Pose& pose_b, double margin, Contacts& out) {
  const Vec3 half(0.5 * b.x, 0.5 * b.y, 0.5 * b.z);
  const Vec3 center = pose_b.to_local(pose_a.position);
  const Vec3 clamped = center.cwiseMax(-half).cwiseMin(half);
  Vec3 surface = clamped, normal = center - clamped;
  double distance = normal.norm();
  if (distance > 0.0) {
    normal /= distance;
  } else {
    // Inside: out through the nearest face, the first one of several.
    int axis = 0;
    (half - center.cwiseAbs()).minCoeff(&axis);
    const double side = center[axis] < 0.0 ? -1.0 : 1.0;
    distance = std::abs(center[axis]) - half[axis];
    surface[axis] = side * half[axis];
    normal = side * Vec3::Unit(axis);
  }
  const double gap = distance - a.radius;
  if (!(gap <= margin)) return;
  const Vec3 world_normal = pose_b.orientation * normal;
  out.push_back({.point_a = pose_a.position - a.radius * world_normal,
                 .point_b = pose_b.to_world(surface),
                 .normal = world_normal,
                 .gap = gap,
                 .curvature = a.radius > 0.0 ? 1.0 / a.radius : 0.0,
                 .feature = 0});
}

template <class A, class B>
concept KnownPair =
    requires(const A& a, const B& b, const Pose& pose, Contacts& out) { find(a, pose, b, pose, 0.0, out); };

bool is_thin_segment(const Shape& shape) {
  const auto* capsule = std::get_if<Capsule>(&shape);
  return capsule != nullptr && capsule->radius == 0.0;
}

bool is_thin(const Shape& shape) {
  const auto* sphere = std::get_if<Sphere>(&shape);
  return is_thin_segment(shape) || (sphere != nullptr && sphere->radius == 0.0);
}

}  // namespace

bool is_supported(const Shape& a, const Shape& b) {
  if ((is_thin_segment(a) && is_thin(b)) || (is_thin(a) && is_thin_segment(b))) return false;
  return std::visit([]<class A, class B>(const A&, const B&) { return KnownPair<A, B> || KnownPair<B, A>; }, a, b);
}

void find_contact_points(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                         std::vector<SurfaceContact>& contacts) {
  if (!is_supported(a, b)) return;
  std::visit(
      [&]<class A, class B>(const A& first, const B& second) {
        if constexpr (KnownPair<A, B>) {
          find(first, pose_a, second, pose_b, margin, contacts);
        } else if constexpr (KnownPair<B, A>) {
          const std::size_t start = contacts.size();
          find(second, pose_b, first, pose_a, margin, contacts);
          for (std::size_t i = start; i < contacts.size(); ++i) {
            std::swap(contacts[i].point_a, contacts[i].point_b);
            contacts[i].normal = -contacts[i].normal;
          }
        }
      },
      a, b);
}

}  // namespace stiction
