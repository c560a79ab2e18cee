#include "stiction/geometry/box_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stiction {
namespace {

/// Of its largest finite extent: by how much a leaf's box is larger than its own on each side.
constexpr double fat = 0.1;
/// For the cost of boxes that have no end along some axis.
constexpr double far = 1e9;

bool is_endless(const Bounds& box) {
  return !(box.low.array().isFinite() || box.high.array().isFinite()).any();
}

Bounds joined(const Bounds& a, const Bounds& b) {
  return {a.low.cwiseMin(b.low), a.high.cwiseMax(b.high)};
}

bool contains(const Bounds& outer, const Bounds& inner) {
  return (outer.low.array() <= inner.low.array()).all() && (outer.high.array() >= inner.high.array()).all();
}

/// Half the surface, which is what a search has to pay for a box.
double cost(const Bounds& box) {
  const Vec3 edge = (box.high - box.low).cwiseMin(far);
  return edge.x() * edge.y() + edge.y() * edge.z() + edge.z() * edge.x();
}

Bounds fattened(const Bounds& box) {
  double extent = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double edge = box.high[i] - box.low[i];
    if (std::isfinite(edge)) extent = std::max(extent, edge);
  }
  return {box.low.array() - fat * extent, box.high.array() + fat * extent};
}

}  // namespace

void BoxTree::clear() {
  nodes_.clear();
  free_.clear();
  leaf_of_.clear();
  endless_.clear();
  root_ = -1;
}

void BoxTree::update(std::span<const Bounds> boxes) {
  if (leaf_of_.size() != boxes.size()) clear();
  leaf_of_.resize(boxes.size(), -1);
  endless_.clear();
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    const int leaf = leaf_of_[i];
    if (is_endless(boxes[i])) {
      endless_.push_back(i);
      if (leaf >= 0) remove(leaf);
      leaf_of_[i] = -1;
      continue;
    }
    if (leaf >= 0) {
      if (contains(nodes_[leaf].box, boxes[i])) continue;
      remove(leaf);
    }
    insert(i, fattened(boxes[i]));
  }
}

int BoxTree::take_node() {
  if (free_.empty()) {
    nodes_.emplace_back();
    return static_cast<int>(nodes_.size()) - 1;
  }
  const int node = free_.back();
  free_.pop_back();
  nodes_[node] = {};
  return node;
}

/// Down the side that grows less, until standing beside a branch costs no more than going on.
int BoxTree::best_sibling(const Bounds& box) const {
  int at = root_;
  while (nodes_[at].height > 0) {
    const Node& node = nodes_[at];
    const double together = cost(joined(node.box, box));
    const double grown = 2.0 * (together - cost(node.box));
    const auto below = [&](int child) {
      const double with = cost(joined(nodes_[child].box, box));
      return grown + (nodes_[child].height > 0 ? with - cost(nodes_[child].box) : with);
    };
    const double left = below(node.left), right = below(node.right);
    if (2.0 * together < left && 2.0 * together < right) break;
    at = left <= right ? node.left : node.right;
  }
  return at;
}

void BoxTree::insert(int index, const Bounds& box) {
  const int leaf = take_node();
  nodes_[leaf].box = box;
  nodes_[leaf].left = index;
  leaf_of_[index] = leaf;
  if (root_ < 0) {
    root_ = leaf;
    return;
  }
  const int sibling = best_sibling(box);
  const int branch = take_node();
  const int parent = nodes_[sibling].parent;
  nodes_[branch].parent = parent;
  nodes_[branch].left = sibling;
  nodes_[branch].right = leaf;
  nodes_[sibling].parent = branch;
  nodes_[leaf].parent = branch;
  if (parent < 0) {
    root_ = branch;
  } else {
    (nodes_[parent].left == sibling ? nodes_[parent].left : nodes_[parent].right) = branch;
  }
  refit_from(branch);
}

void BoxTree::remove(int leaf) {
  const int branch = nodes_[leaf].parent;
  free_.push_back(leaf);
  if (branch < 0) {
    root_ = -1;
    return;
  }
  const int sibling = nodes_[branch].left == leaf ? nodes_[branch].right : nodes_[branch].left;
  const int parent = nodes_[branch].parent;
  free_.push_back(branch);
  nodes_[sibling].parent = parent;
  if (parent < 0) {
    root_ = sibling;
    return;
  }
  (nodes_[parent].left == branch ? nodes_[parent].left : nodes_[parent].right) = sibling;
  refit_from(parent);
}

void BoxTree::refit_from(int node) {
  while (node >= 0) {
    node = balanced(node);
    Node& at = nodes_[node];
    at.height = 1 + std::max(nodes_[at.left].height, nodes_[at.right].height);
    at.box = joined(nodes_[at.left].box, nodes_[at.right].box);
    node = at.parent;
  }
}

int BoxTree::balanced(int node) {
  const int lean = nodes_[nodes_[node].right].height - nodes_[nodes_[node].left].height;
  if (std::abs(lean) < 2) return node;
  // The deeper child comes up; of its own two the deeper stays with it.
  const int up = lean > 0 ? nodes_[node].right : nodes_[node].left;
  int stays = nodes_[up].left, goes = nodes_[up].right;
  if (nodes_[stays].height < nodes_[goes].height) std::swap(stays, goes);
  const int parent = nodes_[node].parent;
  (lean > 0 ? nodes_[node].right : nodes_[node].left) = goes;
  nodes_[goes].parent = node;
  nodes_[node].parent = up;
  nodes_[up].left = node;
  nodes_[up].right = stays;
  nodes_[up].parent = parent;
  if (parent < 0) {
    root_ = up;
  } else {
    (nodes_[parent].left == node ? nodes_[parent].left : nodes_[parent].right) = up;
  }
  Node& down = nodes_[node];
  down.height = 1 + std::max(nodes_[down.left].height, nodes_[down.right].height);
  down.box = joined(nodes_[down.left].box, nodes_[down.right].box);
  return up;
}

}  // namespace stiction
