#pragma once

#include <string>
#include <string_view>

namespace stiction {

/// FIPS 180-4's hash in 64 hexadecimal digits: a name for a text that no other text will have.
[[nodiscard]] std::string sha256(std::string_view text);

}  // namespace stiction
