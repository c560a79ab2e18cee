#pragma once

#include <span>

#include "stiction/scene/json_tree.h"

namespace stiction::scene {

/// Makes a document of version `from` one of version `from + 1`.
struct Migration {
  int from;
  void (*apply)(JsonValue& root);
};

/// The steps from the oldest version that can be read to `format_version`. There is one version so far.
[[nodiscard]] std::span<const Migration> migrations();

/// Checks the document's "stiction" and brings it to the newest version, `newest`, by the steps. False, with the reason
/// among the mistakes, where that cannot be done.
[[nodiscard]] bool migrate(JsonValue& root, int newest, std::span<const Migration> steps, Mistakes& mistakes);

}  // namespace stiction::scene
