#include "stiction/scene/joint_reader.h"

#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "stiction/scene/coordinate_reader.h"
#include "stiction/scene/joint_keys.h"

namespace stiction::scene {

namespace {

constexpr std::string_view point_words = "[x, y, z] in m, in the world's frame at the start";

std::optional<Vec3> read_anchor(const ObjectReader& object, std::string_view key, bool required) {
  const auto at = required ? object.require(key, point_words) : object.find(key);
  return at ? read_vector(*at, coordinate_range, object.mistakes()) : std::nullopt;
}

std::optional<Vec3> read_axis(const ObjectReader& object, std::string_view key, bool required) {
  const auto at = required ? object.require(key, "[x, y, z]") : object.find(key);
  return at ? read_direction(*at, object.mistakes()) : std::nullopt;
}

void check_bodies(const ObjectReader& object, const JointDef& joint, const BodyIndex& bodies) {
  if (joint.body == joint.partner) {
    object.refuse("partner", "`" + bodies.name(joint.body) + "` is joined to itself, expected another body or `world`");
  } else if (!bodies.is_movable(joint.body) && !bodies.is_movable(joint.partner)) {
    object.refuse("body", "neither `" + bodies.name(joint.body) + "` nor `" + bodies.name(joint.partner) +
                              "` is moved by forces, expected one that is");
  }
}

/// The part of the distance between the anchors that the joint does not leave free.
Vec3 held_part(const JointDef& joint) {
  Vec3 apart = *joint.partner_anchor - joint.anchor, along = joint.axis * joint.axis.dot(apart);
  if (joint.kind == JointKind::planar) return along;
  if (joint.kind == JointKind::prismatic || joint.kind == JointKind::cylindrical) return apart - along;
  return apart;
}

void check_rope(const ObjectReader& object, const JointDef& joint, double distance) {
  if (joint.length && distance > *joint.length + joint_tolerance)
    object.refuse("length", "the rope's ends are " + to_text(distance) + " m apart at the start, expected at most " +
                                to_text(*joint.length) + " m as `length` says");
  if (!joint.length && distance < length_range.low)
    object.refuse("", "the rope's ends start in one place, expected `length` to say how long it is");
}

void check_frames(const ObjectReader& object, const JointDef& joint) {
  if (!joint.partner_anchor) return;
  if (joint.kind == JointKind::rope) {
    check_rope(object, joint, (joint.anchor - *joint.partner_anchor).norm());
    return;
  }
  const double distance = held_part(joint).norm();
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

std::optional<std::array<int, 2>> read_teeth(const ObjectReader& object) {
  const auto at = object.find("teeth");
  if (!at) return std::nullopt;
  const JsonValue::Array* items = at->value().array();
  if (items == nullptr || items->size() != 2) {
    at->expect("the teeth of the body and of the partner, two whole numbers", object.mistakes());
    return std::nullopt;
  }
  std::array<int, 2> teeth{};
  for (std::size_t i = 0; i < 2; ++i) {
    const Spot spot(*at, (*items)[i], i);
    const auto number = read_whole_number(spot, teeth_range, object.mistakes());
    if (!number) return std::nullopt;
    if (*number == 0)
      spot.refuse(MistakeKind::meaning, "found 0, expected a number of teeth, negative for a wheel toothed inside",
                  object.mistakes());
    teeth[i] = *number;
  }
  return teeth;
}

void read_gear(const ObjectReader& object, JointDef& joint) {
  joint.teeth = read_teeth(object);
  joint.ratio = object.number("ratio", ratio_range);
  if (joint.ratio == 0.0) object.refuse("ratio", "found 0, expected the turns of the body for one of the partner");
  object.refuse_both("teeth", "ratio");
  if (!object.has("teeth") && !object.has("ratio"))
    object.spot().refuse(MistakeKind::structure, "found neither `teeth` nor `ratio`, expected one of them",
                         object.mistakes());
}

/// What the carrier is: a body by name, or the world.
void read_carrier(const ObjectReader& object, const BodyIndex& bodies, JointDef& joint) {
  const auto at = object.find("carrier");
  if (!at) return;
  if (const std::string* text = at->value().text(); text != nullptr && *text == world_name) return;
  joint.carrier = bodies.find(*at, object.mistakes()).value_or(world);
}

/// What a joint leaves free: in the joint where that is one thing, in objects of their own where it is two.
void read_free(const ObjectReader& object, JointDef& joint) {
  if (joint.kind == JointKind::revolute) joint.turn = read_coordinate(object, true);
  if (joint.kind == JointKind::prismatic) joint.slide = read_coordinate(object, false);
  if (joint.kind == JointKind::cylindrical) {
    joint.slide = read_coordinate_at(object, "slide", false);
    joint.turn = read_coordinate_at(object, "turn", true);
  }
  if (joint.kind == JointKind::fixed) {
    joint.break_force = object.number("break_force", break_force_range);
    joint.break_torque = object.number("break_torque", break_torque_range);
  }
  if (joint.kind == JointKind::spherical)
    joint.friction = object.number("friction", friction_torque_range).value_or(0.0);
  if (joint.kind == JointKind::rope) joint.restitution = object.number("restitution", restitution_range).value_or(0.0);
  if (joint.kind == JointKind::knife_edge) joint.one_way = object.boolean("one_way").value_or(false);
}

void check_axes(const ObjectReader& object, const JointDef& joint) {
  if (joint.kind == JointKind::rolling_disc && joint.axis.cross(joint.normal).norm() <= 1e-3)
    object.refuse("axis", "the disc lies flat on the plane, expected `axis` to point away from `normal`");
  if (joint.kind != JointKind::universal || !joint.partner_axis) return;
  const double cosine = joint.axis.dot(*joint.partner_axis);
  if (std::abs(cosine) > joint_tolerance)
    object.refuse("partner_axis", "the cosine between `axis` and `partner_axis` is " + to_text(cosine) +
                                      ", expected perpendicular axes");
}

}  // namespace

std::optional<JointDef> read_joint(const Spot& spot, const BodyIndex& bodies, Mistakes& mistakes) {
  const auto type = read_type(spot, "a joint", joint_types, mistakes);
  if (!type) return std::nullopt;
  const JointKeys& known = joint_keys[*type];
  JointDef joint;
  joint.kind = known.kind;
  const ObjectReader object(spot, "a joint of type `" + std::string(joint_types[*type]) + "`", known.keys, mistakes);
  if (const auto name = object.find("name")) joint.name = read_name(*name, mistakes).value_or("");
  const auto body = bodies.body(object, "body");
  const auto partner = known.needs("partner") ? bodies.body(object, "partner") : bodies.partner(object);
  joint.collide = object.boolean("collide").value_or(false);
  const auto anchor = read_anchor(object, "anchor", known.needs("anchor"));
  joint.partner_anchor = read_anchor(object, "partner_anchor", false);
  joint.axis = read_axis(object, "axis", known.needs("axis")).value_or(Vec3::UnitZ());
  joint.partner_axis = read_axis(object, "partner_axis", known.needs("partner_axis"));
  joint.length = object.number("length", length_range);
  joint.radius = known.needs("radius") ? object.required_number("radius", length_range) : std::nullopt;
  if (known.needs("normal")) joint.normal = read_axis(object, "normal", true).value_or(Vec3::UnitZ());
  if (joint.kind == JointKind::gear) read_gear(object, joint);
  read_free(object, joint);
  read_carrier(object, bodies, joint);

  if (!body || !partner) return std::nullopt;
  joint.body = *body;
  joint.partner = *partner;
  joint.anchor = anchor.value_or(bodies.position(*body));
  const bool has_two_ends = joint.kind == JointKind::distance || joint.kind == JointKind::rope;
  const bool lacks_end = has_two_ends && !object.has("partner_anchor") && *partner == world;
  if (lacks_end)
    object.refuse("", "`partner_anchor` is missing, expected " + std::string(point_words) + ", for a " +
                          std::string(joint_types[*type]) + " to the world");
  if (has_two_ends && !object.has("partner_anchor")) joint.partner_anchor = bodies.position(*partner);
  check_bodies(object, joint, bodies);
  check_axes(object, joint);
  if (!lacks_end) check_frames(object, joint);
  return joint;
}

}  // namespace stiction::scene
