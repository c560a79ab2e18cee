#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stiction/model/constraint_parts.h"
#include "stiction/model/definitions.h"
#include "stiction/model/joint_drives.h"
#include "stiction/model/joint_gaps.h"

namespace stiction {

enum class Motion {
  movable,    ///< In q and v.
  kinematic,  ///< Its pose is a function of time: the initial one moved by constant velocities.
  fixed
};

/// A body as the equations need it.
struct Body {
  std::string name;
  Motion motion = Motion::movable;
  double mass = 0.0;
  Mat3 inertia = Mat3::Zero();  ///< About the centre of mass, in the body's frame.
  Freedom freedom = {};
  Pose pose = {};                                         ///< At t = 0.
  Vec3 velocity = Vec3::Zero();                           ///< World frame, at t = 0; of kinematic bodies at all times.
  Vec3 angular_velocity = Vec3::Zero();                   ///< Likewise.
  int first_position = -1;                                ///< Where its seven numbers start in q.
  std::array<int, 6> columns = {-1, -1, -1, -1, -1, -1};  ///< Of its velocities in v; -1 where it has none.
  bool planar = false;                                    ///< Can move in the plane x, y alone, whatever happens.

  [[nodiscard]] bool movable() const { return motion == Motion::movable; }
  [[nodiscard]] bool can_rotate() const { return columns[3] >= 0 || columns[4] >= 0 || columns[5] >= 0; }
};

/// A shape on a body; normals and axes of unit length.
struct BodyShape {
  int body = -1;
  Shape shape;
  Pose pose;                           ///< In the body's frame.
  int material = 0;                    ///< In Model::surface.
  std::optional<Vec3> direction = {};  ///< Of its friction, in the body's frame, unit.
  std::string name;                    ///< "body", or "body/shape".
};

/// What happens between two materials.
struct SurfacePair {
  double mu = 0.0, mu2 = 0.0, restitution = 0.0, spin_friction = 0.0, roll_friction = 0.0;
  double tangential_restitution = 0.0;
  bool soft = false;
};

struct Joint {
  std::string name;
  JointKind kind = JointKind::fixed;
  int body = -1, partner = -1, carrier = -1;  ///< -1 is the world.
  std::vector<ConstraintPart> parts = {};
  /// N and N m at which it lets go.
  double break_force = Drive::unlimited, break_torque = Drive::unlimited;
  double friction = 0.0;  ///< Of a spherical one, N m.

  [[nodiscard]] bool is_breakable() const { return break_force < Drive::unlimited || break_torque < Drive::unlimited; }
};

struct Spring {
  std::string name;
  int body = -1, partner = -1;
  Vec3 anchor = Vec3::Zero(), partner_anchor = Vec3::Zero();  ///< In the bodies' frames.
  double stiffness = 0.0, damping = 0.0, length = 0.0;
};

/// As in ForceDef.
struct Force {
  std::string name;
  int body = -1;
  VectorFormula force, torque;
  Vec3 point = Vec3::Zero();
  std::function<void(const ForceInput& input, Vec3& force, Vec3& torque)> law = {};

  [[nodiscard]] bool is_constant() const { return force.is_constant() && torque.is_constant() && !law; }
};

/// As in ImpulseDef.
struct Impulse {
  std::string name;
  int body = -1;
  double time = 0.0;
  Vec3 impulse = Vec3::Zero(), angular_impulse = Vec3::Zero(), point = Vec3::Zero();
};

/// How much there is of everything.
struct ModelOutline {
  int bodies = 0, movable = 0, kinematic = 0, fixed = 0, shapes = 0, velocities = 0;
  int joints = 0, joint_rows = 0, joint_gaps = 0, joint_drives = 0, springs = 0, forces = 0, impulses = 0;
  int user_gaps = 0, user_constraints = 0;
  /// Nothing but gravity and springs is promised to add none.
  [[nodiscard]] bool can_add_energy() const {
    return forces + impulses + kinematic + joint_drives + user_gaps + user_constraints > 0;
  }

  [[nodiscard]] std::string text() const;
};

/// What ModelBuilder::build makes of a description: complete, checked, and never changed again. Copies share it.
class Model {
 public:
  [[nodiscard]] const std::vector<Body>& bodies() const { return data_->bodies; }  ///< In the order they were added.
  [[nodiscard]] const std::vector<BodyShape>& shapes() const { return data_->shapes; }  ///< By body, as given there.
  [[nodiscard]] const std::vector<Joint>& joints() const { return data_->joints; }
  /// What joints keep from one side: limits, ropes, ratchets.
  [[nodiscard]] const std::vector<JointGap>& joint_gaps() const { return data_->joint_gaps; }
  [[nodiscard]] const std::vector<JointDrive>& joint_drives() const { return data_->joint_drives; }
  [[nodiscard]] const std::vector<Spring>& springs() const { return data_->springs; }
  [[nodiscard]] const std::vector<Force>& forces() const { return data_->forces; }
  [[nodiscard]] const std::vector<Impulse>& impulses() const { return data_->impulses; }  ///< By time.
  [[nodiscard]] const std::vector<FunctionConstraint>& user_gaps() const { return data_->user_gaps; }
  [[nodiscard]] const std::vector<FunctionConstraint>& user_constraints() const { return data_->user_constraints; }
  [[nodiscard]] const Vec3& gravity() const { return data_->gravity; }
  [[nodiscard]] int positions() const { return data_->positions; }
  [[nodiscard]] int velocities() const { return data_->velocities; }

  [[nodiscard]] const Body& body(BodyId id) const { return data_->bodies[static_cast<std::size_t>(id.index)]; }
  [[nodiscard]] std::optional<BodyId> find_body(std::string_view name) const;
  /// Whether contacts between two shapes (indices into shapes()) are looked for: not on one body, not between joined
  /// bodies unless asked, not where ignore_pair or ignore_groups says so, not between two that no force moves.
  [[nodiscard]] bool may_touch(int shape_a, int shape_b) const { return data_->may_touch(shape_a, shape_b); }
  [[nodiscard]] const SurfacePair& surface(int material_a, int material_b) const {
    return data_->surfaces[static_cast<std::size_t>(material_a * data_->materials + material_b)];
  }
  [[nodiscard]] ModelOutline outline() const;

 private:
  friend class ModelBuilder;
  friend struct ModelAssembly;
  struct Data {
    std::vector<Body> bodies;
    std::vector<BodyShape> shapes;
    std::vector<Joint> joints;
    std::vector<JointGap> joint_gaps;
    std::vector<JointDrive> joint_drives;
    std::vector<Spring> springs;
    std::vector<Force> forces;
    std::vector<Impulse> impulses;
    std::vector<FunctionConstraint> user_gaps, user_constraints;
    std::vector<std::pair<int, int>> ignored_pairs;  ///< Of bodies, the smaller index first; sorted.
    std::vector<int> group_of;                       ///< Of each body; -1 for none. Empty where none is ignored.
    std::vector<char> ignored_groups;                ///< groups by groups.
    int groups = 0;
    std::vector<SurfacePair> surfaces;  ///< materials by materials.
    int materials = 0;
    Vec3 gravity = {0.0, 0.0, -9.81};
    int positions = 0, velocities = 0;

    [[nodiscard]] bool may_touch(int shape_a, int shape_b) const;
  };
  explicit Model(Data data) : data_(std::make_shared<const Data>(std::move(data))) {}

  std::shared_ptr<const Data> data_;
};

}  // namespace stiction
