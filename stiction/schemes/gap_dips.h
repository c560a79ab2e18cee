#pragma once

#include <cstdint>
#include <vector>

namespace stiction {

/// The least gap of a pair of shapes, and its rate.
struct NearestGap {
  std::uint64_t pair = 0;
  double Phi = 0.0, rate = 0.0;
};

/// Gaps that are open at both ends of a part of a motion and may have been closed in between: they get smaller at the
/// start and larger at the end, and the cubic through both, or the two tangents, go below zero. Where to look at each,
/// and what that says, until it is found closed or seen to stay open.
class GapDips {
 public:
  /// Both ordered by pair, `length` apart. Gaps less than the `rounding` below zero are open.
  void find(const std::vector<NearestGap>& start, const std::vector<NearestGap>& end, double length, double rounding);
  /// Where to look next, as a share of the length; false where nothing is left to look at.
  bool next_look(double& share) const;
  /// What all gaps are there. None of them is closed.
  void narrow(const std::vector<NearestGap>& there, double share);

 private:
  struct Dip {
    NearestGap left, right;  ///< Rates are those over the whole length.
    double low = 0.0, high = 1.0;
    int looks = 0;
  };

  std::vector<Dip> dips_;
  double length_ = 0.0, rounding_ = 0.0;
};

}  // namespace stiction
