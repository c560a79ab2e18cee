#include "stiction/model/constraint_parts.h"

#include "stiction/model/pair_row.h"

namespace stiction {
namespace {

double evaluate_part(const PointPart& part, const JointSide& a, const JointSide& b, PairRow& gradient) {
  const Vec3 x_a = a.pose.to_world(part.anchor_a), x_b = b.pose.to_world(part.anchor_b);
  const Vec3 direction = Vec3::Unit(part.axis);
  gradient.add_point(a.body, a.pose, x_a, direction, 1.0);
  gradient.add_point(b.body, b.pose, x_b, direction, -1.0);
  return x_a[part.axis] - x_b[part.axis];
}

/// The direction turns with b, so b's velocity counts where x_a is: d/dt w.(x_a - x_b) = w.(v_a - v_b - w_b x (x_a -
/// p_b)).
double evaluate_part(const PlanePart& part, const JointSide& a, const JointSide& b, PairRow& gradient) {
  const Vec3 x_a = a.pose.to_world(part.anchor_a), x_b = b.pose.to_world(part.anchor_b);
  const Vec3 normal = b.pose.orientation * part.normal_b;
  gradient.add_point(a.body, a.pose, x_a, normal, 1.0);
  gradient.add_point(b.body, b.pose, x_a, normal, -1.0);
  return normal.dot(x_a - x_b);
}

/// d/dt u.w = (w_a x u).w + u.(w_b x w) = (w_a - w_b).(u x w)
double evaluate_part(const PerpendicularPart& part, const JointSide& a, const JointSide& b, PairRow& gradient) {
  const Vec3 u = a.pose.orientation * part.u_a, w = b.pose.orientation * part.w_b;
  const Vec3 axis = u.cross(w);
  gradient.add_rotation(a.body, a.pose, axis, 1.0);
  gradient.add_rotation(b.body, b.pose, axis, -1.0);
  return u.dot(w);
}

double evaluate_part(const DistancePart& part, const JointSide& a, const JointSide& b, PairRow& gradient) {
  const Vec3 x_a = a.pose.to_world(part.anchor_a), x_b = b.pose.to_world(part.anchor_b);
  const Vec3 apart = x_a - x_b;
  const double distance = apart.norm();
  // Only a joint that is violated by its whole length gets here; any direction leads out.
  const Vec3 direction = distance > 0.0 ? Vec3(apart / distance) : Vec3(Vec3::UnitX());
  gradient.add_point(a.body, a.pose, x_a, direction, 1.0);
  gradient.add_point(b.body, b.pose, x_b, direction, -1.0);
  return distance - part.length;
}

}  // namespace

double evaluate(const ConstraintPart& part, const JointSide& a, const JointSide& b, PairRow& gradient) {
  return std::visit([&](const auto& p) { return evaluate_part(p, a, b, gradient); }, part);
}

}  // namespace stiction
