#include "stiction/cone/scaled_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/cone/cone_projection.h"

namespace stiction::cone {

/// How many blocks each contact has, from all columns of W or from the first of each contact. The diagonal block is
/// always there.
template <int dimension>
void ScaledProblem::count_blocks(const Problem& problem, int columns) {
  const int contacts = static_cast<int>(problem.contacts());
  starts_.assign(static_cast<std::size_t>(contacts) + 1, 0);
  mark_.assign(static_cast<std::size_t>(contacts), -1);
  for (int column = 0; column < contacts; ++column) {
    mark_[column] = column;
    ++starts_[column + 1];
    for (int k = 0; k < columns; ++k)
      problem.W.for_each_in_column(static_cast<Index>(column) * dimension + k, [&](Index i, double) {
        const int row = static_cast<int>(i) / dimension;
        if (mark_[row] == column) return;
        mark_[row] = column;
        ++starts_[row + 1];
      });
  }
  for (int c = 0; c < contacts; ++c) starts_[c + 1] += starts_[c];
}

/// Blocks of a contact come in the order of their columns, not scaled yet. False where there are more than were
/// counted.
template <int dimension>
bool ScaledProblem::fill_blocks(const Problem& problem) {
  const int contacts = static_cast<int>(problem.contacts());
  constexpr int entries = dimension * dimension;
  columns_.resize(static_cast<std::size_t>(starts_[contacts]));
  values_.assign(entries * columns_.size(), 0.0);
  diagonal_.resize(static_cast<std::size_t>(contacts));
  cursor_.assign(starts_.begin(), starts_.end() - 1);  // where the next block of a row comes
  std::fill(mark_.begin(), mark_.end(), -1);
  bool fits = true;
  for (int column = 0; column < contacts && fits; ++column) {
    const auto add_block = [&](int row) {
      mark_[row] = column;
      columns_[cursor_[row]++] = column;
    };
    diagonal_[column] = cursor_[column];
    if (cursor_[column] == starts_[column + 1]) return false;
    add_block(column);
    for (int k = 0; k < dimension; ++k) {
      int row = -1;  // of the last entry: rows rise, so those of a block come together
      double* to = nullptr;
      problem.W.for_each_in_column(static_cast<Index>(column) * dimension + k, [&](Index i, double value) {
        if (const int found = static_cast<int>(i) / dimension; found != row) {
          if (mark_[found] != column) {
            if (cursor_[found] == starts_[found + 1]) {
              fits = false;
              return;
            }
            add_block(found);
          }
          row = found;
          to = &values_[entries * static_cast<std::size_t>(cursor_[row] - 1)] + k;
        }
        to[dimension * (static_cast<int>(i) - dimension * row)] = value;
      });
    }
  }
  return fits;
}

template <int dimension>
void ScaledProblem::find_blocks(const Problem& problem) {
  // One column of a contact has nearly always all its blocks.
  count_blocks<dimension>(problem, 1);
  if (fill_blocks<dimension>(problem)) return;
  count_blocks<dimension>(problem, dimension);
  fill_blocks<dimension>(problem);
}

/// Returns the certificate's rho.
double ScaledProblem::set_scales(const Problem& problem) {
  const int contacts = static_cast<int>(problem.contacts());
  mu_.resize(contacts);
  metric_.resize(contacts);
  rho_.resize(contacts);
  scale_.assign(3 * static_cast<std::size_t>(contacts), 0.0);
  own_.assign(3 * static_cast<std::size_t>(contacts), 0);
  double trace = 0.0;
  const auto trace_of = [&](int c) {
    const double* const a = diagonal(c).a;
    return dimension_ == 3 ? a[0] + a[4] + a[8] : a[0] + a[3];
  };
  for (int c = 0; c < contacts; ++c) trace += trace_of(c);
  const double rho = trace > 0.0 ? static_cast<double>(problem.size()) / trace : 1.0;
  for (int c = 0; c < contacts; ++c) {
    mu_[c] = problem.friction(c);
    const double own = trace_of(c);
    metric_[c] = own > 0.0 ? std::sqrt(dimension_ / own) : 1.0;
    rho_[c] = rho / (metric_[c] * metric_[c]);
    for (int i = 0; i < dimension_; ++i) {
      const double share = i == 0 ? 1.0 : mu_[c] > 0.0 ? problem.share(c, i) : 0.0;
      scale_[3 * c + i] = metric_[c] * share;
      own_[3 * c + i] = share > 0.0 ? 1 : 0;
    }
  }
  return rho;
}

template <int width>
void ScaledProblem::scale_blocks() {
  constexpr int entries = width * width;
  for (int c = 0; c < contacts(); ++c) {
    const double* const row = &scale_[3 * static_cast<std::size_t>(c)];
    for (int at = starts_[c]; at < starts_[c + 1]; ++at) {
      const double* const column = &scale_[3 * static_cast<std::size_t>(columns_[at])];
      double* const a = &values_[static_cast<std::size_t>(entries) * static_cast<std::size_t>(at)];
      for (int i = 0; i < width; ++i)
        for (int j = 0; j < width; ++j) a[width * i + j] = a[width * i + j] * row[i] * column[j];
    }
    double* const own = &values_[static_cast<std::size_t>(entries) * static_cast<std::size_t>(diagonal_[c])];
    for (int k = 0; k < width; ++k)
      if (own_[3 * c + k] == 0) own[(width + 1) * k] = 1.0;
  }
}

void ScaledProblem::Block::expand(double full[9]) const {
  if (entries == 9) {
    std::copy_n(a, 9, full);
    return;
  }
  const double values[9] = {a[0], a[1], 0.0, a[2], a[3], 0.0, 0.0, 0.0, 1.0};
  std::copy_n(values, 9, full);
}

void ScaledProblem::load(const Problem& problem) {
  dimension_ = problem.dimension;
  if (dimension_ == 3)
    find_blocks<3>(problem);
  else
    find_blocks<2>(problem);
  const double rho = set_scales(problem);
  if (dimension_ == 3)
    scale_blocks<3>();
  else
    scale_blocks<2>();
  q_.setZero(size());
  for (int c = 0; c < contacts(); ++c)
    for (int i = 0; i < dimension_; ++i)
      q_[3 * c + i] = scale_[3 * c + i] * problem.q[static_cast<Index>(c) * dimension_ + i];
  const double rms = q_.norm() / std::sqrt(static_cast<double>(std::max<Index>(1, problem.size())));
  kappa_ = rms > 0.0 && std::isfinite(1.0 / rms) ? rms : 1.0;
  q_ /= kappa_;
  data_ = rho * problem.free_speeds().norm() / kappa_;
  borne_ = problem.borne;
  set_weights(problem);
}

void ScaledProblem::set_weights(const Problem& problem) {
  speeds_.begin(contacts());
  for (int c = 0; c < contacts(); ++c) {
    double square = 0.0;
    for (int i = 0; i < dimension_; ++i) {
      const double speed =
          problem.free_speeds()[static_cast<Index>(c) * dimension_ + i] * (i == 0 ? 1.0 : problem.share(c, i));
      square += speed / kappa_ * (speed / kappa_);
    }
    speeds_.set_free_speed(c, std::sqrt(square));
    for (Block block = begin(c); block != end(c); ++block) {
      constexpr double rounding = 1e-12;
      if (std::any_of(block.a, block.a + block.entries, [](double value) { return std::abs(value) > rounding; }))
        speeds_.join(c, block.column());
    }
  }
  speeds_.find();
  weight_.resize(static_cast<std::size_t>(contacts()));
  for (int c = 0; c < contacts(); ++c) weight_[c] = 1.0 / (metric_[c] * speeds_.scale(c));
  radius_weight_ = weight_;
  for (int c = 0; c < contacts(); ++c)
    if (is_borne(c)) radius_weight_[c] = std::min(weight_[c], 1.0 / std::abs(q_[3 * static_cast<Index>(c)]));
}

template <int width>
void ScaledProblem::multiply(const Vector& s, Vector& u) const {
  const double* a = values_.data();
  for (int c = 0; c < contacts(); ++c) {
    double sum[3] = {q_[3 * c], q_[3 * c + 1], q_[3 * c + 2]};
    for (int at = starts_[c]; at < starts_[c + 1]; ++at, a += width * width) {
      const double* const x = s.data() + 3 * static_cast<Index>(columns_[at]);
      for (int i = 0; i < width; ++i) {
        double term = a[width * i] * x[0] + a[width * i + 1] * x[1];
        if constexpr (width == 3) term += a[width * i + 2] * x[2];
        sum[i] += term;
      }
    }
    std::copy_n(sum, 3, u.data() + 3 * static_cast<Index>(c));
  }
}

void ScaledProblem::velocity(const Vector& s, Vector& u) const {
  u.resize(size());
  if (dimension_ == 3)
    multiply<3>(s, u);
  else
    multiply<2>(s, u);
}

void ScaledProblem::move(int contact, const double s[3], const double v[3], double rho, double moved[3]) const {
  for (int i = 0; i < 3; ++i) moved[i] = s[i] - rho * v[i];
  if (!is_borne(contact)) {
    project_on_cone(mu_[contact], moved);
    return;
  }
  moved[0] = std::max(0.0, s[0]);
  const double friction = length(moved[1], moved[2]), radius = mu_[contact] * moved[0];
  const double share = friction > radius ? radius / friction : 1.0;
  moved[1] *= share;
  moved[2] *= share;
}

double ScaledProblem::contact_residual(int contact, const double s[3], const double v[3], double u_n) const {
  // What rounding hides of an error, of the size of s: the products of a few neighbours.
  constexpr double hidden = 4.0 * std::numeric_limits<double>::epsilon();
  double moved[3], square = 0.0, length_squared = 0.0;
  move(contact, s, v, 1.0, moved);
  const bool borne = is_borne(contact);
  for (int i = 0; i < 3; ++i) {
    square += (s[i] - moved[i]) * (s[i] - moved[i]);
    if (i > 0 || !borne) length_squared += s[i] * s[i];
  }
  const double error = std::sqrt(square) + hidden * std::sqrt(length_squared);
  const double value = error > 0.0 ? error * weight_[contact] : 0.0;
  const double radius_error = borne ? std::abs(u_n) + hidden * std::abs(s[0]) : 0.0;
  return radius_error > 0.0 ? std::max(value, radius_error * radius_weight_[contact]) : value;
}

double ScaledProblem::residual(const Vector& s, const Vector& u) const {
  double sum = 0.0, r_squared = 0.0, worst = 0.0;
  for (int c = 0; c < contacts(); ++c) {
    const double d = metric_[c], rho = rho_[c];
    const Index first = 3 * static_cast<Index>(c);
    const double v[3] = {u[first] + mu_[c] * length(u[first + 1], u[first + 2]), u[first + 1], u[first + 2]};
    double moved[3];
    move(c, s.data() + first, v, rho, moved);
    for (int i = 0; i < 3; ++i) {
      const double error = d * (s[first + i] - moved[i]), r = scale_[first + i] * s[first + i];
      sum += error * error;
      if (i > 0 || !is_borne(c)) r_squared += r * r;
    }
    worst = std::max(worst, contact_residual(c, s.data() + first, v, u[first]));
  }
  const double error = std::sqrt(sum), force = std::sqrt(r_squared);
  const double value = error > 0.0 ? std::max(worst, error / std::max(force, data_)) : worst;
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
