#include "stiction/cone/scaled_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/cone/certificate.h"

namespace stiction::cone {

void ScaledProblem::set_scales(const Problem& problem) {
  const int contacts = static_cast<int>(problem.contacts());
  dimension_ = problem.dimension;
  mu_.resize(contacts);
  metric_.resize(contacts);
  scale_.assign(3 * static_cast<std::size_t>(contacts), 0.0);
  own_.assign(3 * static_cast<std::size_t>(contacts), 0);
  double trace = 0.0;
  for (int c = 0; c < contacts; ++c) {
    mu_[c] = problem.friction(c);
    double diagonal = 0.0;
    for (int i = 0; i < dimension_; ++i) {
      const Index row = static_cast<Index>(c) * dimension_ + i;
      diagonal += problem.W.coefficient(row, row);
    }
    trace += diagonal;
    metric_[c] = diagonal > 0.0 ? std::sqrt(dimension_ / diagonal) : 1.0;
    for (int i = 0; i < dimension_; ++i) {
      const double share = i == 0 ? 1.0 : mu_[c] > 0.0 ? problem.share(c, i) : 0.0;
      scale_[3 * c + i] = metric_[c] * share;
      own_[3 * c + i] = share > 0.0 ? 1 : 0;
    }
  }
  rho_ = trace > 0.0 ? static_cast<double>(problem.size()) / trace : 1.0;
}

/// Blocks of a contact come in the order of their columns; the diagonal one is always there.
void ScaledProblem::count_blocks(const Problem& problem) {
  const int contacts = this->contacts();
  starts_.assign(static_cast<std::size_t>(contacts) + 1, 0);
  mark_.assign(static_cast<std::size_t>(contacts), -1);
  const auto for_each_block = [&](auto&& visit) {
    std::fill(mark_.begin(), mark_.end(), -1);
    for (int column = 0; column < contacts; ++column) {
      visit(column, column);
      mark_[column] = column;
      for (int k = 0; k < dimension_; ++k)
        problem.W.for_each_in_column(static_cast<Index>(column) * dimension_ + k, [&](Index i, double) {
          const int row = static_cast<int>(i) / dimension_;
          if (mark_[row] == column) return;
          mark_[row] = column;
          visit(row, column);
        });
    }
  };
  for_each_block([&](int row, int) { ++starts_[row + 1]; });
  for (int c = 0; c < contacts; ++c) starts_[c + 1] += starts_[c];
  blocks_.assign(static_cast<std::size_t>(starts_[contacts]), Block{});
  diagonal_.resize(static_cast<std::size_t>(contacts));
  cursor_.assign(starts_.begin(), starts_.end() - 1);
  for_each_block([&](int row, int column) {
    if (row == column) diagonal_[row] = cursor_[row];
    blocks_[cursor_[row]++].column = column;
  });
}

void ScaledProblem::fill_blocks(const Problem& problem) {
  const int contacts = this->contacts();
  cursor_.assign(starts_.begin(), starts_.end() - 1);
  for (int column = 0; column < contacts; ++column) {
    for (int k = 0; k < dimension_; ++k)
      problem.W.for_each_in_column(static_cast<Index>(column) * dimension_ + k, [&](Index i, double value) {
        const int row = static_cast<int>(i) / dimension_, at = static_cast<int>(i) % dimension_;
        while (blocks_[cursor_[row]].column < column) ++cursor_[row];
        blocks_[cursor_[row]].a[3 * at + k] = value * scale_[3 * row + at] * scale_[3 * column + k];
      });
    for (int k = 0; k < 3; ++k)
      if (own_[3 * column + k] == 0) blocks_[diagonal_[column]].a[4 * k] = 1.0;
  }
}

void ScaledProblem::load(const Problem& problem) {
  set_scales(problem);
  count_blocks(problem);
  fill_blocks(problem);
  q_.setZero(size());
  for (int c = 0; c < contacts(); ++c)
    for (int i = 0; i < dimension_; ++i)
      q_[3 * c + i] = scale_[3 * c + i] * problem.q[static_cast<Index>(c) * dimension_ + i];
  const double rms = q_.norm() / std::sqrt(static_cast<double>(std::max<Index>(1, problem.size())));
  kappa_ = rms > 0.0 && std::isfinite(1.0 / rms) ? rms : 1.0;
  q_ /= kappa_;
}

void ScaledProblem::velocity(const Vector& s, Vector& u) const {
  u.resize(size());
  for (int c = 0; c < contacts(); ++c) {
    double sum[3] = {q_[3 * c], q_[3 * c + 1], q_[3 * c + 2]};
    for (const Block* block = begin(c); block != end(c); ++block) {
      const double* x = s.data() + 3 * static_cast<Index>(block->column);
      const double* a = block->a;
      sum[0] += a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
      sum[1] += a[3] * x[0] + a[4] * x[1] + a[5] * x[2];
      sum[2] += a[6] * x[0] + a[7] * x[1] + a[8] * x[2];
    }
    std::copy_n(sum, 3, u.data() + 3 * static_cast<Index>(c));
  }
}

double ScaledProblem::residual(const Vector& s, const Vector& u) const {
  double sum = 0.0, r_squared = 0.0, q_squared = 0.0;
  for (int c = 0; c < contacts(); ++c) {
    const double d = metric_[c], rho = rho_ / (d * d);
    const Index first = 3 * static_cast<Index>(c);
    const double correction = mu_[c] * std::hypot(u[first + 1], u[first + 2]);
    double moved[3];
    for (int i = 0; i < 3; ++i) moved[i] = s[first + i] - rho * (u[first + i] + (i == 0 ? correction : 0.0));
    project_on_cone(mu_[c], moved);
    for (int i = 0; i < 3; ++i) {
      const double error = d * (s[first + i] - moved[i]), q = rho * d * q_[first + i];
      sum += error * error;
      r_squared += d * s[first + i] * d * s[first + i];
      q_squared += q * q;
    }
  }
  // The data_residual of the certificate too, in proportion: at a tolerance of 1e-8 it is held to 1e-4.
  constexpr double data_share = 1e-4;
  const double error = std::sqrt(sum), force = std::sqrt(r_squared), data = std::sqrt(q_squared);
  const double unseen = data > 0.0 ? std::numeric_limits<double>::epsilon() * force : 0.0;
  if (error + unseen == 0.0) return 0.0;
  const double value = std::max(error / std::max(force, data), data_share * (error + unseen) / data);
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

void ScaledProblem::to_original(const Vector& s, Vector& r) const {
  r.resize(static_cast<Index>(contacts()) * dimension_);
  for (int c = 0; c < contacts(); ++c)
    for (int i = 0; i < dimension_; ++i)
      r[static_cast<Index>(c) * dimension_ + i] = kappa_ * scale_[3 * c + i] * s[3 * c + i];
}

void ScaledProblem::from_original(const Vector& r, Vector& s) const {
  s.setZero(size());
  for (int c = 0; c < contacts(); ++c)
    for (int i = 0; i < dimension_; ++i) {
      const double value = r[static_cast<Index>(c) * dimension_ + i] / (kappa_ * scale_[3 * c + i]);
      if (own_[3 * c + i] != 0 && std::isfinite(value)) s[3 * c + i] = value;
    }
}

}  // namespace stiction::cone
