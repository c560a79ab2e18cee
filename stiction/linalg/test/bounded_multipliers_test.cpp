#include "stiction/linalg/bounded_multipliers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace stiction::linalg {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Rows parallel(int count) {
  Rows rows;
  for (int i = 0; i < count; ++i) {
    rows.push(0, 1.0);
    rows.end_row();
  }
  return rows;
}

// Three that bear 9 together, of which one can take 2 and one 3: the third takes the rest.
TEST(BoundedMultipliers, WhatOneCannotTakeTheOthersDo) {
  BoundedMultipliers bounded;
  const Rows rows = parallel(3);
  Vector x(3);
  x << -1.0, 1.0, 9.0;
  bounded.share(rows, 1, {-2.0, -3.0, -infinity}, {2.0, 3.0, infinity}, 1e-9, x);
  EXPECT_NEAR(x[0], 2.0, 1e-13);
  EXPECT_NEAR(x[1], 3.0, 1e-13);
  EXPECT_NEAR(x[2], 4.0, 1e-13);
  // Bounds that a start lies at and need not: 3 each.
  x << 9.0, 0.0, 0.0;
  bounded.share(rows, 1, {-9.0, 0.0, 0.0}, {9.0, 8.0, infinity}, 1e-9, x);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(x[i], 3.0, 1e-13);
}

// Random rows and bounds against projected gradients on the dual: x = clip(G'y), y such that G x = G x0.
TEST(BoundedMultipliers, AgreeWithASlowMethod) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> width(0.0, 1.0);
  for (int trial = 0; trial < 60; ++trial) {
    const int velocities = 1 + trial % 4, count = velocities + 1 + trial % 3;
    Rows rows;
    std::vector<double> lower(count), upper(count);
    Vector x(count);
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < velocities; ++k) rows.push(k, normal(random));
      rows.end_row();
      x[i] = normal(random);
      lower[i] = x[i] - width(random);
      upper[i] = i % 3 == 0 ? infinity : x[i] + width(random);
    }
    Vector wanted = Vector::Zero(velocities);
    for (int i = 0; i < count; ++i) rows.add_to(i, x[i], wanted);
    double steepest = 0.0;
    for (int i = 0; i < count; ++i)
      for (const double value : rows.values(i)) steepest += value * value;
    Vector y = Vector::Zero(velocities), slow(count);
    for (int turn = 0; turn < 200'000; ++turn) {
      Vector missing = wanted;
      for (int i = 0; i < count; ++i) {
        slow[i] = std::clamp(rows.dot(i, y), lower[i], upper[i]);
        rows.add_to(i, -slow[i], missing);
      }
      y += missing / steepest;
      if (missing.norm() < 1e-11) break;
    }
    BoundedMultipliers bounded;
    bounded.share(rows, velocities, lower, upper, 1e-9, x);
    EXPECT_LE((x - slow).norm(), 1e-7) << trial;
  }
}

}  // namespace
}  // namespace stiction::linalg
