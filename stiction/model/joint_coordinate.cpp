#include "stiction/model/joint_coordinate.h"

#include <cmath>

#include "stiction/model/pair_row.h"

namespace stiction {

/// With x = p.x_b and y = p.y_b the angle is atan2(y, x), and d/dt p.w = (w_a - w_b).(p x w) for a vector w of b.
double evaluate(const AngleCoordinate& coordinate, const JointSide& a, const JointSide& b, double factor,
                PairRow& row) {
  const Vec3 p = a.pose.orientation * coordinate.p_a;
  const Vec3 x_axis = b.pose.orientation * coordinate.x_b, y_axis = b.pose.orientation * coordinate.y_b;
  const double x = p.dot(x_axis), y = p.dot(y_axis), square = x * x + y * y;
  // Only a hinge that is off by a right angle gets to zero: it then has no angle and no gradient.
  const Vec3 gradient = square > 0.0 ? Vec3(p.cross(x * y_axis - y * x_axis) / square) : Vec3(Vec3::Zero());
  row.add_rotation(a.body, a.pose, gradient, factor);
  row.add_rotation(b.body, b.pose, gradient, -factor);
  return std::atan2(y, x);
}

/// The axis turns with b, so b's velocity counts where x_a is.
double evaluate(const SlideCoordinate& coordinate, const JointSide& a, const JointSide& b, double factor,
                PairRow& row) {
  const Vec3 x_a = a.pose.to_world(coordinate.anchor_a), x_b = b.pose.to_world(coordinate.anchor_b);
  const Vec3 axis = b.pose.orientation * coordinate.axis_b;
  row.add_point(a.body, a.pose, x_a, axis, factor);
  row.add_point(b.body, b.pose, x_a, axis, -factor);
  return axis.dot(x_a - x_b);
}

double evaluate(const JointCoordinate& coordinate, const JointSide& a, const JointSide& b, double factor,
                PairRow& row) {
  return std::visit([&](const auto& c) { return evaluate(c, a, b, factor, row); }, coordinate);
}

}  // namespace stiction
