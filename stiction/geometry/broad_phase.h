#pragma once

#include <span>
#include <vector>

#include "stiction/geometry/bounds.h"

namespace stiction {

struct IndexPair {
  int first, second;  ///< first < second
  friend auto operator<=>(const IndexPair&, const IndexPair&) = default;
};

/// Sweep and prune along the axis in which the boxes are spread most. Keeps its storage from call to call.
class BroadPhase {
 public:
  /// All pairs of boxes that overlap once each is grown by half the margin on all sides and that `wanted(i, j)` lets
  /// through, i < j, in increasing order.
  template <class Wanted>
  void find_pairs(std::span<const Bounds> boxes, double margin, Wanted&& wanted, std::vector<IndexPair>& pairs) {
    pairs.clear();
    const int axis = sort_by_low(boxes);
    active_.clear();
    for (const int i : order_) {
      for (std::size_t k = 0; k < active_.size();) {
        const int j = active_[k];
        if (boxes[j].high[axis] + margin < boxes[i].low[axis]) {
          active_[k] = active_.back();
          active_.pop_back();
          continue;
        }
        ++k;
        const IndexPair pair{i < j ? i : j, i < j ? j : i};
        if (overlap(boxes[i], boxes[j], margin) && wanted(pair.first, pair.second)) pairs.push_back(pair);
      }
      active_.push_back(i);
    }
    sort(pairs);
  }

 private:
  [[nodiscard]] static bool overlap(const Bounds& a, const Bounds& b, double margin) {
    return (a.low.array() <= b.high.array() + margin).all() && (b.low.array() <= a.high.array() + margin).all();
  }
  static void sort(std::vector<IndexPair>& pairs);
  /// Fills order_ and returns the axis.
  int sort_by_low(std::span<const Bounds> boxes);

  std::vector<int> order_, active_;
};

}  // namespace stiction
