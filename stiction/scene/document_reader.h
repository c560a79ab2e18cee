#pragma once

#include "stiction/scene/description.h"
#include "stiction/scene/json_tree.h"

namespace stiction::scene {

/// The newest version of the format, which this reader reads.
inline constexpr int format_version = 1;

inline constexpr std::size_t most_bodies = 100'000;

/// Reads a document of the newest version. It is a scene where `mistakes` has nothing new afterwards.
[[nodiscard]] Description read_document(const JsonValue& root, Mistakes& mistakes);

}  // namespace stiction::scene
