#include "stiction/geometry/broad_phase.h"

namespace stiction {

void BroadPhase::sort(std::vector<IndexPair>& pairs) {
  std::sort(pairs.begin(), pairs.end());
}

}  // namespace stiction
