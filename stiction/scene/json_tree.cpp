#include "stiction/scene/json_tree.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "stiction/base/json_input.h"
#include "stiction/base/text.h"
#include "stiction/scene/tree_builder.h"

namespace stiction::scene {

namespace {

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

  JsonInput input(text, builder.events(), limits.token_bytes);
  const bool ok = nlohmann::json::sax_parse(input.begin(), JsonInput::Iterator{}, &builder,
                                            nlohmann::json::input_format_t::json, true, true);
  if (ok) return std::move(builder.root());

  if (input.stopped())
    return refuse(builder.places().at(input.position()),
                  "more than " + std::to_string(limits.token_bytes) +
                      " bytes without a value, expected shorter strings, comments and gaps");
  if (!builder.syntax_error().empty()) {
    const std::size_t position = builder.syntax_position();
    return refuse(builder.places().at(position > 0 ? position - 1 : 0),
                  explain_json_error(text, position, builder.syntax_error()));
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
