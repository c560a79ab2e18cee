#include "bench/step/scene.h"

namespace stiction::bench {

const std::vector<SceneKind>& scene_kinds() {
  static const std::vector<SceneKind> kinds{
      {"wall_21", true, make_wall, 21},
      {"wall_105", true, make_wall, 105},
      {"wall_21_tight", true, make_tight_wall, 21},
      {"wall_105_tight", true, make_tight_wall, 105},
      {"wall_105_hit", true, make_hit_wall, 105},
      {"pile_27_falling", true, make_falling_pile, 27},
      {"pile_125_falling", true, make_falling_pile, 125},
      {"pile_1000_falling", true, make_falling_pile, 1000},
      {"pile_27_resting", true, make_resting_pile, 27},
      {"pile_125_resting", true, make_resting_pile, 125},
      {"pile_1000_resting", true, make_resting_pile, 1000},
      {"stack_1000_to_1", true, make_stack, 1000},
      {"chain_10", false, make_chain, 10},
      {"chain_100", false, make_chain, 100},
      {"chain_1000", false, make_chain, 1000},
      {"mixed_36", true, make_mixed_bin, 36},
      {"mixed_1000", true, make_mixed_bin, 1000},
      {"ragdolls_12", true, make_ragdolls, 12},
  };
  return kinds;
}

std::optional<StepScene> make_scene(const std::string& name, const SceneKey& key) {
  for (const SceneKind& kind : scene_kinds()) {
    if (kind.name != name) continue;
    StepScene scene = kind.make(kind.size, key);
    scene.name = name;
    scene.seed = key.seed;
    scene.mu = key.mu;
    return scene;
  }
  return std::nullopt;
}

}  // namespace stiction::bench
