#include "stiction/scene/tree_builder.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace stiction::scene {

namespace {

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

TokenPlaces::TokenPlaces(std::string_view text, std::uint32_t source) : text_(text) {
  place_.source = source;
  if (text.starts_with(byte_order_mark)) offset_ = counted_ = byte_order_mark.size();
}

void TokenPlaces::advance_to(std::size_t offset) {
  for (; counted_ < offset && counted_ < text_.size(); ++counted_) {
    if (text_[counted_] == '\n') {
      ++place_.line;
      place_.column = 1;
    } else if (!is_continuation(text_[counted_])) {
      ++place_.column;
    }
  }
}

Place TokenPlaces::at(std::size_t offset) const {
  TokenPlaces copy = *this;
  copy.place_ = {1, 1, place_.source};
  copy.counted_ = text_.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  copy.advance_to(offset);
  return copy.place_;
}

void TokenPlaces::skip_comment() {
  const bool is_line = text_.substr(offset_).starts_with("//");
  const std::size_t end = text_.find(is_line ? "\n" : "*/", offset_ + 2);
  offset_ = end == std::string_view::npos ? text_.size() : end + (is_line ? 1 : 2);
}

void TokenPlaces::skip_gap() {
  constexpr std::string_view between_tokens = " \t\r\n,:";
  while (offset_ < text_.size()) {
    if (between_tokens.find(text_[offset_]) != std::string_view::npos) {
      ++offset_;
    } else if (text_[offset_] == '/') {
      skip_comment();
    } else {
      return;
    }
  }
}

void TokenPlaces::skip_token() {
  if (offset_ >= text_.size()) return;
  const char first = text_[offset_++];
  if (first == '"') {
    while (offset_ < text_.size() && text_[offset_] != '"') offset_ += text_[offset_] == '\\' ? 2 : 1;
    ++offset_;
  } else if (first != '{' && first != '}' && first != '[' && first != ']') {
    const std::size_t end = text_.find_first_of(" \t\r\n,:]}/", offset_);
    offset_ = end;
  }
  offset_ = std::min(offset_, text_.size());
}

Place TokenPlaces::next() {
  skip_gap();
  advance_to(offset_);
  skip_token();
  return place_;
}

std::string TreeBuilder::pointer() const {
  std::string text;
  for (const JsonValue& container : open_) {
    if (const auto* items = container.array()) {
      text += "/" + std::to_string(items->size());
    } else if (const auto* members = container.object(); !members->empty()) {
      text += "/" + escape_key(members->back().key);
    }
  }
  return text;
}

bool TreeBuilder::count_value() {
  ++events_;
  if (++values_ <= limits_.values) return true;
  mistakes_.add(MistakeKind::meaning, places_.next(), pointer(),
                "found more than " + std::to_string(limits_.values) + " values, expected at most that many");
  return false;
}

bool TreeBuilder::check_depth() {
  if (open_.size() < limits_.depth) return true;
  mistakes_.add(
      MistakeKind::meaning, places_.next(), pointer(),
      "found more than " + std::to_string(limits_.depth) + " brackets inside one another, expected at most that many");
  return false;
}

void TreeBuilder::attach(JsonValue value) {
  if (open_.empty()) {
    root_ = std::move(value);
  } else if (auto* items = std::get_if<JsonValue::Array>(&open_.back().content)) {
    items->push_back(std::move(value));
  } else {
    std::get<JsonValue::Object>(open_.back().content).back().value = std::move(value);
  }
}

bool TreeBuilder::key(std::string& name) {
  ++events_;
  std::get<JsonValue::Object>(open_.back().content).push_back({std::move(name), places_.next(), {}});
  return true;
}

void TreeBuilder::close() {
  ++events_;
  static_cast<void>(places_.next());
  JsonValue done = std::move(open_.back());
  open_.pop_back();
  attach(std::move(done));
}

bool TreeBuilder::end_array() {
  close();
  return true;
}

bool TreeBuilder::end_object() {
  // By sorting, since an object may have a million members.
  const auto& members = *open_.back().object();
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::tie(members[a].key, a) < std::tie(members[b].key, b); });
  for (std::size_t i = 1; i < order.size() && !mistakes_.full(); ++i) {
    const JsonMember& member = members[order[i]];
    if (members[order[i - 1]].key != member.key) continue;
    std::string where = pointer();
    where.resize(where.rfind('/'));
    mistakes_.add(MistakeKind::meaning, member.key_place, where + "/" + escape_key(member.key),
                  "the key stands here for the second time, expected once");
  }
  close();
  return true;
}

bool TreeBuilder::parse_error(std::size_t position, const std::string& /*token*/,
                              const nlohmann::json::exception& exception) {
  syntax_position_ = position;
  syntax_error_ = exception.what();
  return false;
}

}  // namespace stiction::scene
