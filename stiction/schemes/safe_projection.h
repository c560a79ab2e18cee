#pragma once

#include <cstdint>
#include <vector>

#include "stiction/model/state.h"
#include "stiction/schemes/projection.h"

namespace stiction {

/// Brings a state back onto its joints and closed contacts by the shortest way, as mass measures it, and never raises
/// its energy: the velocity's projection lowers the kinetic energy, and what the position's adds to or takes from the
/// potential energy is made up by the length of the velocity.
class SafeProjection {
 public:
  explicit SafeProjection(const System& system) : system_(system), projection_(system) {}

  /// `closed` are the ids of the contacts, sorted; those that are too far away are left out. Where there is not enough
  /// motion to pay for the way back the state is left as it is.
  void project(State& state, const std::vector<std::uint64_t>& closed);

 private:
  [[nodiscard]] double kinetic_energy(double t, const Vector& q, const Vector& v);
  [[nodiscard]] bool is_driven(double t, const Vector& q);

  const System& system_;
  Projection projection_;
  ActiveSet active_;
  JointSet joints_;
  SparseMatrix mass_;
  Vector q_, v_;
};

}  // namespace stiction
