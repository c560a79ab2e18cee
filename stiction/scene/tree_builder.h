#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/scene/json_tree.h"

namespace stiction::scene {

/// Follows the JSON parser through the text and says where each of its tokens begins: the parser itself tells only how
/// far it has read.
class TokenPlaces {
 public:
  TokenPlaces(std::string_view text, std::uint32_t source);

  /// The place of the next token: a value, a key or a bracket.
  Place next();
  /// The place of the byte at this offset, for syntax errors.
  [[nodiscard]] Place at(std::size_t offset) const;

 private:
  void skip_gap();
  void skip_comment();
  void skip_token();
  void advance_to(std::size_t offset);

  std::string_view text_;
  std::size_t offset_ = 0;
  std::size_t counted_ = 0;  ///< How far place_ has come.
  Place place_;
};

/// Receives the events of nlohmann's JSON parser and builds the tree. The parser does not recurse, and an event that
/// answers false ends it, so no text costs more memory or stack than the limits allow.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, std::uint32_t source, const JsonLimits& limits, Mistakes& mistakes)
      : places_(text, source), limits_(limits), mistakes_(mistakes) {}

  // The interface that nlohmann::json::sax_parse asks for.
  bool null() { return add_scalar(nullptr); }
  bool boolean(bool value) { return add_scalar(value); }
  bool number_integer(std::int64_t value) { return add_scalar(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return add_scalar(static_cast<double>(value)); }
  bool number_float(double value, const std::string& /*text*/) { return add_scalar(value); }
  bool string(std::string& value) { return add_scalar(std::move(value)); }
  bool binary(nlohmann::json::binary_t& /*value*/) { return false; }
  bool start_object(std::size_t /*size*/) { return open(JsonValue::Object{}); }
  bool start_array(std::size_t /*size*/) { return open(JsonValue::Array{}); }
  bool key(std::string& name);
  bool end_object();
  bool end_array();
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::json::exception& exception);

  /// How often an event arrived; the reader watches it to limit the text between two events.
  [[nodiscard]] const std::size_t& events() const { return events_; }
  [[nodiscard]] const TokenPlaces& places() const { return places_; }
  [[nodiscard]] JsonValue& root() { return root_; }
  /// The JSON library's words on a syntax error, and the byte where it was noticed; empty where a limit ended the text.
  [[nodiscard]] const std::string& syntax_error() const { return syntax_error_; }
  [[nodiscard]] std::size_t syntax_position() const { return syntax_position_; }

 private:
  template <class Content>
  bool add_scalar(Content content) {
    if (!count_value()) return false;
    attach({std::move(content), places_.next()});
    return true;
  }
  template <class Content>
  bool open(Content content) {
    if (!count_value() || !check_depth()) return false;
    open_.push_back({std::move(content), places_.next()});
    return true;
  }
  bool count_value();
  bool check_depth();
  void attach(JsonValue value);
  void close();
  [[nodiscard]] std::string pointer() const;

  TokenPlaces places_;
  JsonLimits limits_;
  Mistakes& mistakes_;
  std::vector<JsonValue> open_;  ///< Arrays and objects that have begun and not ended, the outermost first.
  JsonValue root_;
  std::size_t events_ = 0, values_ = 0, syntax_position_ = 0;
  std::string syntax_error_;
};

}  // namespace stiction::scene
