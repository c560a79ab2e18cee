#include "stiction/scene/force_reader.h"

#include <array>
#include <cmath>
#include <string_view>

namespace stiction::scene {

namespace {

constexpr std::array<std::string_view, 3> force_types{"spring", "force", "impulse"};
constexpr std::array<std::string_view, 9> spring_keys{"type",           "name",      "body",    "partner", "anchor",
                                                      "partner_anchor", "stiffness", "damping", "length"};
constexpr std::array<std::string_view, 6> force_keys{"type", "name", "body", "force", "torque", "point"};
constexpr std::array<std::string_view, 7> impulse_keys{"type", "name", "body", "time", "impulse", "angular_impulse",
                                                       "point"};

void check_spring(const ObjectReader& object, const SpringDef& spring, const BodyIndex& bodies) {
  if (spring.body == spring.partner)
    object.refuse("partner", "`" + bodies.name(spring.body) + "` is tied to itself, expected another body or `world`");
  if (spring.partner == world && !object.has("partner_anchor"))
    object.refuse(
        "", "`partner_anchor` is missing, expected [x, y, z] in m, in the world's frame, for a spring to the world");
  if (!bodies.is_movable(spring.body) && !bodies.is_movable(spring.partner))
    object.refuse("body", "neither `" + bodies.name(spring.body) + "` nor `" + bodies.name(spring.partner) +
                              "` is moved by forces, expected one that is");
}

std::optional<SpringDef> read_spring(const Spot& spot, const BodyIndex& bodies, Mistakes& mistakes) {
  const ObjectReader object(spot, "a spring", spring_keys, mistakes);
  SpringDef spring;
  if (const auto name = object.find("name")) spring.name = read_name(*name, mistakes).value_or("");
  const auto body = bodies.body(object, "body");
  const auto partner = bodies.partner(object);
  const auto anchor = object.vector("anchor", coordinate_range);
  const auto partner_anchor = object.vector("partner_anchor", coordinate_range);
  spring.stiffness = object.number("stiffness", stiffness_range).value_or(0.0);
  spring.damping = object.number("damping", damping_range).value_or(0.0);
  spring.length = object.number("length", rest_length_range);
  if (!object.has("stiffness") && !object.has("damping"))
    spot.refuse(MistakeKind::structure, "found neither `stiffness` nor `damping`, expected at least one", mistakes);
  if (!body || !partner) return std::nullopt;
  spring.body = *body;
  spring.partner = *partner;
  spring.anchor = anchor.value_or(bodies.position(*body));
  spring.partner_anchor = partner_anchor.value_or(bodies.position(*partner));
  check_spring(object, spring, bodies);
  return spring;
}

/// A component: a number, or a formula as a string.
std::optional<Expression> read_component(const Spot& spot, const Range& range, Mistakes& mistakes) {
  const std::string* text = spot.value().text();
  if (text == nullptr) {
    const auto number = read_number(spot, range, mistakes);
    return number ? std::optional(Expression::constant(*number)) : std::nullopt;
  }
  auto formula = Expression::parse(*text, force_variables);
  if (!formula) {
    spot.refuse(MistakeKind::meaning, "the formula: " + formula.error(), mistakes);
    return std::nullopt;
  }
  if (!formula.value().is_constant() || std::isfinite(formula.value().value({}))) return std::move(formula).value();
  spot.refuse(MistakeKind::meaning, "the formula is not finite, expected " + std::string(range.what), mistakes);
  return std::nullopt;
}

/// [x, y, z] of numbers and formulas.
VectorFormula read_load(const ObjectReader& object, std::string_view key, const Range& range) {
  const auto spot = object.find(key);
  if (!spot) return {};
  const JsonValue::Array* items = spot->value().array();
  if (items == nullptr || items->size() != 3) {
    spot->expect("[x, y, z], each " + std::string(range.what) + " or a formula in quotes", object.mistakes());
    return {};
  }
  std::array<Expression, 3> components;
  for (std::size_t i = 0; i < 3; ++i) {
    auto component = read_component(Spot(*spot, (*items)[i], i), range, object.mistakes());
    if (component) components[i] = std::move(*component);
  }
  return VectorFormula(std::move(components));
}

std::optional<ForceDef> read_applied_force(const Spot& spot, const BodyIndex& bodies, Mistakes& mistakes) {
  const ObjectReader object(spot, "a force", force_keys, mistakes);
  ForceDef force;
  if (const auto name = object.find("name")) force.name = read_name(*name, mistakes).value_or("");
  const auto body = bodies.body(object, "body");
  force.force = read_load(object, "force", force_range);
  force.torque = read_load(object, "torque", torque_range);
  force.point = object.vector("point", coordinate_range).value_or(Vec3::Zero());
  if (!object.has("force") && !object.has("torque"))
    spot.refuse(MistakeKind::structure, "found neither `force` nor `torque`, expected at least one", mistakes);
  if (!body) return std::nullopt;
  force.body = *body;
  if (!bodies.is_movable(*body))
    object.refuse("body", "`" + bodies.name(*body) + "` is not moved by forces, expected a body that is");
  return force;
}

std::optional<ImpulseDef> read_impulse(const Spot& spot, const BodyIndex& bodies, Mistakes& mistakes) {
  const ObjectReader object(spot, "an impulse", impulse_keys, mistakes);
  ImpulseDef impulse;
  if (const auto name = object.find("name")) impulse.name = read_name(*name, mistakes).value_or("");
  const auto body = bodies.body(object, "body");
  impulse.impulse = object.vector("impulse", impulse_range).value_or(Vec3::Zero());
  impulse.angular_impulse = object.vector("angular_impulse", angular_impulse_range).value_or(Vec3::Zero());
  impulse.point = object.vector("point", coordinate_range).value_or(Vec3::Zero());
  const auto time = object.number("time", impulse_time_range);
  if (!object.has("time")) object.refuse("", "`time` is missing, expected when the impulse comes, in s");
  if (!object.has("impulse") && !object.has("angular_impulse"))
    spot.refuse(MistakeKind::structure, "found neither `impulse` nor `angular_impulse`, expected at least one",
                mistakes);
  if (!body || !time) return std::nullopt;
  impulse.body = *body;
  impulse.time = *time;
  if (!bodies.is_movable(*body))
    object.refuse("body", "`" + bodies.name(*body) + "` is not moved by impulses, expected a body that is");
  return impulse;
}

}  // namespace

std::optional<AnyForce> read_force(const Spot& spot, const BodyIndex& bodies, Mistakes& mistakes) {
  const auto type = read_type(spot, "a force", force_types, mistakes);
  if (!type) return std::nullopt;
  if (*type == 0) {
    if (auto spring = read_spring(spot, bodies, mistakes)) return std::move(*spring);
    return std::nullopt;
  }
  if (*type == 2) {
    if (auto impulse = read_impulse(spot, bodies, mistakes)) return std::move(*impulse);
    return std::nullopt;
  }
  if (auto force = read_applied_force(spot, bodies, mistakes)) return std::move(*force);
  return std::nullopt;
}

}  // namespace stiction::scene
