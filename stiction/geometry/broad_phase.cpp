#include "stiction/geometry/broad_phase.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace stiction {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Vec3 half_extent(const Sphere& s, const Mat3& /*R*/) {
  return Vec3::Constant(s.radius);
}
Vec3 half_extent(const HalfSpace&, const Mat3& /*R*/) {
  return Vec3::Constant(infinity);
}
Vec3 half_extent(const Capsule& c, const Mat3& R) {
  return (R * (0.5 * c.length * c.axis)).cwiseAbs().array() + c.radius;
}
Vec3 half_extent(const Box& b, const Mat3& R) {
  return R.cwiseAbs() * Vec3(0.5 * b.x, 0.5 * b.y, 0.5 * b.z);
}

}  // namespace

Bounds bounds(const Shape& shape, const Pose& pose) {
  const Mat3 R = pose.orientation.toRotationMatrix();
  const Vec3 half = std::visit([&R](const auto& s) { return half_extent(s, R); }, shape);
  Bounds box{pose.position - half, pose.position + half};
  // NaN has no place in an order.
  if (box.low.hasNaN() || box.high.hasNaN()) box = {Vec3::Constant(-infinity), Vec3::Constant(infinity)};
  return box;
}

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
