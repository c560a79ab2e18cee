#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace stiction {

/// What a step spends its time on. `other` is all that no scope names.
enum class Phase : std::uint8_t {
  other,
  broad,     ///< Poses, boxes and the pairs whose boxes meet.
  narrow,    ///< Contact points of these pairs, with their rows.
  assembly,  ///< M~, k~, joints, drives and the rows of the problem.
  solve,     ///< Islands and their solvers.
  certify,   ///< The judge.
  record,    ///< What the report of the step says beyond its answer: shared forces, closed contacts, heat.
};
inline constexpr std::size_t phase_count = 7;

/// Time by phase, and work that is counted. A benchmark makes one and installs it with PhaseMeter.
struct PhaseTimes {
  std::array<std::int64_t, phase_count> nanoseconds{};
  long factorisations = 0;  ///< Of linear systems of the solvers.
  long iterations = 0;      ///< Of Newton and interior point methods on the cone, each with a linear system.

  [[nodiscard]] double seconds(Phase phase) const {
    return 1e-9 * static_cast<double>(nanoseconds[static_cast<std::size_t>(phase)]);
  }
  [[nodiscard]] double seconds() const {
    std::int64_t sum = 0;
    for (const std::int64_t part : nanoseconds) sum += part;
    return 1e-9 * static_cast<double>(sum);
  }
};

/// Internal: what this thread measures. Where no times are installed a scope costs one comparison, and no clock is
/// read.
struct PhaseClock {
  PhaseTimes* times = nullptr;
  Phase phase = Phase::other;
  std::chrono::steady_clock::time_point since{};

  /// Time since the last change goes to the phase that ends.
  void change(Phase next) {
    const auto now = std::chrono::steady_clock::now();
    times->nanoseconds[static_cast<std::size_t>(phase)] +=
        std::chrono::duration_cast<std::chrono::nanoseconds>(now - since).count();
    since = now;
    phase = next;
  }
};
inline constinit thread_local PhaseClock phase_clock{};

/// Names the phase from here to the end of the block. A scope inside another takes its time from the outer one, so that
/// each moment counts once. Allocates nothing.
class PhaseScope {
 public:
  explicit PhaseScope(Phase phase) : before_(phase_clock.phase), is_on_(phase_clock.times != nullptr) {
    if (is_on_) phase_clock.change(phase);
  }
  ~PhaseScope() {
    if (is_on_) phase_clock.change(before_);
  }
  PhaseScope(const PhaseScope&) = delete;
  PhaseScope& operator=(const PhaseScope&) = delete;

  /// From here on the block is in another phase.
  void change(Phase phase) {
    if (is_on_) phase_clock.change(phase);
  }

 private:
  Phase before_;
  bool is_on_;
};

/// Installs times for this thread, for the life of the meter. Not inside a PhaseScope.
class PhaseMeter {
 public:
  explicit PhaseMeter(PhaseTimes& times) : before_(phase_clock) {
    phase_clock = {&times, Phase::other, std::chrono::steady_clock::now()};
  }
  ~PhaseMeter() {
    phase_clock.change(Phase::other);
    phase_clock = before_;
  }
  PhaseMeter(const PhaseMeter&) = delete;
  PhaseMeter& operator=(const PhaseMeter&) = delete;

 private:
  PhaseClock before_;
};

inline void count_factorisation() {
  if (phase_clock.times != nullptr) ++phase_clock.times->factorisations;
}
inline void count_iteration() {
  if (phase_clock.times != nullptr) ++phase_clock.times->iterations;
}

}  // namespace stiction
