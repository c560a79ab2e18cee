#include "stiction/base/phase_times.h"

#include <gtest/gtest.h>

#include <thread>

namespace stiction {
namespace {

/// Until the clock has moved by this much: a test must not depend on how long a sleep takes.
void spend(std::chrono::nanoseconds time) {
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < time) {
  }
}

constexpr std::chrono::microseconds some(200);

TEST(PhaseTimes, NothingIsMeasuredWithoutAMeter) {
  PhaseTimes times;
  {
    const PhaseScope scope(Phase::solve);
    count_factorisation();
    count_iteration();
  }
  EXPECT_EQ(times.seconds(), 0.0);
  EXPECT_EQ(times.factorisations, 0);
  EXPECT_EQ(phase_clock.times, nullptr);
}

TEST(PhaseTimes, EachMomentCountsOnce) {
  PhaseTimes times;
  const auto start = std::chrono::steady_clock::now();
  {
    const PhaseMeter meter(times);
    PhaseScope outer(Phase::solve);
    spend(some);
    {
      const PhaseScope inner(Phase::certify);
      spend(some);
    }
    outer.change(Phase::record);
    spend(some);
  }
  const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const Phase phase : {Phase::solve, Phase::certify, Phase::record}) EXPECT_GE(times.seconds(phase), 200e-6);
  for (const Phase phase : {Phase::broad, Phase::narrow, Phase::assembly}) EXPECT_EQ(times.seconds(phase), 0.0);
  EXPECT_LE(times.seconds(), all);
  EXPECT_EQ(phase_clock.times, nullptr);
}

TEST(PhaseTimes, TheOuterPhaseGoesOnAfterTheInner) {
  PhaseTimes times;
  {
    const PhaseMeter meter(times);
    const PhaseScope outer(Phase::assembly);
    {
      const PhaseScope inner(Phase::broad);
    }
    EXPECT_EQ(phase_clock.phase, Phase::assembly);
    spend(some);
  }
  EXPECT_GE(times.seconds(Phase::assembly), 200e-6);
}

TEST(PhaseTimes, TimeOutsideAllScopesIsOther) {
  PhaseTimes times;
  {
    const PhaseMeter meter(times);
    spend(some);
  }
  EXPECT_GE(times.seconds(Phase::other), 200e-6);
  EXPECT_EQ(times.seconds(), times.seconds(Phase::other));
}

TEST(PhaseTimes, CountsWork) {
  PhaseTimes times;
  {
    const PhaseMeter meter(times);
    count_factorisation();
    count_factorisation();
    count_iteration();
  }
  EXPECT_EQ(times.factorisations, 2);
  EXPECT_EQ(times.iterations, 1);
}

TEST(PhaseTimes, AMeterBelongsToItsThread) {
  PhaseTimes times;
  {
    const PhaseMeter meter(times);
    std::jthread([] { count_factorisation(); }).join();
  }
  EXPECT_EQ(times.factorisations, 0);
}

}  // namespace
}  // namespace stiction
