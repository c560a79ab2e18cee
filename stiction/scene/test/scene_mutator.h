#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/base/random.h"

namespace stiction::scene::test {

/// Damages the text of a scene as a tired hand, a bad disk or a malicious colleague would. The same seed gives the same
/// damage on every machine.
class SceneMutator {
 public:
  explicit SceneMutator(std::uint64_t seed) : random_(seed) {}

  /// One to three changes.
  std::string mutate(std::string text) {
    for (int i = random_.integer(1, 3); i > 0; --i) change(text);
    return text;
  }

  /// One to three numbers replaced by others: most of these scenes can be read, and must then run.
  std::string mutate_numbers(std::string text) {
    for (int i = random_.integer(1, 3); i > 0; --i) {
      const std::size_t start = text.find_first_of("-0123456789", place(text));
      if (start == std::string::npos) continue;
      const std::size_t end = std::min(text.find_first_not_of("-+.eE0123456789", start), text.size());
      text.replace(start, end - start, pick(sizes));
    }
    return text;
  }

 private:
  void change(std::string& text) {
    if (text.empty()) return;
    switch (random_.integer(0, 9)) {
      case 0:
      case 1:
      case 2:
        return change_number(text);
      case 3:
        return change_word(text);
      case 4: {
        const auto [from, to] = range(text, 40);
        text.erase(from, to - from);
        return;
      }
      case 5: {
        const auto [from, to] = range(text, 200);
        text.insert(place(text), text.substr(from, to - from));
        return;
      }
      case 6:
        text[place(text)] = static_cast<char>(random_.integer(0, 255));
        return;
      case 7:
        text.insert(place(text), pick(pieces));
        return;
      case 8: {
        const std::size_t line = text.rfind('\n', place(text));
        const std::size_t from = line == std::string::npos ? 0 : line;
        text.erase(from, text.find('\n', from + 1) - from);
        return;
      }
      default:
        if (random_.integer(0, 9) == 0)
          text.resize(place(text));
        else
          change_number(text);
    }
  }

  /// Replaces a number, mostly by another one.
  void change_number(std::string& text) {
    const std::size_t start = text.find_first_of("-0123456789", place(text));
    if (start == std::string::npos) return;
    const std::size_t end = std::min(text.find_first_not_of("-+.eE0123456789", start), text.size());
    text.replace(start, end - start, pick(numbers));
  }

  /// Replaces what stands between two quotes by what stands between two others, or by a known word.
  void change_word(std::string& text) {
    const auto word = [&](std::size_t& start, std::size_t& end) {
      start = text.find('"', place(text));
      end = start == std::string::npos ? start : text.find('"', start + 1);
      return end != std::string::npos;
    };
    std::size_t start = 0, end = 0, other_start = 0, other_end = 0;
    if (!word(start, end) || !word(other_start, other_end)) return;
    const std::string other = random_.integer(0, 1) == 0 ? text.substr(other_start, other_end - other_start + 1)
                                                         : "\"" + std::string(pick(words)) + "\"";
    text.replace(start, end - start + 1, other);
  }

  std::size_t place(const std::string& text) { return static_cast<std::size_t>(random_.bits() % text.size()); }
  std::pair<std::size_t, std::size_t> range(const std::string& text, int longest) {
    const std::size_t from = place(text);
    return {from, std::min(text.size(), from + static_cast<std::size_t>(random_.integer(1, longest)))};
  }
  template <std::size_t n>
  std::string_view pick(const std::array<std::string_view, n>& list) {
    return list[static_cast<std::size_t>(random_.bits() % n)];
  }

  static constexpr std::array<std::string_view, 30> numbers{
      "0",         "-0.0",         "1",   "-1",   "2",     "0.5",     "-0.5", "1e-3", "1e-9",  "1e-300",
      "5e-324",    "1e3",          "1e9", "1e15", "1e308", "1e999",   "NaN",  "null", "\"1\"", "[1]",
      "[0, 0, 0]", "[1, 0, 0, 0]", "{}",  "true", "0.1",   "3.14159", "0.25", "8",    "10",    "100000"};
  static constexpr std::array<std::string_view, 24> sizes{
      "0",    "1",  "-1",  "2",    "0.5", "-0.5", "0.1", "-0.1", "0.25", "3.14159", "0.001", "1e-6",
      "1e-9", "10", "100", "1000", "1e6", "-10",  "0.7", "0.3",  "0.05", "-3",      "8",     "1e9"};
  static constexpr std::array<std::string_view, 24> words{
      "x",          "planar",   "particle", "full",   "world",          "ball1",           "sphere", "point",
      "half_space", "capsule",  "segment",  "box",    "mass",           "radius",          "shape",  "fixed",
      "default",    "distance", "revolute", "spring", "anitescu_potra", "stewart_trinkle", "keep",   ""};
  static constexpr std::array<std::string_view, 20> pieces{"{",
                                                           "}",
                                                           "[",
                                                           "]",
                                                           ",",
                                                           ":",
                                                           "\"",
                                                           "//",
                                                           "/*",
                                                           "*/",
                                                           "\\",
                                                           "\n",
                                                           "null",
                                                           "true",
                                                           "\"fixed\": true,",
                                                           "\"kinematic\": true,",
                                                           "\"velocity\": [0, 0, -1],",
                                                           "\"angle\": 1,",
                                                           "\"freedom\": \"planar\",",
                                                           "\xC3"};

  Random random_;
};

}  // namespace stiction::scene::test
