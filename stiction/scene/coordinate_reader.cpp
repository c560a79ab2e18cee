#include "stiction/scene/coordinate_reader.h"

#include <array>
#include <cmath>
#include <numbers>

namespace stiction::scene {

namespace {

constexpr std::array<std::string_view, 6> coordinate_keys{"limits",   "restitution", "one_way",
                                                          "friction", "motor",       "servo"};
constexpr std::array<std::string_view, 2> motor_keys{"velocity", "max_force"};
constexpr std::array<std::string_view, 4> servo_keys{"position", "stiffness", "damping", "max_force"};

/// Of an angle's range: this much of the turn must be left, rad.
constexpr double least_rest = 1e-3;

/// A number, or a formula of t in quotes.
TimeFormula read_target(const ObjectReader& object, std::string_view key, const Range& range, bool required) {
  const auto spot = required ? object.require(key, range.what) : object.find(key);
  if (!spot) return {};
  const std::string* text = spot->value().text();
  if (text == nullptr) return read_number(*spot, range, object.mistakes()).value_or(0.0);
  auto formula = Expression::parse(*text, time_variables);
  if (!formula) {
    spot->refuse(MistakeKind::meaning, "the formula: " + formula.error() + "; expected one of `t`", object.mistakes());
    return {};
  }
  TimeFormula target(std::move(formula).value());
  if (!target.is_constant() || std::isfinite(target.value(0.0))) return target;
  spot->refuse(MistakeKind::meaning, "the formula is not finite, expected " + std::string(range.what),
               object.mistakes());
  return {};
}

MotorDef read_motor(const Spot& spot, bool is_angle, Mistakes& mistakes) {
  const ObjectReader object(spot, "a motor", motor_keys, mistakes);
  MotorDef motor;
  motor.velocity = read_target(object, "velocity", is_angle ? angular_velocity_range : velocity_range, true);
  motor.max_force = object.number("max_force", is_angle ? max_torque_range : max_force_range).value_or(motor.max_force);
  return motor;
}

ServoDef read_servo(const Spot& spot, bool is_angle, Mistakes& mistakes) {
  const ObjectReader object(spot, "a servo", servo_keys, mistakes);
  ServoDef servo;
  servo.position = read_target(object, "position", is_angle ? angle_range : coordinate_range, true);
  servo.stiffness =
      object.required_number("stiffness", is_angle ? turn_stiffness_range : stiffness_range).value_or(0.0);
  servo.damping = object.number("damping", is_angle ? turn_damping_range : damping_range).value_or(0.0);
  servo.max_force = object.number("max_force", is_angle ? max_torque_range : max_force_range).value_or(servo.max_force);
  if (object.has("stiffness") && servo.stiffness == 0.0 && servo.damping == 0.0)
    object.refuse("stiffness", "found a servo without stiffness and damping, expected one of them above 0");
  return servo;
}

std::optional<std::array<double, 2>> read_limits(const ObjectReader& object, bool is_angle) {
  const auto at = object.find("limits");
  if (!at) return std::nullopt;
  const JsonValue::Array* items = at->value().array();
  if (items == nullptr || items->size() != 2) {
    at->expect("[low, high], two numbers", object.mistakes());
    return std::nullopt;
  }
  std::array<double, 2> limits{};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto number =
        read_number(Spot(*at, (*items)[i], i), is_angle ? angle_range : coordinate_range, object.mistakes());
    if (!number) return std::nullopt;
    limits[i] = *number;
  }
  const auto [low, high] = limits;
  if (low > 0.0 || high < 0.0 || low >= high) {
    object.refuse("limits", "found [" + to_text(low) + ", " + to_text(high) +
                                "], expected the start, 0, between them: what a joint leaves free counts from there");
  } else if (is_angle && high - low > 2.0 * std::numbers::pi - least_rest) {
    object.refuse("limits",
                  "the limits are " + to_text(high - low) +
                      " rad apart, expected less than one turn, since a pose knows an angle up to whole turns");
  }
  return limits;
}

}  // namespace

CoordinateDef read_coordinate(const ObjectReader& object, bool is_angle) {
  CoordinateDef def;
  def.limits = read_limits(object, is_angle);
  def.restitution = object.number("restitution", restitution_range).value_or(0.0);
  if (object.has("restitution") && !object.has("limits"))
    object.refuse("restitution", "there are no `limits` to bounce at, expected both or neither");
  if (!def.limits) def.restitution = 0.0;
  def.one_way = object.boolean("one_way").value_or(false);
  def.friction = object.number("friction", is_angle ? friction_torque_range : friction_force_range).value_or(0.0);
  object.refuse_both("motor", "servo");
  if (const auto at = object.find("motor")) def.motor = read_motor(*at, is_angle, object.mistakes());
  if (const auto at = object.find("servo")) def.servo = read_servo(*at, is_angle, object.mistakes());
  return def;
}

CoordinateDef read_coordinate_at(const ObjectReader& object, std::string_view key, bool is_angle) {
  const auto at = object.find(key);
  if (!at) return {};
  const ObjectReader coordinate(*at, is_angle ? "a turn" : "a slide", coordinate_keys, object.mistakes());
  return coordinate.ok() ? read_coordinate(coordinate, is_angle) : CoordinateDef{};
}

}  // namespace stiction::scene
