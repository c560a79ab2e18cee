#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "stiction/scene/quantities.h"

namespace stiction::scene {

/// An object of the document that may have these keys and no others. A reader asks it for one value after the other; a
/// value that is wrong has been added to the mistakes when nothing comes back.
class ObjectReader {
 public:
  /// `what` says what is expected here: "a body".
  ObjectReader(const Spot& spot, std::string_view what, std::span<const std::string_view> keys, Mistakes& mistakes);

  /// False where the value is no object at all.
  [[nodiscard]] bool ok() const { return spot_.value().object() != nullptr; }
  [[nodiscard]] bool has(std::string_view key) const { return spot_.value().find(key) != nullptr; }
  [[nodiscard]] const Spot& spot() const { return spot_; }
  [[nodiscard]] Mistakes& mistakes() const { return mistakes_; }

  [[nodiscard]] std::optional<Spot> find(std::string_view key) const;
  /// As `find`; where the key is missing that is a mistake, unless this is no object.
  [[nodiscard]] std::optional<Spot> require(std::string_view key, std::string_view expectation) const;
  /// A mistake that only the reader sees, at the value of this key, or at the object where it has none.
  void refuse(std::string_view key, std::string message) const;
  /// At most one of the two may be there.
  void refuse_both(std::string_view first, std::string_view second) const;

  [[nodiscard]] std::optional<double> number(std::string_view key, const Range& range) const;
  [[nodiscard]] std::optional<double> required_number(std::string_view key, const Range& range) const;
  [[nodiscard]] std::optional<bool> boolean(std::string_view key) const;
  [[nodiscard]] std::optional<Vec3> vector(std::string_view key, const Range& range) const;
  [[nodiscard]] std::optional<Vec3> direction(std::string_view key) const;
  /// From "orientation", or from "angle", a rotation about z.
  [[nodiscard]] std::optional<Quat> orientation() const;
  [[nodiscard]] std::optional<std::size_t> word(std::string_view key, std::span<const std::string_view> words) const;
  /// Visits the entries of an array of 0 to `most`; none where the key is missing. Ends early where the mistakes are
  /// full.
  template <class Visit>
  void for_each(std::string_view key, std::string_view what, std::size_t most, Visit visit) const {
    const std::optional<Spot> list = find(key);
    if (!list || !is_list(*list, what, most)) return;
    const JsonValue::Array& items = *list->value().array();
    for (std::size_t i = 0; i < items.size() && !mistakes_.full(); ++i) visit(Spot(*list, items[i], i), i);
  }

 private:
  [[nodiscard]] bool is_list(const Spot& list, std::string_view what, std::size_t most) const;
  void check_keys(std::string_view what, std::span<const std::string_view> keys) const;

  const Spot& spot_;
  Mistakes& mistakes_;
};

/// The word at "type", which decides what else an object must have. Nothing where it is missing or unknown.
[[nodiscard]] std::optional<std::size_t> read_type(const Spot& spot, std::string_view what,
                                                   std::span<const std::string_view> types, Mistakes& mistakes);

}  // namespace stiction::scene
