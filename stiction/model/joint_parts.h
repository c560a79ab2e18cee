#pragma once

#include <array>
#include <vector>

#include "stiction/model/constraint_parts.h"
#include "stiction/model/definitions.h"

namespace stiction {

/// A joint's frames in the bodies, from what was given in the world.
struct JointFrames {
  Pose a, b, c;
  Vec3 anchor, partner_anchor;  ///< World.

  [[nodiscard]] Vec3 anchor_a() const { return a.to_local(anchor); }
  [[nodiscard]] Vec3 anchor_b() const { return b.to_local(partner_anchor); }
  [[nodiscard]] Vec3 turned_a(const Vec3& direction) const { return a.orientation.conjugate() * direction; }
  [[nodiscard]] Vec3 turned_b(const Vec3& direction) const { return b.orientation.conjugate() * direction; }
};

/// Two unit vectors that make a right-handed frame with the axis, which comes third. One is the world's z where the
/// axis lies in the plane x, y, so that planar bodies lose that row.
[[nodiscard]] std::array<Vec3, 2> across(const Vec3& axis);

/// The turn about an axis of the world of a body in `a` relative to one in `b`; zero at the start.
[[nodiscard]] AngleCoordinate angle_about(const Vec3& axis, const Pose& a, const Pose& b);
/// The travel along an axis of the world of a point of a body in `a` relative to one in `b`; zero at the start.
[[nodiscard]] SlideCoordinate slide_along(const Vec3& axis, const Vec3& point, const Pose& a, const Pose& b);

/// The constraints of a joint that was checked.
[[nodiscard]] std::vector<ConstraintPart> parts_of(const JointDef& def, const JointFrames& frames);

}  // namespace stiction
