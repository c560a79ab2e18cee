#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stiction/scene/description.h"
#include "stiction/scene/object_reader.h"

namespace stiction::scene {

inline constexpr std::string_view world_name = "world";

/// Finds bodies by name, for joints and forces.
class BodyIndex {
 public:
  /// The bodies must outlive the index.
  explicit BodyIndex(const std::vector<BodyDef>& bodies);

  /// The body at `key`, which must be there.
  [[nodiscard]] std::optional<BodyId> body(const ObjectReader& object, std::string_view key) const;
  /// The body at "partner", or the world where that is missing or says so.
  [[nodiscard]] std::optional<BodyId> partner(const ObjectReader& object) const;
  [[nodiscard]] std::optional<BodyId> find(const Spot& name, Mistakes& mistakes) const;

  /// Whether forces move it.
  [[nodiscard]] bool is_movable(BodyId id) const;
  /// Where it starts; the origin for the world.
  [[nodiscard]] Vec3 position(BodyId id) const;
  [[nodiscard]] std::string name(BodyId id) const;

 private:
  const std::vector<BodyDef>& bodies_;
  std::unordered_map<std::string_view, int> by_name_;
};

}  // namespace stiction::scene
