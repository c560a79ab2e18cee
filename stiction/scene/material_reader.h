#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stiction/scene/description.h"
#include "stiction/scene/object_reader.h"

namespace stiction::scene {

/// Named and others together, since each two of them make a pair.
inline constexpr std::size_t most_materials = 200;

/// The materials of a scene by name. There is always one named `default`, for shapes that name none; the file may give
/// it other values.
class Materials {
 public:
  Materials();

  /// From the file's `materials`: an object from name to material, with `pairs` beside them.
  void read(const Spot& spot, std::vector<PairDef>& pairs, Mistakes& mistakes);
  /// Where a material is used: a name, or an object of its own.
  [[nodiscard]] std::optional<Material> read_use(const Spot& spot, Mistakes& mistakes) const;
  [[nodiscard]] const Material& fallback() const;

 private:
  [[nodiscard]] const Material* find(const Spot& name, Mistakes& mistakes) const;
  void read_pairs(const Spot& spot, std::vector<PairDef>& pairs, Mistakes& mistakes) const;
  [[nodiscard]] std::optional<PairDef> read_pair(const Spot& spot, Mistakes& mistakes) const;

  std::map<std::string, Material, std::less<>> named_;
};

}  // namespace stiction::scene
