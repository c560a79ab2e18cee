#include "stiction/cone/anderson.h"

#include <Eigen/Cholesky>

namespace stiction::cone {

void Anderson::advance(linalg::Vector& x, const linalg::Vector& g) {
  // An iteration that goes wrong is begun anew from where it is; one step back is often needed on the way.
  constexpr double most_growth = 3.0;
  f_ = g - x;
  const double norm = f_.norm();
  if (dF_.rows() != x.size() || dF_.cols() != window_) {
    dF_.resize(x.size(), window_);
    dG_.resize(x.size(), window_);
    gram_.setZero(window_, window_);
    restart();
  }
  if (seen_ > 0 && !(norm <= most_growth * last_norm_)) restart();
  if (seen_ == 0) next_ = 0;
  if (seen_ > 0) {
    const int at = next_;
    next_ = (next_ + 1) % window_;
    stored_ = stored_ < window_ ? stored_ + 1 : window_;
    dF_.col(at) = f_ - last_f_;
    dG_.col(at) = g - last_g_;
    for (int i = 0; i < stored_; ++i) gram_(i, at) = gram_(at, i) = dF_.col(i).dot(dF_.col(at));
  }
  ++seen_;
  last_f_ = f_;
  last_g_ = g;
  last_norm_ = norm;
  x = g;
  if (stored_ == 0) return;

  // Differences of a converging iteration are nearly parallel; the shift bounds the weights.
  system_ = gram_.topLeftCorner(stored_, stored_);
  system_.diagonal().array() += 1e-10 * system_.diagonal().maxCoeff() + 1e-300;
  rhs_.noalias() = dF_.leftCols(stored_).transpose() * f_;
  weights_ = system_.ldlt().solve(rhs_);
  if (!weights_.allFinite()) {
    restart();
    return;
  }
  x.noalias() -= dG_.leftCols(stored_) * weights_;
}

}  // namespace stiction::cone
