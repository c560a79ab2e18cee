#pragma once

#include <variant>

#include "stiction/linalg/pose.h"

/// What a joint leaves free, as a number with an exact gradient: the turn or the travel of body a relative to body b
/// since the start. Limits, motors, servos, joint friction, gears and racks are made of these.
namespace stiction {

struct Body;
class PairRow;

/// One side of a joint at one position; a body nullptr is the world.
struct JointSide {
  const Body* body;
  const Pose& pose;
};

/// The angle from x_b towards y_b of p_a, which starts along x_b: in (-pi, pi], since a pose does not know whole turns.
/// x_b, y_b and the axis of rotation are a right-handed frame in b. Smooth but for the jump at pi, and defined as long
/// as a is not tilted out of the hinge by a right angle.
struct AngleCoordinate {
  Vec3 p_a = Vec3::UnitX();
  Vec3 x_b = Vec3::UnitX(), y_b = Vec3::UnitY();
};

/// axis . (x_a - x_b) along a unit vector of b.
struct SlideCoordinate {
  Vec3 anchor_a = Vec3::Zero(), anchor_b = Vec3::Zero();
  Vec3 axis_b = Vec3::UnitZ();
};

using JointCoordinate = std::variant<AngleCoordinate, SlideCoordinate>;

/// The coordinate in radians or metres; `factor` times its gradient is added to the row.
double evaluate(const AngleCoordinate& coordinate, const JointSide& a, const JointSide& b, double factor, PairRow& row);
double evaluate(const SlideCoordinate& coordinate, const JointSide& a, const JointSide& b, double factor, PairRow& row);
double evaluate(const JointCoordinate& coordinate, const JointSide& a, const JointSide& b, double factor, PairRow& row);

}  // namespace stiction
