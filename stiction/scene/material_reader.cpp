#include "stiction/scene/material_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

namespace stiction::scene {

namespace {

constexpr std::size_t most_pairs = 1000;
constexpr std::array<std::string_view, 8> material_keys{
    "mu", "restitution", "mu2", "spin_friction", "roll_friction", "direction", "tangential_restitution", "soft"};
constexpr std::array<std::string_view, 8> pair_keys{
    "between", "mu", "restitution", "mu2", "spin_friction", "roll_friction", "tangential_restitution", "soft"};
constexpr std::string_view pairs_key = "pairs";
constexpr std::string_view default_name = "default";

void read_surface(const ObjectReader& object, Material& material) {
  if (const auto mu = object.number("mu", mu_range)) material.mu = *mu;
  if (const auto restitution = object.number("restitution", restitution_range)) material.restitution = *restitution;
  if (const auto mu2 = object.number("mu2", mu_range)) material.mu2 = *mu2;
  if (const auto spin = object.number("spin_friction", arm_range)) material.spin_friction = *spin;
  if (const auto roll = object.number("roll_friction", arm_range)) material.roll_friction = *roll;
  if (const auto back = object.number("tangential_restitution", restitution_range))
    material.tangential_restitution = *back;
  if (const auto soft = object.boolean("soft")) material.soft = *soft;
}

/// A material on its own has a direction too; a pair takes those of its shapes.
void read_material(const ObjectReader& object, Material& material) {
  read_surface(object, material);
  if (const auto direction = object.direction("direction")) material.direction = *direction;
}

/// The rule of model/definitions.h, for what a pair leaves out.
Material combine(const Material& a, const Material& b) {
  Material both{.mu = std::sqrt(a.mu * b.mu),
                .restitution = std::max(a.restitution, b.restitution),
                .spin_friction = std::max(a.spin_friction, b.spin_friction),
                .roll_friction = std::max(a.roll_friction, b.roll_friction),
                .tangential_restitution = std::max(a.tangential_restitution, b.tangential_restitution),
                .soft = a.soft || b.soft};
  if (a.mu2 || b.mu2) both.mu2 = std::sqrt(a.mu2.value_or(a.mu) * b.mu2.value_or(b.mu));
  return both;
}

}  // namespace

Materials::Materials() {
  named_.emplace(default_name, Material{.name = std::string(default_name)});
}

const Material& Materials::fallback() const {
  return named_.find(default_name)->second;
}

void Materials::read(const Spot& spot, std::vector<PairDef>& pairs, Mistakes& mistakes) {
  const JsonValue::Object* members = spot.value().object();
  if (members == nullptr || members->size() > most_materials) {
    spot.expect("materials by name, an object of at most " + std::to_string(most_materials), mistakes);
    return;
  }
  for (const JsonMember& member : *members) {
    if (mistakes.full()) return;
    if (member.key == pairs_key) continue;
    const Spot at(spot, member);
    if (!is_name(member.key))
      mistakes.add(MistakeKind::structure, member.key_place, at.pointer(), "expected " + name_in_words());
    const ObjectReader object(at, "a material", material_keys, mistakes);
    Material material{.name = member.key};
    read_material(object, material);
    named_.insert_or_assign(member.key, material);
  }
  if (const JsonMember* list = spot.value().find(pairs_key)) read_pairs(Spot(spot, *list), pairs, mistakes);
}

void Materials::read_pairs(const Spot& spot, std::vector<PairDef>& pairs, Mistakes& mistakes) const {
  const JsonValue::Array* items = spot.value().array();
  if (items == nullptr || items->size() > most_pairs) {
    spot.expect("an array of pairs, at most " + std::to_string(most_pairs), mistakes);
    return;
  }
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t i = 0; i < items->size() && !mistakes.full(); ++i) {
    const Spot at(spot, (*items)[i], i);
    auto pair = read_pair(at, mistakes);
    if (!pair) continue;
    if (seen.insert(std::minmax(pair->a, pair->b)).second) {
      pairs.push_back(std::move(*pair));
    } else {
      at.refuse(MistakeKind::meaning,
                "`" + pair->a + "` and `" + pair->b + "` stand here for the second time, expected each pair once",
                mistakes);
    }
  }
}

std::optional<PairDef> Materials::read_pair(const Spot& spot, Mistakes& mistakes) const {
  const ObjectReader object(spot, "a pair of materials", pair_keys, mistakes);
  constexpr std::string_view expectation = "the names of two materials, an array";
  Material given;
  read_surface(object, given);
  const auto between = object.require("between", expectation);
  if (!between) return std::nullopt;
  const JsonValue::Array* names = between->value().array();
  if (names == nullptr || names->size() != 2) {
    between->expect(expectation, mistakes);
    return std::nullopt;
  }
  const Material* a = find(Spot(*between, (*names)[0], 0), mistakes);
  const Material* b = find(Spot(*between, (*names)[1], 1), mistakes);
  if (a == nullptr || b == nullptr) return std::nullopt;
  PairDef pair{a->name, b->name, combine(*a, *b)};
  if (object.has("mu")) pair.surface.mu = given.mu;
  if (object.has("mu2")) pair.surface.mu2 = given.mu2;
  if (object.has("restitution")) pair.surface.restitution = given.restitution;
  if (object.has("spin_friction")) pair.surface.spin_friction = given.spin_friction;
  if (object.has("roll_friction")) pair.surface.roll_friction = given.roll_friction;
  if (object.has("tangential_restitution")) pair.surface.tangential_restitution = given.tangential_restitution;
  if (object.has("soft")) pair.surface.soft = given.soft;
  return pair;
}

const Material* Materials::find(const Spot& name, Mistakes& mistakes) const {
  const auto text = read_name(name, mistakes);
  if (!text) return nullptr;
  const auto found = named_.find(*text);
  if (found != named_.end()) return &found->second;
  std::vector<std::string_view> names;
  names.reserve(named_.size());
  for (const auto& [known, material] : named_) names.push_back(known);
  name.refuse(MistakeKind::meaning,
              "there is no material \"" + *text + "\", expected one of `materials`" + did_you_mean(*text, names),
              mistakes);
  return nullptr;
}

std::optional<Material> Materials::read_use(const Spot& spot, Mistakes& mistakes) const {
  if (spot.value().text() != nullptr) {
    const Material* material = find(spot, mistakes);
    return material == nullptr ? std::nullopt : std::optional(*material);
  }
  if (spot.value().object() == nullptr) {
    spot.expect("the name of a material, or a material of its own, an object", mistakes);
    return std::nullopt;
  }
  const ObjectReader object(spot, "a material", material_keys, mistakes);
  Material material;
  read_material(object, material);
  return material;
}

}  // namespace stiction::scene
