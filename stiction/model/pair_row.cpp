#include "stiction/model/pair_row.h"

#include <algorithm>

namespace stiction {

void PairRow::push(int column, double value) {
  if (column < 0) return;
  for (int i = 0; i < size_; ++i) {
    if (columns_[i] != column) continue;
    values_[i] += value;
    return;
  }
  columns_[size_] = column;
  values_[size_] = value;
  ++size_;
}

void PairRow::add_point(const Body* body, const Pose& pose, const Vec3& point, const Vec3& direction, double factor) {
  if (body == nullptr || body->motion == Motion::fixed) return;
  const Vec3 arm = point - pose.position;
  if (body->motion == Motion::kinematic) {
    kinematic_speed_ += factor * direction.dot(body->velocity + body->angular_velocity.cross(arm));
    return;
  }
  for (int i = 0; i < 3; ++i) push(body->columns[i], factor * direction[i]);
  if (!body->can_rotate()) return;
  // direction . (w x arm) = w . (arm x direction), and w is in the body's frame.
  const Vec3 moment = pose.orientation.conjugate() * arm.cross(direction);
  for (int i = 0; i < 3; ++i) push(body->columns[3 + i], factor * moment[i]);
}

void PairRow::add_rotation(const Body* body, const Pose& pose, const Vec3& direction, double factor) {
  if (body == nullptr || body->motion == Motion::fixed) return;
  if (body->motion == Motion::kinematic) {
    kinematic_speed_ += factor * direction.dot(body->angular_velocity);
    return;
  }
  const Vec3 local = pose.orientation.conjugate() * direction;
  for (int i = 0; i < 3; ++i) push(body->columns[3 + i], factor * local[i]);
}

bool PairRow::is_zero() const {
  return std::all_of(values_.begin(), values_.begin() + size_, [](double value) { return value == 0.0; });
}

void PairRow::append_to(linalg::Rows& rows) const {
  for (int i = 0; i < size_; ++i) rows.push(columns_[i], values_[i]);
  rows.end_row();
}

}  // namespace stiction
