#pragma once

#include <span>
#include <vector>

#include "stiction/geometry/bounds.h"

namespace stiction {

struct IndexPair {
  int first, second;  ///< first < second
  friend auto operator<=>(const IndexPair&, const IndexPair&) = default;
};

/// A balanced binary tree of boxes for things that move a little at a time. Each leaf has a fat box, larger than its
/// own; only what leaves it is put in anew. Leaves are kept at the best place found for them and branches are turned
/// where one side is deeper than the other by two (as in an AVL tree), so that all costs are those of a balanced tree.
class BoxTree {
 public:
  /// Makes leaf i of the tree contain boxes[i], for all i. Boxes without end along every axis are kept in a list of
  /// their own. Places in the tree depend on what was there before; what overlaps() finds does not.
  void update(std::span<const Bounds> boxes);
  void clear();

  /// Calls visit(j) for each j > i whose fat box overlaps boxes[i] grown by the margin on all sides; no order.
  template <class Visit>
  void overlaps(std::span<const Bounds> boxes, int i, double margin, std::vector<int>& stack, Visit&& visit) const {
    const Vec3 low = boxes[i].low.array() - margin, high = boxes[i].high.array() + margin;
    stack.clear();
    if (root_ >= 0) stack.push_back(root_);
    while (!stack.empty()) {
      const Node& node = nodes_[stack.back()];
      stack.pop_back();
      if ((node.box.low.array() > high.array()).any() || (low.array() > node.box.high.array()).any()) continue;
      if (node.height > 0) {
        stack.push_back(node.left);
        stack.push_back(node.right);
      } else if (node.left > i) {
        visit(node.left);
      }
    }
  }

  /// Those whose boxes have no end along any axis, in increasing order.
  [[nodiscard]] const std::vector<int>& endless() const { return endless_; }
  [[nodiscard]] int height() const { return root_ < 0 ? 0 : nodes_[root_].height; }

 private:
  struct Node {
    Bounds box{Vec3::Zero(), Vec3::Zero()};
    int parent = -1;
    int left = -1, right = -1;  ///< Children; of a leaf, left is its index.
    int height = 0;
  };

  void insert(int index, const Bounds& box);
  void remove(int leaf);
  [[nodiscard]] int best_sibling(const Bounds& box) const;
  void refit_from(int node);
  /// Turns a branch that leans; gives what stands in its place.
  int balanced(int node);
  int take_node();

  std::vector<Node> nodes_;
  std::vector<int> free_, leaf_of_, endless_;
  int root_ = -1;
};

}  // namespace stiction
