#pragma once

#include "stiction/model/multibody.h"
#include "stiction/scene/description.h"
#include "stiction/scene/json_tree.h"

namespace stiction::scene {

/// Whether the model can start: no penetration deeper than the settings allow, no velocity against a joint or a closed
/// contact unless the settings say what to do with it. `root` is for the places of the mistakes.
void check_start(const Multibody& system, const Settings& settings, const JsonValue& root, Mistakes& mistakes);

}  // namespace stiction::scene
