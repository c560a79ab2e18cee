#pragma once

#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "stiction/model/constraint_parts.h"
#include "stiction/model/definitions.h"
#include "stiction/model/joint_coordinate.h"

/// What joints keep from one side, as gaps Phi >= 0 without friction: they bounce, rest and let go by the laws of
/// contacts, and are certified as such.
namespace stiction {

/// Phi = half + side * x, where x is the coordinate from the middle of its range: the lower limit for side 1, the upper
/// one for -1.
///
/// A pose knows an angle up to whole turns. x is the one nearest to zero, so it jumps opposite the middle, where only a
/// hinge gets that has gone through a limit, by half of what is forbidden: the range may be anything below a turn, and
/// steps that turn by less than half of the rest of the turn are safe.
struct LimitGap {
  JointCoordinate coordinate;
  double middle = 0.0, half = 0.0;
  int side = 1;

  /// How much of the turn is forbidden, rad; there is no other side to come from along a line.
  [[nodiscard]] double rest() const;
};

/// Phi = length - |x_a - x_b|.
struct RopeGap {
  Vec3 anchor_a = Vec3::Zero(), anchor_b = Vec3::Zero();
  double length = 1.0;
};

/// Pfaffian: the coordinate does not decrease.
struct RatchetGap {
  JointCoordinate coordinate;
};

/// Pfaffian: the edge does not move against its direction.
struct EdgeGap {
  EdgePart edge;
};

struct JointGap {
  std::string name;  ///< "joint 'x' lower limit"
  int joint = -1;
  std::variant<LimitGap, RopeGap, RatchetGap, EdgeGap> law;
  double restitution = 0.0;

  [[nodiscard]] bool is_pfaffian() const { return law.index() >= 2; }
};

struct GapValue {
  double Phi = 0.0;
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitZ();  ///< For pictures: where it acts on a and along what.
  double curvature = 0.0;                             ///< As in ContactPoint, and thickness too.
  double thickness = std::numeric_limits<double>::infinity();
};

/// Phi, with its gradient added to an empty row.
[[nodiscard]] GapValue evaluate(const JointGap& gap, const JointSide& a, const JointSide& b, PairRow& gradient);

struct JointFrames;

/// The gaps of a joint that was checked.
void add_joint_gaps(const JointDef& def, const std::string& name, int joint, const JointFrames& frames,
                    std::vector<JointGap>& gaps);

}  // namespace stiction
