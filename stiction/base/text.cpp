#include "stiction/base/text.h"

#include <algorithm>
#include <vector>

namespace stiction {

namespace {

constexpr std::size_t longest_word = 64;

char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::string one_line(std::string_view text, std::size_t limit) {
  bool cut = text.size() > limit;
  std::size_t length = std::min(text.size(), limit);
  while (cut && length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
  std::string line(text.substr(0, length));
  for (char& c : line)
    if (const auto byte = static_cast<unsigned char>(c); byte < 0x20 || byte == 0x7f) c = '?';
  return cut ? line + "..." : line;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // The restricted Damerau-Levenshtein recurrence, three rows at a time.
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char x = lower_case(a[i - 1]);
      const char y = lower_case(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (x == y ? 0 : 1)});
      if (i > 1 && j > 1 && x == lower_case(b[j - 2]) && y == lower_case(a[i - 2]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

std::string_view closest_word(std::string_view word, std::span<const std::string_view> known,
                              std::size_t max_distance) {
  if (word.size() > longest_word) return {};
  std::string_view best;
  std::size_t best_distance = max_distance + 1;
  for (const std::string_view candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace stiction
