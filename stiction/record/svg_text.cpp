#include "stiction/record/svg_text.h"

#include <array>
#include <charconv>

#include "stiction/record/utf8.h"

namespace stiction {

namespace {

bool is_exponent(char c) {
  return c == '-' || (c >= '0' && c <= '9');
}

}  // namespace

std::string svg_number(double value) {
  std::array<char, 400> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed, 2).ptr;
  std::string text(digits.data(), end);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string svg_escape(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text.front();
    if (length == 0 || (length == 1 && static_cast<unsigned char>(c) < 0x20) || c == 0x7f)
      escaped += '?';
    else if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else
      escaped += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return escaped;
}

void svg_text(std::string& svg, double x, double y, std::string_view text, std::string_view anchor) {
  if (text.empty()) return;
  svg += "<text x=\"" + svg_number(x) + "\" y=\"" + svg_number(y) + "\" text-anchor=\"" + std::string(anchor) + "\">";
  const std::size_t power = text.find("10^");
  if (power == std::string_view::npos) {
    svg += svg_escape(text);
  } else {
    std::size_t end = power + 3;
    while (end < text.size() && is_exponent(text[end])) ++end;
    svg += svg_escape(text.substr(0, power + 2)) + "<tspan dy=\"-5\" font-size=\"9\">" +
           svg_escape(text.substr(power + 3, end - power - 3)) + "</tspan>";
    if (end < text.size()) svg += "<tspan dy=\"5\">" + svg_escape(text.substr(end)) + "</tspan>";
  }
  svg += "</text>\n";
}

void svg_line(std::string& svg, double x1, double y1, double x2, double y2, std::string_view colour) {
  svg += "<line x1=\"" + svg_number(x1) + "\" y1=\"" + svg_number(y1) + "\" x2=\"" + svg_number(x2) + "\" y2=\"" +
         svg_number(y2) + "\" stroke=\"" + std::string(colour) + "\"/>\n";
}

}  // namespace stiction
