#include "stiction/model/joint_drives.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "stiction/model/joint_parts.h"
#include "stiction/model/multibody.h"
#include "stiction/model/pair_row.h"

namespace stiction {
namespace {

void add_coordinate(const CoordinateDef& def, const JointCoordinate& coordinate, int joint,
                    std::vector<JointDrive>& drives) {
  using Kind = JointDrive::Kind;
  if (def.friction > 0.0) drives.push_back({Kind::friction, joint, coordinate, {}, 0.0, 0.0, def.friction});
  if (def.motor && def.motor->max_force > 0.0) {
    drives.push_back({Kind::motor, joint, coordinate, def.motor->velocity, 0.0, 0.0, def.motor->max_force});
  }
  if (def.servo && def.servo->max_force > 0.0) {
    drives.push_back({Kind::servo, joint, coordinate, def.servo->position, def.servo->stiffness, def.servo->damping,
                      def.servo->max_force});
  }
}

}  // namespace

void add_joint_drives(const JointDef& def, int joint, const JointFrames& f, std::vector<JointDrive>& drives) {
  const Vec3 axis = def.axis.stableNormalized();
  if (has_slide(def.kind)) add_coordinate(def.slide, slide_along(axis, f.anchor, f.a, f.b), joint, drives);
  if (has_turn(def.kind)) add_coordinate(def.turn, angle_about(axis, f.a, f.b), joint, drives);
}

Drive evaluate(const JointDrive& drive, double t, const JointSide& a, const JointSide& b, PairRow& row) {
  const double x = evaluate(drive.coordinate, a, b, 1.0, row);
  Drive found{.lower = -drive.largest, .upper = drive.largest, .owner = drive.joint};
  double wanted = 0.0;
  if (drive.kind == JointDrive::Kind::servo) {
    found.position = x - drive.target.value(t);
    if (std::holds_alternative<AngleCoordinate>(drive.coordinate)) {
      found.position = std::remainder(found.position, 2.0 * std::numbers::pi);
    }
    found.stiffness = drive.stiffness;
    found.damping = drive.damping;
    wanted = drive.target.rate(t);
  } else {
    found.damping = std::numeric_limits<double>::infinity();
    if (drive.kind == JointDrive::Kind::motor) wanted = drive.target.value(t);
  }
  found.velocity = wanted - row.kinematic_speed();
  return found;
}

void Multibody::find_joint_drives(double t, const Vector& q, DriveSet& drives) const {
  for (const JointDrive& drive : model_.joint_drives()) {
    const Joint& joint = model_.joints()[drive.joint];
    const auto body_of = [&](int body) { return body < 0 ? nullptr : &model_.body({body}); };
    const Pose a = pose({joint.body}, t, q), b = pose({joint.partner}, t, q);
    PairRow row;
    const Drive found = evaluate(drive, t, {body_of(joint.body), a}, {body_of(joint.partner), b}, row);
    if (row.is_zero()) continue;
    row.append_to(drives.r);
    drives.drives.push_back(found);
    drives.drives.back().bodies = pair_of(joint.body, joint.partner);
    if (drive.kind == JointDrive::Kind::friction) drives.drives.back().event = event_id({drive.joint});
  }
}

void Multibody::find_ball_frictions(double t, const Vector& q, DriveSet& drives) const {
  for (std::size_t i = 0; i < model_.joints().size(); ++i) {
    const Joint& joint = model_.joints()[i];
    if (!(joint.friction > 0.0)) continue;
    const auto body_of = [&](int body) { return body < 0 ? nullptr : &model_.body({body}); };
    const Pose a = pose({joint.body}, t, q), b = pose({joint.partner}, t, q);
    for (int axis = 0; axis < 3; ++axis) {
      PairRow row;
      row.add_rotation(body_of(joint.body), a, Vec3::Unit(axis), 1.0);
      row.add_rotation(body_of(joint.partner), b, Vec3::Unit(axis), -1.0);
      row.append_to(drives.ball_rows);
      drives.ball_speeds.push_back(row.kinematic_speed());
    }
    const JointId id{static_cast<int>(i)};
    drives.balls.push_back({joint.friction, event_id(id), id.index, pair_of(joint.body, joint.partner)});
  }
}

}  // namespace stiction
