#include "stiction/cone/factor_islands.h"

#include <algorithm>

#include "stiction/cone/disjoint_sets.h"

namespace stiction::cone {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// Which island a velocity, a contact and a row belong to, and their numbers within it.
class Division {
 public:
  explicit Division(const FactorForm& form) : sets_(join_entries(form.M)) {
    for (Index first = 0; const int size : form.bodies) {
      for (Index i = 1; i < size; ++i) sets_.join(first, first + i);
      first += size;
    }
    const int dimension = form.dimension;
    for (Index c = 0; c < form.contacts(); ++c) {
      const Index bearer = form.bearer_of(c) >= 0 ? form.bearer_of(c) : c;
      Index first = first_of(form.H, bearer * dimension, dimension);
      if (first < 0) first = first_of(form.H, c * dimension, dimension);
      join_columns(form.H, c * dimension, dimension, first);
      join_columns(form.H, bearer * dimension, dimension, first);
      contacts_.push_back(first);
    }
    for (Index row = 0; row < form.rows(); ++row) {
      const Index first = first_of(form.G, row, 1);
      join_columns(form.G, row, 1, first);
      rows_.push_back(first);
    }
  }

  [[nodiscard]] Index of_velocity(Index i) { return sets_.root(i); }
  /// What touches nothing goes with the first velocity.
  [[nodiscard]] Index of_contact(Index c) { return sets_.root(std::max<Index>(contacts_[c], 0)); }
  [[nodiscard]] Index of_row(Index row) { return sets_.root(std::max<Index>(rows_[row], 0)); }

 private:
  static Index first_of(const SparseMatrix& A, Index column, Index count) {
    for (Index j = column; j < column + count; ++j)
      for (SparseMatrix::InnerIterator it(A, j); it; ++it)
        if (it.value() != 0.0) return it.row();
    return -1;
  }
  void join_columns(const SparseMatrix& A, Index column, Index count, Index first) {
    for (Index j = column; j < column + count; ++j)
      for (SparseMatrix::InnerIterator it(A, j); it; ++it)
        if (it.value() != 0.0) sets_.join(first, it.row());
  }

  DisjointSets sets_;
  std::vector<Index> contacts_, rows_;
};

/// What belongs to one island, in the order of the whole.
struct Members {
  std::vector<Index> velocities, contacts, rows, parts;
  std::vector<int> bodies;
};

Vector pick(const Vector& whole, const std::vector<Index>& list) {
  return whole.size() == 0 ? Vector() : Vector(whole(list));
}

/// Each contact's `dimension` numbers.
std::vector<Index> expand(const std::vector<Index>& contacts, int dimension) {
  std::vector<Index> list;
  for (const Index c : contacts)
    for (int axis = 0; axis < dimension; ++axis) list.push_back(c * dimension + axis);
  return list;
}

SparseMatrix pick_columns(const SparseMatrix& whole, const std::vector<Index>& columns, const std::vector<Index>& local,
                          Index rows) {
  Triplets entries;
  for (std::size_t j = 0; j < columns.size(); ++j)
    for (SparseMatrix::InnerIterator it(whole, columns[j]); it; ++it)
      if (it.value() != 0.0) entries.emplace_back(local[it.row()], static_cast<Index>(j), it.value());
  SparseMatrix part(rows, static_cast<Index>(columns.size()));
  part.setFromTriplets(entries.begin(), entries.end());
  return part;
}

FactorForm extract(const FactorForm& form, const Members& members, const std::vector<Index>& local,
                   const std::vector<int>& local_contact) {
  FactorForm part{.name = form.name, .expect = form.expect, .dimension = form.dimension, .alpha = form.alpha};
  const auto size = static_cast<Index>(members.velocities.size());
  const std::vector<Index> columns = expand(members.contacts, form.dimension);
  part.M = pick_columns(form.M, members.velocities, local, size);
  part.f = pick(form.f, members.velocities);
  part.v0 = pick(form.v0, members.velocities);
  part.H = pick_columns(form.H, columns, local, size);
  part.b = pick(form.b, columns);
  part.mu = pick(form.mu, members.contacts);
  part.mu2 = pick(form.mu2, members.contacts);
  part.hf = pick(form.hf, members.contacts);
  for (const Index c : members.contacts) {
    const int bearer = form.bearer_of(c);
    if (!form.bearer.empty()) part.bearer.push_back(bearer < 0 ? bearer : local_contact[bearer]);
  }
  part.G = pick_columns(form.G, members.rows, local, size);
  part.d = pick(form.d, members.rows);
  part.lower = pick(form.lower, members.rows);
  part.upper = pick(form.upper, members.rows);
  part.compliance = pick(form.compliance, members.rows);
  part.bodies = members.bodies;
  return part;
}

}  // namespace

std::vector<FactorIsland> split_islands(const FactorForm& form, const std::vector<FactorPart>& parts) {
  Division division(form);
  std::vector<Members> all(static_cast<std::size_t>(form.velocities()));
  std::vector<Index> local(all.size());
  std::vector<int> local_contact(static_cast<std::size_t>(form.contacts()));
  for (Index i = 0; i < form.velocities(); ++i) {
    Members& own = all[division.of_velocity(i)];
    local[i] = static_cast<Index>(own.velocities.size());
    own.velocities.push_back(i);
  }
  for (Index c = 0; c < form.contacts(); ++c) {
    Members& own = all[division.of_contact(c)];
    local_contact[c] = static_cast<int>(own.contacts.size());
    own.contacts.push_back(c);
  }
  for (Index first = 0; const int size : form.bodies) {
    all[division.of_velocity(first)].bodies.push_back(size);
    first += size;
  }
  for (Index row = 0; row < form.rows(); ++row) all[division.of_row(row)].rows.push_back(row);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const FactorPart& part = parts[p];
    const Index at = part.row >= 0 ? division.of_row(part.row) : division.of_contact(part.contact);
    all[at].parts.push_back(static_cast<Index>(p));
  }
  std::vector<FactorIsland> islands;
  for (const Members& own : all)
    if (!own.parts.empty()) islands.push_back({.form = extract(form, own, local, local_contact), .parts = own.parts});
  return islands;
}

void scatter(const FactorIsland& island, const Vector& r, Vector& whole) {
  const int dimension = island.form.dimension;
  for (std::size_t p = 0; p < island.parts.size(); ++p)
    whole.segment(island.parts[p] * dimension, dimension) = r.segment(static_cast<Index>(p) * dimension, dimension);
}

}  // namespace stiction::cone
