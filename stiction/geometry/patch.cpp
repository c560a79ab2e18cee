#include "stiction/geometry/patch.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/across.h"
#include "stiction/geometry/features.h"

namespace stiction {
namespace {

/// Sine of the tilt up to which a line on a round side serves as a patch; beyond, its ends are far apart anyway.
constexpr double leaning = 0.26;
/// Sine of the tilt below which a rim has no lowest point.
constexpr double upright = 1e-9;
constexpr int rim_points = 8;
/// Numbers of what is not on a rim at rest: two points each.
constexpr int line_ends = 2 * rim_points, farthest = line_ends + 2;

void add(const Vec3& point, int vertex, Patch& patch) {
  patch.points[patch.count] = point;
  patch.vertices[patch.count] = vertex;
  patch.sides[patch.count] = vertex;
  ++patch.count;
}

void face_of_box(const Core& core, const Vec3& direction, Patch& patch) {
  static constexpr int loops[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                      {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  const Vec3 local = core.R.transpose() * direction;
  int axis = 0;
  local.cwiseAbs().maxCoeff(&axis);
  const bool up = local[axis] > 0.0;
  patch.normal = up ? Vec3(core.R.col(axis)) : Vec3(-core.R.col(axis));
  patch.is_flat = true;
  const Mat3 arms = core.R * core.extent.asDiagonal();
  const auto& loop = loops[2 * axis + (up ? 1 : 0)];
  for (int i = 0; i < 4; ++i) {
    const int v = loop[i], next = loop[(i + 1) % 4];
    add(core.position + ((v & 1) != 0 ? 1.0 : -1.0) * arms.col(0) + ((v & 2) != 0 ? 1.0 : -1.0) * arms.col(1) +
            ((v & 4) != 0 ? 1.0 : -1.0) * arms.col(2),
        v, patch);
    // Edges by their direction and lower end.
    const int along = v ^ next;
    patch.sides[i] = (along == 4 ? 2 : along - 1) * 8 + std::min(v, next);
  }
}

/// Of the faces around the farthest vertex the one that faces the direction most.
void face_of_polytope(const Core& core, const Vec3& direction, Patch& patch) {
  const Vec3 local = core.R.transpose() * direction;
  const Polytope& solid = *core.solid;
  static_cast<void>(core.support(direction));
  const Polytope::Face* best = &solid.faces.front();
  double most = -2.0;
  for (int k = solid.first_around[core.last_vertex]; k < solid.first_around[core.last_vertex + 1]; ++k) {
    const Polytope::Face& face = solid.faces[solid.faces_around[k]];
    const double along = face.normal.dot(local);
    if (along > most) {
      most = along;
      best = &face;
    }
  }
  patch.normal = core.R * best->normal;
  patch.is_flat = true;
  for (int i = 0; i < best->count; ++i) {
    const int vertex = solid.corners[best->first + i];
    add(core.position + core.R * solid.vertices[vertex], vertex, patch);
    patch.sides[i] = solid.sides[best->first + i];
  }
}

/// Of a cylinder's or cone's flat end: where it is farthest in the direction, and points that stay where they are. If
/// all of them moved with the direction, the contacts of an end that lies flat would turn about at every touch.
void cap(const Core& core, double place, double sign, const Vec3& direction, Patch& patch) {
  const Vec3 outwards = sign * core.axis;
  patch.normal = outwards;
  patch.radius = core.extent.x();
  patch.center = core.position + place * core.axis;
  patch.rim = sign > 0.0 ? 1 : 0;
  if (outwards.cross(direction).norm() > upright)
    add(patch.center + patch.radius * unit_across(core.axis, direction, upright), farthest + patch.rim, patch);
  const Vec3 first = rim_start(core.axis, direction, core.R), second = outwards.cross(first);
  for (int i = 0; i < rim_points; ++i) {
    const double angle = 2.0 * M_PI * i / rim_points;
    add(patch.center + patch.radius * (std::cos(angle) * first + std::sin(angle) * second), i + patch.rim * rim_points,
        patch);
  }
}

/// A line on the side between the two ends.
void side_line(const Vec3& from, const Vec3& to, Patch& patch) {
  add(from, line_ends, patch);
  add(to, line_ends + 1, patch);
}

void patch_of_cylinder(const Core& core, const Vec3& direction, const Vec3& best, Patch& patch) {
  const double along = core.axis.dot(direction);
  if (std::abs(along) >= facing)
    return cap(core, along > 0.0 ? core.high : core.low, std::copysign(1.0, along), direction, patch);
  if (std::abs(along) > leaning) return add(best, 0, patch);
  const Vec3 side = core.position + core.extent.x() * unit_across(core.axis, direction, upright);
  side_line(side + core.low * core.axis, side + core.high * core.axis, patch);
}

void patch_of_cone(const Core& core, const Vec3& direction, const Vec3& best, Patch& patch) {
  const double along = core.axis.dot(direction);
  if (-along >= facing) return cap(core, core.low, -1.0, direction, patch);
  const Vec3 across = direction - along * core.axis;
  const double height = core.high - core.low, slant = std::hypot(height, core.extent.x());
  if (across.norm() > upright) {
    const Vec3 side = unit_across(core.axis, direction, upright);
    const Vec3 normal = (height * side + core.extent.x() * core.axis) / slant;
    if (normal.dot(direction) >= facing) {
      return side_line(core.position + core.low * core.axis + core.extent.x() * side,
                       core.position + core.high * core.axis, patch);
    }
  }
  add(best, 0, patch);
}

}  // namespace

void find_patch(const Core& core, const Vec3& direction, const Vec3& best, Patch& patch) {
  patch.count = 0;
  patch.is_flat = false;
  patch.radius = 0.0;
  switch (core.kind) {
    case Core::Kind::box:
      return face_of_box(core, direction, patch);
    case Core::Kind::polytope:
      return face_of_polytope(core, direction, patch);
    case Core::Kind::cylinder:
      return patch_of_cylinder(core, direction, best, patch);
    case Core::Kind::cone:
      return patch_of_cone(core, direction, best, patch);
    case Core::Kind::segment:
      if (std::abs(core.axis.dot(direction)) > leaning) return add(best, 0, patch);
      return side_line(core.position + core.low * core.axis, core.position + core.high * core.axis, patch);
    case Core::Kind::point:
    case Core::Kind::ellipsoid:
    default:
      add(best, 0, patch);
  }
}

}  // namespace stiction
