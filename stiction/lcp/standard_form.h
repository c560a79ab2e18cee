#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stiction/lcp/problem.h"
#include "stiction/lcp/solver.h"

namespace stiction::lcp {

/// A problem with bounds seen as one with free variables and 0 <= z, 0 <= w only, in equilibrated units: what the
/// pivoting methods work on. A dense M without bounds to rewrite is read in place, not copied.
///
/// Variable i of the problem becomes variable i here:
///
///     lower finite:         z_i = lower_i + C_i y_i;
///     upper finite only:    z_i = upper_i - C_i y_i, and row i changes its sign;
///     free:                 z_i = C_i y_i, row i is an equality; or, when split, z_i = C_i (y_i - y_e).
///
/// A further variable e is added
///
///     where both are finite:  0 <= (upper_i - lower_i)/C_i - y_i  complementary to  0 <= y_e,  row i being w_i + y_e;
///     where i is split:       0 <= -w_i  complementary to  0 <= y_e,  beside  0 <= w_i  to  0 <= y_i.
class StandardForm {
 public:
  /// `split[i]` asks for free variable i to be split; empty: none. The problem must outlive the form.
  void build(const Problem& problem, const std::vector<bool>& split);

  [[nodiscard]] int size() const { return static_cast<int>(q_.size()); }
  [[nodiscard]] bool is_free(int i) const { return i < original_ && free_[i]; }
  /// Row i says that a variable stays below its upper bound.
  [[nodiscard]] bool is_bound(int i) const { return i >= original_ && !problem_->is_free(original_of_[i - original_]); }
  [[nodiscard]] const std::vector<double>& q() const { return q_; }

  /// Calls f(row, value) for the nonzeros of column j of the scaled standard matrix.
  template <class F>
  void for_each_in_column(int j, F&& f) const;

  /// y -= sum over k of x[k] * column(columns[k]).
  void subtract_columns(std::span<const int> columns, std::span<const double> x, std::vector<double>& y) const;

  /// The problem's z from y, each variable put exactly on its bound where y says so.
  void to_problem(std::span<const double> y, Vector& z) const;
  /// Some bound is not zero, so that y and q are not the problem's z and q up to powers of two.
  [[nodiscard]] bool is_shifted() const { return is_shifted_; }
  /// v = the rows of w at the problem's z, zero where z is on a bound (and in the rows of bounds).
  void residual(const Vector& z, std::vector<double>& v) const;
  /// Adds a correction of y to z, which stays within its bounds.
  void add_to_problem(std::span<const double> y, Vector& z) const;
  /// The problem's certificate of infeasibility from that of the standard form.
  void proof_to_problem(std::span<const double> y, Vector& proof) const;
  void basis_to_problem(const std::vector<bool>& basic, std::vector<Place>& places) const;
  void basis_from_problem(const std::vector<Place>& places, std::vector<bool>& basic) const;

 private:
  void copy_columns();
  void append_original(int j, double factor);

  const Problem* problem_ = nullptr;
  int original_ = 0;
  bool is_shifted_ = false;
  bool in_place_ = false;  ///< Dense, no signs changed, nothing added: columns are read from M and scaled on the way.
  Vector row_scale_, column_scale_;
  std::vector<double> q_, sign_, offset_;
  mutable std::vector<double> sum_;  ///< Storage of subtract_columns.
  std::vector<char> free_;
  std::vector<int> starts_, rows_;  ///< The scaled standard matrix by columns, unless in place.
  std::vector<double> entries_;
  std::vector<int> extra_of_;     ///< Per original variable: its added variable, or -1.
  std::vector<int> original_of_;  ///< Per added variable: its original one.
};

template <class F>
void StandardForm::for_each_in_column(int j, F&& f) const {
  if (in_place_) {
    const double* column = problem_->M.dense().col(j).data();
    const double scale = column_scale_[j];
    for (int i = 0; i < original_; ++i)
      if (column[i] != 0.0) f(i, column[i] * scale * row_scale_[i]);
  } else {
    for (int p = starts_[j]; p < starts_[j + 1]; ++p) f(rows_[p], entries_[p]);
  }
}

}  // namespace stiction::lcp
