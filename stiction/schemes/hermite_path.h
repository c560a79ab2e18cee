#pragma once

#include <cstdint>
#include <vector>

#include "stiction/model/state.h"
#include "stiction/model/system.h"

namespace stiction {

/// The cubic through positions and velocities at both ends of a part of a step (2006, section 6), along which
/// collisions are looked for. Displacements are those of v, so that it goes through rotations too.
class HermitePath {
 public:
  explicit HermitePath(const System& system) : system_(system) {}

  /// From a state with velocity v to q (+) h v_gamma with velocity v_end.
  void set(const State& state, const Vector& v_end, const Vector& v_gamma, double h);
  void at(double share, Vector& q, Vector& v) const;

  /// Contacts that are not `closed` (sorted ids) and penetrate at a position; false when there are none.
  bool find_hits(double t, const Vector& q, const std::vector<std::uint64_t>& closed);
  [[nodiscard]] const std::vector<std::uint64_t>& hits() const { return hits_; }
  /// Where one of the hits first touches, as a share of the path: its gap is zero to rounding. Zero where one that is
  /// no gap away at the start never opens.
  double find_touch(double t);

 private:
  [[nodiscard]] double gap_at(double share, double t);

  const System& system_;
  double h_ = 0.0;
  Vector q_start_, v_start_, v_end_, v_gamma_;
  mutable Vector way_;
  Vector q_, v_;
  GapSet gaps_;
  std::vector<std::uint64_t> hits_;
};

}  // namespace stiction
