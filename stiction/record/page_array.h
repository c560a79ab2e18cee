#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/record/byte_packing.h"

/// Numbers as the page takes them: {"type", "shape", "data", ...}, data being base64 of zlib's stream.
namespace stiction {

[[nodiscard]] std::string to_base64(std::span<const unsigned char> bytes);

/// How many of the digits go into the page.
enum class PageType : std::uint8_t {
  f64,
  f32,
  i32,
  u32,
  u8,
  fine,    ///< Steps of 2^-24 of the range, as differences from row to row.
  coarse,  ///< Steps of 2^-15 of the range; of unit vectors, 2^-15.
};

/// `shape` begins with the number of rows; values outside the range of an integer type do not occur.
[[nodiscard]] nlohmann::ordered_json make_page_array(std::span<const double> values,
                                                     const std::vector<std::uint64_t>& shape, PageType type);

}  // namespace stiction
