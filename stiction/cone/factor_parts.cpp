#include "stiction/cone/factor_parts.h"

#include <cmath>

namespace stiction::cone {

namespace {

double coefficient2(const FactorForm& form, Index contact) {
  return form.mu2.size() == 0 ? form.mu[contact] : form.mu2[contact];
}

/// The column of H or G along an axis of a part, counted through both; -1 where there is none.
Index find_column(const FactorForm& form, const FactorPart& part, int axis) {
  if (part.row >= 0) return axis == axis_of_row(part) ? form.H.cols() + part.row : -1;
  if (axis == 0 ? !part.bears : !part.rubs) return -1;
  return form.dimension * part.contact + axis;
}

FactorPart make_row_part(const FactorForm& form, Index row) {
  const double lower = form.lower[row], upper = form.upper[row];
  if (std::isfinite(lower) && std::isfinite(upper))
    return {.row = row, .rubs = true, .hf = 0.5 * (upper - lower), .shift = 0.5 * (upper + lower)};
  const bool is_above = std::isfinite(lower);
  return {.row = row, .bears = true, .shift = is_above ? lower : upper, .sign = is_above ? 1.0 : -1.0};
}

}  // namespace

bool is_joint(const FactorForm& form, Index row) {
  return form.lower.size() == 0 || (std::isinf(form.lower[row]) && std::isinf(form.upper[row]));
}

std::vector<FactorPart> find_parts(const FactorForm& form) {
  std::vector<FactorPart> parts;
  std::vector<Index> normal(static_cast<std::size_t>(form.contacts()), -1);  // the part with a contact's normal
  for (Index c = 0; c < form.contacts(); ++c) {
    const double hf = form.slide_limit(c);
    const bool is_borne = form.bearer_of(c) >= 0, is_plain = !is_borne && !(hf > 0.0);
    const bool rubs = form.mu[c] > 0.0 || coefficient2(form, c) > 0.0 || hf > 0.0;
    if (!is_borne) {
      normal[static_cast<std::size_t>(c)] = static_cast<Index>(parts.size());
      // The tangents of a plain contact stay even without friction: r_T = 0 is part of the answer.
      parts.push_back({.contact = c, .bears = true, .rubs = is_plain});
    }
    if (!is_plain && rubs) parts.push_back({.contact = c, .rubs = true, .mu = form.mu[c], .hf = hf});
  }
  for (FactorPart& part : parts) {
    if (part.bears || !(part.mu > 0.0)) continue;
    const Index bearer = form.bearer_of(part.contact) >= 0 ? form.bearer_of(part.contact) : part.contact;
    part.carrier = normal[static_cast<std::size_t>(bearer)];
  }
  for (Index row = 0; row < form.rows(); ++row)
    if (!is_joint(form, row)) parts.push_back(make_row_part(form, row));
  return parts;
}

SparseMatrix find_pushes(const FactorForm& form, const std::vector<FactorPart>& parts) {
  std::vector<Eigen::Triplet<double>> triplets;
  const int dimension = form.dimension;
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (int axis = 0; axis < dimension; ++axis) {
      const Index column = find_column(form, parts[p], axis);
      if (column < 0) continue;
      const bool is_row = column >= form.H.cols();
      const SparseMatrix& from = is_row ? form.G : form.H;
      for (SparseMatrix::InnerIterator it(from, is_row ? column - form.H.cols() : column); it; ++it)
        triplets.emplace_back(it.row(), static_cast<Index>(p) * dimension + axis, parts[p].sign * it.value());
    }
  SparseMatrix pushes(form.velocities(), static_cast<Index>(parts.size()) * dimension);
  pushes.setFromTriplets(triplets.begin(), triplets.end());
  return pushes;
}

Vector find_offsets(const FactorForm& form, const std::vector<FactorPart>& parts) {
  const int dimension = form.dimension;
  Vector offsets = Vector::Zero(static_cast<Index>(parts.size()) * dimension);
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (int axis = 0; axis < dimension; ++axis) {
      const FactorPart& part = parts[p];
      const Index column = find_column(form, part, axis);
      if (column < 0) continue;
      const Index row = column - form.H.cols();
      double speed = row >= 0 ? form.d[row] : form.b[column];
      if (row >= 0 && form.compliance.size() != 0) speed += form.compliance[row] * part.shift;
      offsets[static_cast<Index>(p) * dimension + axis] = part.sign * speed;
    }
  return offsets;
}

void set_friction(const FactorForm& form, const std::vector<FactorPart>& parts, Problem& problem) {
  const auto size = static_cast<Index>(parts.size());
  problem.mu.resize(size);
  problem.mu2.resize(size);
  for (Index p = 0; p < size; ++p) {
    const FactorPart& part = parts[static_cast<std::size_t>(p)];
    const Index c = part.contact;
    problem.mu[p] = problem.mu2[p] = 0.0;
    if (!part.rubs) continue;
    if (part.bears) {
      problem.mu[p] = form.mu[c];
      problem.mu2[p] = coefficient2(form, c);
      continue;
    }
    // The axes of an ellipse of radius r_n: one along t; along s in proportion, and nothing where nothing moves.
    problem.mu[p] = 1.0;
    const bool has_two = c >= 0 && form.dimension == 3 && form.H.col(form.dimension * c + 2).nonZeros() > 0;
    if (has_two) problem.mu2[p] = form.mu[c] > 0.0 ? coefficient2(form, c) / form.mu[c] : 1.0;
  }
  if (form.dimension == 2 || problem.mu2 == problem.mu) problem.mu2.resize(0);
}

}  // namespace stiction::cone
