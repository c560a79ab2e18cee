#include "stiction/contact/contact_memory.h"

#include <algorithm>

namespace stiction {

void ContactMemory::reset(const StepProblem& problem, const StepSolution& solution) {
  entries_.assign(static_cast<std::size_t>(problem.size()), {});
  int size = 0;
  for (int j = 0; j < problem.size(); ++j) {
    entries_[j].id = problem.contacts[j].id;
    entries_[j].basis_start = size;
    entries_[j].basis_size = solution.facets[j].unknowns();
    size += entries_[j].basis_size;
  }
  row_places_.assign(static_cast<std::size_t>(problem.joints()), lcp::Place::basic);
  places_.assign(static_cast<std::size_t>(size), lcp::Place::lower);
}

void ContactMemory::finish() {
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.id < b.id; });
}

const ContactMemory::Entry* ContactMemory::find(std::uint64_t id) const {
  const auto it = std::lower_bound(entries_.begin(), entries_.end(), id,
                                   [](const Entry& entry, std::uint64_t value) { return entry.id < value; });
  return it != entries_.end() && it->id == id ? &*it : nullptr;
}

void ContactMemory::set_impulse(std::uint64_t id, double c_n, double c_t1, double c_t2) {
  const auto it = std::lower_bound(entries_.begin(), entries_.end(), id,
                                   [](const Entry& entry, std::uint64_t value) { return entry.id < value; });
  if (it == entries_.end() || it->id != id) return;
  it->c_n = c_n;
  it->c_t1 = c_t1;
  it->c_t2 = c_t2;
}

}  // namespace stiction
