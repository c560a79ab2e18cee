#include "stiction/contact/body_graph.h"

#include <algorithm>
#include <numeric>

namespace stiction {

namespace {

/// Lists 0..keys.size()-1 by key, those with a key below zero left out.
void group(const std::vector<int>& keys, int groups, std::vector<int>& starts, std::vector<int>& list) {
  starts.assign(static_cast<std::size_t>(groups) + 1, 0);
  for (const int key : keys)
    if (key >= 0) ++starts[key + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  list.resize(static_cast<std::size_t>(starts.back()));
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] >= 0) list[starts[keys[i]]++] = static_cast<int>(i);
  for (int g = groups; g > 0; --g) starts[g] = starts[g - 1];
  starts[0] = 0;
}

}  // namespace

void BodyGraph::read_nodes(const BodyStructure& structure) {
  compound_ = structure.compound;
  node_of_.resize(compound_.size());
  int nodes = 0;
  for (std::size_t body = 0; body < compound_.size(); ++body)  // a compound's lowest body comes first
    node_of_[body] = compound_[body] == static_cast<int>(body) ? nodes++ : node_of_[compound_[body]];
  group(node_of_, nodes, body_starts_, body_list_);
  island_of_.assign(static_cast<std::size_t>(nodes), -1);
}

void BodyGraph::read_pairs(const StepProblem& problem) {
  const auto node = [&](int body) { return body < 0 ? -1 : node_of_[body]; };
  const auto note = [](int a, int b, Pairs& pairs) {
    const std::pair pair(std::min(a, b), std::max(a, b));
    if (pairs.empty() || pairs.back() != pair) pairs.push_back(pair);
  };
  found_rows_.clear();
  found_coupled_.clear();
  for (const JacobianBlocks* blocks : {&problem.blocks.rows, &problem.blocks.contacts})
    for (int i = 0; i < blocks->size(); ++i) note(node(blocks->body_a()[i]), node(blocks->body_b()[i]), found_rows_);
  for (const auto& [a, b] : problem.blocks.masses.coupled()) note(node(a), node(b), found_coupled_);
}

void BodyGraph::find_neighbours() {
  edges_.clear();
  for (const Pairs* pairs : {&rows_, &coupled_})
    for (const auto& [a, b] : *pairs) {
      if (a < 0 || a == b) continue;
      edges_.emplace_back(a, b);
      edges_.emplace_back(b, a);
    }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  starts_.assign(static_cast<std::size_t>(size()) + 1, 0);
  list_.clear();
  for (const auto& [from, to] : edges_) {
    ++starts_[from + 1];
    list_.push_back(to);
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
}

int BodyGraph::root(int node) {
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}

void BodyGraph::find_islands() {
  parent_.resize(static_cast<std::size_t>(size()));
  std::iota(parent_.begin(), parent_.end(), 0);
  constrained_.assign(static_cast<std::size_t>(size()), 0);
  for (const auto& [a, b] : edges_) {
    const int root_a = root(a), root_b = root(b);
    parent_[std::max(root_a, root_b)] = std::min(root_a, root_b);
  }
  for (const auto& [a, b] : rows_)
    for (const int node : {a, b})
      if (node >= 0) constrained_[root(node)] = 1;
  int islands = 0;
  for (int node = 0; node < size(); ++node) {  // a root is the lowest of its island
    const int first = root(node);
    island_of_[node] = constrained_[first] == 0 ? -1 : first == node ? islands++ : island_of_[first];
  }
  group(island_of_, islands, node_starts_, node_list_);
}

bool BodyGraph::take(const StepProblem& problem) {
  const bool new_nodes = compound_ != problem.blocks.structure.compound;
  if (new_nodes) read_nodes(problem.blocks.structure);
  read_pairs(problem);
  if (!new_nodes && found_rows_ == rows_ && found_coupled_ == coupled_) return false;
  std::swap(rows_, found_rows_);
  std::swap(coupled_, found_coupled_);
  find_neighbours();
  find_islands();
  return true;
}

}  // namespace stiction
