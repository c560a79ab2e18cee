#include "stiction/scene/document_reader.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_set>

#include "stiction/scene/body_index.h"
#include "stiction/scene/body_reader.h"
#include "stiction/scene/exact_reader.h"
#include "stiction/scene/force_reader.h"
#include "stiction/scene/joint_reader.h"
#include "stiction/scene/material_reader.h"
#include "stiction/scene/settings_reader.h"

namespace stiction::scene {

namespace {

constexpr std::size_t most_joints = 200'000;
constexpr std::size_t most_forces = 200'000;
constexpr std::size_t most_ignored = 200'000;
constexpr std::size_t most_ignored_groups = 10'000;

constexpr std::array<std::string_view, 12> document_keys{"$schema",         "stiction",      "name",       "gravity",
                                                         "materials",       "bodies",        "joints",     "forces",
                                                         "ignore_contacts", "ignore_groups", "simulation", "exact"};

/// Where the name of a thing stands, or the thing where it has none.
Spot name_spot(const Spot& spot) {
  const JsonMember* name = spot.value().find("name");
  return name == nullptr ? spot : Spot(spot, *name);
}

/// Refuses a name that an earlier thing of its kind has.
class UniqueNames {
 public:
  UniqueNames(std::string_view kind, Mistakes& mistakes) : kind_(kind), mistakes_(mistakes) {}

  void add(const Spot& spot, const std::string& name) {
    if (name.empty() || names_.insert(name).second) return;
    name_spot(spot).refuse(MistakeKind::meaning,
                           "another " + std::string(kind_) + " is named \"" + name + "\", expected each name once",
                           mistakes_);
  }

