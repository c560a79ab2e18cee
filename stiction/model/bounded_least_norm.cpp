#include "stiction/model/bounded_least_norm.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stiction/linalg/pivoted_qr.h"

namespace stiction {
namespace {

using linalg::DenseMatrix;
using linalg::Index;
using linalg::Vector;

// Of the largest of x: what rounding may be.
constexpr double rounding = 1e-12;

class Search {
 public:
  Search(const DenseMatrix& A, const Vector& start, const Vector& lower, const Vector& upper, double dependent)
      : A_(A), lower_(lower), upper_(upper), dependent_(dependent), load_(A * start), x_(start) {
    is_fixed_.assign(static_cast<std::size_t>(x_.size()), 0);
    small_ = rounding * x_.lpNorm<Eigen::Infinity>();
  }

  const Vector& run() {
    const Index most = 4 * x_.size() + 8;  // sets repeat by rounding alone
    for (Index i = 0; i < most; ++i) {
      solve();
      if (!go()) continue;
      if (!let_go()) break;
    }
    return x_;
  }

 private:
  /// Least length of those that are free.
  void solve() {
    free_.clear();
    Vector rest = load_;
    for (Index j = 0; j < x_.size(); ++j) {
      if (is_fixed_[j] != 0)
        rest -= x_[j] * A_.col(j);
      else
        free_.push_back(j);
    }
    DenseMatrix& columns = qr_.begin(A_.rows(), static_cast<Index>(free_.size()));
    for (std::size_t k = 0; k < free_.size(); ++k) columns.col(static_cast<Index>(k)) = A_.col(free_[k]);
    qr_.factorise(dependent_);
    qr_.to_range(rest, z_);
    qr_.solve_minimum_norm(z_, target_);
  }

  /// Towards it as far as the bounds allow; true when that is all the way.
  bool go() {
    double share = 1.0;
    Index first = -1;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const Index j = free_[k];
      const double way = target_[static_cast<Index>(k)] - x_[j];
      const double room = way > 0.0 ? upper_[j] - x_[j] : x_[j] - lower_[j];
      if (std::abs(way) <= room + small_ || room >= share * std::abs(way)) continue;
      share = std::max(room, 0.0) / std::abs(way);
      first = j;
    }
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const Index j = free_[k];
      x_[j] = std::clamp(x_[j] + share * (target_[static_cast<Index>(k)] - x_[j]), lower_[j], upper_[j]);
    }
    if (first >= 0) is_fixed_[first] = 1;
    return first < 0;
  }

  /// With A_F'y = x_F, what x_j wants is A_j'y: the one that is held back from it most is freed.
  bool let_go() {
    qr_.solve_transposed(target_, z_);
    Vector y = Vector::Zero(A_.rows());
    qr_.add_from_range(z_, 1.0, y);
    double most = small_;
    Index worst = -1;
    for (Index j = 0; j < x_.size(); ++j) {
      if (is_fixed_[j] == 0) continue;
      const double wants = A_.col(j).dot(y) - x_[j];
      const bool is_inward = wants > 0.0 ? x_[j] < upper_[j] : x_[j] > lower_[j];
      if (!is_inward || std::abs(wants) <= most) continue;
      most = std::abs(wants);
      worst = j;
    }
    if (worst >= 0) is_fixed_[worst] = 0;
    return worst >= 0;
  }

  const DenseMatrix& A_;
  const Vector &lower_, &upper_;
  double dependent_, small_ = 0.0;
  Vector load_, x_, target_, z_;
  std::vector<char> is_fixed_;
  std::vector<Index> free_;
  linalg::PivotedQr qr_;
};

}  // namespace

Vector bounded_least_norm(const DenseMatrix& A, const Vector& start, const Vector& lower, const Vector& upper,
                          double dependent) {
  return Search(A, start, lower, upper, dependent).run();
}

}  // namespace stiction
