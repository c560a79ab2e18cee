#include "stiction/scene/json_tree.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iterator>

#include "stiction/base/text.h"
#include "stiction/scene/tree_builder.h"

namespace stiction::scene {

namespace {

/// How far the JSON parser has come, and how far it may go before it must deliver its next event.
struct Cursor {
  const char* position;
  const char* end;
  const TreeBuilder* builder;
  std::size_t token_limit;
  std::size_t events = 0;
  const char* event_position = position;
  bool stopped = false;

  bool at_end() {
    if (builder->events() != events) {
      events = builder->events();
      event_position = position;
    }
    stopped = stopped || static_cast<std::size_t>(position - event_position) > token_limit;
    return stopped || position == end;
  }
};

/// The characters under a cursor. nlohmann's lexer keeps everything since the last token (blanks and comments too), so
/// text without an event must end before it becomes large.
struct CursorIterator {
  // NOLINTBEGIN(readability-identifier-naming): the standard's names
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  // NOLINTEND(readability-identifier-naming)

  Cursor* cursor;  ///< Null: the end.

  reference operator*() const { return *cursor->position; }
  CursorIterator& operator++() {
    ++cursor->position;
    return *this;
  }
  bool operator==(const CursorIterator&) const { return cursor == nullptr || cursor->at_end(); }
};

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

std::string explain_syntax_error(std::string_view text, std::size_t position, const std::string& library_message) {
  if (is_not_finite_literal(text, position)) return "NaN and infinity are not JSON, expected a finite number";
  if (library_message.find("number overflow") != std::string::npos)
    return "the number is too large for double precision, expected a finite number";
  if (is_after_last_comma(text, position)) return "not JSON: found a comma after the last entry, expected none";
  const std::size_t begin = library_message.find("syntax error");
  const std::string message = begin == std::string::npos ? library_message : library_message.substr(begin);
  const bool is_cut = message.find("unexpected end of input") != std::string::npos;
  return (is_cut ? "the text ends too early (truncated?): " : "not JSON: ") + one_line(message);
}

void append_json(const JsonValue& value, std::string& text) {
  if (const auto* flag = value.boolean()) {
    text += *flag ? "true" : "false";
  } else if (const auto* number = value.number()) {
    text += to_text(*number);
  } else if (const auto* string = value.text()) {
    text += nlohmann::json(*string).dump();
  } else if (const auto* items = value.array()) {
    text += '[';
    for (const JsonValue& item : *items) {
      if (&item != items->data()) text += ", ";
      append_json(item, text);
    }
    text += ']';
  } else if (const auto* members = value.object()) {
    text += '{';
    for (const JsonMember& member : *members) {
      if (&member != members->data()) text += ", ";
      text += nlohmann::json(member.key).dump() + ": ";
      append_json(member.value, text);
    }
    text += '}';
  } else {
    text += "null";
  }
}

}  // namespace

const JsonMember* JsonValue::find(std::string_view key) const {
  const Object* members = object();
  if (members == nullptr) return nullptr;
  const auto found = std::find_if(members->begin(), members->end(), [&](const JsonMember& m) { return m.key == key; });
  return found == members->end() ? nullptr : &*found;
}

std::optional<JsonValue> parse_json(std::string_view text, std::uint32_t source, const JsonLimits& limits,
                                    Mistakes& mistakes) {
  const auto refuse = [&](Place place, std::string message) {
    place.source = source;
    mistakes.add(MistakeKind::syntax, place, "", std::move(message));
    return std::nullopt;
  };
  if (text.size() > limits.bytes)
    return refuse({}, "larger than the limit of " + std::to_string(limits.bytes) + " bytes");
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return refuse({}, "nothing here, expected JSON");

  TreeBuilder builder(text, source, limits, mistakes);
  // The JSON library takes a zero byte for the end of the text and would pass over what follows.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
    return refuse(builder.places().at(zero), "not JSON: a zero byte");

  Cursor cursor{text.data(), text.data() + text.size(), &builder, limits.token_bytes};
  const bool ok = nlohmann::json::sax_parse(CursorIterator{&cursor}, CursorIterator{nullptr}, &builder,
                                            nlohmann::json::input_format_t::json, true, true);
  if (ok) return std::move(builder.root());

  if (cursor.stopped)
    return refuse(builder.places().at(static_cast<std::size_t>(cursor.position - text.data())),
                  "more than " + std::to_string(limits.token_bytes) +
                      " bytes without a value, expected shorter strings, comments and gaps");
  if (!builder.syntax_error().empty()) {
    const std::size_t position = builder.syntax_position();
    return refuse(builder.places().at(position > 0 ? position - 1 : 0),
                  explain_syntax_error(text, position, builder.syntax_error()));
  }
  return std::nullopt;
}

std::string to_json(const JsonValue& value) {
  std::string text;
  append_json(value, text);
  return text;
}

std::string escape_key(std::string_view key) {
  std::string text;
  for (const char c : key) {
    if (c == '~') {
      text += "~0";
    } else if (c == '/') {
      text += "~1";
    } else {
      text += c;
    }
  }
  return text;
}

const JsonValue* find_value(const JsonValue& root, std::string_view pointer) {
  const JsonValue* value = &root;
  while (!pointer.empty()) {
    if (pointer.front() != '/') return nullptr;
    pointer.remove_prefix(1);
    const std::string_view part = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(part.size());
    const JsonValue* next = nullptr;
    if (const auto* items = value->array()) {
      std::size_t index = 0;
      const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), index);
      if (code == std::errc{} && end == part.data() + part.size() && index < items->size()) next = &(*items)[index];
    } else if (const auto* members = value->object()) {
      for (const JsonMember& member : *members)
        if (next == nullptr && escape_key(member.key) == part) next = &member.value;
    }
    if (next == nullptr) return nullptr;
    value = next;
  }
  return value;
}

std::string to_text(double number) {
  if (number == 0.0 && std::signbit(number)) return "-0.0";  // "-0" would be read back as the integer 0
  std::array<char, 32> buffer;
  const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
  return {buffer.data(), end};
}

std::string describe(const JsonValue& value) {
  if (const auto* flag = value.boolean()) return *flag ? "true" : "false";
  if (const auto* number = value.number()) return to_text(*number);
  if (const auto* text = value.text()) return "\"" + one_line(*text, 60) + "\"";
  if (const auto* items = value.array())
    return items->empty() ? "an empty array" : "an array of " + std::to_string(items->size());
  return value.object() != nullptr ? "an object" : "null";
}

}  // namespace stiction::scene
