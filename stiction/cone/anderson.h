#pragma once

#include "stiction/linalg/matrix.h"

namespace stiction::cone {

/// Anderson's acceleration of a fixed-point iteration x <- g(x) (Anderson 1965; Walker and Ni 2011, type II): the next
/// point is g - dG y with y the least-squares solution of dF y = f, f = g - x, over the last few steps.
class Anderson {
 public:
  explicit Anderson(int window) : window_(window) {}

  /// Forgets what it has seen.
  void restart() { stored_ = seen_ = 0; }
  /// x is where g was evaluated; the next point is written to x. Restarts where |f| has grown.
  void advance(linalg::Vector& x, const linalg::Vector& g);

 private:
  int window_, stored_ = 0, seen_ = 0, next_ = 0;
  double last_norm_ = 0.0;
  linalg::DenseMatrix dF_, dG_, gram_, system_;
  linalg::Vector f_, last_f_, last_g_, rhs_, weights_;
};

}  // namespace stiction::cone
