#include "stiction/scene/joint_reader.h"

#include <array>
#include <cmath>
#include <span>
#include <string_view>

namespace stiction::scene {

namespace {

constexpr std::array<std::string_view, 5> joint_types{"fixed", "revolute", "prismatic", "spherical", "distance"};
constexpr std::array<JointKind, 5> joint_kinds{JointKind::fixed, JointKind::revolute, JointKind::prismatic,
                                               JointKind::spherical, JointKind::distance};

constexpr std::array<std::string_view, 8> axis_keys{"type",    "name",   "body",           "partner",
                                                    "collide", "anchor", "partner_anchor", "axis"};
constexpr std::array<std::string_view, 8> distance_keys{"type",    "name",   "body",           "partner",
                                                        "collide", "anchor", "partner_anchor", "length"};
constexpr auto point_keys = std::span(axis_keys).first<7>();

std::span<const std::string_view> keys_of(JointKind kind) {
  if (kind == JointKind::distance) return distance_keys;
  if (kind == JointKind::revolute || kind == JointKind::prismatic) return axis_keys;
  return point_keys;
}

constexpr std::string_view point_words = "[x, y, z] in m, in the world's frame at the start";

std::optional<Vec3> read_anchor(const ObjectReader& object, std::string_view key, bool required) {
  const auto at = required ? object.require(key, point_words) : object.find(key);
  return at ? read_vector(*at, coordinate_range, object.mistakes()) : std::nullopt;
}

void check_bodies(const ObjectReader& object, const JointDef& joint, const BodyIndex& bodies) {
  if (joint.body == joint.partner) {
    object.refuse("partner", "`" + bodies.name(joint.body) + "` is joined to itself, expected another body or `world`");
  } else if (!bodies.is_movable(joint.body) && !bodies.is_movable(joint.partner)) {
    object.refuse("body", "neither `" + bodies.name(joint.body) + "` nor `" + bodies.name(joint.partner) +
                              "` is moved by forces, expected one that is");
  }
}

void check_frames(const ObjectReader& object, const JointDef& joint) {
  if (!joint.partner_anchor) return;
  Vec3 apart = *joint.partner_anchor - joint.anchor;
  if (joint.kind == JointKind::prismatic) apart -= joint.axis * joint.axis.dot(apart);
  const double distance = apart.norm();
  if (joint.kind != JointKind::distance) {
    if (distance > joint_tolerance)
      object.refuse("partner_anchor", "the joint's frames do not meet: `anchor` and `partner_anchor` are " +
                                          to_text(distance) + " m apart, expected at most " + to_text(joint_tolerance) +
                                          " m");
    return;
  }
  if (distance < length_range.low)
    object.refuse("partner_anchor", "the two anchors of a distance joint are " + to_text(distance) +
                                        " m apart, expected a distance; a `spherical` joint holds points together");
  if (joint.length && std::abs(*joint.length - distance) > joint_tolerance)
    object.refuse("length", "the joint's frames do not meet: the anchors are " + to_text(distance) +
                                " m apart, expected " + to_text(*joint.length) + " m as `length` says, to " +
                                to_text(joint_tolerance) + " m");
}

}  // namespace

std::optional<JointDef> read_joint(const Spot& spot, const BodyIndex& bodies, Mistakes& mistakes) {
  const auto type = read_type(spot, "a joint", joint_types, mistakes);
  if (!type) return std::nullopt;
  JointDef joint;
  joint.kind = joint_kinds[*type];
  const ObjectReader object(spot, "a joint of type `" + std::string(joint_types[*type]) + "`", keys_of(joint.kind),
                            mistakes);
  if (const auto name = object.find("name")) joint.name = read_name(*name, mistakes).value_or("");
  const auto body = bodies.body(object, "body");
  const auto partner = bodies.partner(object);
  joint.collide = object.boolean("collide").value_or(false);

  const bool needs_anchor = joint.kind == JointKind::revolute || joint.kind == JointKind::spherical;
  const auto anchor = read_anchor(object, "anchor", needs_anchor);
  joint.partner_anchor = read_anchor(object, "partner_anchor", false);
  if (const auto axis = joint.kind == JointKind::prismatic ? object.require("axis", "[x, y, z]") : object.find("axis"))
    joint.axis = read_direction(*axis, mistakes).value_or(Vec3::UnitZ());
  joint.length = object.number("length", length_range);

  if (!body || !partner) return std::nullopt;
  joint.body = *body;
  joint.partner = *partner;
  joint.anchor = anchor.value_or(bodies.position(*body));
  if (joint.kind == JointKind::distance && !object.has("partner_anchor")) {
    if (*partner == world)
      object.refuse(
          "", "`partner_anchor` is missing, expected " + std::string(point_words) + ", for a distance to the world");
    joint.partner_anchor = bodies.position(*partner);
  }
  check_bodies(object, joint, bodies);
  if (!object.has("partner_anchor") || joint.partner_anchor) check_frames(object, joint);
  return joint;
}

}  // namespace stiction::scene
