#pragma once

#include <cstdint>
#include <vector>

#include "stiction/model/state.h"
#include "stiction/schemes/step_report.h"

namespace stiction {

/// Of the largest velocity: how fast, and times h how far, a contact that stays closed may leave its surface.
inline constexpr double drift_share = 0.05;
/// A contact that floated off within that is not gone until it is so many times further.
inline constexpr double gone = 4.0;

/// Contacts that have left the problem though they may come back: on the level of velocities a curved contact or a taut
/// rope leaves its surface by O(h^2) in a step and taps on it later. Such taps are no impacts; what does not come back
/// took off when it left.
class FloatingContacts {
 public:
  void forget() { floating_.clear(); }
  /// What was kept and is not closed any more floats from t on. Sorted ids.
  void add(const std::vector<std::uint64_t>& kept, const std::vector<std::uint64_t>& closed, double t);
  /// Take-offs among the report's events from the first on become floating contacts; those of rates, which have no gap
  /// to float in, are certain.
  void take(const GapSet& gaps, std::size_t first, StepReport& report);
  /// After an impact: drops taps, and take-offs that are not certain yet, from the first event on.
  void drop_taps(const State& state, std::size_t first, StepReport& report) const;
  /// What was kept by the last part and is closed floats no more; what is too far away, or opens too fast, has taken
  /// off. Sorted ids.
  void settle(const GapSet& gaps, const State& state, double reach, const std::vector<std::uint64_t>& kept,
              const std::vector<std::uint64_t>& closed, StepReport& report);

 private:
  struct Floating {
    std::uint64_t id = 0;
    double since = 0.0;
  };

  [[nodiscard]] const Floating* find(std::uint64_t id) const;

  std::vector<Floating> floating_;
};

}  // namespace stiction
