#include "stiction/lcp/problem_keys.h"

#include "stiction/base/text.h"

namespace stiction::lcp {

const KnownKey* find_key(std::span<const KnownKey> keys, std::string_view name) {
  for (const KnownKey& known : keys)
    if (known.name == name) return &known;
  return nullptr;
}

std::string_view misspelt_key(std::span<const KnownKey> keys, std::string_view name) {
  for (const KnownKey& known : keys) {
    const std::size_t slips = known.name.size() >= 4 ? 1 : 0;
    if (!closest_word(name, {&known.name, 1}, slips).empty()) return known.name;
  }
  return {};
}

}  // namespace stiction::lcp
