#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "stiction/model/implied_rows.h"
#include "stiction/model/model.h"
#include "stiction/model/system.h"

namespace stiction {

/// The equations of a Model. q has seven numbers for each movable body, in the order of the bodies: position, then unit
/// quaternion w x y z. v has the free velocities of each movable body: x y z in the world's frame, then the rotations
/// about the body's own x y z; locked ones are not there. Kinematic bodies are functions of time and in neither.
class Multibody final : public System {
 public:
  explicit Multibody(Model model);

  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] Vector initial_positions() const;
  [[nodiscard]] Vector initial_velocities() const;

  [[nodiscard]] Pose pose(BodyId body, double t, const Vector& q) const;
  /// Of the body's origin, which is its centre of mass; world frame.
  [[nodiscard]] Vec3 velocity(BodyId body, double t, const Vector& q, const Vector& v) const;
  /// World frame.
  [[nodiscard]] Vec3 angular_velocity(BodyId body, double t, const Vector& q, const Vector& v) const;
  /// Of all bodies, by index.
  void find_poses(double t, const Vector& q, std::vector<Pose>& poses) const;
  /// Of the movable bodies.
  [[nodiscard]] double kinetic_energy(const Vector& v) const;

  [[nodiscard]] int positions() const override { return model_.positions(); }
  [[nodiscard]] int velocities() const override { return model_.velocities(); }
  [[nodiscard]] BodyStructure body_structure() const override { return structure_of(model_); }
  /// Constant: diag(m, m, m, inertia) of each body, less the locked rows and columns.
  void mass(double t, const Vector& q, SparseMatrix& M) const override;
  void applied_force(double t, const Vector& q, const Vector& v, Vector& k) const override;
  /// Of springs, dampers and forces by formulas in closed form; of forces by a user's function by differences.
  void force_jacobians(double t, const Vector& q, const Vector& v, double h, JacobianKind kind, SparseMatrix& K_q,
                       SparseMatrix& K_v) const override;
  void find_stiff_drives(double t, const Vector& q, double h, DriveSet& drives) const override;
  /// F = [I w]x in each body's frame, so that F w = (I w) x w and w'F w = 0.
  void gyroscopic(const Vector& q, const Vector& v, SparseMatrix& F) const override;
  /// F = [(I - m) w]x, m the body's middle moment.
  void predicted_gyroscopic(const Vector& q, const Vector& v, SparseMatrix& F) const override;
  void advance(const Vector& q, const Vector& v, double h, Vector& q_new) const override;
  void position_rate(const Vector& q, const Vector& v, Vector& q_rate) const override;
  /// A joint that is broken has no rows any more. Whoever breaks one between steps tells the scheme to forget().
  void break_joint(JointId joint);
  [[nodiscard]] bool is_broken(JointId joint) const { return !broken_.empty() && broken_[joint.index] != 0; }
  /// Under which contact_name() knows the joint itself.
  [[nodiscard]] std::uint64_t event_id(JointId joint) const;
  /// Rows of the joints in order, then one for each user constraint, less those that the others imply.
  void find_joints(double t, const Vector& q, JointSet& joints) const override;
  /// Only these.
  void find_implied_joints(double t, const Vector& q, JointSet& joints) const override;
  /// All of them.
  void find_all_joints(double t, const Vector& q, JointSet& joints) const;
  /// Which of find_all_joints the others imply.
  [[nodiscard]] const ImpliedRows& implied_rows() const { return implied_; }
  /// Ids: (first shape * shapes + second shape) << feature_bits | feature, user gaps after all of these, then those of
  /// joints (limits, ropes, ratchets). The first shape of a pair is the one on a movable body, or that of the smaller
  /// index where both are; the normal points towards it. Tangents (1996, section 3): t1 = n x up, t2 = t1 x n where up
  /// is against gravity (z without gravity), t1 along x (or y) made perpendicular to n where n is along up. Bodies that
  /// move in the plane x, y have one, t1 = n x z. Contacts whose gap no velocity changes are left out.
  void find_gaps(double t, const Vector& q, double margin, GapSet& gaps) const override;
  void find_pair_gaps(double t, const Vector& q, std::span<const std::uint64_t> pairs, double margin,
                      GapSet& gaps) const override;
  [[nodiscard]] double next_impulse(double t) const override;
  void find_impulse(double t, const Vector& q, Vector& impulse) const override;
  [[nodiscard]] double fastest(const Vector& v) const override {
    return std::max(System::fastest(v), kinematic_speed_);
  }
  [[nodiscard]] double safe_way() const override { return safe_way_; }
  void find_drives(double t, const Vector& q, double h, DriveSet& drives) const override;
  /// Those of joints, added to the set: friction, then motor or servo, joint after joint.
  void find_joint_drives(double t, const Vector& q, DriveSet& drives) const;
  /// Friction of spherical joints, about the world's axes.
  void find_ball_frictions(double t, const Vector& q, DriveSet& drives) const;
  [[nodiscard]] double potential_energy(double t, const Vector& q) const override;
  /// The name of the first force, or of the first joint with a target, that is not finite; or nothing.
  [[nodiscard]] std::string find_bad_force(double t, const Vector& q, const Vector& v) const;
  /// The joint whose limit, rope or ratchet a contact is; -1 for others.
  [[nodiscard]] int joint_of_gap(std::uint64_t id) const;
  [[nodiscard]] std::string contact_name(std::uint64_t id) const override;
  [[nodiscard]] std::string joint_name(int joint) const override;

 private:
  /// Of a row between two bodies of the model, -1 for the world; the first is the one whose velocities come first.
  [[nodiscard]] BodyPair pair_of(int body, int partner) const {
    return {body < 0 ? -1 : places_[body], partner < 0 ? -1 : places_[partner]};
  }
  /// Of a joint's parts: with a carrier that moves there may be three.
  [[nodiscard]] BodyPair pair_of(const Joint& joint) const;
  /// Of a user's function.
  [[nodiscard]] BodyPair all_bodies() const { return {velocities() > 0 ? 0 : -1, -1, true}; }
  struct GapScratch;
  /// Of the pairs of shapes in the scratch, at the poses there, and of user gaps and joints where `wanted`.
  template <class Wanted>
  void add_gaps(double margin, const Wanted& wanted, GapScratch& scratch, GapSet& gaps) const;
  /// Rows in order that are implied (1) or not (0); -1 for all.
  void find_rows(double t, const Vector& q, int which, JointSet& joints) const;
  /// The line of a spring that is too stiff for M~ in a step of length h, as a drive and a row added to the set.
  bool add_stiff_line(int spring, double t, const Vector& q, double h, DriveSet& drives) const;

  /// Inertias of all bodies, by index, from which F is made, and where it is not zero.
  struct Gyroscope {
    std::vector<Mat3> inertias;
    SparseMatrix pattern;
  };
  static Gyroscope make_gyroscope(const Model& model, Mat3 (*inertia_of)(const Body&));
  void fill(const Gyroscope& gyroscope, const Vector& v, SparseMatrix& F) const;

  Model model_;
  SparseMatrix mass_;
  Gyroscope gyroscope_, predicted_gyroscope_;
  std::vector<int> places_;  ///< Of the bodies in body_structure().
  Vec3 up_;
  double safe_way_, kinematic_speed_ = 0.0;
  std::vector<char> broken_;  ///< By joint; empty while all hold.
  ImpliedRows implied_;       ///< Of the joints that hold.
};

}  // namespace stiction
