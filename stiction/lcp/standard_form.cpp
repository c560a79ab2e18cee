#include "stiction/lcp/standard_form.h"

#include <algorithm>

#include "stiction/linalg/equilibrate.h"

namespace stiction::lcp {

void StandardForm::build(const Problem& problem, const std::vector<bool>& split) {
  problem_ = &problem;
  original_ = static_cast<int>(problem.size());
  const auto n = static_cast<std::size_t>(original_);
  linalg::equilibrate(problem.M, row_scale_, column_scale_);
  sign_.assign(n, 1.0);
  offset_.assign(n, 0.0);
  free_.assign(n, 0);
  extra_of_.assign(n, -1);
  original_of_.clear();
  for (int i = 0; i < original_; ++i) {
    const double low = problem.lower_bound(i), high = problem.upper_bound(i);
    const bool is_free = problem.is_free(i);
    if (low > -infinity) {
      offset_[i] = low;
    } else if (high < infinity) {
      offset_[i] = high;
      sign_[i] = -1.0;
    }
    const bool is_split = is_free && !split.empty() && split[i];
    free_[i] = is_free && !is_split;
    if (is_split || (low > -infinity && high < infinity)) {
      extra_of_[i] = original_ + static_cast<int>(original_of_.size());
      original_of_.push_back(i);
    }
  }
  is_shifted_ = std::any_of(offset_.begin(), offset_.end(), [](double bound) { return bound != 0.0; });
  const auto is_one = [](double s) { return s == 1.0; };
  in_place_ = problem.M.is_dense() && original_of_.empty() && std::all_of(sign_.begin(), sign_.end(), is_one);
  if (!in_place_) copy_columns();

  q_.resize(n + original_of_.size());
  for (std::size_t i = 0; i < n; ++i) q_[i] = problem.q[static_cast<Index>(i)];
  for (int j = 0; j < original_; ++j)
    if (offset_[j] != 0.0)
      problem.M.for_each_in_column(
          j, [&](Index i, double value) { q_[static_cast<std::size_t>(i)] += value * offset_[j]; });
  for (int i = 0; i < original_; ++i) {
    q_[i] *= sign_[i] * row_scale_[i];
    if (const int e = extra_of_[i]; e >= 0)
      q_[e] = problem.is_free(i) ? -q_[i] : (problem.upper_bound(i) - problem.lower_bound(i)) / column_scale_[i];
  }
}

/// Column j of the problem, times factor, with its rows doubled where a free variable is split.
void StandardForm::append_original(int j, double factor) {
  const double scale = factor * sign_[j] * column_scale_[j];
  problem_->M.for_each_in_column(j, [&](Index row, double value) {
    const auto i = static_cast<int>(row);
    const double entry = value * scale * sign_[i] * row_scale_[i];
    rows_.push_back(i);
    entries_.push_back(entry);
    if (const int e = extra_of_[i]; e >= 0 && problem_->is_free(i)) {
      rows_.push_back(e);
      entries_.push_back(-entry);
    }
  });
}

void StandardForm::copy_columns() {
  rows_.clear();
  entries_.clear();
  starts_.assign(1, 0);
  for (int j = 0; j < original_; ++j) {
    append_original(j, 1.0);
    if (const int e = extra_of_[j]; e >= 0 && !problem_->is_free(j)) {
      rows_.push_back(e);
      entries_.push_back(-1.0);
    }
    starts_.push_back(static_cast<int>(rows_.size()));
  }
  for (const int i : original_of_) {
    if (problem_->is_free(i)) {
      append_original(i, -1.0);
    } else {
      rows_.push_back(i);
      entries_.push_back(1.0);
    }
    starts_.push_back(static_cast<int>(rows_.size()));
  }
}

void StandardForm::subtract_columns(std::span<const int> columns, std::span<const double> x,
                                    std::vector<double>& y) const {
  if (!in_place_) {
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (x[k] != 0.0)
        for_each_in_column(columns[k], [&, factor = x[k]](int i, double value) { y[i] -= factor * value; });
    return;
  }
  // In place: stream through four columns at a time, rows unscaled, and scale the sum once.
  const DenseMatrix& M = problem_->M.dense();
  const Index n = M.rows();
  std::vector<double>& sum = sum_;
  sum.assign(static_cast<std::size_t>(n), 0.0);
  std::size_t k = 0;
  const auto factor_of = [&](std::size_t at) { return x[at] * column_scale_[columns[at]]; };
  for (; k + 4 <= columns.size(); k += 4) {
    const double *a = M.col(columns[k]).data(), *b = M.col(columns[k + 1]).data();
    const double *c = M.col(columns[k + 2]).data(), *d = M.col(columns[k + 3]).data();
    const double fa = factor_of(k), fb = factor_of(k + 1), fc = factor_of(k + 2), fd = factor_of(k + 3);
    for (Index i = 0; i < n; ++i) sum[static_cast<std::size_t>(i)] += (fa * a[i] + fb * b[i]) + (fc * c[i] + fd * d[i]);
  }
  for (; k < columns.size(); ++k) {
    const double* a = M.col(columns[k]).data();
    const double factor = factor_of(k);
    for (Index i = 0; i < n; ++i) sum[static_cast<std::size_t>(i)] += factor * a[i];
  }
  for (Index i = 0; i < n; ++i) y[static_cast<std::size_t>(i)] -= row_scale_[i] * sum[static_cast<std::size_t>(i)];
}

void StandardForm::to_problem(std::span<const double> y, Vector& z) const {
  z.resize(original_);
  for (int i = 0; i < original_; ++i) {
    double value = y[i];
    const int e = extra_of_[i];
    if (problem_->is_free(i)) {
      z[i] = column_scale_[i] * (e >= 0 ? value - y[e] : value);
    } else {
      z[i] = std::clamp(offset_[i] + sign_[i] * column_scale_[i] * value, problem_->lower_bound(i),
                        problem_->upper_bound(i));
    }
  }
}

void StandardForm::residual(const Vector& z, std::vector<double>& v) const {
  v.assign(q_.size(), 0.0);
  for (int i = 0; i < original_; ++i) v[i] = problem_->q[i];
  for (int j = 0; j < original_; ++j)
    if (z[j] != 0.0) problem_->M.for_each_in_column(j, [&](Index i, double value) { v[i] += value * z[j]; });
  for (int i = 0; i < original_; ++i) {
    const bool on_bound = z[i] == problem_->lower_bound(i) || z[i] == problem_->upper_bound(i);
    v[i] = on_bound ? 0.0 : v[i] * sign_[i] * row_scale_[i];
    if (const int e = extra_of_[i]; e >= 0 && problem_->is_free(i)) v[e] = -v[i];
  }
}

void StandardForm::add_to_problem(std::span<const double> y, Vector& z) const {
  for (int i = 0; i < original_; ++i) {
    const double low = problem_->lower_bound(i), high = problem_->upper_bound(i);
    if (z[i] == low || z[i] == high) continue;
    const int e = extra_of_[i];
    const double step = sign_[i] * column_scale_[i] * (e >= 0 && problem_->is_free(i) ? y[i] - y[e] : y[i]);
    z[i] = std::clamp(z[i] + step, low, high);
  }
}

void StandardForm::proof_to_problem(std::span<const double> y, Vector& proof) const {
  proof.resize(original_);
  for (int i = 0; i < original_; ++i) {
    double value = sign_[i] * row_scale_[i] * y[i];
    const int e = extra_of_[i];
    if (e >= 0 && problem_->is_free(i)) value -= row_scale_[i] * y[e];
    // Both bounds finite: w_i is bound by nothing, and the column of its added variable has made y_i zero up to
    // rounding.
    proof[i] = (e >= 0 && !problem_->is_free(i)) ? 0.0 : value;
  }
}

void StandardForm::basis_to_problem(const std::vector<bool>& basic, std::vector<Place>& places) const {
  places.resize(static_cast<std::size_t>(original_));
  for (int i = 0; i < original_; ++i) {
    const int e = extra_of_[i];
    const Place nonbasic = sign_[i] > 0.0 ? Place::lower : Place::upper;
    if (problem_->is_free(i))
      places[i] = Place::basic;
    else if (!basic[i])
      places[i] = nonbasic;
    else
      places[i] = (e >= 0 && basic[e]) ? Place::upper : Place::basic;
  }
}

void StandardForm::basis_from_problem(const std::vector<Place>& places, std::vector<bool>& basic) const {
  basic.assign(q_.size(), false);
  for (int i = 0; i < original_; ++i) {
    const int e = extra_of_[i];
    if (problem_->is_free(i)) {
      basic[i] = true;
      continue;
    }
    const Place nonbasic = sign_[i] > 0.0 ? Place::lower : Place::upper;
    basic[i] = places[i] != nonbasic;
    if (e >= 0) basic[e] = places[i] == Place::upper;
  }
}

}  // namespace stiction::lcp
