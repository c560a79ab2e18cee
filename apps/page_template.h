#pragma once

#include <string_view>

namespace stiction::apps {

/// The page that replays a run, as viewer/ builds it, with an empty place for the data. Empty where the program was
/// built without it.
[[nodiscard]] std::string_view page_template();

}  // namespace stiction::apps
