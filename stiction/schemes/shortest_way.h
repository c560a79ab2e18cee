#pragma once

#include <vector>

#include "stiction/linalg/matrix.h"
#include "stiction/linalg/rows.h"

namespace stiction {

/// The change x of positions that takes as much out of the errors of rows as their own errors allow,
///
///     min |G'x + c|,   and of these the least x'M x,
///
/// by conjugate gradients: rows may depend on each other and contradict each other, no matrix is formed, and where the
/// iterations end early the way is shorter. M counts by its diagonal.
class ShortestWay {
 public:
  /// Rows of G' in `rows`, one error c a row; until every error left is within `enough`, or no more can be taken.
  void find(const linalg::Rows& rows, const linalg::Vector& masses, const std::vector<double>& errors, double enough,
            linalg::Vector& x);

 private:
  std::vector<double> left_, along_;
  linalg::Vector slope_, direction_;
};

}  // namespace stiction
