#include "stiction/model/constraint_parts.h"

#include <cmath>
#include <numbers>

#include "stiction/model/pair_row.h"

namespace stiction {
namespace {

double evaluate_part(const PointPart& part, const JointSides& sides, PairRow& gradient) {
  const JointSide &a = sides.a, &b = sides.b;
  const Vec3 x_a = a.pose.to_world(part.anchor_a), x_b = b.pose.to_world(part.anchor_b);
  const Vec3 direction = Vec3::Unit(part.axis);
  gradient.add_point(a.body, a.pose, x_a, direction, 1.0);
  gradient.add_point(b.body, b.pose, x_b, direction, -1.0);
  return x_a[part.axis] - x_b[part.axis];
}

/// The direction turns with b, so b's velocity counts where x_a is: d/dt w.(x_a - x_b) = w.(v_a - v_b - w_b x (x_a -
/// p_b)).
double evaluate_part(const PlanePart& part, const JointSides& sides, PairRow& gradient) {
  const JointSide &a = sides.a, &b = sides.b;
  const Vec3 x_a = a.pose.to_world(part.anchor_a), x_b = b.pose.to_world(part.anchor_b);
  const Vec3 normal = b.pose.orientation * part.normal_b;
  gradient.add_point(a.body, a.pose, x_a, normal, 1.0);
  gradient.add_point(b.body, b.pose, x_a, normal, -1.0);
  return normal.dot(x_a - x_b);
}

/// d/dt u.w = (w_a x u).w + u.(w_b x w) = (w_a - w_b).(u x w)
double evaluate_part(const PerpendicularPart& part, const JointSides& sides, PairRow& gradient) {
  const JointSide &a = sides.a, &b = sides.b;
  const Vec3 u = a.pose.orientation * part.u_a, w = b.pose.orientation * part.w_b;
  const Vec3 axis = u.cross(w);
  gradient.add_rotation(a.body, a.pose, axis, 1.0);
  gradient.add_rotation(b.body, b.pose, axis, -1.0);
  return u.dot(w);
}

double evaluate_part(const DistancePart& part, const JointSides& sides, PairRow& gradient) {
  const JointSide &a = sides.a, &b = sides.b;
  const Vec3 x_a = a.pose.to_world(part.anchor_a), x_b = b.pose.to_world(part.anchor_b);
  const Vec3 apart = x_a - x_b;
  const double distance = apart.norm();
  // Only a joint that is violated by its whole length gets here; any direction leads out.
  const Vec3 direction = distance > 0.0 ? Vec3(apart / distance) : Vec3(Vec3::UnitX());
  gradient.add_point(a.body, a.pose, x_a, direction, 1.0);
  gradient.add_point(b.body, b.pose, x_b, direction, -1.0);
  return distance - part.length;
}

double evaluate_part(const GearPart& part, const JointSides& sides, PairRow& gradient) {
  const double a = evaluate(part.angle_a, sides.a, sides.c, 1.0, gradient);
  const double b = evaluate(part.angle_b, sides.b, sides.c, -part.ratio, gradient);
  return part.period > 0.0 ? std::remainder(a - part.ratio * b, part.period) : 0.0;
}

double evaluate_part(const RackPart& part, const JointSides& sides, PairRow& gradient) {
  const double angle = evaluate(part.angle_a, sides.a, sides.c, -part.radius, gradient);
  const double travel = evaluate(part.travel_b, sides.b, sides.c, 1.0, gradient);
  return std::remainder(travel - part.radius * angle, 2.0 * std::numbers::pi * part.radius);
}

/// Along the rim, and on a ball, the lowest point moves across the normal: the material there has its height's rate.
double evaluate_part(const TouchPart& part, const JointSides& sides, PairRow& gradient) {
  const JointSide &a = sides.a, &b = sides.b;
  const Vec3 x = rolling_point(part.rolling, a.pose, b.pose), normal = b.pose.orientation * part.rolling.normal_b;
  gradient.add_point(a.body, a.pose, x, normal, 1.0);
  gradient.add_point(b.body, b.pose, x, normal, -1.0);
  return normal.dot(x - b.pose.to_world(part.rolling.plane_b));
}

double evaluate_part(const SlipPart& part, const JointSides& sides, PairRow& gradient) {
  const JointSide &a = sides.a, &b = sides.b;
  const Vec3 x = rolling_point(part.rolling, a.pose, b.pose), direction = b.pose.orientation * part.direction_b;
  gradient.add_point(a.body, a.pose, x, direction, 1.0);
  gradient.add_point(b.body, b.pose, x, direction, -1.0);
  return 0.0;
}

double evaluate_part(const EdgePart& part, const JointSides& sides, PairRow& gradient) {
  const JointSide &a = sides.a, &b = sides.b;
  const Vec3 x = a.pose.to_world(part.anchor_a), direction = a.pose.orientation * part.direction_a;
  gradient.add_point(a.body, a.pose, x, direction, 1.0);
  gradient.add_point(b.body, b.pose, x, direction, -1.0);
  return 0.0;
}

}  // namespace

double evaluate(const ConstraintPart& part, const JointSides& sides, PairRow& gradient) {
  return std::visit([&](const auto& p) { return evaluate_part(p, sides, gradient); }, part);
}

Vec3 rolling_point(const RollingGeometry& rolling, const Pose& a, const Pose& b) {
  const Vec3 normal = b.orientation * rolling.normal_b, axis = a.orientation * rolling.axis_a;
  const Vec3 up = normal - axis.dot(normal) * axis;
  // A disc that lies flat touches everywhere; any point of its rim will do.
  const double length = up.norm();
  const Vec3 e = length > 0.0 ? Vec3(up / length) : axis.unitOrthogonal();
  return a.to_world(rolling.centre_a) - rolling.radius * e;
}

bool is_holonomic(const ConstraintPart& part) {
  if (std::holds_alternative<SlipPart>(part) || std::holds_alternative<EdgePart>(part)) return false;
  const auto* gear = std::get_if<GearPart>(&part);
  return gear == nullptr || gear->period > 0.0;
}

}  // namespace stiction
