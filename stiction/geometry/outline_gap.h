#pragma once

#include <limits>

#include "stiction/geometry/outline.h"

namespace stiction {

/// The nearest points of two outlines, thickening left out, or where they overlap the shortest way apart.
struct OutlineGap {
  double distance = -std::numeric_limits<double>::infinity();  ///< Negative where they overlap.
  Eigen::Vector2d normal = Eigen::Vector2d::UnitX();           ///< From b to a.
  Eigen::Vector2d on_a = Eigen::Vector2d::Zero(), on_b = Eigen::Vector2d::Zero();
};

/// By all edges and corners. Lengths below `tiny` are rounding.
[[nodiscard]] OutlineGap find_outline_gap(const Outline& a, const Outline& b, double tiny);

}  // namespace stiction
