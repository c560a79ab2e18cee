#include "stiction/geometry/half_space_contacts.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/across.h"
#include "stiction/geometry/features.h"
#include "stiction/geometry/polytope.h"
#include "stiction/geometry/spread.h"

namespace stiction {
namespace {

using Contacts = std::vector<SurfaceContact>;

/// Sine of the tilt below which a rim has no lowest point: the gap is then within this share of the radius.
constexpr double upright = 1e-9;
/// What stands on its rim stands on as many corners: it tips over them where the load is within 8 % of the rim.
constexpr int rim_points = 8;

double inverse(double x) {
  return x > 0.0 ? 1.0 / x : 0.0;
}

/// A ball about a point of a shape.
void add_ball(const Vec3& center, double radius, double curvature, const Plane& plane, int feature, double margin,
              Contacts& contacts) {
  const double height = plane.normal.dot(center) - plane.offset;
  const double gap = height - radius;
  if (!(gap <= margin)) return;
  contacts.push_back({.point_a = center - radius * plane.normal,
                      .point_b = center - height * plane.normal,
                      .normal = plane.normal,
                      .gap = gap,
                      .curvature = curvature,
                      .feature = feature});
}

double arm_curvature(const Vec3& center, double radius, const Pose& pose, const Plane& plane) {
  return inverse(std::max(radius, (center - radius * plane.normal - pose.position).norm()));
}

/// A rim at its lowest point, and at eight that stay where they are: if these moved with the lowest one, the contacts
/// of a rim that lies flat would turn about at every touch. Features from `feature` on are those, the lowest is
/// `lowest`.
void add_rim(const Vec3& center, const Vec3& axis, const Pose& pose, double radius, const Plane& plane, int feature,
             int lowest, double margin, Contacts& contacts) {
  const bool leans = axis.cross(plane.normal).norm() > upright;
  const Vec3 down = unit_across(axis, -plane.normal, upright);
  const Vec3 first = rim_start(axis, plane.normal, pose.orientation.toRotationMatrix()), second = axis.cross(first);
  for (int i = 0; i < rim_points; ++i) {
    const double angle = 2.0 * M_PI * i / rim_points;
    const Vec3 arm = std::cos(angle) * first + std::sin(angle) * second;
    if (!leans || (arm - down).norm() > place_tolerance)
      add_ball(center + radius * arm, 0.0, 1.0 / radius, plane, feature + i, margin, contacts);
  }
  if (leans) add_ball(center + radius * down, 0.0, 1.0 / radius, plane, lowest, margin, contacts);
}

}  // namespace

Plane plane_in_world(const HalfSpace& half_space, const Pose& pose) {
  const Vec3 normal = pose.orientation * half_space.normal;
  return {normal, half_space.offset + normal.dot(pose.position)};
}

void add_on_plane(const Sphere& shape, const Pose& pose, const Plane& plane, double margin, Contacts& contacts) {
  add_ball(pose.position, shape.radius, arm_curvature(pose.position, shape.radius, pose, plane), plane, 0, margin,
           contacts);
}

void add_on_plane(const Capsule& shape, const Pose& pose, const Plane& plane, double margin, Contacts& contacts) {
  const Vec3 arm = pose.orientation * (0.5 * shape.length * shape.axis);
  for (int end = 0; end < (shape.length > 0.0 ? 2 : 1); ++end) {
    const Vec3 center = end == 0 ? Vec3(pose.position - arm) : Vec3(pose.position + arm);
    add_ball(center, shape.radius, arm_curvature(center, shape.radius, pose, plane), plane, end, margin, contacts);
  }
}

void add_on_plane(const Box& shape, const Pose& pose, const Plane& plane, double margin, Contacts& contacts) {
  const Mat3 R = pose.orientation.toRotationMatrix();
  const Mat3 arms = R * Vec3(0.5 * shape.x, 0.5 * shape.y, 0.5 * shape.z).asDiagonal();
  for (int vertex = 0; vertex < 8; ++vertex) {
    Vec3 point = pose.position;
    for (int axis = 0; axis < 3; ++axis) point += ((vertex >> axis) & 1 ? 1.0 : -1.0) * arms.col(axis);
    add_ball(point, 0.0, arm_curvature(point, 0.0, pose, plane), plane, vertex, margin, contacts);
  }
}

void add_on_plane(const Cylinder& shape, const Pose& pose, const Plane& plane, double margin, Contacts& contacts) {
  const Vec3 axis = pose.orientation * shape.axis;
  const std::size_t start = contacts.size();
  add_rim(pose.position - 0.5 * shape.length * axis, axis, pose, shape.radius, plane, 0, 2 * rim_points, margin,
          contacts);
  add_rim(pose.position + 0.5 * shape.length * axis, axis, pose, shape.radius, plane, rim_points, 2 * rim_points + 1,
          margin, contacts);
  sort_by_feature(contacts, start);
}

void add_on_plane(const Cone& shape, const Pose& pose, const Plane& plane, double margin, Contacts& contacts) {
  const Vec3 axis = pose.orientation * shape.axis;
  add_rim(pose.position - 0.25 * shape.height * axis, axis, pose, shape.radius, plane, 0, rim_points + 1, margin,
          contacts);
  add_ball(pose.position + 0.75 * shape.height * axis, 0.0, 1.0 / (0.75 * shape.height), plane, rim_points, margin,
           contacts);
}

void add_on_plane(const Ellipsoid& shape, const Pose& pose, const Plane& plane, double margin, Contacts& contacts) {
  const Vec3 radii(shape.x, shape.y, shape.z);
  const Vec3 scaled = radii.cwiseProduct(pose.orientation.conjugate() * plane.normal);
  const Vec3 lowest = pose.to_world(-radii.cwiseProduct(scaled.normalized()));
  const double least = radii.minCoeff();
  add_ball(lowest, 0.0, radii.maxCoeff() / (least * least), plane, 0, margin, contacts);
}

void add_on_plane(const Hull& shape, const Pose& pose, const Plane& plane, double margin, Contacts& contacts) {
  const Mat3 R = pose.orientation.toRotationMatrix();
  const Vec3 local = R.transpose() * plane.normal;
  const double lift = plane.normal.dot(pose.position) - plane.offset;
  const std::size_t start = contacts.size();
  for (std::size_t i = 0; i < shape.solid->vertices.size(); ++i) {
    const Vec3& x = shape.solid->vertices[i];
    if (!(local.dot(x) + lift <= margin)) continue;
    const Vec3 point = pose.position + R * x;
    add_ball(point, 0.0, inverse(x.norm()), plane, static_cast<int>(i), margin, contacts);
  }
  keep_spread(contacts, start, 8);
}

}  // namespace stiction
