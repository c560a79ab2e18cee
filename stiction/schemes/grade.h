#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace stiction {

/// What a step is worth (DESIGN.md, section 5), from best to worst. Of several that apply the worst is told.
enum class Grade : std::uint8_t {
  full,        ///< The scene's own law and tolerance; gaps and joints at q+ within what the scheme promises.
  polyhedral,  ///< Certified with friction cones of facets, where the true cone is asked for.
  linear,      ///< Certified as linearised; q+ is further off than the scheme promises, or a collision was passed.
  relaxed,     ///< Certified without the position part of some gaps or joints.
  plastic,     ///< So much happened in the step that its rest was taken without bouncing.
  asleep,      ///< Taken to be at rest, and not solved.
  loose,       ///< The scene's own law, at a residual between the tolerance and 1e-5: not certified.
  failed,      ///< Nothing of the above.
};

inline constexpr std::array<std::string_view, 8> grade_names{"full",    "polyhedral", "linear", "relaxed",
                                                             "plastic", "asleep",     "loose",  "failed"};
inline constexpr int grade_count = static_cast<int>(grade_names.size());

[[nodiscard]] constexpr std::string_view to_string(Grade grade) {
  return grade_names[static_cast<std::size_t>(grade)];
}

/// Some problem that the step states was solved and certified, if a weaker one.
[[nodiscard]] constexpr bool is_certified(Grade grade) {
  return grade < Grade::loose;
}

}  // namespace stiction
