#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "stiction/geometry/box_tree.h"

namespace stiction {

/// Pairs of boxes that overlap, by a tree that is kept from call to call: what has moved little costs little. The pairs
/// do not depend on earlier calls, only the time does.
class BroadPhase {
 public:
  /// All pairs of boxes that overlap once each is grown by half the margin on all sides and that `wanted(i, j)` lets
  /// through, i < j, in increasing order.
  template <class Wanted>
  void find_pairs(std::span<const Bounds> boxes, double margin, Wanted&& wanted, std::vector<IndexPair>& pairs) {
    pairs.clear();
    tree_.update(boxes, 0.5 * margin);
    const auto add = [&](const IndexPair& pair) {
      if (overlap(boxes[pair.first], boxes[pair.second], margin) && wanted(pair.first, pair.second)) {
        pairs.push_back(pair);
      }
    };
    for (const IndexPair& pair : tree_.near_pairs()) add(pair);
    const std::vector<int>& endless = tree_.endless();
    if (endless.empty()) return;
    for (const int i : endless) {
      for (int j = 0; j < static_cast<int>(boxes.size()); ++j) {
        const bool again = j < i && std::binary_search(endless.begin(), endless.end(), j);
        if (j != i && !again) add({std::min(i, j), std::max(i, j)});
      }
    }
    sort(pairs);
  }

 private:
  [[nodiscard]] static bool overlap(const Bounds& a, const Bounds& b, double margin) {
    return (a.low.array() <= b.high.array() + margin).all() && (b.low.array() <= a.high.array() + margin).all();
  }
  static void sort(std::vector<IndexPair>& pairs);

  BoxTree tree_;
};

}  // namespace stiction
