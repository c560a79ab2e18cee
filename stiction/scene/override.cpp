#include "stiction/scene/override.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <variant>
#include <vector>

#include "stiction/base/text.h"

namespace stiction::scene {

namespace {

constexpr JsonLimits value_limits{.bytes = std::size_t{1} << 20, .depth = 32, .values = 100'000};

bool is_word(std::string_view text) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto belongs = [&](char c) {
    return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return !text.empty() && is_letter(text.front()) && std::all_of(text.begin(), text.end(), belongs) && text != "true" &&
         text != "false" && text != "null";
}

bool is_index(std::string_view part) {
  return part == "-" || (!part.empty() && std::all_of(part.begin(), part.end(), [](char c) {
           return std::isdigit(static_cast<unsigned char>(c)) != 0;
         }));
}

/// RFC 6901's parts of a pointer; nothing where it is none.
std::optional<std::vector<std::string>> split_pointer(std::string_view pointer) {
  std::vector<std::string> parts;
  if (!pointer.empty() && pointer.front() != '/') return std::nullopt;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      parts.emplace_back();
    } else if (pointer[i] != '~') {
      parts.back() += pointer[i];
    } else if (++i < pointer.size() && (pointer[i] == '0' || pointer[i] == '1')) {
      parts.back() += pointer[i] == '0' ? '~' : '/';
    } else {
      return std::nullopt;
    }
  }
  return parts;
}

/// The entry of an array at this index, made where it is the next one; null where there is none.
JsonValue* find_item(JsonValue::Array& items, std::string_view part) {
  std::size_t index = items.size();
  if (part != "-") {
    const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), index);
    if (!is_index(part) || code != std::errc{} || end != part.data() + part.size()) return nullptr;
  }
  if (index == items.size()) items.emplace_back();
  return index < items.size() ? &items[index] : nullptr;
}

JsonValue* find_member(JsonValue::Object& members, const std::string& key, Place place) {
  const auto found = std::find_if(members.begin(), members.end(), [&](const JsonMember& m) { return m.key == key; });
  if (found != members.end()) return &found->value;
  members.push_back({key, place, {nullptr, place}});
  return &members.back().value;
}

/// For messages.
std::string in_front(const std::vector<std::string>& parts, std::size_t count) {
  std::string pointer;
  for (std::size_t i = 0; i < count; ++i) pointer += "/" + escape_key(parts[i]);
  return pointer.empty() ? "the top level" : one_line(pointer, 100);
}

std::optional<JsonValue> parse_value(std::string_view text, std::uint32_t source, std::string& problem) {
  if (is_word(text)) return JsonValue{std::string(text), {1, 1, source}};
  Mistakes mistakes("");
  auto value = parse_json(text, source, value_limits, mistakes);
  if (!mistakes.empty()) {
    problem = mistakes.list().front().message;
    return std::nullopt;
  }
  return value;
}

}  // namespace

std::optional<Error> apply_override(JsonValue& root, std::string_view text, std::uint32_t source) {
  const auto refuse = [&](const std::string& message) {
    return Error{"--set " + one_line(text, 100) + ": " + message};
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    return refuse("found no `=`, expected a JSON pointer and a value: /gravity/1=-9.8");
  const auto parts = split_pointer(text.substr(0, equals));
  if (!parts || parts->empty())
    return refuse("found \"" + one_line(text.substr(0, equals), 60) +
                  "\" before `=`, expected a JSON pointer: /gravity/1");
  std::string problem;
  auto value = parse_value(text.substr(equals + 1), source, problem);
  if (!value) return refuse("bad value: " + problem + "; write a string with its quotes: '/name=\"two words\"'");

  const Place place{1, 1, source};
  JsonValue* at = &root;
  for (std::size_t i = 0; i < parts->size(); ++i) {
    const std::string& part = (*parts)[i];
    if (std::holds_alternative<std::nullptr_t>(at->content) && i > 0) {
      if (is_index(part))
        return refuse("there is no " + in_front(*parts, i) +
                      " in the scene, expected the whole of it: " + in_front(*parts, i) + "=[...]");
      at->content = JsonValue::Object{};
    }
    if (auto* items = std::get_if<JsonValue::Array>(&at->content)) {
      const std::size_t size = items->size();
      at = find_item(*items, part);
      if (at == nullptr)
        return refuse(in_front(*parts, i) + " is an array of " + std::to_string(size) +
                      ", expected an index from 0 to " + std::to_string(size) + " after it, found \"" +
                      one_line(part, 40) + "\"");
    } else if (auto* members = std::get_if<JsonValue::Object>(&at->content)) {
      at = find_member(*members, part, place);
    } else {
      return refuse(in_front(*parts, i) + " is " + describe(*at) +
                    ", expected an array or an object to change a part of");
    }
  }
  *at = std::move(*value);
  return std::nullopt;
}

}  // namespace stiction::scene
