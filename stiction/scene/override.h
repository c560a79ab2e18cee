#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "stiction/base/result.h"
#include "stiction/scene/json_tree.h"

namespace stiction::scene {

/// Changes one value of the document: `/gravity/1=-9.8`, a JSON pointer and the value. The value is JSON; what is a
/// bare word (letters, digits and `_`, beginning with a letter) stands for the string. Objects on the way are made
/// where they are missing; an array grows by one at its end (`/bodies/-` or the next index). `source` (from 1) is the
/// place that mistakes in the new value will be given. Nothing on success.
[[nodiscard]] std::optional<Error> apply_override(JsonValue& root, std::string_view text, std::uint32_t source);

}  // namespace stiction::scene
