#include "stiction/record/page_array.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

namespace stiction {

namespace {

using nlohmann::ordered_json;

template <class Number>
void append(Bytes& bytes, Number number) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof(Number));
  std::memcpy(bytes.data() + at, &number, sizeof(Number));
}

float to_float(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::isnan(value) ? value : std::clamp(value, -most, most));
}

/// What is no count is none or the largest.
template <class Number>
Number to_count(double value) {
  constexpr double most = std::numeric_limits<Number>::max();
  return static_cast<Number>(std::isnan(value) ? 0.0 : std::clamp(value, 0.0, most));
}

std::size_t row_size(std::span<const double> values, const std::vector<std::uint64_t>& shape) {
  return shape[0] == 0 ? 0 : values.size() / shape[0];
}

std::string pack(const Bytes& bytes, std::size_t element, std::size_t row) {
  return bytes.empty() ? "" : to_base64(BytePacker().pack(bytes, element, row));
}

struct Range {
  double low = 0.0, high = 0.0;
};

/// Of what is finite.
Range range_of(std::span<const double> values) {
  Range range{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  return range.low <= range.high ? range : Range{};
}

/// value = offset + scale * raw with raw from -2^(bits-1) to 2^(bits-1).
template <class Signed>
ordered_json quantise(std::span<const double> values, const std::vector<std::uint64_t>& shape, int bits) {
  const Range range = range_of(values);
  const double offset = 0.5 * range.low + 0.5 * range.high;
  const double scale = std::max(range.high / 2 - range.low / 2, 1e-300) / std::ldexp(1.0, bits - 1);
  const std::size_t row = row_size(values, shape);
  std::vector<std::int32_t> raw(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double steps = std::isfinite(values[i]) ? (values[i] - offset) / scale : 0.0;
    raw[i] = static_cast<std::int32_t>(
        std::lround(std::clamp(steps, -std::ldexp(1.0, bits - 1), std::ldexp(1.0, bits - 1) - 1.0)));
  }
  Bytes bytes;
  bytes.reserve(values.size() * sizeof(Signed));
  for (std::size_t i = 0; i < raw.size(); ++i)
    append(bytes, static_cast<Signed>(i < row ? raw[i] : raw[i] - raw[i - row]));  // modulo 2^bits
  return {{"type", sizeof(Signed) == 4 ? "i32" : "i16"},
          {"shape", shape},
          {"offset", {offset}},
          {"scale", {scale}},
          {"delta", true},
          {"shuffle", true},
          {"data", pack(bytes, sizeof(Signed), row)}};
}

template <class Number>
ordered_json plain(std::span<const double> values, const std::vector<std::uint64_t>& shape, const char* type) {
  Bytes bytes;
  bytes.reserve(values.size() * sizeof(Number));
  for (const double value : values) {
    if constexpr (std::is_same_v<Number, float>)
      append(bytes, to_float(value));
    else if constexpr (std::is_same_v<Number, double>)
      append(bytes, value);
    else
      append(bytes, to_count<Number>(value));
  }
  return {{"type", type},
          {"shape", shape},
          {"shuffle", true},
          {"data", pack(bytes, sizeof(Number), row_size(values, shape))}};
}

}  // namespace

std::string to_base64(std::span<const unsigned char> bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j) three = (three << 8) | (j < left ? bytes[i + j] : 0u);
    for (std::size_t j = 0; j < 4; ++j) text += j <= left ? digits[(three >> (18 - 6 * j)) & 63u] : '=';
  }
  return text;
}

ordered_json make_page_array(std::span<const double> values, const std::vector<std::uint64_t>& shape, PageType type) {
  switch (type) {
    case PageType::f64:
      return plain<double>(values, shape, "f64");
    case PageType::f32:
      return plain<float>(values, shape, "f32");
    case PageType::u32:
      return plain<std::uint32_t>(values, shape, "u32");
    case PageType::u8:
      return plain<std::uint8_t>(values, shape, "u8");
    case PageType::fine:
      return quantise<std::int32_t>(values, shape, 24);
    case PageType::coarse:
      break;
  }
  return quantise<std::int16_t>(values, shape, 16);
}

}  // namespace stiction
