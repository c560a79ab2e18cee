#include "stiction/geometry/spread.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace stiction {

void keep_spread(std::vector<SurfaceContact>& contacts, std::size_t start, int most) {
  const std::size_t end = contacts.size();
  const auto by_feature = [](const SurfaceContact& x, const SurfaceContact& y) { return x.feature < y.feature; };
  const auto first = contacts.begin() + static_cast<std::ptrdiff_t>(start);
  if (end - start > static_cast<std::size_t>(most)) {
    std::sort(first, contacts.end(), by_feature);
    std::iter_swap(first, std::min_element(first, contacts.end(), [](const SurfaceContact& x, const SurfaceContact& y) {
                     return x.gap < y.gap;
                   }));
    for (std::size_t kept = start + 1; kept < start + static_cast<std::size_t>(most); ++kept) {
      std::size_t best = kept;
      double widest = -1.0;
      for (std::size_t i = kept; i < end; ++i) {
        double near = std::numeric_limits<double>::infinity();
        for (std::size_t k = start; k < kept; ++k) {
          near = std::min(near, (contacts[i].point_a - contacts[k].point_a).squaredNorm());
        }
        if (near > widest) {
          widest = near;
          best = i;
        }
      }
      std::swap(contacts[kept], contacts[best]);
    }
    contacts.erase(contacts.begin() + static_cast<std::ptrdiff_t>(start) + most, contacts.end());
  }
  std::sort(contacts.begin() + static_cast<std::ptrdiff_t>(start), contacts.end(), by_feature);
}

}  // namespace stiction
