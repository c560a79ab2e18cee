#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/base/result.h"

namespace stiction::scene {

/// Where in the input a thing stands. Lines and columns (in characters) count from 1.
struct Place {
  std::uint32_t line = 1, column = 1;
  std::uint32_t source = 0;  ///< 0: the scene file; k: the k-th override, counted from 1.
};

enum class MistakeKind : std::uint8_t {
  syntax,     ///< Not JSON.
  structure,  ///< What the published schema refuses too.
  meaning,    ///< What only the reader can see: references, frames that do not meet, a start in penetration.
};

struct Mistake {
  MistakeKind kind;
  Place place;
  std::string pointer, message;
};

/// What is wrong with a scene: as many mistakes as can be found in one go, up to `most`.
class Mistakes {
 public:
  static constexpr std::size_t most = 20;

  /// The name of the file and the texts of the overrides are for the messages.
  explicit Mistakes(std::string_view file, std::vector<std::string> overrides = {});

  void add(MistakeKind kind, Place place, std::string pointer, std::string message);

  [[nodiscard]] bool empty() const { return list_.empty(); }
  /// No more are kept, so looking for more is a waste.
  [[nodiscard]] bool full() const { return list_.size() >= most; }
  /// In the order they were found.
  [[nodiscard]] const std::vector<Mistake>& list() const { return list_; }
  [[nodiscard]] bool has(MistakeKind kind) const;
  /// One line a mistake, by place: `scene.json:12:7: /bodies/0/mass: found -1, expected ...`.
  [[nodiscard]] Error to_error() const;

 private:
  std::string file_;
  std::vector<std::string> overrides_;
  std::vector<Mistake> list_;
};

}  // namespace stiction::scene
