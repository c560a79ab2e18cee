#pragma once

#include <string>
#include <string_view>

namespace stiction {

/// With at most two decimals, as drawing needs it. The value is finite.
[[nodiscard]] std::string svg_number(double value);

/// Text fit for the inside of an element: & < > " are escaped, and what XML cannot hold (control characters, bytes that
/// are not UTF-8) becomes '?'.
[[nodiscard]] std::string svg_escape(std::string_view text);

/// Text at a place; `anchor` is "start", "middle" or "end". "10^-3" is written with a raised exponent.
void svg_text(std::string& svg, double x, double y, std::string_view text, std::string_view anchor);

void svg_line(std::string& svg, double x1, double y1, double x2, double y2, std::string_view colour);

}  // namespace stiction