 private:
  std::string_view kind_;
  Mistakes& mistakes_;
  std::unordered_set<std::string> names_;
};

void read_bodies(const ObjectReader& document, const Materials& materials, Description& description) {
  Mistakes& mistakes = document.mistakes();
  UniqueNames names("body", mistakes);
  document.for_each("bodies", "bodies", most_bodies, [&](const Spot& spot, std::size_t /*index*/) {
    description.bodies.push_back(read_body(spot, materials, mistakes));
    const std::string& name = description.bodies.back().name;
    names.add(spot, name);
    if (name == world_name)
      name_spot(spot).refuse(MistakeKind::meaning,
                             "found \"world\", expected another name: that one is the fixed world's", mistakes);
  });
  const auto list = document.require("bodies", "an array of bodies");
  if (!list || list->value().array() == nullptr) return;
  if (list->value().array()->empty()) {
    list->expect("at least one body", mistakes);
  } else if (mistakes.empty() && std::none_of(description.bodies.begin(), description.bodies.end(),
                                              [](const BodyDef& body) { return !body.fixed && !body.kinematic; })) {
    list->refuse(MistakeKind::meaning, "every body is fixed or kinematic, expected one that forces move", mistakes);
  }
}

void check_number_of_materials(const ObjectReader& document, const std::vector<BodyDef>& bodies) {
  using Values = std::tuple<std::string, double, double, double, double, double, double, bool>;
  std::set<Values> different;
  for (const BodyDef& body : bodies)
    for (const ShapeDef& shape : body.shapes)
      if (different.size() <= most_materials)
        different.emplace(shape.material.name, shape.material.mu, shape.material.mu2.value_or(shape.material.mu),
                          shape.material.restitution, shape.material.spin_friction, shape.material.roll_friction,
                          shape.material.tangential_restitution, shape.material.soft);
  if (different.size() > most_materials)
    document.refuse("bodies", "the shapes have more than " + std::to_string(most_materials) +
                                  " different materials, expected at most that many");
}

void read_joints(const ObjectReader& document, const BodyIndex& bodies, Description& description) {
  UniqueNames names("joint", document.mistakes());
  document.for_each("joints", "joints", most_joints, [&](const Spot& spot, std::size_t index) {
    auto joint = read_joint(spot, bodies, document.mistakes());
    if (!joint) return;
    if (joint->name.empty()) joint->name = "joint" + std::to_string(index);
    names.add(spot, joint->name);
    description.joints.push_back(std::move(*joint));
  });
}

void read_forces(const ObjectReader& document, const BodyIndex& bodies, Description& description) {
  UniqueNames names("force", document.mistakes());
  document.for_each("forces", "forces", most_forces, [&](const Spot& spot, std::size_t index) {
    auto force = read_force(spot, bodies, document.mistakes());
    if (!force) return;
    std::visit(
        [&](auto& def) {
          if (def.name.empty()) def.name = "force" + std::to_string(index);
          names.add(spot, def.name);
        },
        *force);
    if (auto* spring = std::get_if<SpringDef>(&*force)) {
      description.springs.push_back(std::move(*spring));
    } else if (auto* impulse = std::get_if<ImpulseDef>(&*force)) {
      description.impulses.push_back(std::move(*impulse));
    } else {
      description.forces.push_back(std::move(std::get<ForceDef>(*force)));
    }
  });
}

void read_ignored_contacts(const ObjectReader& document, const BodyIndex& bodies, Description& description) {
  Mistakes& mistakes = document.mistakes();
  document.for_each("ignore_contacts", "pairs of names", most_ignored, [&](const Spot& spot, std::size_t /*index*/) {
    const JsonValue::Array* names = spot.value().array();
    if (names == nullptr || names->size() != 2) {
      spot.expect("the names of two bodies, an array", mistakes);
      return;
    }
    const auto a = bodies.find(Spot(spot, (*names)[0], 0), mistakes);
    const auto b = bodies.find(Spot(spot, (*names)[1], 1), mistakes);
    if (!a || !b) return;
    if (*a == *b) spot.refuse(MistakeKind::meaning, "a body never touches itself, expected two bodies", mistakes);
    description.ignored_contacts.emplace_back(*a, *b);
  });
}

void read_ignored_groups(const ObjectReader& document, Description& description) {
  Mistakes& mistakes = document.mistakes();
  std::vector<std::string_view> groups;
  for (const BodyDef& body : description.bodies) {
    if (!body.group.empty()) groups.push_back(body.group);
  }
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  const auto find = [&](const Spot& spot) {
    auto name = read_name(spot, mistakes);
    if (!name || std::binary_search(groups.begin(), groups.end(), *name)) return name;
    spot.refuse(MistakeKind::meaning,
                "no body is in a group \"" + *name + "\", expected the `group` of a body" + did_you_mean(*name, groups),
                mistakes);
    name.reset();
    return name;
  };
  document.for_each(
      "ignore_groups", "pairs of groups", most_ignored_groups, [&](const Spot& spot, std::size_t /*index*/) {
        const JsonValue::Array* names = spot.value().array();
        if (names == nullptr || names->size() != 2) {
          spot.expect("the names of two groups, an array; the same twice for bodies of one group", mistakes);
          return;
        }
        auto a = find(Spot(spot, (*names)[0], 0)), b = find(Spot(spot, (*names)[1], 1));
        if (a && b) description.ignored_groups.emplace_back(std::move(*a), std::move(*b));
      });
}

}  // namespace

Description read_document(const JsonValue& root, Mistakes& mistakes) {
  Description description;
  const Spot top(root);
  const ObjectReader document(top, "a scene", document_keys, mistakes);
  if (!document.ok()) return description;
  if (const auto at = document.find("$schema"); at && at->value().text() == nullptr) at->expect("a string", mistakes);
  if (const auto at = document.find("name")) description.name = read_name(*at, mistakes).value_or("");
  if (const auto gravity = document.vector("gravity", gravity_range)) description.gravity = *gravity;

  Materials materials;
  if (const auto at = document.find("materials")) materials.read(*at, description.pairs, mistakes);
  read_bodies(document, materials, description);
  check_number_of_materials(document, description.bodies);
  const BodyIndex bodies(description.bodies);
  read_joints(document, bodies, description);
  read_forces(document, bodies, description);
  read_ignored_contacts(document, bodies, description);
  read_ignored_groups(document, description);
  read_exact_motions(document, bodies, description);
  if (const auto at = document.find("simulation")) description.settings = read_settings(*at, mistakes);
  return description;
}

}  // namespace stiction::scene
