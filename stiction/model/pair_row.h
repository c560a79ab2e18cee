#pragma once

#include <array>

#include "stiction/linalg/rows.h"
#include "stiction/model/model.h"

namespace stiction {

/// A row of a Jacobian between two bodies, or three with a carrier: its entries in v, each column once, and what
/// kinematic bodies add to row . v.
class PairRow {
 public:
  /// Adds factor * direction . (velocity of the body's material point that is at `point`). A body nullptr is the world.
  void add_point(const Body* body, const Pose& pose, const Vec3& point, const Vec3& direction, double factor);
  /// Adds factor * direction . (angular velocity of the body), all in the world's frame.
  void add_rotation(const Body* body, const Pose& pose, const Vec3& direction, double factor);

  [[nodiscard]] double kinematic_speed() const { return kinematic_speed_; }
  [[nodiscard]] bool is_zero() const;
  void append_to(linalg::Rows& rows) const;

 private:
  void push(int column, double value);

  static constexpr int most = 18;

  std::array<int, most> columns_ = {};
  std::array<double, most> values_ = {};
  int size_ = 0;
  double kinematic_speed_ = 0.0;
};

}  // namespace stiction
