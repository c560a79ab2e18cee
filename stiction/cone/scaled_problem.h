#pragma once

#include <vector>

#include "stiction/cone/problem.h"

namespace stiction::cone {

/// A problem as every solver here sees it: three rows a contact, round cones, mean diagonal one, q of root mean square
/// one, W in blocks of three by three, row after row.
///
/// r = kappa D s and u = kappa D^-1 v with one scale d = (tr W_ii / 3)^-1/2 a contact, times the shares of an elliptic
/// cone. A tangent that the problem does not have (in the plane, or without friction) is a row of its own with a unit
/// diagonal and q = 0, so that its s and v are zero.
class ScaledProblem {
 public:
  /// Storage is kept: a second problem with no more blocks allocates nothing.
  void load(const Problem& problem);

  [[nodiscard]] int contacts() const { return static_cast<int>(mu_.size()); }
  [[nodiscard]] Index size() const { return 3 * static_cast<Index>(mu_.size()); }
  [[nodiscard]] double mu(int contact) const { return mu_[contact]; }
  /// Whether a row is one of the problem's own.
  [[nodiscard]] bool is_own(Index row) const { return own_[row] != 0; }
  [[nodiscard]] const Vector& q() const { return q_; }

  struct Block {
    int column;
    double a[9];  ///< Row after row.
  };
  [[nodiscard]] const Block* begin(int contact) const { return blocks_.data() + starts_[contact]; }
  [[nodiscard]] const Block* end(int contact) const { return blocks_.data() + starts_[contact + 1]; }
  [[nodiscard]] const Block& diagonal(int contact) const { return blocks_[diagonal_[contact]]; }
  [[nodiscard]] std::size_t blocks() const { return blocks_.size(); }

  /// u = W s + q.
  void velocity(const Vector& s, Vector& u) const;
  /// The certificate's residual of s with u = W s + q, from these numbers.
  [[nodiscard]] double residual(const Vector& s, const Vector& u) const;

  void to_original(const Vector& s, Vector& r) const;
  void from_original(const Vector& r, Vector& s) const;

 private:
  template <int dimension>
  void find_blocks(const Problem& problem);
  template <int dimension>
  void count_blocks(const Problem& problem, int columns);
  template <int dimension>
  bool fill_blocks(const Problem& problem);
  double set_scales(const Problem& problem);
  void scale_blocks();

  int dimension_ = 3;
  double kappa_ = 1.0;
  double data_ = 0.0;  ///< rho |q| of the certificate, over kappa.
  std::vector<double> mu_;
  std::vector<double> scale_;   ///< D, a row each.
  std::vector<double> metric_;  ///< d alone, a contact each: what the certificate measures in.
  std::vector<double> rho_;     ///< The certificate's, in these units, a contact each.
  std::vector<char> own_;
  std::vector<int> starts_, diagonal_, mark_, cursor_;
  std::vector<Block> blocks_;
  Vector q_;
};

}  // namespace stiction::cone
