#include <algorithm>
#include <cmath>

#include "stiction/model/assembly.h"
#include "stiction/model/joint_structure.h"
#include "stiction/model/message.h"

namespace stiction {
namespace {

/// How far apart, in metres and relative to the numbers' size, two anchors may be that a user means to be one point.
constexpr double meeting_tolerance = 1e-6;

const char* name_of(JointKind kind) {
  switch (kind) {
    case JointKind::fixed:
      return "fixed";
    case JointKind::revolute:
      return "revolute";
    case JointKind::prismatic:
      return "prismatic";
    case JointKind::spherical:
      return "spherical";
    case JointKind::distance:
      return "distance";
  }
  return "";
}

/// A joint's frames in the bodies, from what was given in the world.
struct Frames {
  Pose a, b;
  Vec3 anchor, partner_anchor;  ///< World.

  [[nodiscard]] Vec3 anchor_a() const { return a.to_local(anchor); }
  [[nodiscard]] Vec3 anchor_b() const { return b.to_local(partner_anchor); }
  [[nodiscard]] Vec3 turned_a(const Vec3& direction) const { return a.orientation.conjugate() * direction; }
  [[nodiscard]] Vec3 turned_b(const Vec3& direction) const { return b.orientation.conjugate() * direction; }
};

using Parts = std::vector<ConstraintPart>;

void add_point(const Frames& f, Parts& parts) {
  for (int axis = 0; axis < 3; ++axis) parts.emplace_back(PointPart{f.anchor_a(), f.anchor_b(), axis});
}

void add_perpendicular(const Frames& f, const Vec3& u, const Vec3& w, Parts& parts) {
  parts.emplace_back(PerpendicularPart{f.turned_a(u), f.turned_b(w)});
}

/// No relative rotation: each of the three is, near zero, the angle about one axis.
void add_orientation(const Frames& f, Parts& parts) {
  for (int i = 0; i < 3; ++i) add_perpendicular(f, Vec3::Unit(i), Vec3::Unit((i + 1) % 3), parts);
}

/// Two unit vectors that make a frame with the axis. One is the world's z where the axis lies in the plane x, y, so
/// that planar bodies lose that row.
std::array<Vec3, 2> across(const Vec3& axis) {
  int least = 2;
  for (int i : {1, 0}) {
    if (std::abs(axis[i]) < std::abs(axis[least])) least = i;
  }
  const Vec3 first = Vec3::Unit(least).cross(axis).normalized();
  return {first, axis.cross(first)};
}

Parts parts_of(const JointDef& def, const Frames& f) {
  Parts parts;
  const Vec3 axis = def.axis.stableNormalized();
  switch (def.kind) {
    case JointKind::fixed:
      add_point(f, parts);
      add_orientation(f, parts);
      break;
    case JointKind::revolute:
      add_point(f, parts);
      for (const Vec3& w : across(axis)) add_perpendicular(f, axis, w, parts);
      break;
    case JointKind::prismatic:
      for (const Vec3& w : across(axis)) parts.emplace_back(PlanePart{f.anchor_a(), f.anchor_b(), f.turned_b(w)});
      add_orientation(f, parts);
      break;
    case JointKind::spherical:
      add_point(f, parts);
      break;
    case JointKind::distance:
      parts.emplace_back(
          DistancePart{f.anchor_a(), f.anchor_b(), def.length.value_or((f.anchor - f.partner_anchor).norm())});
      break;
  }
  return parts;
}

std::optional<Error> check_frames(const std::string& where, const JointDef& def) {
  if (auto error = need_finite(where, "anchor", def.anchor)) return error;
  if (auto error = need_finite(where, "axis", def.axis)) return error;
  if (def.partner_anchor) {
    if (auto error = need_finite(where, "partner_anchor", *def.partner_anchor)) return error;
  }
  if (def.kind == JointKind::distance) {
    if (!def.partner_anchor) return error_at(where, "a distance joint needs partner_anchor too");
    return need_positive(where, "length", def.length.value_or((def.anchor - *def.partner_anchor).norm()));
  }
  if (def.length) return error_at(where, "length belongs to distance joints; remove it");
  const bool has_axis = def.kind == JointKind::revolute || def.kind == JointKind::prismatic;
  if (has_axis) {
    if (auto error = need_direction(where, "axis", def.axis)) return error;
  }
  if (!def.partner_anchor) return std::nullopt;
  Vec3 apart = def.anchor - *def.partner_anchor;
  if (def.kind == JointKind::prismatic) {
    const Vec3 axis = def.axis.stableNormalized();
    apart -= axis * axis.dot(apart);
  }
  if (apart.norm() <= meeting_tolerance * (1.0 + def.anchor.norm())) return std::nullopt;
  return error_at(where, "its frames do not meet: anchor ", def.anchor, " and partner_anchor ", *def.partner_anchor,
                  " are ", apart.norm(), " m apart", def.kind == JointKind::prismatic ? " across the axis" : "",
                  "; move a body or give one anchor");
}

}  // namespace

std::optional<Error> ModelAssembly::check_handle(const std::string& where, std::string_view what, BodyId id,
                                                 bool may_be_world) const {
  const int count = static_cast<int>(data.bodies.size());
  if (id.index >= 0 && id.index < count) return std::nullopt;
  if (id.index == -1 && may_be_world) return std::nullopt;
  if (id.index == -1) return error_at(where, what, " is missing; give a body of this model");
  return error_at(where, what, " is ", id.index, ", which is no body of this model (it has ", count, ")");
}

std::optional<Error> ModelAssembly::add_joints() {
  Names names("joint");
  for (const JointDef& def : from.joints_) {
    const int index = static_cast<int>(data.joints.size());
    Result<std::string> name = names.claim(def.name, index);
    if (!name) return Error{name.error()};
    data.joints.push_back(
        {.name = name.value(), .kind = def.kind, .body = def.body.index, .partner = def.partner.index});
    if (auto error = add_joint(def, index)) return error;
  }
  return std::nullopt;
}

std::optional<Error> ModelAssembly::add_joint(const JointDef& def, int index) {
  Joint& joint = data.joints[index];
  const std::string where = called("joint", joint.name);
  if (auto error = check_handle(where, "body", def.body, false)) return error;
  if (auto error = check_handle(where, "partner", def.partner, true)) return error;
  const Body* a = body(def.body.index);
  const Body* b = body(def.partner.index);
  if (a == b) return error_at(where, "joins ", called("body", a->name), " to itself; give two bodies");
  if (!a->movable() && (b == nullptr || !b->movable())) {
    return error_at(where, "joins two bodies that no force moves; make one of them movable");
  }
  if (auto error = check_frames(where, def)) return error;
  const bool own_anchor = def.kind == JointKind::distance;
  const Frames frames{a->pose, b == nullptr ? Pose{} : b->pose, def.anchor,
                      own_anchor ? *def.partner_anchor : def.anchor};
  for (const ConstraintPart& part : parts_of(def, frames)) {
    const PartStructure structure = structure_of(part, a, b);
    if (structure.free_motion) {
      joint.parts.push_back(part);
    } else if (structure.kinematic_motion) {
      return error_at(where, "a ", name_of(def.kind),
                      " joint cannot hold here: the kinematic body moves in a way that ",
                      called("body", (a->movable() ? a : b)->name), " is not free to follow");
    }
  }
  return std::nullopt;
}

}  // namespace stiction
