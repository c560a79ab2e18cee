#include "stiction/geometry/surface_part.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "stiction/geometry/across.h"

namespace stiction {
namespace {

using Kind = SurfacePart::Kind;

/// Of the length of a line: a place so near to its end may be the end.
constexpr double near_the_end = 1e-3;

void add(const SurfacePart& part, SurfaceParts& found) {
  found.parts[static_cast<std::size_t>(found.count++)] = part;
}

SurfacePart point(const Vec3& x, double scale) {
  SurfacePart part;
  part.base = x / scale;
  return part;
}

SurfacePart line(const Vec3& from, const Vec3& to, double scale) {
  SurfacePart part;
  part.kind = Kind::line;
  part.base = from / scale;
  part.length = (to - from).norm() / scale;
  part.axis = (to - from) / (part.length * scale);
  return part;
}

/// An edge and the end of it that is nearer.
void add_edge(const Vec3& from, const Vec3& to, const Vec3& about, double scale, SurfaceParts& found) {
  const double place = (to - from).dot(about - from) / (to - from).squaredNorm();
  add(line(from, to, scale), found);
  add(point(place < 0.5 ? from : to, scale), found);
  if (place < near_the_end || place > 1.0 - near_the_end) std::swap(found.parts[0], found.parts[1]);
}

SurfacePart rim(const Core& core, double place, double scale) {
  SurfacePart part;
  part.kind = Kind::rim;
  part.base = (core.position + place * core.axis) / scale;
  part.axis = core.axis;
  part.radius = core.extent.x() / scale;
  return part;
}

void parts_of_cylinder(const Core& core, const Vec3& about, double scale, SurfaceParts& found) {
  SurfacePart side = rim(core, core.low, scale);
  side.kind = Kind::side;
  side.length = (core.high - core.low) / scale;
  const double share = (core.axis.dot(about - core.position) - core.low) / (core.high - core.low);
  const bool inside = share > near_the_end && share < 1.0 - near_the_end;
  add(inside ? side : rim(core, share < 0.5 ? core.low : core.high, scale), found);
  add(inside ? rim(core, share < 0.5 ? core.low : core.high, scale) : side, found);
}

void parts_of_cone(const Core& core, const Vec3& about, double scale, SurfaceParts& found) {
  SurfacePart slope = rim(core, core.high, scale);
  slope.kind = Kind::slope;
  slope.height = (core.high - core.low) / scale;
  slope.length = std::hypot(slope.height, slope.radius);
  add(slope, found);
  add(rim(core, core.low, scale), found);
  add(point(core.position + core.high * core.axis, scale), found);
  const double share = (core.axis.dot(about - core.position) - core.low) / (core.high - core.low);
  if (share < near_the_end) std::swap(found.parts[0], found.parts[1]);
  if (share > 1.0 - near_the_end) std::swap(found.parts[0], found.parts[2]);
}

void parts_of_box(const Core& core, const Vec3& normal, const Vec3& about, double scale, SurfaceParts& found) {
  const Vec3 local = core.R.transpose() * (about - core.position);
  Vec3 corner = core.extent;
  for (int i = 0; i < 3; ++i) corner[i] = std::copysign(corner[i], local[i]);
  int axis = 0;
  (core.R.transpose() * normal).cwiseAbs().minCoeff(&axis);
  Vec3 other = corner;
  other[axis] = -other[axis];
  add_edge(core.position + core.R * corner, core.position + core.R * other, about, scale, found);
}

void parts_of_polytope(const Core& core, const Vec3& normal, const Vec3& about, double scale, SurfaceParts& found) {
  const Vec3 local = core.R.transpose() * (about - core.position), direction = core.R.transpose() * normal;
  const Polytope& solid = *core.solid;
  const Polytope::Edge *best = solid.edges.data(), *second = best + 1;
  double least = std::numeric_limits<double>::infinity(), next = least;
  for (const Polytope::Edge& edge : solid.edges) {
    const Vec3 from = solid.vertices[edge.from], along = solid.vertices[edge.to] - from;
    const double place = std::clamp(along.dot(local - from) / along.squaredNorm(), 0.0, 1.0);
    const double off =
        (from + place * along - local).norm() / core.size + std::abs(direction.dot(along)) / along.norm();
    if (off < least) {
      second = std::exchange(best, &edge);
      next = std::exchange(least, off);
    } else if (off < next) {
      second = &edge;
      next = off;
    }
  }
  const auto place = [&](int vertex) { return Vec3(core.position + core.R * solid.vertices[vertex]); };
  add_edge(place(best->from), place(best->to), about, scale, found);
  add(point(core.support(normal), scale), found);
  add(line(place(second->from), place(second->to), scale), found);
}

/// Of unit length, across the axis and towards the normal, and how it turns with the normal.
struct Radial {
  Vec3 out;
  Mat3 turned;
};

Radial radial(const Vec3& axis, const Vec3& normal) {
  const Vec3 out = unit_across(axis, normal, 0.0), third = axis.cross(out);
  const double length = out.dot(normal);
  return {out, length > 0.0 ? Mat3(third * third.transpose() / length) : Mat3::Zero()};
}

}  // namespace

PartPoint point_of(const SurfacePart& part, const Vec3& normal, double place) {
  PartPoint result;
  switch (part.kind) {
    case Kind::point:
      result.x = part.base;
      break;
    case Kind::line:
      result.along = part.axis;
      result.x = part.base + place * part.axis;
      break;
    case Kind::rim:
    case Kind::side: {
      const Radial r = radial(part.axis, normal);
      result.x = part.base + part.radius * r.out;
      result.turned = part.radius * r.turned;
      if (part.kind == Kind::rim) break;
      result.along = part.axis;
      result.x += place * part.axis;
      break;
    }
    case Kind::slope: {
      const Radial r = radial(part.axis, normal);
      result.along = (part.radius * r.out - part.height * part.axis) / part.length;
      result.x = part.base + place * result.along;
      result.turned = place * part.radius / part.length * r.turned;
      break;
    }
    case Kind::ellipsoid:
    default: {
      const Vec3 image = part.squares * normal;
      const double length = std::sqrt(normal.dot(image));
      result.x = part.base + image / length;
      result.turned = part.squares / length - image * image.transpose() / (length * length * length);
    }
  }
  return result;
}

void find_parts(const Core& core, const Vec3& normal, const Vec3& about, double scale, SurfaceParts& found) {
  found.count = 0;
  switch (core.kind) {
    case Core::Kind::point:
      return add(point(core.position, scale), found);
    case Core::Kind::segment:
      if (!(core.high > core.low)) return add(point(core.position, scale), found);
      return add_edge(core.position + core.low * core.axis, core.position + core.high * core.axis, about, scale, found);
    case Core::Kind::box:
      return parts_of_box(core, normal, about, scale, found);
    case Core::Kind::polytope:
      return parts_of_polytope(core, normal, about, scale, found);
    case Core::Kind::cylinder:
      return parts_of_cylinder(core, about, scale, found);
    case Core::Kind::cone:
      return parts_of_cone(core, about, scale, found);
    case Core::Kind::ellipsoid:
    default: {
      SurfacePart part = point(core.position, scale);
      part.kind = Kind::ellipsoid;
      const Vec3 half = core.extent / scale;
      part.squares = core.R * half.cwiseAbs2().asDiagonal() * core.R.transpose();
      add(part, found);
    }
  }
}

bool find_face(const Core& core, const Vec3& direction, Vec3& normal) {
  const Vec3 local = core.R.transpose() * direction;
  switch (core.kind) {
    case Core::Kind::box: {
      int axis = 0;
      local.cwiseAbs().maxCoeff(&axis);
      normal = std::copysign(1.0, local[axis]) * core.R.col(axis);
      return true;
    }
    case Core::Kind::polytope: {
      double most = -2.0;
      const Polytope::Face* best = &core.solid->faces.front();
      for (const Polytope::Face& face : core.solid->faces) {
        const double along = face.normal.dot(local);
        if (along > most) {
          most = along;
          best = &face;
        }
      }
      normal = core.R * best->normal;
      return true;
    }
    case Core::Kind::cylinder:
      normal = std::copysign(1.0, core.axis.dot(direction)) * core.axis;
      return true;
    case Core::Kind::cone:
      normal = -core.axis;
      return true;
    case Core::Kind::point:
    case Core::Kind::segment:
    case Core::Kind::ellipsoid:
    default:
      return false;
  }
}

double outside(const Core& core, const Vec3& x) {
  const Vec3 from = x - core.position;
  const Vec3 local = core.R.transpose() * from;
  const double up = core.axis.dot(from);
  switch (core.kind) {
    case Core::Kind::box:
      return (local.cwiseAbs() - core.extent).maxCoeff();
    case Core::Kind::polytope: {
      double most = -std::numeric_limits<double>::infinity();
      for (const Polytope::Face& face : core.solid->faces) most = std::max(most, face.normal.dot(local) - face.offset);
      return most;
    }
    case Core::Kind::cylinder:
      return std::max({up - core.high, core.low - up, (from - up * core.axis).norm() - core.extent.x()});
    case Core::Kind::cone: {
      const double height = core.high - core.low, radius = core.extent.x();
      const double across = (from - up * core.axis).norm();
      return std::max(core.low - up, (height * across + radius * (up - core.high)) / std::hypot(height, radius));
    }
    case Core::Kind::point:
    case Core::Kind::segment:
    case Core::Kind::ellipsoid:
    default:
      return std::numeric_limits<double>::infinity();
  }
}

}  // namespace stiction
