#pragma once

#include <variant>

#include "stiction/linalg/pose.h"
#include "stiction/model/joint_coordinate.h"

/// Joints are made of scalar constraints Theta = 0 between two bodies a and b, each smooth with an exact gradient;
/// gears and racks know a third, the carrier c. Anchors and directions are in the frame of the body they belong to; x_a
/// and x_b are the anchors in the world.
namespace stiction {

/// Theta = e . (x_a - x_b) along one of the world's axes.
struct PointPart {
  Vec3 anchor_a = Vec3::Zero(), anchor_b = Vec3::Zero();
  int axis = 0;
};

/// Theta = w . (x_a - x_b) along a direction w of body b: x_a stays in a plane of b.
struct PlanePart {
  Vec3 anchor_a = Vec3::Zero(), anchor_b = Vec3::Zero();
  Vec3 normal_b = Vec3::UnitZ();
};

/// Theta = u . w for unit vectors u of body a and w of body b: near zero, the angle by which they miss a right angle.
struct PerpendicularPart {
  Vec3 u_a = Vec3::UnitX(), w_b = Vec3::UnitY();
};

/// Theta = |x_a - x_b| - length.
struct DistancePart {
  Vec3 anchor_a = Vec3::Zero(), anchor_b = Vec3::Zero();
  double length = 1.0;
};

/// Theta = angle of a - ratio * angle of b, both relative to the carrier, less whole periods.
///
/// Poses know angles up to whole turns only, so Theta is known up to multiples of 2 pi and of 2 pi ratio. With teeth
/// z_a and z_b the ratio is -z_b/z_a and all of these are multiples of the pitch 2 pi/z_a: which tooth meshes with
/// which does not matter, to the wheels and to Theta. What is left is the residual to the nearest tooth, smooth as long
/// as it is below half a pitch, and joints are held a million times better than that. A ratio that is no quotient of
/// teeth has no such period; it is held as a rate alone (period 0, see is_holonomic).
struct GearPart {
  AngleCoordinate angle_a, angle_b;
  double ratio = 1.0;
  double period = 0.0;
};

/// Theta = travel of b - radius * angle of a, both relative to the carrier, less whole turns of a, 2 pi radius.
struct RackPart {
  AngleCoordinate angle_a;
  SlideCoordinate travel_b;
  double radius = 1.0;
};

/// A ball, or a thin disc with an axis, of body a on a plane of b. The point that touches is the lowest of it:
/// x = centre - radius e, where e is the plane's normal, or what is left of it in the plane of the disc.
struct RollingGeometry {
  Vec3 centre_a = Vec3::Zero();
  Vec3 axis_a = Vec3::Zero();  ///< Zero for a ball.
  Vec3 plane_b = Vec3::Zero(), normal_b = Vec3::UnitZ();
  double radius = 1.0;
};

/// Theta = normal . (x - plane_b), the height of the lowest point.
struct TouchPart {
  RollingGeometry rolling;
};

/// Pfaffian: the material point of a that is at x has the velocity of b there, along a direction of b.
struct SlipPart {
  RollingGeometry rolling;
  Vec3 direction_b = Vec3::UnitX();
};

/// Pfaffian: the point of a has the velocity of b there, along a direction of a.
struct EdgePart {
  Vec3 anchor_a = Vec3::Zero();
  Vec3 direction_a = Vec3::UnitY();
};

using ConstraintPart = std::variant<PointPart, PlanePart, PerpendicularPart, DistancePart, GearPart, RackPart,
                                    TouchPart, SlipPart, EdgePart>;

/// The sides of a joint; c is the world where a joint has no carrier.
struct JointSides {
  JointSide a, b, c;
};

/// Theta, with its gradient added to an empty row.
[[nodiscard]] double evaluate(const ConstraintPart& part, const JointSides& sides, PairRow& gradient);

/// Where a rolling body touches: x above.
[[nodiscard]] Vec3 rolling_point(const RollingGeometry& rolling, const Pose& a, const Pose& b);

/// Whether a Theta(q) stands behind the row. The others are Pfaffian, nu(q)'v = velocity alone: their Theta is zero
/// always, and there is nothing in a position that a scheme could correct.
[[nodiscard]] bool is_holonomic(const ConstraintPart& part);

}  // namespace stiction
