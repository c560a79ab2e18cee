#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/geometry/shape.h"
#include "stiction/linalg/pose.h"
#include "stiction/model/force_formula.h"
#include "stiction/model/system.h"

/// What a user says about a model, with defaults. SI units, radians, world frame unless a field says otherwise.
namespace stiction {

/// Handles that builders give out; they index the model's lists.
struct BodyId {
  int index = -1;
  friend bool operator==(BodyId, BodyId) = default;
};
struct JointId {
  int index = -1;
};
/// The fixed world, as a partner in joints and springs.
inline constexpr BodyId world{-1};

/// Surface properties. A pair of materials combines as: mu = sqrt(mu_a mu_b), and the larger of restitution,
/// tangential_restitution, spin_friction and roll_friction, soft where one is, unless ModelBuilder::set_pair gives the
/// pair its own. The direction is that of the first shape of a contact that has one, or else Multibody::find_gaps's t1.
struct Material {
  double mu = 0.5;
  double restitution = 0.0;
  std::optional<double> mu2 =
      {};  ///< Coefficient along the second direction of an elliptic cone; equal to mu when empty.
  std::string name = {};
  double spin_friction = 0.0;           ///< Torque against spinning about the normal, over the normal force, m.
  double roll_friction = 0.0;           ///< Torque against rolling, likewise.
  std::optional<Vec3> direction = {};   ///< Along which mu holds, mu2 across it; in the body's frame.
  double tangential_restitution = 0.0;  ///< Share of the slip before an impact that friction turns round, 0 to 1.
  bool soft = false;  ///< A soft finger: slip and spin share one ellipsoid, |f_t|^2/mu^2 + torque^2/spin_friction^2.
};

/// Which of the six velocities (x, y, z, rotations about the body's own x, y, z) a body has. Locked ones are not in v.
/// Planar bodies keep their z axis along the world's z.
struct Freedom {
  bool x = true, y = true, z = true, rx = true, ry = true, rz = true;
  static constexpr Freedom full() { return {}; }
  static constexpr Freedom planar() { return {true, true, false, false, false, true}; }
  static constexpr Freedom particle() { return {true, true, true, false, false, false}; }
  static constexpr Freedom along_x() { return {true, false, false, false, false, false}; }
};

struct ShapeDef {
  Shape shape;
  Pose pose = {};  ///< In the body's frame.
  Material material = {};
  std::string name = {};
};

struct BodyDef {
  std::string name = {};            ///< Empty: "body<index>".
  std::optional<double> mass = {};  ///< Given, or from the shapes and the density.
  std::optional<double> density = {};
  std::optional<Mat3> inertia =
      {};  ///< About the centre of mass in the body's frame. Empty: from the shapes, scaled to the mass.
  std::optional<Shape> shape = {};  ///< Short for one shape at the body's origin, which is its centre of mass.
  Material material = {};           ///< Of `shape`.
  std::vector<ShapeDef> shapes = {};
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();  ///< World frame.
  Freedom freedom = Freedom::full();
  bool kinematic = false;  ///< Moves with its given velocities for ever, whatever pushes it.
  bool fixed = false;      ///< Does not move at all.
  std::string group = {};  ///< For ModelBuilder::ignore_groups; empty: none.
};

enum class JointKind {
  fixed,
  revolute,
  prismatic,
  spherical,
  distance,
  universal,     ///< A cross: `axis` on the body and `partner_axis` on the partner stay perpendicular in one point.
  cylindrical,   ///< Slides along and turns about `axis`.
  planar,        ///< Slides on and turns in the partner's plane across `axis`.
  gear,          ///< Turns about `axis` in a ratio to the partner's turns about `partner_axis`.
  rack,          ///< Turns about `axis` as the partner travels along `partner_axis`.
  rope,          ///< At most `length` between two points.
  rolling_ball,  ///< A ball about `anchor` rolls without slipping on a plane of the partner.
  rolling_disc,  ///< A disc about `anchor`, thin, across `axis`, rolls without slipping on a plane of the partner.
  knife_edge     ///< The point of the body at `anchor` does not move along `axis`, a direction of the body.
};
[[nodiscard]] std::string_view to_string(JointKind kind);
/// Whether a joint leaves a sliding along, a turning about its axis free, and nothing else to be driven.
[[nodiscard]] constexpr bool has_slide(JointKind kind) {
  return kind == JointKind::prismatic || kind == JointKind::cylindrical;
}
[[nodiscard]] constexpr bool has_turn(JointKind kind) {
  return kind == JointKind::revolute || kind == JointKind::cylindrical;
}

/// Keeps a joint's coordinate at a speed, m/s or rad/s, with a force (N or N m) of at most max_force.
struct MotorDef {
  TimeFormula velocity = {};
  double max_force = Drive::unlimited;
};

/// Pulls a joint's coordinate to a position, m or rad: -stiffness * (x - position) - damping * (dx/dt - d position/dt),
/// cut off at max_force. An angle is pulled the shorter way round.
struct ServoDef {
  TimeFormula position = {};
  double stiffness = 0.0, damping = 0.0;
  double max_force = Drive::unlimited;
};

/// What happens along the coordinate that a joint leaves free: m of sliding or rad of turning since the start.
struct CoordinateDef {
  std::optional<std::array<double, 2>> limits = {};  ///< Lowest and highest, with the start between them.
  double restitution = 0.0;                          ///< At the limits.
  bool one_way = false;                              ///< It never decreases: a ratchet with no play (1982, (2.1c)).
  double friction = 0.0;                             ///< Largest force of dry friction, N or N m (1996, section 3.5).
  std::optional<MotorDef> motor = {};
  std::optional<ServoDef> servo = {};

