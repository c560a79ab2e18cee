#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "stiction/scene/mistakes.h"

/// JSON as a tree that knows where each of its values stands in the text, so that a mistake found late, among bodies
/// and joints, can still be shown to the user at its line.
namespace stiction::scene {

struct JsonMember;

struct JsonValue {
  using Array = std::vector<JsonValue>;
  using Object = std::vector<JsonMember>;

  // Starts as null. With an initializer clang would need the whole of JsonMember here.
  std::variant<std::nullptr_t, bool, double, std::string, Array, Object> content;
  Place place = {};

  [[nodiscard]] const bool* boolean() const { return std::get_if<bool>(&content); }
  [[nodiscard]] const double* number() const { return std::get_if<double>(&content); }
  [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&content); }
  [[nodiscard]] const Array* array() const { return std::get_if<Array>(&content); }
  [[nodiscard]] const Object* object() const { return std::get_if<Object>(&content); }
  /// Null where this is no object or has no such key.
  [[nodiscard]] const JsonMember* find(std::string_view key) const;
};

struct JsonMember {
  std::string key;
  Place key_place;
  JsonValue value;
};

/// What a text may ask of the reader; each is checked before memory is taken for what exceeds it.
struct JsonLimits {
  std::size_t bytes = std::size_t{64} << 20;
  std::size_t token_bytes = std::size_t{1} << 20;  ///< Between two values or brackets: a string, a comment, blanks.
  std::size_t depth = 64;                          ///< Brackets inside brackets.
  std::size_t values = 4'000'000;
};

/// Parses JSON with // and /* */ comments. Nothing where the text is not JSON or exceeds a limit; then and where a key
/// is given twice in an object, `mistakes` says so.
[[nodiscard]] std::optional<JsonValue> parse_json(std::string_view text, std::uint32_t source, const JsonLimits& limits,
                                                  Mistakes& mistakes);

/// The text of the value on one line; reads back to the same bits.
[[nodiscard]] std::string to_json(const JsonValue& value);

/// A key as a part of a JSON pointer: RFC 6901's escapes.
[[nodiscard]] std::string escape_key(std::string_view key);

/// The value at a JSON pointer; null where there is none.
[[nodiscard]] const JsonValue* find_value(const JsonValue& root, std::string_view pointer);

/// A value in words for a message: "the number 3", "an array of 2".
[[nodiscard]] std::string describe(const JsonValue& value);

/// A number as short as it can be written and still read back.
[[nodiscard]] std::string to_text(double number);

}  // namespace stiction::scene
