#include "stiction/model/joint_parts.h"

#include <cmath>
#include <numbers>

namespace stiction {
namespace {

using Parts = std::vector<ConstraintPart>;

void add_point(const JointFrames& f, Parts& parts) {
  for (int axis = 0; axis < 3; ++axis) parts.emplace_back(PointPart{f.anchor_a(), f.anchor_b(), axis});
}

void add_perpendicular(const JointFrames& f, const Vec3& u, const Vec3& w, Parts& parts) {
  parts.emplace_back(PerpendicularPart{f.turned_a(u), f.turned_b(w)});
}

/// No relative rotation: each of the three is, near zero, the angle about one axis.
void add_orientation(const JointFrames& f, Parts& parts) {
  for (int i = 0; i < 3; ++i) add_perpendicular(f, Vec3::Unit(i), Vec3::Unit((i + 1) % 3), parts);
}

/// The axis of a stays along that of b.
void add_alignment(const JointFrames& f, const Vec3& axis, Parts& parts) {
  for (const Vec3& w : across(axis)) add_perpendicular(f, axis, w, parts);
}

/// The anchor of a stays on the axis of b.
void add_line(const JointFrames& f, const Vec3& axis, Parts& parts) {
  for (const Vec3& w : across(axis)) parts.emplace_back(PlanePart{f.anchor_a(), f.anchor_b(), f.turned_b(w)});
}

GearPart gear_of(const JointDef& def, const JointFrames& f) {
  const Vec3 axis = def.axis.stableNormalized(), partner_axis = def.partner_axis.value_or(def.axis).stableNormalized();
  GearPart gear{.angle_a = angle_about(axis, f.a, f.c), .angle_b = angle_about(partner_axis, f.b, f.c)};
  if (def.teeth) {
    const auto [mine, others] = *def.teeth;
    gear.ratio = -static_cast<double>(others) / mine;
    gear.period = 2.0 * std::numbers::pi / std::abs(mine);
  } else {
    gear.ratio = def.ratio.value_or(1.0);
  }
  return gear;
}

/// Touches the plane, and does not slip in its two directions.
void add_rolling(const JointDef& def, const JointFrames& f, Parts& parts) {
  const Vec3 normal = def.normal.stableNormalized();
  RollingGeometry rolling{.centre_a = f.anchor_a(), .normal_b = f.turned_b(normal), .radius = *def.radius};
  if (def.kind == JointKind::rolling_disc) rolling.axis_a = f.turned_a(def.axis.stableNormalized());
  rolling.plane_b = f.b.to_local(rolling_point(rolling, f.a, f.b));
  parts.emplace_back(TouchPart{rolling});
  for (const Vec3& direction : across(normal)) parts.emplace_back(SlipPart{rolling, f.turned_b(direction)});
}

}  // namespace

std::array<Vec3, 2> across(const Vec3& axis) {
  int least = 2;
  for (int i : {1, 0}) {
    if (std::abs(axis[i]) < std::abs(axis[least])) least = i;
  }
  const Vec3 first = Vec3::Unit(least).cross(axis).normalized();
  return {first, axis.cross(first)};
}

AngleCoordinate angle_about(const Vec3& axis, const Pose& a, const Pose& b) {
  const auto [x, y] = across(axis);
  return {a.orientation.conjugate() * x, b.orientation.conjugate() * x, b.orientation.conjugate() * y};
}

SlideCoordinate slide_along(const Vec3& axis, const Vec3& point, const Pose& a, const Pose& b) {
  return {a.to_local(point), b.to_local(point), b.orientation.conjugate() * axis};
}

Parts parts_of(const JointDef& def, const JointFrames& f) {
  Parts parts;
  const Vec3 axis = def.axis.stableNormalized();
  switch (def.kind) {
    case JointKind::fixed:
      add_point(f, parts);
      add_orientation(f, parts);
      break;
    case JointKind::revolute:
      add_point(f, parts);
      add_alignment(f, axis, parts);
      break;
    case JointKind::prismatic:
      add_line(f, axis, parts);
      add_orientation(f, parts);
      break;
    case JointKind::spherical:
      add_point(f, parts);
      break;
    case JointKind::distance:
      parts.emplace_back(
          DistancePart{f.anchor_a(), f.anchor_b(), def.length.value_or((f.anchor - f.partner_anchor).norm())});
      break;
    case JointKind::universal:
      add_point(f, parts);
      add_perpendicular(f, axis, def.partner_axis->stableNormalized(), parts);
      break;
    case JointKind::cylindrical:
      add_line(f, axis, parts);
      add_alignment(f, axis, parts);
      break;
    case JointKind::planar:
      parts.emplace_back(PlanePart{f.anchor_a(), f.anchor_b(), f.turned_b(axis)});
      add_alignment(f, axis, parts);
      break;
    case JointKind::gear:
      parts.emplace_back(gear_of(def, f));
      break;
    case JointKind::rack:
      parts.emplace_back(RackPart{angle_about(axis, f.a, f.c),
                                  slide_along(def.partner_axis->stableNormalized(), f.b.position, f.b, f.c),
                                  *def.radius});
      break;
    case JointKind::rope:
      break;
    case JointKind::rolling_ball:
    case JointKind::rolling_disc:
      add_rolling(def, f, parts);
      break;
    case JointKind::knife_edge:
      if (!def.one_way) parts.emplace_back(EdgePart{f.anchor_a(), f.turned_a(axis)});
      break;
  }
  return parts;
}

}  // namespace stiction
