#include "stiction/cone/speed_scales.h"

#include <algorithm>

namespace stiction::cone {

namespace {

// Of the fastest contact that hangs together with this one, and of the fastest of all: certificate.h says why.
constexpr double gravity_share = 1e-2, rounding_share = 1e-6;

int root_of(std::vector<int>& island, int contact) {
  while (island[contact] != contact) contact = island[contact] = island[island[contact]];
  return contact;
}

}  // namespace

void SpeedScales::begin(int contacts) {
  free_.assign(static_cast<std::size_t>(contacts), 0.0);
  pairs_.clear();
}

void SpeedScales::join(int a, int b) {
  if (a != b) pairs_.emplace_back(a, b);
}

/// island_ names the first contact of each island.
void SpeedScales::find_islands() {
  island_.resize(free_.size());
  for (std::size_t c = 0; c < island_.size(); ++c) island_[c] = static_cast<int>(c);
  for (const auto& [a, b] : pairs_) {
    const int root_a = root_of(island_, a), root_b = root_of(island_, b);
    island_[std::max(root_a, root_b)] = std::min(root_a, root_b);
  }
  for (std::size_t c = 0; c < island_.size(); ++c) island_[c] = root_of(island_, static_cast<int>(c));
}

void SpeedScales::find() {
  find_islands();
  scale_ = free_;
  for (int step = 0; step < 2; ++step) {
    next_ = scale_;
    for (const auto& [a, b] : pairs_) {
      next_[a] = std::max(next_[a], scale_[b]);
      next_[b] = std::max(next_[b], scale_[a]);
    }
    scale_.swap(next_);
  }
  double fastest = 0.0;
  next_.assign(free_.size(), 0.0);
  for (std::size_t c = 0; c < free_.size(); ++c) {
    next_[island_[c]] = std::max(next_[island_[c]], free_[c]);
    fastest = std::max(fastest, free_[c]);
  }
  for (std::size_t c = 0; c < free_.size(); ++c)
    scale_[c] = std::max({scale_[c], gravity_share * next_[island_[c]], rounding_share * fastest});
}

}  // namespace stiction::cone
