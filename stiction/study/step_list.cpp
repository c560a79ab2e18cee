#include "stiction/study/step_list.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>
#include <string>

#include "stiction/base/text.h"

namespace stiction {

namespace {

constexpr double shortest = 1e-12, longest = 1e6;  ///< s, as in a scene file.
constexpr double most_steps = 1e9;

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string to_text(double value) {
  std::array<char, 40> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

template <class Number>
std::optional<Number> parse_whole(std::string_view text) {
  Number number{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

struct Power {
  double base = 0.0;
  int exponent = 0;
  [[nodiscard]] double value() const { return std::pow(base, exponent); }
};

std::optional<Power> parse_power(std::string_view text) {
  const std::size_t at = text.find('^');
  if (at == std::string_view::npos) return std::nullopt;
  const auto base = parse_whole<double>(trim(text.substr(0, at)));
  const auto exponent = parse_whole<int>(trim(text.substr(at + 1)));
  if (!base || !exponent || !(*base > 0.0)) return std::nullopt;
  return Power{*base, *exponent};
}

Error refuse(std::string_view text, std::string_view expectation) {
  return Error{"found \"" + one_line(text, 60) + "\", expected " + std::string(expectation)};
}

Result<std::vector<double>> parse_range(std::string_view text, std::size_t dots) {
  const auto first = parse_power(trim(text.substr(0, dots))), last = parse_power(trim(text.substr(dots + 2)));
  if (!first || !last || first->base != last->base || first->base == 1.0)
    return refuse(text, "two powers of one base, as in 2^-5..2^-11");
  const auto [low, high] = std::minmax(first->exponent, last->exponent);
  if (static_cast<long>(high) - low >= most_study_steps)
    return refuse(text, "at most " + std::to_string(most_study_steps) + " steps");
  std::vector<double> steps;
  for (int exponent = low; exponent <= high; ++exponent) {
    const auto step = parse_step(to_text(first->base) + "^" + std::to_string(exponent));
    if (!step) return Error{step.error()};
    steps.push_back(step.value());
  }
  return steps;
}

}  // namespace

Result<double> parse_step(std::string_view text) {
  text = trim(text);
  const auto power = parse_power(text);
  const auto step = power ? std::optional(power->value()) : parse_whole<double>(text);
  if (!step || !(*step >= shortest && *step <= longest))
    return refuse(text, "a step in s from 1e-12 to 1e6, as 0.01, 1e-3 or 2^-5");
  return *step;
}

Result<std::vector<double>> parse_steps(std::string_view text) {
  std::vector<double> steps;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view entry = text.substr(0, comma);
    if (const std::size_t dots = entry.find(".."); dots != std::string_view::npos) {
      const auto range = parse_range(entry, dots);
      if (!range) return range;
      steps.insert(steps.end(), range.value().begin(), range.value().end());
    } else {
      const auto step = parse_step(entry);
      if (!step) return Error{step.error()};
      steps.push_back(step.value());
    }
    if (comma == text.size()) break;
    text.remove_prefix(comma + 1);
  }
  if (static_cast<int>(steps.size()) > most_study_steps)
    return Error{"found " + std::to_string(steps.size()) + " steps, expected at most " +
                 std::to_string(most_study_steps)};
  std::sort(steps.begin(), steps.end(), std::greater<>());
  if (const auto twice = std::adjacent_find(steps.begin(), steps.end()); twice != steps.end())
    return Error{"the step " + to_text(*twice) + " is given twice, expected each once"};
  return steps;
}

Result<long> count_steps(double h, double end) {
  const double steps = end / h;
  if (!(h > 0.0) || h > end * (1.0 + 1e-9))
    return Error{"the step " + to_text(h) + " s is longer than the run, which ends at " + to_text(end) + " s"};
  if (steps > most_steps)
    return Error{"the step " + to_text(h) + " s would take " + to_text(std::ceil(steps)) +
                 " steps, expected at most 1e9"};
  const double whole = std::round(steps);
  // As far as the rounding of h and of the end can move the quotient.
  if (std::abs(steps - whole) <= 1e-9 * whole) return static_cast<long>(whole);
  return Error{"the step " + to_text(h) + " s does not divide the run of " + to_text(end) +
               " s: its last step would be shorter and spoil the comparison; " + to_text(end / std::ceil(steps)) +
               " or " + to_text(end / std::floor(steps)) + " would, and so would another --end"};
}

}  // namespace stiction
