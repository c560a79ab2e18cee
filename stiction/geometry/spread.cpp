#include "stiction/geometry/spread.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace stiction {
namespace {

/// Of the distance between contacts: a difference below is rounding.
constexpr double same_place = 1e-6;
/// Of the distance between contacts: of gaps that differ by less any may be the deepest.
constexpr double same_gap = 1e-9;

}  // namespace

void sort_by_feature(std::vector<SurfaceContact>& contacts, std::size_t start) {
  std::sort(contacts.begin() + static_cast<std::ptrdiff_t>(start), contacts.end(),
            [](const SurfaceContact& x, const SurfaceContact& y) { return x.feature < y.feature; });
}

void keep_spread(std::vector<SurfaceContact>& contacts, std::size_t start, int most) {
  const std::size_t end = contacts.size();
  sort_by_feature(contacts, start);
  if (end - start <= static_cast<std::size_t>(most)) return;
  const auto square = [&](std::size_t i, std::size_t k) {
    return (contacts[i].point_a - contacts[k].point_a).squaredNorm();
  };
  double deepest = std::numeric_limits<double>::infinity(), width = 0.0;
  for (std::size_t i = start; i < end; ++i) {
    deepest = std::min(deepest, contacts[i].gap);
    width = std::max(width, square(i, start));
  }
  std::size_t first = start;
  while (contacts[first].gap > deepest + same_gap * std::sqrt(width)) ++first;
  const auto move_to = [&](std::size_t to, std::size_t from) {
    const auto begin = contacts.begin();
    std::rotate(begin + static_cast<std::ptrdiff_t>(to), begin + static_cast<std::ptrdiff_t>(from),
                begin + static_cast<std::ptrdiff_t>(from) + 1);
  };
  move_to(start, first);
  for (std::size_t kept = start + 1; kept < start + static_cast<std::size_t>(most); ++kept) {
    std::size_t best = kept;
    double widest = -1.0;
    for (std::size_t i = kept; i < end; ++i) {
      double near = std::numeric_limits<double>::infinity();
      for (std::size_t k = start; k < kept; ++k) near = std::min(near, square(i, k));
      if (near > widest + same_place * width) {
        widest = near;
        best = i;
      }
    }
    move_to(kept, best);
  }
  contacts.erase(contacts.begin() + static_cast<std::ptrdiff_t>(start) + most, contacts.end());
  sort_by_feature(contacts, start);
}

}  // namespace stiction
