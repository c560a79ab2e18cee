#pragma once

#include <span>
#include <utility>
#include <vector>

namespace stiction::linalg {

/// LU factors of a matrix with a square block for every node of a graph and two for every edge, all of one width, found
/// without a search for pivots: for matrices whose symmetric part is positive definite. The order of elimination and
/// the fill depend on the graph alone and are kept as long as it stays the same.
class GraphLu {
 public:
  static constexpr int most_width = 6;

  using Edges = std::span<const std::pair<int, int>>;

  /// Edges with the smaller node first, sorted, each once. Nothing to do where the graph is that of the last call.
  void analyse(int nodes, int width, Edges edges);
  [[nodiscard]] int nodes() const { return nodes_; }
  /// Products of blocks in one factorisation: what it costs.
  [[nodiscard]] long products() const { return products_; }

  /// Where a block of the matrix stands, in numbers; it is row after row.
  [[nodiscard]] std::size_t place(int row_node, int column_node) const;
  [[nodiscard]] double* at(std::size_t place) { return values_.data() + place; }

  /// All zero.
  void clear();
  /// In place. False where a pivot vanishes. `is_symmetric`: the blocks above the diagonal (of the later step's column)
  /// are those below it, transposed, and need not be there: half the work.
  bool factorise(bool is_symmetric = false);
  /// In place: x is that of the nodes in turn, width() numbers each.
  void solve(double* x) const;

 private:
  void order(Edges edges);
  void find_fill();

  int nodes_ = 0, width_ = 0;
  long products_ = 0;
  std::vector<std::pair<int, int>> edges_;
  std::vector<int> order_, step_of_;  ///< Nodes by step, and the step of each node.
  std::vector<int> starts_, later_;   ///< The nodes that a step's node has as later neighbours, by their steps.
  std::vector<int> targets_;          ///< Of every product off the diagonal in turn, the place of what it changes.
  std::vector<double> values_;        ///< Blocks on the diagonal by step, then lower ones, then upper ones.
  mutable std::vector<double> work_;
};

}  // namespace stiction::linalg
