#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/record/recorded_run.h"

namespace stiction {

/// A run for the page (docs/look.md, "What the page takes").
struct PageRun {
  const RecordedRun* run = nullptr;
  std::string label;
  std::uint64_t from = 0;  ///< Only frames from here on, with the steps and events after the one before.
};

/// Runs with more numbers than this in their frames and contacts go into the page with fewer digits.
inline constexpr std::uint64_t most_exact_numbers = 2'000'000;
/// Data longer than this, bytes, is no page to send to others: it is served instead.
inline constexpr std::size_t longest_page = std::size_t{64} << 20;

/// {"format": 1, "runs": [...]}. An error where a record's model cannot be read as JSON.
[[nodiscard]] Result<std::string> make_page_data(const std::vector<PageRun>& runs,
                                                 std::uint64_t most_exact = most_exact_numbers);
/// How the page calls a run: its scheme and step.
[[nodiscard]] std::string label_of(const RecordedRun& run);

/// The template with the data in its place, "<" and the line separators of Unicode escaped, so that no text of a scene
/// can end the element it stands in. Empty where the template has no such place.
[[nodiscard]] std::string fill_page(std::string_view page_template, std::string_view data);

}  // namespace stiction
