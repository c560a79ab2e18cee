#pragma once

#include <span>
#include <utility>
#include <vector>

#include "stiction/geometry/bounds.h"

namespace stiction {

struct IndexPair {
  int first, second;  ///< first < second
  friend auto operator<=>(const IndexPair&, const IndexPair&) = default;
};

/// The pairs of boxes that are near each other, kept while these move a little at a time. Each has a fat box, larger
/// than its own, and only what leaves it is looked at again: by a search of a binary tree whose boxes are fitted anew,
/// or, when many have left, by a new tree over all, halved at the middle of its longest side down to a few each.
class BoxTree {
 public:
  /// Makes fat box i contain boxes[i] grown by `grow` on all sides, for all i. Boxes without end along every axis are
  /// kept in a list of their own.
  void update(std::span<const Bounds> boxes, double grow);

  /// Pairs whose fat boxes overlap, in increasing order.
  [[nodiscard]] const std::vector<IndexPair>& near_pairs() const { return near_; }
  /// Those whose boxes have no end along any axis, in increasing order.
  [[nodiscard]] const std::vector<int>& endless() const { return endless_; }

 private:
  struct Node {
    Bounds box{Vec3::Zero(), Vec3::Zero()};
    int parent = -1;
    int right = -1;            ///< The left child is the next node; -1 for leaves.
    int first = 0, count = 0;  ///< What is below, in order_.
  };

  /// False where all must be looked at anew.
  bool find_moved(std::span<const Bounds> boxes, double grow);
  void rebuild(std::span<const Bounds> boxes, double grow);
  void build_nodes();
  void split(Node& node);
  void find_all_pairs();
  void add_pairs_of_leaves(const Node& a, const Node& b);
  void move_some(std::span<const Bounds> boxes, double grow);
  void refit_from(int node);
  void find_pairs_of(int i);
  [[nodiscard]] Bounds box_of_leaf(const Node& leaf) const;

  std::vector<Node> nodes_;
  std::vector<Bounds> fat_;
  std::vector<Vec3> middles_;
  std::vector<int> order_, leaf_of_, endless_, moved_, stack_;
  std::vector<std::pair<int, int>> node_pairs_;
  std::vector<char> has_moved_;
  std::vector<IndexPair> near_, fresh_, merged_;
  std::size_t moved_since_ = 0;
};

}  // namespace stiction
