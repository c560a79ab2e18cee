#include "stiction/scene/body_index.h"

namespace stiction::scene {

BodyIndex::BodyIndex(const std::vector<BodyDef>& bodies) : bodies_(bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!bodies[i].name.empty()) by_name_.emplace(bodies[i].name, static_cast<int>(i));
}

std::optional<BodyId> BodyIndex::find(const Spot& name, Mistakes& mistakes) const {
  const auto text = read_name(name, mistakes);
  if (!text) return std::nullopt;
  if (const auto found = by_name_.find(*text); found != by_name_.end()) return BodyId{found->second};
  if (*text == world_name) {
    name.refuse(MistakeKind::meaning, "`world` is no body that could do this, expected the name of a body", mistakes);
    return std::nullopt;
  }
  std::vector<std::string_view> names;
  names.reserve(bodies_.size());
  for (const BodyDef& body : bodies_) names.push_back(body.name);
  name.refuse(MistakeKind::meaning,
              "there is no body \"" + *text + "\", expected the name of a body" + did_you_mean(*text, names), mistakes);
  return std::nullopt;
}

std::optional<BodyId> BodyIndex::body(const ObjectReader& object, std::string_view key) const {
  const auto at = object.require(key, "the name of a body");
  return at ? find(*at, object.mistakes()) : std::nullopt;
}

std::optional<BodyId> BodyIndex::partner(const ObjectReader& object) const {
  const auto at = object.find("partner");
  if (!at) return world;
  const std::string* text = at->value().text();
  if (text != nullptr && *text == world_name) return world;
  return find(*at, object.mistakes());
}

bool BodyIndex::is_movable(BodyId id) const {
  if (id == world) return false;
  const BodyDef& body = bodies_[static_cast<std::size_t>(id.index)];
  return !body.fixed && !body.kinematic;
}

Vec3 BodyIndex::position(BodyId id) const {
  return id == world ? Vec3::Zero() : bodies_[static_cast<std::size_t>(id.index)].position;
}

std::string BodyIndex::name(BodyId id) const {
  return id == world ? std::string(world_name) : bodies_[static_cast<std::size_t>(id.index)].name;
}

}  // namespace stiction::scene
