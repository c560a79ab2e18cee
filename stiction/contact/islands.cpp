#include "stiction/contact/islands.h"

#include <algorithm>
#include <numeric>

namespace stiction {

int Islands::root(int velocity) {
  while (parent_[velocity] != velocity) {
    parent_[velocity] = parent_[parent_[velocity]];
    velocity = parent_[velocity];
  }
  return velocity;
}

int Islands::join(int a, int b) {
  const int root_a = root(a), root_b = root(b);
  return parent_[std::max(root_a, root_b)] = std::min(root_a, root_b);
}

void Islands::join_row(const linalg::Rows& rows, int row, int& first) {
  const auto columns = rows.columns(row);
  if (columns.empty()) return;
  if (first < 0) first = columns.front();
  int common = root(first);
  for (const int velocity : columns) {
    constrained_[velocity] = 1;
    if (parent_[velocity] != common) common = join(common, velocity);
  }
}

namespace {

/// Groups 0..n-1 by key(i) in [0, groups): starts and a list, stable.
template <class Key>
void group(int n, int groups, Key key, std::vector<int>& starts, std::vector<int>& list) {
  starts.assign(static_cast<std::size_t>(groups) + 1, 0);
  for (int i = 0; i < n; ++i) ++starts[key(i) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  list.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) list[starts[key(i)]++] = i;
  for (int g = groups; g > 0; --g) starts[g] = starts[g - 1];
  starts[0] = 0;
}

}  // namespace

void Islands::split(const StepProblem& problem) {
  const int n = problem.velocities();
  parent_.resize(static_cast<std::size_t>(n));
  std::iota(parent_.begin(), parent_.end(), 0);
  constrained_.assign(static_cast<std::size_t>(n), 0);
  joint_velocity_.assign(static_cast<std::size_t>(problem.joints()), -1);
  contact_velocity_.assign(static_cast<std::size_t>(problem.size()), -1);
  for (int j = 0; j < n; ++j)
    for (SparseMatrix::InnerIterator it(problem.M, j); it; ++it) join(j, static_cast<int>(it.row()));
  for (int i = 0; i < problem.joints(); ++i) join_row(problem.nu, i, joint_velocity_[i]);
  for (int j = 0; j < problem.size(); ++j) {
    join_row(problem.n, j, contact_velocity_[j]);
    join_row(problem.t1, j, contact_velocity_[j]);
    join_row(problem.t2, j, contact_velocity_[j]);
    const int carrier = contact_velocity_[problem.normal_of(j)];
    if (carrier >= 0 && contact_velocity_[j] >= 0) join(carrier, contact_velocity_[j]);
    const int partner = problem.contacts[j].partner;
    if (partner < 0 || partner > j || contact_velocity_[partner] < 0 || contact_velocity_[j] < 0) continue;
    join(contact_velocity_[partner], contact_velocity_[j]);
  }
  for (int i = 0; i < n; ++i)  // a mass couples: what touches one velocity constrains all of its group
    if (constrained_[i]) constrained_[root(i)] = 1;

  island_of_.assign(static_cast<std::size_t>(n), -1);
  int count = 0;
  for (int i = 0; i < n; ++i)
    if (root(i) == i && constrained_[i]) island_of_[i] = count++;
  const bool any_free = std::any_of(parent_.begin(), parent_.end(), [&](int p) { return !constrained_[root(p)]; });
  const int groups = std::max(1, count + (any_free ? 1 : 0));
  for (int i = 0; i < n; ++i) {
    const int r = root(i);
    island_of_[i] = constrained_[r] ? island_of_[r] : groups - 1;
  }
  // A row that touches no velocity (nothing can move along it) goes to the first island, to be judged there.
  const auto of = [&](int velocity) { return velocity < 0 ? 0 : island_of_[velocity]; };
  group(n, groups, [&](int i) { return island_of_[i]; }, velocity_starts_, velocity_list_);
  group(problem.joints(), groups, [&](int i) { return of(joint_velocity_[i]); }, joint_starts_, joint_list_);
  group(problem.size(), groups, [&](int j) { return of(contact_velocity_[j]); }, contact_starts_, contact_list_);
  local_.resize(static_cast<std::size_t>(n));
  for (int g = 0; g < groups; ++g)
    for (int p = velocity_starts_[g]; p < velocity_starts_[g + 1]; ++p)
      local_[velocity_list_[p]] = p - velocity_starts_[g];
}

}  // namespace stiction
