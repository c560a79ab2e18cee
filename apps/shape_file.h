#pragma once

#include <string>

#include "stiction/model/model.h"

namespace stiction::apps {

/// The shapes of all bodies as JSON, so that others can draw a run: types and keys as in the scene file, hulls with
/// their faces, each shape in its body's frame; and where the fixed bodies stand.
[[nodiscard]] std::string shapes_to_json(const Model& model);

}  // namespace stiction::apps
