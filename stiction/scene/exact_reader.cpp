#include "stiction/scene/exact_reader.h"

#include <array>
#include <cmath>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace stiction::scene {

namespace {

constexpr std::size_t most_motions = 100'000;
constexpr std::array<std::string_view, 6> exact_keys{"body", "position", "velocity",
                                                     "turn", "axis",     "angular_velocity"};

/// A number, or a formula of t as a string.
std::optional<TimeFormula> read_formula(const Spot& spot, const Range& range, Mistakes& mistakes) {
  const std::string* text = spot.value().text();
  if (text == nullptr) {
    const auto number = read_number(spot, range, mistakes);
    return number ? std::optional(TimeFormula(*number)) : std::nullopt;
  }
  auto parsed = Expression::parse(*text, time_variables);
  if (!parsed) {
    spot.refuse(MistakeKind::meaning, "the formula: " + parsed.error() + "; expected one of `t`", mistakes);
    return std::nullopt;
  }
  return TimeFormula(std::move(parsed).value());
}

std::optional<ExactMotion::Formulas> read_formulas(const ObjectReader& object, std::string_view key,
                                                   const Range& range) {
  const auto spot = object.find(key);
  if (!spot) return std::nullopt;
  const JsonValue::Array* items = spot->value().array();
  if (items == nullptr || items->size() != 3) {
    spot->expect("[x, y, z], each " + std::string(range.what) + " or a formula of `t` in quotes", object.mistakes());
    return std::nullopt;
  }
  ExactMotion::Formulas formulas;
  for (std::size_t i = 0; i < 3; ++i) {
    auto formula = read_formula(Spot(*spot, (*items)[i], i), range, object.mistakes());
    if (!formula) return std::nullopt;
    formulas[i] = std::move(*formula);
  }
  return formulas;
}

std::optional<ExactMotion> read_exact(const Spot& spot, const BodyIndex& bodies, Mistakes& mistakes) {
  const ObjectReader object(spot, "an exact motion", exact_keys, mistakes);
  if (!object.ok()) return std::nullopt;
  ExactMotion motion;
  const auto body = bodies.body(object, "body");
  motion.position = read_formulas(object, "position", coordinate_range);
  motion.velocity = read_formulas(object, "velocity", velocity_range);
  if (const auto at = object.find("turn")) motion.turn = read_formula(*at, angle_range, mistakes);
  motion.axis = object.direction("axis").value_or(Vec3::UnitZ());
  motion.angular_velocity = read_formulas(object, "angular_velocity", angular_velocity_range);
  if (!object.has("position") && !object.has("turn"))
    spot.refuse(MistakeKind::structure, "found neither `position` nor `turn`, expected at least one", mistakes);
  if (!body) return std::nullopt;
  motion.body = *body;
  if (!bodies.is_movable(*body))
    object.refuse("body", "`" + bodies.name(*body) + "` is not moved by forces, expected a body that is");
  return motion;
}

}  // namespace

void read_exact_motions(const ObjectReader& document, const BodyIndex& bodies, Description& description) {
  Mistakes& mistakes = document.mistakes();
  std::unordered_set<int> known;
  document.for_each("exact", "exact motions", most_motions, [&](const Spot& spot, std::size_t /*index*/) {
    auto motion = read_exact(spot, bodies, mistakes);
    if (!motion) return;
    if (!known.insert(motion->body.index).second)
      spot.refuse(MistakeKind::meaning,
                  "the motion of `" + bodies.name(motion->body) + "` is given twice, expected each body once",
                  mistakes);
    description.exact.push_back(std::move(*motion));
  });
}

}  // namespace stiction::scene
