#pragma once

#include <cmath>
#include <numbers>

namespace stiction {

struct PolyhedralOptions {
  int facets = 8;    ///< Even, at least 4.
  bool turn = true;  ///< Turn facets to the sliding found and solve again: the true cone where that settles.
  /// Solve on the true cone first (RoundSolver): its answer stands if it certifies, and facets are for the rest. Not
  /// without `turn`.
  bool round = true;
  /// Facets are what the scene asks for, not only a way to solve: answers are judged as those of a polyhedral cone.
  /// Always so without `turn`.
  bool polyhedral = false;
  int most_turns = 40;
  double tolerance = 1e-8;  ///< Of the certificate.

  /// The facets of the cone that is asked for; zero for the true one.
  [[nodiscard]] int asked_facets() const { return polyhedral || !turn ? facets : 0; }
  /// The true cone is asked for, and may be answered as such.
  [[nodiscard]] bool asks_round() const { return round && turn && !polyhedral; }
  /// The share of friction that unturned facets can leave out, 1 - cos(pi/k): 7.6 % for 8. Zero when they turn.
  [[nodiscard]] double worst_friction_loss() const { return turn ? 0.0 : 1.0 - std::cos(std::numbers::pi / facets); }
};

/// Counts over the life of a solver.
struct SolveCounts {
  long problems = 0;   ///< Islands with constraints that were solved.
  long reused = 0;     ///< Of these, answered without a pivot: by the last basis, with one linear solve (1997, section
                       ///< 6), or on the bodies (RoundSolver).
  long round = 0;      ///< Of these, answers of the true cone.
  long pivots = 0;     ///< Of Lemke's method.
  long turns = 0;      ///< Further solves with turned facets.
  long unsettled = 0;  ///< Islands whose facets were still turning at the limit.
  int largest = 0;     ///< Most complementary unknowns in one island.

  void add(const SolveCounts& other);
};

}  // namespace stiction
