#include "stiction/scene/object_reader.h"

#include <algorithm>
#include <array>
#include <string>

namespace stiction::scene {

namespace {

/// What other programs, and people, call the same thing.
struct Synonym {
  std::string_view other, ours;
};
constexpr std::array<Synonym, 24> synonyms{{
    {"friction", "mu"},
    {"friction_coefficient", "mu"},
    {"elasticity", "restitution"},
    {"e", "restitution"},
    {"bounce", "restitution"},
    {"dt", "h"},
    {"step", "h"},
    {"timestep", "h"},
    {"time_step", "h"},
    {"duration", "end"},
    {"end_time", "end"},
    {"facets", "cone"},
    {"k", "stiffness"},
    {"c", "damping"},
    {"rest_length", "length"},
    {"parent", "partner"},
    {"child", "body"},
    {"rotation", "orientation"},
    {"quaternion", "orientation"},
    {"rpy", "orientation"},
    {"omega", "angular_velocity"},
    {"static", "fixed"},
    {"dimensions", "size"},
    {"stabilization", "stabilisation"},
}};

std::string suggest(std::string_view word, std::span<const std::string_view> keys) {
  for (const auto& [other, ours] : synonyms)
    if (word == other && std::find(keys.begin(), keys.end(), ours) != keys.end())
      return "; did you mean `" + std::string(ours) + "`?";
  return did_you_mean(word, keys);
}

}  // namespace

ObjectReader::ObjectReader(const Spot& spot, std::string_view what, std::span<const std::string_view> keys,
                           Mistakes& mistakes)
    : spot_(spot), mistakes_(mistakes) {
  if (ok()) {
    check_keys(what, keys);
  } else {
    spot.expect(std::string(what) + ", an object", mistakes);
  }
}

void ObjectReader::check_keys(std::string_view what, std::span<const std::string_view> keys) const {
  for (const JsonMember& member : *spot_.value().object()) {
    if (mistakes_.full()) return;
    if (std::find(keys.begin(), keys.end(), member.key) != keys.end()) continue;
    std::string meant = suggest(member.key, keys);
    if (meant.empty()) meant = ", expected " + list_words(keys);
    mistakes_.add(MistakeKind::structure, member.key_place, spot_.pointer() + "/" + escape_key(member.key),
                  "unknown key in " + std::string(what) + meant);
  }
}

std::optional<Spot> ObjectReader::find(std::string_view key) const {
  const JsonMember* member = spot_.value().find(key);
  if (member == nullptr) return std::nullopt;
  return Spot(spot_, *member);
}

std::optional<Spot> ObjectReader::require(std::string_view key, std::string_view expectation) const {
  if (ok() && !has(key))
    spot_.refuse(MistakeKind::structure, "`" + std::string(key) + "` is missing, expected " + std::string(expectation),
                 mistakes_);
  return find(key);
}

void ObjectReader::refuse(std::string_view key, std::string message) const {
  find(key).value_or(spot_).refuse(MistakeKind::meaning, std::move(message), mistakes_);
}

void ObjectReader::refuse_both(std::string_view first, std::string_view second) const {
  const auto other = find(second);
  if (has(first) && other)
    other->refuse(MistakeKind::structure,
                  "found both `" + std::string(first) + "` and `" + std::string(second) + "`, expected one of them",
                  mistakes_);
}

std::optional<double> ObjectReader::number(std::string_view key, const Range& range) const {
  const auto at = find(key);
  return at ? read_number(*at, range, mistakes_) : std::nullopt;
}

std::optional<double> ObjectReader::required_number(std::string_view key, const Range& range) const {
  const auto at = require(key, range.what);
  return at ? read_number(*at, range, mistakes_) : std::nullopt;
}

std::optional<bool> ObjectReader::boolean(std::string_view key) const {
  const auto at = find(key);
  return at ? read_bool(*at, mistakes_) : std::nullopt;
}

std::optional<Vec3> ObjectReader::vector(std::string_view key, const Range& range) const {
  const auto at = find(key);
  return at ? read_vector(*at, range, mistakes_) : std::nullopt;
}

std::optional<Vec3> ObjectReader::direction(std::string_view key) const {
  const auto at = find(key);
  return at ? read_direction(*at, mistakes_) : std::nullopt;
}

std::optional<Quat> ObjectReader::orientation() const {
  refuse_both("orientation", "angle");
  if (const auto at = find("orientation")) return read_orientation(*at, mistakes_);
  if (const auto angle = number("angle", angle_range)) return exponential(*angle * Vec3::UnitZ());
  return std::nullopt;
}

std::optional<std::size_t> ObjectReader::word(std::string_view key, std::span<const std::string_view> words) const {
  const auto at = find(key);
  return at ? read_word(*at, words, mistakes_) : std::nullopt;
}

bool ObjectReader::is_list(const Spot& list, std::string_view what, std::size_t most) const {
  const JsonValue::Array* items = list.value().array();
  if (items != nullptr && items->size() <= most) return true;
  list.expect("an array of " + std::string(what) + ", at most " + std::to_string(most), mistakes_);
  return false;
}

std::optional<std::size_t> read_type(const Spot& spot, std::string_view what, std::span<const std::string_view> types,
                                     Mistakes& mistakes) {
  if (spot.value().object() == nullptr) {
    spot.expect(std::string(what) + ", an object", mistakes);
    return std::nullopt;
  }
  const JsonMember* type = spot.value().find("type");
  if (type != nullptr) return read_word(Spot(spot, *type), types, mistakes);
  spot.refuse(MistakeKind::structure, "`type` is missing, expected " + list_words(types), mistakes);
  return std::nullopt;
}

}  // namespace stiction::scene
