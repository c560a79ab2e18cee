#pragma once

#include <string>

#include "stiction/model/model.h"

namespace stiction {

/// What it takes to draw a run, as JSON: gravity, and whether all moves in the plane x, y; the bodies with their shapes
/// (types and keys as in the scene file, hulls with their faces, each in its body's frame), and where they stand at the
/// start; the joints, each with the names of its partner and its body, "" for the world.
[[nodiscard]] std::string model_to_json(const Model& model);

}  // namespace stiction
