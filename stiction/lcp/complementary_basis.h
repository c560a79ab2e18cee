#pragma once

#include <vector>

#include "stiction/lcp/standard_form.h"
#include "stiction/linalg/sparse_lu.h"

namespace stiction::lcp {

/// A factorised basis of the system  w - M z - d z0 = q  of a standard form, with product-form updates.
///
/// Only the nucleus is factorised: the rows whose slack w_i is not basic against the columns that are not slacks. The
/// other rows follow by one multiplication with M. So a basis with k columns of M costs k-sized factors, not n-sized
/// ones, and for the mixed form (2.15) of 1997 the factors are sparse.
class ComplementaryBasis {
 public:
  /// Variables: slack w_i is i, z_j is n + j, the artificial z0 is 2n.
  [[nodiscard]] int slack(int i) const { return i; }
  [[nodiscard]] int structural(int j) const { return n_ + j; }
  [[nodiscard]] int cover() const { return 2 * n_; }
  [[nodiscard]] bool is_slack(int variable) const { return variable < n_; }
  [[nodiscard]] int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }

  /// Starts with z_j basic where basic[j], w_j elsewhere; free variables are basic always.
  void reset(const StandardForm& form, const std::vector<bool>& basic);

  /// Fresh factors. Afterwards slack i, where basic, stands at position i. False when the basis is singular, unless
  /// only free variables are dependent and `repair` allows to fix them at zero (redundant joints: 1997, appendix A).
  bool factorise(bool repair);
  /// The free variables that were fixed at zero, each with the row whose unit column stands for it.
  [[nodiscard]] const std::vector<linalg::SparseLu::Replaced>& repaired() const { return repaired_; }
  /// Right after a repair: they depend on the others in every row, so that fixing them loses nothing. False for
  /// multipliers of equality constraints on variables that rest at zero: those matter as soon as one leaves zero.
  [[nodiscard]] bool repair_is_harmless();

  [[nodiscard]] int at(int position) const { return at_[position]; }
  [[nodiscard]] bool is_free(int position) const {
    return at_[position] >= n_ && at_[position] < 2 * n_ && form_->is_free(at_[position] - n_);
  }

  /// v, indexed by rows, becomes B^-1 v, indexed by positions.
  void solve(std::vector<double>& v);
  /// v += factor * (column of the variable).
  void add_column(int variable, double factor, std::vector<double>& v) const;
  /// v -= B x: for refinement.
  void subtract_product(const std::vector<double>& x, std::vector<double>& v) const;

  /// The variable takes the position; `column` is B^-1 times its column.
  void replace(int position, int variable, const std::vector<double>& column);
  [[nodiscard]] int updates() const { return static_cast<int>(eta_positions_.size()); }
  /// The updates have cost as much as fresh factors would, or are many.
  [[nodiscard]] bool is_worn() const;

  void set_cover(const std::vector<double>& d) { cover_column_ = d; }

 private:
  const StandardForm* form_ = nullptr;
  int n_ = 0;
  std::vector<int> at_;
  std::vector<double> cover_column_;
  std::vector<int> unit_row_;  ///< Per free variable: the row whose unit column stands for it, or -1.
  std::vector<linalg::SparseLu::Replaced> repaired_;

  linalg::SparseLu lu_;
  std::vector<int> nucleus_positions_, nucleus_of_row_, structurals_, columns_;
  std::vector<double> nucleus_, column_factors_, dependent_;

  std::vector<int> eta_positions_, eta_starts_, eta_indices_;
  std::vector<double> eta_pivots_, eta_values_;
};

}  // namespace stiction::lcp
