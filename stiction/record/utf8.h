#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stiction {

/// The length of the UTF-8 character with which a text that is not empty begins; 0 where none does.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

/// What HDF5 and its readers take as a text: what is no UTF-8, or would end it, becomes '?'.
[[nodiscard]] std::string as_utf8(std::string_view text);

}  // namespace stiction
