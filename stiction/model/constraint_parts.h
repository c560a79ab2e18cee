#pragma once

#include <variant>

#include "stiction/linalg/pose.h"

/// Joints are made of scalar constraints Theta = 0 between two bodies a and b, each smooth with an exact gradient.
/// Anchors and directions are in the frame of the body they belong to; x_a and x_b are the anchors in the world.
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

using ConstraintPart = std::variant<PointPart, PlanePart, PerpendicularPart, DistancePart>;

struct Body;
class PairRow;

/// One side of a joint at one position; a body nullptr is the world.
struct JointSide {
  const Body* body;
  const Pose& pose;
};

/// Theta, with its gradient added to an empty row.
[[nodiscard]] double evaluate(const ConstraintPart& part, const JointSide& a, const JointSide& b, PairRow& gradient);

}  // namespace stiction
