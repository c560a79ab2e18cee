#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "stiction/linalg/pivoted_qr.h"
#include "stiction/linalg/rows.h"
#include "stiction/model/system.h"

namespace stiction {

/// Gauss's principle (1982, (6.3)) with equalities alone:
///
///     min over x of 1/2 (x - M^-1 f)'M (x - M^-1 f)   subject to   G'x + c = 0,   that is   M x = f + G lambda.
///
/// With x an acceleration this is the motion between changes of the active set (4.3)-(4.6), computed as in (4.7): with
/// M = C C' and B = C^-1 G = Q R, C'x = (I - Q Q') C^-1 f - Q z. With f = 0 it is the projection, weighted by mass, of
/// a position or velocity onto its constraints. G may have any rank: x uses an independent subset of its columns, and
/// lambda is the one of least length (Lemma 5.2, part 4).
class ConstrainedMotion {
 public:
  /// Rows of G' in `rows`.
  void factorise(const SparseMatrix& M, const linalg::Rows& rows);
  /// `f` empty: no force.
  void solve(const Vector& f, const std::vector<double>& c, Vector& x);
  /// Of the last solve.
  void find_multipliers(Vector& lambda);

  [[nodiscard]] int rank() const { return static_cast<int>(qr_.rank()); }
  [[nodiscard]] int constraints() const { return static_cast<int>(qr_.cols()); }
  /// g'M^-1 g of a column of G: what a unit of its multiplier adds to g'x by itself.
  [[nodiscard]] double mobility(int column) const { return qr_.length(column) * qr_.length(column); }

 private:
  linalg::DenseMatrix mass_;
  Eigen::LLT<linalg::DenseMatrix> cholesky_;
  linalg::PivotedQr qr_;
  Vector b_, z_, along_;
};

}  // namespace stiction
