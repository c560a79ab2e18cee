#pragma once

#include <vector>

#include "stiction/linalg/pivoted_qr.h"
#include "stiction/linalg/rows.h"

namespace stiction {

/// Multipliers that come to the same forces together, each within its bounds, of least length:
///
///     min 1/2 x'x   subject to   G x = G x0,   lower <= x <= upper.
///
/// Where a motor, dry friction or a contact shares its load with others, this is what each of them takes (1982, (6.4)
/// and Lemma 5.2). By an active set, from an x0 that is within the bounds.
class BoundedMultipliers {
 public:
  /// Rows of G' in `rows`; x holds x0 and then the answer. Infinite bounds are none.
  void share(const linalg::Rows& rows, int velocities, const std::vector<double>& lower,
             const std::vector<double>& upper, linalg::Vector& x);

 private:
  void find_least(const linalg::Rows& rows, int velocities, const linalg::Vector& x);
  bool move(const std::vector<double>& lower, const std::vector<double>& upper, linalg::Vector& x);
  bool release(const linalg::Rows& rows, const std::vector<double>& lower, linalg::Vector& x);

  linalg::PivotedQr qr_;
  std::vector<char> is_bound_;
  std::vector<int> free_;
  linalg::Vector force_, z_, least_, y_;
};

}  // namespace stiction