  [[nodiscard]] bool is_plain() const {
    return !limits && restitution == 0.0 && !one_way && friction == 0.0 && !motor && !servo;
  }
};

/// Joins `body` to `partner` at frames given in world coordinates in the initial position.
struct JointDef {
  std::string name = {};
  JointKind kind = JointKind::revolute;
  BodyId body;
  BodyId partner = world;
  Vec3 anchor = Vec3::Zero();               ///< Common point; of `body` for a distance joint or rope.
  std::optional<Vec3> partner_anchor = {};  ///< Distance joints, and where it should differ: must then meet `anchor`.
  Vec3 axis = Vec3::UnitZ();                ///< Revolute: of rotation; prismatic: of sliding.
  std::optional<double> length = {};        ///< Distance joints and ropes; empty: the initial one.
  bool collide = false;                     ///< Whether the two bodies may touch each other all the same.
  /// Universal: the second axis. Gear: what the partner turns about; empty: `axis`. Rack: along which it travels.
  std::optional<Vec3> partner_axis = {};
  /// Gear and rack: the body that the bearings are in, relative to which turns and travel count.
  BodyId carrier = world;
  /// Gear: turns of the body for one of the partner, negative where they turn against each other. Any number, held as a
  /// rate: the angles drift apart by what the steps of a moving carrier's turning leave over. `teeth` do not drift.
  std::optional<double> ratio = {};
  /// Gear: of the body and of the partner; the ratio is -teeth[1]/teeth[0]. A wheel toothed inside has a negative
  /// number.
  std::optional<std::array<int, 2>> teeth = {};
  /// Rack: m that the partner travels for each radian of the body. Rolling: of the ball or disc.
  std::optional<double> radius = {};
  /// Rolling: of the partner's plane, towards the body; the plane is where the body touches it at the start.
  Vec3 normal = Vec3::UnitZ();
  double restitution = 0.0;  ///< Rope: when it becomes taut.
  bool one_way = false;      ///< Knife edge: the point may move along `axis`, but not against it.
  /// Fixed: it lets go for good when the mean of its reaction over a step exceeds this, N or N m at the anchor.
  std::optional<double> break_force = {}, break_torque = {};
  double friction = 0.0;     ///< Spherical: largest torque of dry friction, N m, about whatever axis it turns.
  CoordinateDef slide = {};  ///< Prismatic and cylindrical: along `axis`.
  CoordinateDef turn = {};   ///< Revolute and cylindrical: about `axis`.
};

/// A spring with a damper in parallel between two points; stiffness in N/m, damping in N s/m.
struct SpringDef {
  std::string name = {};
  BodyId body;
  BodyId partner = world;
  Vec3 anchor = Vec3::Zero();  ///< World coordinates in the initial position.
  Vec3 partner_anchor = Vec3::Zero();
  double stiffness = 0.0, damping = 0.0;
  std::optional<double> length = {};  ///< Rest length; empty: the initial distance.
};

/// Where and how fast the point of a force is, for a user's own law. World frame.
struct ForceInput {
  double t = 0.0;
  Pose body = {};
  Vec3 point = Vec3::Zero(), velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();
};

/// A force (N) at a point of the body, and a torque (N m), both in the world's frame: constant or by formulas, and what
/// a user's own function adds. The function is called from several threads and must give the same for the same input.
struct ForceDef {
  std::string name = {};
  BodyId body;
  VectorFormula force = {}, torque = {};
  Vec3 point = Vec3::Zero();  ///< In the body's frame.
  std::function<void(const ForceInput& input, Vec3& force, Vec3& torque)> law = {};
};

/// An impulse (N s) at a point of the body and a turning one (N m s), both in the world's frame, at one moment (1982,
/// (2.10a)). What is closed then gives way without bouncing.
struct ImpulseDef {
  std::string name = {};
  BodyId body;
  double time = 0.0;  ///< s, later than the start.
  Vec3 impulse = Vec3::Zero(), angular_impulse = Vec3::Zero();
  Vec3 point = Vec3::Zero();  ///< In the body's frame.
};

/// A user's own unilateral constraint Phi(q) >= 0, frictionless, or joint Theta(q) = 0: a function of the bodies'
/// poses. The gradient is taken by differences unless given with respect to v (the model's velocity order).
struct FunctionConstraint {
  std::string name = {};
  std::function<double(const std::vector<Pose>& bodies)> value;
  double restitution = 0.0;
  /// Optional: the derivatives with respect to v, written into a vector that comes in as zeros. `value` must then not
  /// depend on kinematic bodies.
  std::function<void(const std::vector<Pose>& bodies, Vector& gradient)> gradient = {};
};

}  // namespace stiction
