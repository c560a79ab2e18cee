#pragma once

#include <vector>

#include "stiction/linalg/pivoted_qr.h"
#include "stiction/linalg/rows.h"

namespace stiction::linalg {

/// Multipliers that come to the same forces together, each within its bounds, of least length:
///
///     min 1/2 x'x   subject to   G x = G x0,   lower <= x <= upper.
///
/// Where a motor, dry friction or a contact shares its load with others, this is what each of them takes (1982, (6.4)
/// and Lemma 5.2). By an active set, from an x0 that is within the bounds.
class BoundedMultipliers {
 public:
  /// Rows of G' in `rows`; x holds x0 and then the answer. Infinite bounds are none. A row of which less than
  /// `dependent` of its length is left beside others follows from them.
  void share(const Rows& rows, int velocities, const std::vector<double>& lower, const std::vector<double>& upper,
             double dependent, Vector& x);

 private:
  void find_least(const Rows& rows, int velocities, double dependent, const Vector& x);
  bool move(const std::vector<double>& lower, const std::vector<double>& upper, Vector& x);
  bool release(const Rows& rows, const std::vector<double>& lower, Vector& x);

  PivotedQr qr_;
  std::vector<char> is_bound_;
  std::vector<int> free_;
  Vector force_, z_, least_, y_;
};

}  // namespace stiction::linalg
