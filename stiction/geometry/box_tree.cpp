#include "stiction/geometry/box_tree.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace stiction {
namespace {

/// Of its largest finite extent: by how much a fat box is larger than its own on each side.
constexpr double fat = 0.1;
/// Stands for the place of what has no end.
constexpr double far = 1e150;
constexpr int leaf_size = 4;
/// A new tree is made when so many of the boxes left their fat ones at once, and when as many as there are did since
/// the last one.
constexpr std::size_t one_in = 8;

bool is_endless(const Bounds& box) {
  return !(box.low.array().isFinite() || box.high.array().isFinite()).any();
}

Bounds joined(const Bounds& a, const Bounds& b) {
  return {a.low.cwiseMin(b.low), a.high.cwiseMax(b.high)};
}

bool overlap(const Bounds& a, const Bounds& b) {
  return a.low.x() <= b.high.x() && b.low.x() <= a.high.x() && a.low.y() <= b.high.y() && b.low.y() <= a.high.y() &&
         a.low.z() <= b.high.z() && b.low.z() <= a.high.z();
}

bool contains(const Bounds& outer, const Bounds& inner, double grow) {
  return (outer.low.array() <= inner.low.array() - grow).all() &&
         (outer.high.array() >= inner.high.array() + grow).all();
}

Bounds fattened(const Bounds& box, double grow) {
  double extent = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double edge = box.high[i] - box.low[i];
    if (std::isfinite(edge)) extent = std::max(extent, edge);
  }
  const double more = fat * extent + grow;
  return {box.low.array() - more, box.high.array() + more};
}

/// Always a number, since halves are told by comparing.
Vec3 middle_of(const Bounds& box) {
  Vec3 middle = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    const double sum = std::clamp(box.low[i], -far, far) + std::clamp(box.high[i], -far, far);
    if (std::isfinite(sum)) middle[i] = 0.5 * sum;
  }
  return middle;
}

}  // namespace

void BoxTree::update(std::span<const Bounds> boxes, double grow) {
  if (!find_moved(boxes, grow)) return rebuild(boxes, grow);
  if (!moved_.empty()) move_some(boxes, grow);
}

bool BoxTree::find_moved(std::span<const Bounds> boxes, double grow) {
  if (fat_.size() != boxes.size()) return false;
  moved_.clear();
  std::size_t next = 0;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    const bool was_endless = next < endless_.size() && endless_[next] == i;
    if (is_endless(boxes[i]) != was_endless) return false;
    if (was_endless) {
      ++next;
    } else if (!contains(fat_[i], boxes[i], grow)) {
      moved_.push_back(i);
    }
  }
  return moved_.size() * one_in <= boxes.size() && moved_since_ <= boxes.size();
}

void BoxTree::rebuild(std::span<const Bounds> boxes, double grow) {
  moved_since_ = 0;
  fat_.assign(boxes.begin(), boxes.end());
  middles_.resize(boxes.size());
  leaf_of_.assign(boxes.size(), -1);
  has_moved_.assign(boxes.size(), 0);
  moved_.reserve(boxes.size());
  order_.clear();
  endless_.clear();
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    (is_endless(boxes[i]) ? endless_ : order_).push_back(i);
    fat_[i] = fattened(boxes[i], grow);
    middles_[i] = middle_of(boxes[i]);
  }
  build_nodes();
  find_all_pairs();
}

/// Puts what is below into two halves by their middles along the axis in which these are spread most.
void BoxTree::split(Node& node) {
  const auto first = order_.begin() + node.first;
  Vec3 low = middles_[*first], high = low;
  for (auto at = first; at != first + node.count; ++at) {
    low = low.cwiseMin(middles_[*at]);
    high = high.cwiseMax(middles_[*at]);
  }
  int axis = 0;
  (high - low).maxCoeff(&axis);
  std::nth_element(first, first + node.count / 2, first + node.count,
                   [&](int i, int j) { return middles_[i][axis] < middles_[j][axis]; });
}

