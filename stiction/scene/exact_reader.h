#pragma once

#include "stiction/scene/body_index.h"

namespace stiction::scene {

/// Reads `exact` of a scene: motions known in closed form, each body once.
void read_exact_motions(const ObjectReader& document, const BodyIndex& bodies, Description& description);

}  // namespace stiction::scene
