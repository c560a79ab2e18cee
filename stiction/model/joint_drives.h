#pragma once

#include <vector>

#include "stiction/model/definitions.h"
#include "stiction/model/joint_coordinate.h"

/// Motors, servos and dry friction along what joints leave free, as drives of the system.
namespace stiction {

struct JointDrive {
  enum class Kind { friction, motor, servo };
  Kind kind = Kind::friction;
  int joint = -1;
  JointCoordinate coordinate;
  TimeFormula target = {};  ///< Speed of a motor, position of a servo.
  double stiffness = 0.0, damping = 0.0;
  double largest = 0.0;  ///< Force, N or N m.
};

struct JointFrames;

/// The drives of a joint that was checked.
void add_joint_drives(const JointDef& def, int joint, const JointFrames& frames, std::vector<JointDrive>& drives);

/// One drive at a time t and a position; the row comes empty.
[[nodiscard]] Drive evaluate(const JointDrive& drive, double t, const JointSide& a, const JointSide& b, PairRow& row);

}  // namespace stiction
