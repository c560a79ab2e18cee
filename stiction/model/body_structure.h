#pragma once

#include <utility>
#include <vector>

namespace stiction {

class Model;

/// The bodies, by their places in BodyStructure, whose velocities a row may touch. What a row is on follows from what
/// it is, never from its values: entries that happen to be zero change nothing.
struct BodyPair {
  int a = 0, b = -1;     ///< -1: a side that no force moves. As it stands: the only body of a user's own System.
  bool several = false;  ///< More than two: any of the compound of a.

  friend bool operator==(const BodyPair&, const BodyPair&) = default;
};

/// How v falls apart into bodies; the same for a system as long as it lives.
struct BodyStructure {
  std::vector<int> starts = {0};  ///< Where the velocities of each body start in v; one more entry than bodies.
  /// Bodies that a row on more than two of them ties together are one compound, named by its lowest body. Of each body;
  /// itself for most. Every row is on one compound or between two.
  std::vector<int> compound;
  std::vector<std::pair<int, int>> springs;  ///< Between which M~ may have a block, the smaller first; sorted, once.
  bool planar = false;                       ///< All bodies move in the plane: three velocities at most.

  [[nodiscard]] int size() const { return static_cast<int>(starts.size()) - 1; }
  [[nodiscard]] int velocities() const { return starts.back(); }
  [[nodiscard]] int velocities(int body) const { return starts[body + 1] - starts[body]; }

  /// One body with all velocities.
  static BodyStructure one(int velocities);
};

/// Of a model: its movable bodies that have a velocity, in order. Gears and racks in a carrier that moves tie three
/// bodies together, a user's function all.
[[nodiscard]] BodyStructure structure_of(const Model& model);
/// The place of each body of the model among them; -1 for those that no force moves.
[[nodiscard]] std::vector<int> places_of(const Model& model);

}  // namespace stiction
