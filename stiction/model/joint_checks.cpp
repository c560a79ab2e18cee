#include "stiction/model/joint_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "stiction/model/coordinate_checks.h"
#include "stiction/model/message.h"

namespace stiction {
namespace {

/// How far apart, in metres and relative to the numbers' size, two anchors may be that a user means to be one point; of
/// axes that are meant to be perpendicular, how far in radians.
constexpr double meeting_tolerance = 1e-6;

bool is_one_of(JointKind kind, std::initializer_list<JointKind> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

std::optional<Error> check_unused(const std::string& where, const JointDef& def) {
  using enum JointKind;
  struct Use {
    bool is_given;
    std::string_view what;
    bool is_used;
    std::string_view by;
  };
  const JointKind kind = def.kind;
  const std::array<Use, 13> uses{{
      {def.length.has_value(), "length", is_one_of(kind, {distance, rope}), "distance joints and ropes"},
      {def.partner_axis.has_value(), "partner_axis", is_one_of(kind, {universal, gear, rack}),
       "universal joints, gears and racks"},
      {!(def.carrier == world), "carrier", is_one_of(kind, {gear, rack}), "gears and racks"},
      {def.ratio.has_value(), "ratio", is_one_of(kind, {gear}), "gears"},
      {def.teeth.has_value(), "teeth", is_one_of(kind, {gear}), "gears"},
      {def.radius.has_value(), "radius", is_one_of(kind, {rack, rolling_ball, rolling_disc}), "racks and rolling"},
      {def.restitution != 0.0, "restitution", is_one_of(kind, {rope}), "ropes, and to limits"},
      {def.one_way, "one_way", is_one_of(kind, {knife_edge}), "knife edges, and to what a joint leaves free"},
      {def.break_force.has_value(), "break_force", is_one_of(kind, {fixed}), "fixed joints"},
      {def.break_torque.has_value(), "break_torque", is_one_of(kind, {fixed}), "fixed joints"},
      {def.friction != 0.0, "friction", is_one_of(kind, {spherical}),
       "spherical joints, and to what others leave free"},
      {!def.slide.is_plain(), "slide", has_slide(kind), "prismatic and cylindrical joints"},
      {!def.turn.is_plain(), "turn", has_turn(kind), "revolute and cylindrical joints"},
  }};
  for (const Use& use : uses) {
    if (use.is_given && !use.is_used) return error_at(where, use.what, " belongs to ", use.by, "; remove it");
  }
  return std::nullopt;
}

std::optional<Error> check_plane(const std::string& where, const JointDef& def) {
  if (auto error = need_finite(where, "normal", def.normal)) return error;
  if (auto error = need_direction(where, "normal", def.normal)) return error;
  if (def.kind == JointKind::rolling_ball) return std::nullopt;
  const double sine = def.axis.stableNormalized().cross(def.normal.stableNormalized()).norm();
  if (sine > 1e-3) return std::nullopt;
  return error_at(where, "the disc lies flat on the plane, where nothing rolls; stand it up, or change axis or normal");
}

std::optional<Error> check_axes(const std::string& where, const JointDef& def) {
  using enum JointKind;
  if (auto error = need_finite(where, "axis", def.axis)) return error;
  if (!is_one_of(def.kind, {fixed, spherical, distance, rope, rolling_ball})) {
    if (auto error = need_direction(where, "axis", def.axis)) return error;
  }
  if (def.partner_axis) {
    if (auto error = need_finite(where, "partner_axis", *def.partner_axis)) return error;
    if (auto error = need_direction(where, "partner_axis", *def.partner_axis)) return error;
  } else if (is_one_of(def.kind, {universal, rack})) {
    return error_at(where, "partner_axis is missing; a ", to_string(def.kind), " joint has two axes");
  }
  if (is_one_of(def.kind, {rolling_ball, rolling_disc})) return check_plane(where, def);
  if (def.kind != universal) return std::nullopt;
  const double slant = def.axis.stableNormalized().dot(def.partner_axis->stableNormalized());
  if (std::abs(slant) <= meeting_tolerance) return std::nullopt;
  return error_at(where, "axis and partner_axis must be perpendicular; the cosine between them is ", slant);
}

std::optional<Error> check_gear(const std::string& where, const JointDef& def) {
  if (def.ratio.has_value() == def.teeth.has_value()) {
    return error_at(where, "a gear needs either teeth or a ratio", def.teeth ? ", not both" : "");
  }
  if (def.ratio && !(std::isfinite(*def.ratio) && *def.ratio != 0.0)) {
    return error_at(where, "ratio must be finite and not zero, is ", *def.ratio);
  }
  if (def.teeth && ((*def.teeth)[0] == 0 || (*def.teeth)[1] == 0)) {
    return error_at(where, "teeth must not be zero; a wheel toothed inside has a negative number");
  }
  return std::nullopt;
}

/// The part of the distance between the anchors that the joint does not leave free.
Vec3 held_part(const JointDef& def) {
  const Vec3 axis = def.axis.stableNormalized();
  Vec3 apart = def.anchor - *def.partner_anchor, along = axis * axis.dot(apart);
  if (def.kind == JointKind::planar) return along;
  if (is_one_of(def.kind, {JointKind::prismatic, JointKind::cylindrical})) return apart - along;
  return apart;
}

std::optional<Error> check_anchors(const std::string& where, const JointDef& def) {
  if (auto error = need_finite(where, "anchor", def.anchor)) return error;
  if (def.partner_anchor) {
    if (auto error = need_finite(where, "partner_anchor", *def.partner_anchor)) return error;
  }
  if (is_one_of(def.kind, {JointKind::distance, JointKind::rope})) {
    if (!def.partner_anchor) return error_at(where, "a ", to_string(def.kind), " joint needs partner_anchor too");
    return need_positive(where, "length", def.length.value_or((def.anchor - *def.partner_anchor).norm()));
  }
  using enum JointKind;
  const bool has_one = is_one_of(def.kind, {gear, rack, rolling_ball, rolling_disc, knife_edge});
  if (!def.partner_anchor || has_one) return std::nullopt;
  const double gap = held_part(def).norm();
  if (gap <= meeting_tolerance * (1.0 + def.anchor.norm())) return std::nullopt;
  const bool has_line = is_one_of(def.kind, {JointKind::prismatic, JointKind::cylindrical});
  const char* how = has_line ? " across the axis" : def.kind == JointKind::planar ? " along the axis" : "";
  return error_at(where, "its frames do not meet: anchor ", def.anchor, " and partner_anchor ", *def.partner_anchor,
                  " are ", gap, " m apart", how, "; move a body or give one anchor");
}

std::string named(const Body* body) {
  return body == nullptr ? "the world" : called("body", body->name);
}

}  // namespace

std::string_view to_string(JointKind kind) {
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
    case JointKind::universal:
      return "universal";
    case JointKind::cylindrical:
      return "cylindrical";
    case JointKind::planar:
      return "planar";
    case JointKind::gear:
      return "gear";
    case JointKind::rack:
      return "rack";
    case JointKind::rope:
      return "rope";
    case JointKind::rolling_ball:
      return "rolling_ball";
    case JointKind::rolling_disc:
      return "rolling_disc";
    case JointKind::knife_edge:
      return "knife_edge";
  }
  return "";
}

std::optional<Error> check_joint(const std::string& where, const JointDef& def) {
  using enum JointKind;
  if (auto error = check_axes(where, def)) return error;
  if (auto error = check_anchors(where, def)) return error;
  if (auto error = check_unused(where, def)) return error;
  if (auto error = check_restitution(where, def.restitution)) return error;
  if (auto error = need_positive(where, "break_force", def.break_force.value_or(1.0))) return error;
  if (auto error = need_positive(where, "break_torque", def.break_torque.value_or(1.0))) return error;
  if (auto error = need_not_negative(where, "friction", def.friction)) return error;
  if (auto error = check_coordinate(where + ", slide", def.slide, false)) return error;
  if (auto error = check_coordinate(where + ", turn", def.turn, true)) return error;
  if (def.kind == gear) return check_gear(where, def);
  if (is_one_of(def.kind, {rack, rolling_ball, rolling_disc})) {
    return need_positive(where, "radius", def.radius.value_or(0.0));
  }
  return std::nullopt;
}

std::optional<Error> check_joint_bodies(const std::string& where, const JointDef& def, const JointBodies& bodies) {
  const bool is_gear = def.kind == JointKind::gear, is_rack = def.kind == JointKind::rack;
  if (!is_gear && !is_rack) return std::nullopt;
  if (bodies.c != nullptr && (bodies.c == bodies.a || bodies.c == bodies.b)) {
    return error_at(where, "its carrier is ", named(bodies.c), ", which is geared itself; give a third body");
  }
  const auto turns = [&](const Body* body, const Vec3& axis) {
    return turns_about(body, axis) || turns_about(bodies.c, axis);
  };
  if (!turns(bodies.a, def.axis)) {
    return error_at(where, named(bodies.a), " cannot turn about axis; free it, or give the axis that it turns about");
  }
  const Vec3 axis = def.partner_axis.value_or(def.axis);
  if (is_gear && !turns(bodies.b, axis)) {
    return error_at(where, named(bodies.b),
                    " cannot turn about partner_axis; free it, or give the axis that it turns about");
  }
  if (is_rack && !slides_along(bodies.b, axis) && !slides_along(bodies.c, axis)) {
    return error_at(where, named(bodies.b), " cannot travel along partner_axis; free it, or give its direction");
  }
  return std::nullopt;
}

}  // namespace stiction
