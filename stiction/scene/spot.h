#pragma once

#include <cstddef>
#include <string>

#include "stiction/scene/json_tree.h"

namespace stiction::scene {

/// A value of the document and the way to it, while a reader stands there. The parent must outlive it.
class Spot {
 public:
  explicit Spot(const JsonValue& root) : value_(&root) {}
  Spot(const Spot& parent, const JsonMember& member) : value_(&member.value), parent_(&parent), key_(&member.key) {}
  Spot(const Spot& parent, const JsonValue& item, std::size_t index) : value_(&item), parent_(&parent), index_(index) {}

  [[nodiscard]] const JsonValue& value() const { return *value_; }
  [[nodiscard]] std::string pointer() const {
    if (parent_ == nullptr) return {};
    return parent_->pointer() + "/" + (key_ != nullptr ? escape_key(*key_) : std::to_string(index_));
  }

  void refuse(MistakeKind kind, std::string message, Mistakes& mistakes) const {
    mistakes.add(kind, value_->place, pointer(), std::move(message));
  }
  /// A mistake that the schema sees too: "found 3, expected a string".
  void expect(std::string_view expectation, Mistakes& mistakes) const {
    refuse(MistakeKind::structure, "found " + describe(*value_) + ", expected " + std::string(expectation), mistakes);
  }

 private:
  const JsonValue* value_;
  const Spot* parent_ = nullptr;
  const std::string* key_ = nullptr;  ///< Null: `index_` counts.
  std::size_t index_ = 0;
};

}  // namespace stiction::scene
