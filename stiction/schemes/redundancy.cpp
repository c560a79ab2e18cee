#include "stiction/schemes/redundancy.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stiction {

namespace {

// Sine of the angle below which a row adds nothing to those before it. What rows that are nearly parallel ask across
// themselves takes twenty times the way that is missing along them, and mends nothing.
constexpr double narrow = 0.05;

}  // namespace

/// Gram and Schmidt's; done twice, it does not depend on how much cancels.
bool Redundancy::Span::widen(std::vector<double>& vector) {
  const double square = std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0);
  const std::size_t size = vector.size();
  double left = square;
  for (int pass = 0; pass < 2; ++pass) {
    for (int k = 0; k < dimensions; ++k) {
      const double* e = basis.data() + static_cast<std::size_t>(k) * size;
      const double along = std::inner_product(vector.begin(), vector.end(), e, 0.0);
      for (std::size_t i = 0; i < size; ++i) vector[i] -= along * e[i];
    }
    left = std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0);
  }
  if (!(left > narrow * narrow * square)) return false;
  basis.resize(static_cast<std::size_t>(++dimensions) * size);
  std::transform(vector.begin(), vector.end(), basis.end() - static_cast<std::ptrdiff_t>(size),
                 [&](double value) { return value / std::sqrt(left); });
  return true;
}

void Redundancy::begin(const BodyStructure& structure, const linalg::Vector& masses) {
  const auto bodies = static_cast<std::size_t>(structure.size());
  scale_ = masses.array().rsqrt();
  body_of_.resize(static_cast<std::size_t>(structure.velocities()));
  for (int body = 0; body < structure.size(); ++body)
    for (int i = structure.starts[body]; i < structure.starts[body + 1]; ++i) body_of_[i] = body;
  spans_.resize(bodies);
  for (Span& span : spans_) span.dimensions = 0;
  rows_of_.assign(bodies, 0);
  ranks_of_.assign(bodies, 0);
  has_dependent_.assign(bodies, 0);
  depends_.assign(bodies, 0);
  last_bodies_.clear();
  parent_ = structure.compound;
}

int Redundancy::root(int body) {
  while (parent_[body] != body) body = parent_[body] = parent_[parent_[body]];
  return body;
}

/// Its bodies become one island, and their spans wider.
void Redundancy::take_row(const BodyStructure& structure, std::span<const int> columns,
                          std::span<const double> values) {
  bodies_.clear();
  whole_.clear();
  for (std::size_t p = 0; p < columns.size();) {
    const int body = body_of_[columns[p]];
    part_.assign(static_cast<std::size_t>(structure.velocities(body)), 0.0);
    for (; p < columns.size() && body_of_[columns[p]] == body; ++p)
      part_[static_cast<std::size_t>(columns[p] - structure.starts[body])] += scale_[columns[p]] * values[p];
    whole_.insert(whole_.end(), part_.begin(), part_.end());
    spans_[body].widen(part_);
    bodies_.push_back(body);
    parent_[root(body)] = root(bodies_.front());
  }
}

void Redundancy::take_in_turn(const std::vector<int>& bodies) {
  if (bodies != last_bodies_) in_turn_.dimensions = 0;
  if (!in_turn_.widen(whole_)) has_dependent_[bodies.front()] = 1;
  last_bodies_ = bodies;
}

void Redundancy::find(const BodyStructure& structure, const linalg::Vector& masses, std::span<const RowOf> rows,
                      std::vector<char>& is_redundant) {
  begin(structure, masses);
  first_body_.assign(rows.size(), -1);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    take_row(structure, rows[row].rows->columns(rows[row].row), rows[row].rows->values(rows[row].row));
    if (bodies_.empty()) continue;
    first_body_[row] = bodies_.front();
    take_in_turn(bodies_);
  }
  for (const int body : first_body_)
    if (body >= 0) ++rows_of_[root(body)];
  for (int body = 0; body < structure.size(); ++body) {
    ranks_of_[root(body)] += spans_[body].dimensions;
    if (has_dependent_[body] != 0) depends_[root(body)] = 1;
  }
  is_redundant.assign(rows.size(), 0);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (first_body_[row] < 0) continue;
    const int island = root(first_body_[row]);
    is_redundant[row] = depends_[island] != 0 || rows_of_[island] > ranks_of_[island] ? 1 : 0;
  }
}

}  // namespace stiction