void BoxTree::build_nodes() {
  nodes_.clear();
  if (order_.empty()) return;
  const auto add = [&](int parent, int first, int count) {
    nodes_.push_back({.parent = parent, .first = first, .count = count});
    return static_cast<int>(nodes_.size()) - 1;
  };
  stack_.clear();
  stack_.push_back(add(-1, 0, static_cast<int>(order_.size())));
  // Right children get their places when their turn comes, after all that is below the left ones.
  while (!stack_.empty()) {
    int at = stack_.back();
    stack_.pop_back();
    if (at < 0) {
      at = -at - 1;
      const Node& parent = nodes_[at];
      const int half = parent.count / 2, first = parent.first + half, count = parent.count - half;
      const int right = add(at, first, count);
      nodes_[at].right = right;
      at = right;
    }
    if (nodes_[at].count <= leaf_size) continue;
    split(nodes_[at]);
    stack_.push_back(-at - 1);
    stack_.push_back(add(at, nodes_[at].first, nodes_[at].count / 2));
  }
  for (int at = static_cast<int>(nodes_.size()) - 1; at >= 0; --at) {
    Node& node = nodes_[at];
    if (node.right >= 0) {
      node.box = joined(nodes_[at + 1].box, nodes_[node.right].box);
      continue;
    }
    node.box = box_of_leaf(node);
    for (int k = 0; k < node.count; ++k) leaf_of_[order_[node.first + k]] = at;
  }
}

Bounds BoxTree::box_of_leaf(const Node& leaf) const {
  Bounds box = fat_[order_[leaf.first]];
  for (int k = 1; k < leaf.count; ++k) box = joined(box, fat_[order_[leaf.first + k]]);
  return box;
}

void BoxTree::add_pairs_of_leaves(const Node& a, const Node& b) {
  for (int k = 0; k < a.count; ++k) {
    const int i = order_[a.first + k];
    for (int m = &a == &b ? k + 1 : 0; m < b.count; ++m) {
      const int j = order_[b.first + m];
      if (overlap(fat_[i], fat_[j])) near_.push_back({std::min(i, j), std::max(i, j)});
    }
  }
}

void BoxTree::find_all_pairs() {
  near_.clear();
  node_pairs_.clear();
  if (!nodes_.empty()) node_pairs_.emplace_back(0, 0);
  while (!node_pairs_.empty()) {
    const auto [x, y] = node_pairs_.back();
    node_pairs_.pop_back();
    const Node &a = nodes_[x], &b = nodes_[y];
    if (x != y && !overlap(a.box, b.box)) continue;
    if (a.right < 0 && b.right < 0) {
      add_pairs_of_leaves(a, b);
    } else if (x == y) {
      node_pairs_.insert(node_pairs_.end(), {{x + 1, a.right}, {a.right, a.right}, {x + 1, x + 1}});
    } else if (b.right < 0 || (a.right >= 0 && a.count >= b.count)) {
      node_pairs_.insert(node_pairs_.end(), {{x + 1, y}, {a.right, y}});
    } else {
      node_pairs_.insert(node_pairs_.end(), {{x, y + 1}, {x, b.right}});
    }
  }
  std::sort(near_.begin(), near_.end());
  // Room for what comes near, so that the following steps take no memory.
  near_.reserve(2 * near_.size() + 64);
  merged_.reserve(near_.capacity());
  fresh_.reserve(near_.capacity());
}

void BoxTree::refit_from(int node) {
  nodes_[node].box = box_of_leaf(nodes_[node]);
  for (int at = nodes_[node].parent; at >= 0; at = nodes_[at].parent) {
    nodes_[at].box = joined(nodes_[at + 1].box, nodes_[nodes_[at].right].box);
  }
}

void BoxTree::find_pairs_of(int i) {
  stack_.clear();
  stack_.push_back(0);
  while (!stack_.empty()) {
    const int at = stack_.back();
    const Node& node = nodes_[at];
    stack_.pop_back();
    if (!overlap(fat_[i], node.box)) continue;
    if (node.right >= 0) {
      stack_.push_back(node.right);
      stack_.push_back(at + 1);
      continue;
    }
    for (int k = 0; k < node.count; ++k) {
      const int j = order_[node.first + k];
      // Two that both moved are found once.
      if (j == i || (has_moved_[j] != 0 && j < i) || !overlap(fat_[i], fat_[j])) continue;
      fresh_.push_back({std::min(i, j), std::max(i, j)});
    }
  }
}

void BoxTree::move_some(std::span<const Bounds> boxes, double grow) {
  moved_since_ += moved_.size();
  for (const int i : moved_) {
    fat_[i] = fattened(boxes[i], grow);
    has_moved_[i] = 1;
  }
  for (const int i : moved_) refit_from(leaf_of_[i]);
  fresh_.clear();
  for (const int i : moved_) find_pairs_of(i);
  std::sort(fresh_.begin(), fresh_.end());
  std::erase_if(near_, [&](const IndexPair& pair) { return (has_moved_[pair.first] | has_moved_[pair.second]) != 0; });
  merged_.clear();
  std::merge(near_.begin(), near_.end(), fresh_.begin(), fresh_.end(), std::back_inserter(merged_));
  std::swap(near_, merged_);
  for (const int i : moved_) has_moved_[i] = 0;
}

}  // namespace stiction
