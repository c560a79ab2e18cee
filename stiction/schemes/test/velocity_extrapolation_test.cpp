#include "stiction/schemes/velocity_extrapolation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stiction {
namespace {

using linalg::Vector;

constexpr double h = 0.1;

/// A motion of which the fourth differences vanish.
Vector cubic(int step) {
  const double t = h * step;
  return Vector{{1.0 + t, 2.0 - t * t + 3.0 * t * t * t}};
}

TEST(VelocityExtrapolation, FollowsAPolynomial) {
  VelocityExtrapolation extrapolation;
  Vector guess;
  for (int step = 0; step < 12; ++step) {
    extrapolation.predict(cubic(step), h, guess);
    if (step == 0) {
      EXPECT_EQ(guess, cubic(0));
    }
    // Three differences are known after three steps, and a fourth shows that they are the best.
    if (step > 5) {
      EXPECT_LE((guess - cubic(step + 1)).norm(), 1e-12) << step;
    }
    extrapolation.note(cubic(step), cubic(step + 1), h, true);
  }
}

TEST(VelocityExtrapolation, AfterAnImpactTheVelocityItselfIsTheGuess) {
  VelocityExtrapolation extrapolation;
  Vector guess;
  for (int step = 0; step < 6; ++step) extrapolation.note(cubic(step), cubic(step + 1), h, true);
  const Vector thrown = cubic(7) + Vector{{0.0, 50.0}};
  extrapolation.note(cubic(6), thrown, h, false);
  extrapolation.predict(thrown, h, guess);
  EXPECT_EQ(guess, thrown);
}

TEST(VelocityExtrapolation, NothingIsKnownOfAVelocityThatWasSet) {
  VelocityExtrapolation extrapolation;
  Vector guess;
  for (int step = 0; step < 6; ++step) extrapolation.note(cubic(step), cubic(step + 1), h, true);
  const Vector other{{5.0, -3.0}};
  extrapolation.predict(other, h, guess);
  EXPECT_EQ(guess, other);
  for (int step = 0; step < 6; ++step) extrapolation.note(cubic(step), cubic(step + 1), h, true);
  extrapolation.predict(cubic(6), 0.5 * h, guess);
  EXPECT_EQ(guess, cubic(6));
}

TEST(VelocityExtrapolation, TakesNoMoreDifferencesThanHelp) {
  // What jumps to and fro has differences that grow: none of them is a guess.
  VelocityExtrapolation extrapolation;
  Vector guess;
  const auto zigzag = [](int step) { return Vector{{step % 2 == 0 ? 1.0 : -1.0}}; };
  for (int step = 0; step < 8; ++step) extrapolation.note(zigzag(step), zigzag(step + 1), h, true);
  extrapolation.predict(zigzag(8), h, guess);
  EXPECT_LE(std::abs(guess[0] - 1.0), 1e-12);
}

}  // namespace
}  // namespace stiction
