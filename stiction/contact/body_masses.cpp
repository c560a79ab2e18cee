#include "stiction/contact/body_masses.h"

#include <algorithm>

#include "stiction/base/assert.h"

namespace stiction {

namespace {

// Velocities: a user's own system with more is better read from its sparse M.
constexpr int most_dense = 600;

int body_of(const BodyStructure& structure, int velocity) {
  const auto after = std::upper_bound(structure.starts.begin(), structure.starts.end(), velocity);
  return static_cast<int>(after - structure.starts.begin()) - 1;
}

}  // namespace

void BodyMasses::reset(const BodyStructure& structure) {
  sizes_.clear();
  for (int body = 0; body < structure.size(); ++body) {
    const int count = structure.velocities(body);
    sizes_.push_back(count <= most_dense ? count : 0);
  }
  coupled_ = structure.springs;
  lay_out();
}

void BodyMasses::lay_out() {
  const auto area = [](int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  };
  offsets_.assign(1, 0);
  for (const int size : sizes_) offsets_.push_back(offsets_.back() + area(size, size));
  values_.assign(offsets_.back(), 0.0);
  coupling_offsets_.assign(1, 0);
  for (const auto& [a, b] : coupled_)
    coupling_offsets_.push_back(coupling_offsets_.back() + 2 * area(sizes_[a], sizes_[b]));
  couplings_.assign(coupling_offsets_.back(), 0.0);
}

double* BodyMasses::place(const BodyStructure& structure, int row, int column_body, int column) {
  const int row_body = body_of(structure, row);
  const std::pair pair(std::min(row_body, column_body), std::max(row_body, column_body));
  const auto found = std::lower_bound(coupled_.begin(), coupled_.end(), pair);
  const auto index = static_cast<std::size_t>(found - coupled_.begin());
  if (found == coupled_.end() || *found != pair) coupled_.insert(found, pair);
  if (coupling_offsets_.size() != coupled_.size() + 1) return nullptr;  // until all are laid out anew
  const std::size_t at = coupling_offsets_[index];
  const int rows = sizes_[row_body], local_row = row - structure.starts[row_body];
  const std::size_t half =
      row_body < column_body ? 0 : static_cast<std::size_t>(rows) * static_cast<std::size_t>(sizes_[column_body]);
  return couplings_.data() + at + half + static_cast<std::size_t>(column) * static_cast<std::size_t>(rows) +
         static_cast<std::size_t>(local_row);
}

bool BodyMasses::fill(const BodyStructure& structure, const linalg::SparseMatrix& M) {
  std::fill(values_.begin(), values_.end(), 0.0);
  std::fill(couplings_.begin(), couplings_.end(), 0.0);
  bool fits = true;
  for (int body = 0; body < size(); ++body) {
    const int start = structure.starts[body], count = sizes_[body];
    for (int column = 0; column < count; ++column) {
      double* values =
          values_.data() + offsets_[body] + static_cast<std::size_t>(column) * static_cast<std::size_t>(count);
      for (linalg::SparseMatrix::InnerIterator it(M, start + column); it; ++it) {
        const int row = static_cast<int>(it.row()), local = row - start;
        const bool is_own = local >= 0 && local < count;
        if (!is_own && sizes_[body_of(structure, row)] == 0) continue;
        double* entry = is_own ? values + local : place(structure, row, body, column);
        if (entry == nullptr)
          fits = false;
        else if (fits)
          *entry += it.value();
      }
    }
  }
  return fits;
}

void BodyMasses::take(const BodyStructure& structure, const linalg::SparseMatrix& M) {
  STICTION_ASSERT(M.cols() == structure.velocities(),
                  "a mass matrix of another size than the velocities of its bodies");
  if (fill(structure, M)) return;
  lay_out();
  fill(structure, M);
}

BodyMasses::Block BodyMasses::upper(int i) const {
  const auto& [a, b] = coupled_[i];
  return view(couplings_, coupling_offsets_[i], sizes_[a], sizes_[b]);
}

BodyMasses::Block BodyMasses::lower(int i) const {
  const auto& [a, b] = coupled_[i];
  const std::size_t half = static_cast<std::size_t>(sizes_[a]) * static_cast<std::size_t>(sizes_[b]);
  return view(couplings_, coupling_offsets_[i] + half, sizes_[b], sizes_[a]);
}

}  // namespace stiction
