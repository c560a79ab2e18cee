#include "stiction/geometry/hollow_contacts.h"

#include "stiction/geometry/across.h"

namespace stiction {

Cavity cavity_in_world(const HollowCylinder& hollow, const Pose& pose) {
  return {pose.position, hollow.radius, pose.orientation * hollow.axis};
}

Cavity cavity_in_world(const HollowSphere& hollow, const Pose& pose) {
  return {pose.position, hollow.radius, Vec3::Zero()};
}

void add_ball_in_cavity(const Vec3& center, double radius, const Cavity& cavity, int feature, double margin,
                        std::vector<SurfaceContact>& contacts) {
  const Vec3 from_center = center - cavity.center;
  const Vec3 middle = cavity.center + cavity.axis.dot(from_center) * cavity.axis;
  const Vec3 out = center - middle;
  // In the middle every direction is as near as any other; that of a pipe is across it, whatever rounding says.
  const bool is_pipe = !cavity.axis.isZero(0.0);
  const Vec3 outwards = is_pipe            ? unit_across(cavity.axis, out, 0.0)
                        : out.norm() > 0.0 ? Vec3(out.normalized())
                                           : Vec3(-Vec3::UnitZ());
  const double gap = cavity.radius - radius - outwards.dot(out);
  if (!(gap <= margin)) return;
  contacts.push_back({.point_a = center + radius * outwards,
                      .point_b = middle + cavity.radius * outwards,
                      .normal = -outwards,
                      .gap = gap,
                      .curvature = (radius > 0.0 ? 1.0 / radius : 0.0) + 1.0 / cavity.radius,
                      .feature = feature});
}

}  // namespace stiction
