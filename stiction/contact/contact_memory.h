#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stiction/contact/step_problem.h"
#include "stiction/lcp/solver.h"

namespace stiction {

/// What the last solve knew of each contact, found by its id: facets, impulses, and its part of the basis; and of each
/// row of nu, which keep their number and order. Storage is kept from step to step.
class ContactMemory {
 public:
  struct Entry {
    std::uint64_t id = 0;
    Facets facets;
    double c_n = 0.0, c_t1 = 0.0, c_t2 = 0.0;
    int basis_start = 0, basis_size = 0;
  };

  void clear() {
    entries_.clear();
    row_places_.clear();
  }
  /// Makes an entry for each contact, in the problem's order, to be filled through at() and basis().
  void reset(const StepProblem& problem, const StepSolution& solution);
  /// Orders the entries by id; find() works from then on.
  void finish();

  [[nodiscard]] Entry& at(int contact) { return entries_[contact]; }
  [[nodiscard]] const Entry* find(std::uint64_t id) const;
  /// Of a contact that is known.
  void set_impulse(std::uint64_t id, double c_n, double c_t1, double c_t2);
  [[nodiscard]] lcp::Place& row_place(int row) { return row_places_[row]; }
  [[nodiscard]] lcp::Place find_row_place(int row) const {
    return row < static_cast<int>(row_places_.size()) ? row_places_[row] : lcp::Place::basic;
  }
  /// c_n, facets, lambda.
  [[nodiscard]] std::span<lcp::Place> basis(const Entry& entry) {
    return {places_.data() + entry.basis_start, static_cast<std::size_t>(entry.basis_size)};
  }
  [[nodiscard]] std::span<const lcp::Place> basis(const Entry& entry) const {
    return {places_.data() + entry.basis_start, static_cast<std::size_t>(entry.basis_size)};
  }

 private:
  std::vector<Entry> entries_;
  std::vector<lcp::Place> places_, row_places_;
};

}  // namespace stiction
