#pragma once

#include <span>
#include <utility>
#include <vector>

#include "stiction/contact/step_problem.h"

namespace stiction {

/// Which bodies of a step problem act on each other. Nodes are compounds (mostly single bodies); an edge is a pair with
/// a contact, a joint, a drive or a block of M~ between it. Kept as long as the pairs stay the same ones, so that what
/// is made from the graph (an order of elimination, a symbolic factor) can be kept too.
///
/// Unlike Islands, which looks at numbers and may take one body apart (a box that slides and does not turn), this
/// depends on no value.
class BodyGraph {
 public:
  /// The graph of a problem that has blocks. False where it is that of the last call.
  bool take(const StepProblem& problem);

  [[nodiscard]] int size() const { return static_cast<int>(island_of_.size()); }
  [[nodiscard]] int node_of(int body) const { return node_of_[body]; }
  [[nodiscard]] std::span<const int> bodies(int node) const { return part(body_starts_, body_list_, node); }
  /// Sorted.
  [[nodiscard]] std::span<const int> neighbours(int node) const { return part(starts_, list_, node); }

  /// Nodes that hang together, in the order of their lowest; those that nothing constrains are in none.
  [[nodiscard]] int islands() const { return static_cast<int>(node_starts_.size()) - 1; }
  [[nodiscard]] int island_of(int node) const { return island_of_[node]; }  ///< -1: in none.
  [[nodiscard]] std::span<const int> nodes(int island) const { return part(node_starts_, node_list_, island); }

 private:
  using Pairs = std::vector<std::pair<int, int>>;

  static std::span<const int> part(const std::vector<int>& starts, const std::vector<int>& list, int i) {
    return {list.data() + starts[i], static_cast<std::size_t>(starts[i + 1] - starts[i])};
  }
  void read_nodes(const BodyStructure& structure);
  void read_pairs(const StepProblem& problem);
  void find_neighbours();
  void find_islands();
  int root(int node);

  std::vector<int> compound_;  ///< Of the structure that the nodes are made for.
  Pairs rows_, coupled_;       ///< Pairs of nodes in the order of the problem, a run of the same once; -1: none.
  Pairs found_rows_, found_coupled_;
  Pairs edges_;
  std::vector<int> node_of_, body_starts_ = {0}, body_list_, starts_ = {0}, list_, parent_, island_of_,
                             node_starts_ = {0}, node_list_;
  std::vector<char> constrained_;
};

}  // namespace stiction
