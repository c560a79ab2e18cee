#include "stiction/geometry/core.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/across.h"

namespace stiction {
namespace {

Core placed(Core::Kind kind, const Pose& pose, const Vec3& origin) {
  Core core;
  core.kind = kind;
  core.position = pose.position - origin;
  core.R = pose.orientation.toRotationMatrix();
  return core;
}

Core along_axis(Core core, const Vec3& axis, double low, double high, double radius) {
  core.axis = core.R * axis;
  core.low = low;
  core.high = high;
  core.extent.x() = radius;
  core.size = std::hypot(std::max(-low, high), radius);
  return core;
}

/// Sine of the angle to the axis below which a direction does not tell points of a rim apart.
constexpr double along_the_axis = 1e-14;

int farthest_of_all(const Polytope& solid, const Vec3& direction) {
  int best = 0;
  double most = direction.dot(solid.vertices[0]);
  for (int i = 1; i < static_cast<int>(solid.vertices.size()); ++i) {
    const double along = direction.dot(solid.vertices[i]);
    best = along > most ? i : best;
    most = std::max(most, along);
  }
  return best;
}

/// By steps to better neighbours, which on a convex solid end at the best.
int farthest_vertex(const Polytope& solid, const Vec3& direction, int start) {
  if (solid.vertices.size() <= 20) return farthest_of_all(solid, direction);
  int best = start;
  double most = direction.dot(solid.vertices[start]);
  for (bool moved = true; moved;) {
    moved = false;
    const int end = solid.first_neighbour[best + 1];
    for (int k = solid.first_neighbour[best]; k < end; ++k) {
      const double along = direction.dot(solid.vertices[solid.neighbours[k]]);
      if (along > most) {
        most = along;
        best = solid.neighbours[k];
        moved = true;
      }
    }
  }
  return best;
}

}  // namespace

Vec3 Core::support(const Vec3& direction) const {
  switch (kind) {
    case Kind::point:
      return position;
    case Kind::segment:
      return position + (axis.dot(direction) < 0.0 ? low : high) * axis;
    case Kind::box: {
      const Vec3 local = R.transpose() * direction;
      return position + R * Vec3(std::copysign(extent.x(), local.x()), std::copysign(extent.y(), local.y()),
                                 std::copysign(extent.z(), local.z()));
    }
    case Kind::polytope:
      last_vertex = farthest_vertex(*solid, R.transpose() * direction, last_vertex);
      return position + R * solid->vertices[last_vertex];
    case Kind::cylinder:
      return position + (axis.dot(direction) < 0.0 ? low : high) * axis +
             extent.x() * unit_across(axis, direction, along_the_axis);
    case Kind::cone: {
      const Vec3 rim = low * axis + extent.x() * unit_across(axis, direction, along_the_axis), apex = high * axis;
      return position + (direction.dot(rim) > direction.dot(apex) ? rim : apex);
    }
    case Kind::ellipsoid:
    default: {
      const Vec3 scaled = extent.cwiseProduct(R.transpose() * direction);
      const double length = scaled.norm();
      return position + (length > 0.0 ? Vec3(R * extent.cwiseProduct(scaled / length)) : Vec3::Zero());
    }
  }
}

double Core::curvature() const {
  switch (kind) {
    case Kind::point:
    case Kind::segment:
      return radius > 0.0 ? 1.0 / radius : 0.0;
    case Kind::cylinder:
    case Kind::cone:
      return 1.0 / extent.x();
    case Kind::ellipsoid:
      return extent.maxCoeff() / (extent.minCoeff() * extent.minCoeff());
    case Kind::box:
    case Kind::polytope:
    default:
      return 0.0;
  }
}

Core core_of(const Sphere& shape, const Pose& pose, const Vec3& origin) {
  Core core = placed(Core::Kind::point, pose, origin);
  core.radius = shape.radius;
  return core;
}

Core core_of(const Capsule& shape, const Pose& pose, const Vec3& origin) {
  Core core =
      along_axis(placed(Core::Kind::segment, pose, origin), shape.axis, -0.5 * shape.length, 0.5 * shape.length, 0.0);
  core.radius = shape.radius;
  return core;
}

Core core_of(const Box& shape, const Pose& pose, const Vec3& origin) {
  Core core = placed(Core::Kind::box, pose, origin);
  core.extent = Vec3(0.5 * shape.x, 0.5 * shape.y, 0.5 * shape.z);
  core.size = core.extent.norm();
  return core;
}

Core core_of(const Hull& shape, const Pose& pose, const Vec3& origin) {
  Core core = placed(Core::Kind::polytope, pose, origin);
  core.solid = shape.solid.get();
  core.size = shape.solid->size + shape.solid->center.norm();
  return core;
}

Core core_of(const Cylinder& shape, const Pose& pose, const Vec3& origin) {
  return along_axis(placed(Core::Kind::cylinder, pose, origin), shape.axis, -0.5 * shape.length, 0.5 * shape.length,
                    shape.radius);
}

Core core_of(const Cone& shape, const Pose& pose, const Vec3& origin) {
  return along_axis(placed(Core::Kind::cone, pose, origin), shape.axis, -0.25 * shape.height, 0.75 * shape.height,
                    shape.radius);
}

Core core_of(const Ellipsoid& shape, const Pose& pose, const Vec3& origin) {
  Core core = placed(Core::Kind::ellipsoid, pose, origin);
  core.extent = Vec3(shape.x, shape.y, shape.z);
  core.size = core.extent.maxCoeff();
  return core;
}

}  // namespace stiction
