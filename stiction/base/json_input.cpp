#include "stiction/base/json_input.h"

#include <algorithm>
#include <cctype>

#include "stiction/base/text.h"

namespace stiction {

namespace {

/// JSON has no NaN and no infinity, but Python's and C's writers print them all the same.
bool is_not_finite_literal(std::string_view text, std::size_t position) {
  std::size_t begin = std::min(position, text.size());
  const auto belongs = [&](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '-'; };
  while (begin > 0 && belongs(text[begin - 1])) --begin;
  std::string word(text.substr(begin, 4));
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (word.starts_with('-')) word.erase(0, 1);
  return word.starts_with("nan") || word.starts_with("inf");
}

/// The byte before `position` closes a bracket and a comma stands before it.
bool is_after_last_comma(std::string_view text, std::size_t position) {
  if (position == 0 || position > text.size() || (text[position - 1] != ']' && text[position - 1] != '}')) return false;
  const std::size_t before = text.find_last_not_of(" \t\r\n", position >= 2 ? position - 2 : 0);
  return before != std::string_view::npos && text[before] == ',';
}

}  // namespace

std::string explain_json_error(std::string_view text, std::size_t position, const std::string& library_message) {
  if (is_not_finite_literal(text, position)) return "NaN and infinity are not JSON, expected a finite number";
  if (library_message.find("number overflow") != std::string::npos)
    return "the number is too large for double precision, expected a finite number";
  if (is_after_last_comma(text, position)) return "not JSON: found a comma after the last entry, expected none";
  const std::size_t begin = library_message.find("syntax error");
  const std::string message = begin == std::string::npos ? library_message : library_message.substr(begin);
  const bool is_cut = message.find("unexpected end of input") != std::string::npos;
  return (is_cut ? "the text ends too early (truncated?): " : "not JSON: ") + one_line(message);
}

}  // namespace stiction
