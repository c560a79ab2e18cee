#include "stiction/geometry/broad_phase.h"

#include <algorithm>
#include <numeric>

namespace stiction {
int BroadPhase::sort_by_low(std::span<const Bounds> boxes) {
  Vec3 sum = Vec3::Zero(), sum_of_squares = Vec3::Zero();
  int finite = 0;
  for (const Bounds& box : boxes) {
    const Vec3 center = 0.5 * (box.low + box.high);
    if (!center.allFinite()) continue;
    sum += center;
    sum_of_squares += center.cwiseAbs2();
    ++finite;
  }
  int axis = 0;
  if (finite > 0) (sum_of_squares - sum.cwiseAbs2() / finite).maxCoeff(&axis);
  order_.resize(boxes.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&boxes, axis](int i, int j) {
    const double low_i = boxes[i].low[axis], low_j = boxes[j].low[axis];
    return low_i < low_j || (low_i == low_j && i < j);
  });
  return axis;
}

void BroadPhase::sort(std::vector<IndexPair>& pairs) {
  std::sort(pairs.begin(), pairs.end());
}

}  // namespace stiction
