#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "stiction/linalg/matrix.h"
#include "stiction/linalg/pose.h"
#include "stiction/linalg/rows.h"
#include "stiction/model/body_structure.h"

namespace stiction {

using linalg::SparseMatrix;
using linalg::Vector;

/// Joint constraints Theta(q) = 0 at one position: nu' v = velocity on the level of velocities, where `velocity` is
/// what is prescribed (motors, moving anchors), mostly zero.
struct JointSet {
  linalg::Rows nu;               ///< Gradients of Theta with respect to v.
  std::vector<double> Theta;     ///< Values, in metres or radians.
  std::vector<double> velocity;  ///< Prescribed nu'v.
  std::vector<int> joint;        ///< Which joint of the system a row belongs to.
  /// Rows with no Theta behind them (1982, (2.1c) as an equality): rolling, knife edges, gears by ratio. Their Theta is
  /// zero, and a scheme holds nu'v = velocity on every level. May be shorter than the rows: the rest are holonomic.
  std::vector<char> pfaffian;
  std::vector<BodyPair> bodies;  ///< Of each row. May be shorter: the rest are on the first body.

  void clear();
  [[nodiscard]] int size() const { return static_cast<int>(Theta.size()); }
  [[nodiscard]] BodyPair bodies_of(int row) const {
    return row < static_cast<int>(bodies.size()) ? bodies[row] : BodyPair{};
  }
  [[nodiscard]] bool is_pfaffian(int row) const {
    return row < static_cast<int>(pfaffian.size()) && pfaffian[row] != 0;
  }
};

/// Lowest bits of a contact's id, which tell the features of one pair of shapes apart; the others name the pair.
inline constexpr int feature_bits = 20;

/// Bits of an id that mark the torsional and the rolling friction of a contact.
inline constexpr std::uint64_t spin_bit = std::uint64_t{1} << 62, roll_bit = std::uint64_t{1} << 63;

/// Marks a contact that a step leaves: posed where the step starts, open where it ends.
inline constexpr std::uint64_t leaving_bit = std::uint64_t{1} << 61;

/// Marks a contact as an earlier iterate of the step saw it.
inline constexpr std::uint64_t earlier_bit = std::uint64_t{1} << 60;

/// Marks a contact that a step poses where it is nearest within the step, open at both ends.
inline constexpr std::uint64_t grazing_bit = std::uint64_t{1} << 59;

/// The contact itself, whichever row of it this is.
[[nodiscard]] constexpr std::uint64_t contact_of_row(std::uint64_t id) {
  return id & ~(leaving_bit | earlier_bit | grazing_bit);
}

/// One possible contact at one position.
struct ContactPoint {
  std::uint64_t id = 0;  ///< The same physical contact keeps its id in time: it matches, warm-starts and names it.
  double Phi = 0.0;      ///< Signed gap in metres; negative is penetration.
  double mu = 0.0;       ///< Coulomb's coefficient along t1,
  double mu2 = 0.0;      ///< and along t2 (elliptic cone; equal to mu when isotropic).
  double spin_friction = 0.0, roll_friction = 0.0;  ///< Largest torque about the normal, and about tangents, over the
                                                    ///< normal force, m.
  bool soft = false;  ///< Slip and spin share one limit surface: |c_t|^2/mu^2 + c_spin^2/spin_friction^2 <= c_n^2.
  double restitution = 0.0;
  double tangential_restitution = 0.0;  ///< Of an impact: friction aims at a slip of -this times that before.
  double curvature = 0.0;  ///< Bound on the normal curvature of the gap along the surface, 1/m: gaps bend by about half
                           ///< of curvature * (sliding distance)^2.
  double thickness = std::numeric_limits<double>::infinity();  ///< Of the two bodies here together, m: deeper
                                                               ///< penetration may seem to come from the other side.
  bool pfaffian = false;  ///< No gap but a rate, n'v + normal_speed >= 0 at all times (1982, (2.1c)); Phi is zero.
  int tangents = 2;       ///< Directions in which the point can slide: 0 (none or frictionless), 1 (planar), 2.
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitZ(), t1 = Vec3::UnitX(), t2 = Vec3::UnitY();
  BodyPair bodies = {};  ///< Of all its rows.
};

/// Possible contacts with their gradients: d Phi/dt = n'v + normal_speed, slip velocity = (t1'v + slip1, t2'v + slip2).
struct GapSet {
  std::vector<ContactPoint> contacts;              ///< Ordered by id.
  linalg::Rows n, t1, t2;                          ///< One row a contact each, empty rows where there is no tangent.
  std::vector<double> normal_speed, slip1, slip2;  ///< What kinematic bodies and conveyors add.
  linalg::Rows spin, roll1, roll2;                 ///< Relative angular velocity about the normal, t1 and t2.
  std::vector<double> spin_speed, roll_speed1, roll_speed2;

  void clear();
  /// A contact of another set, which comes after those that are here.
  void append(const GapSet& other, int index);
  [[nodiscard]] int size() const { return static_cast<int>(contacts.size()); }
  /// Speed at which a gap opens.
  [[nodiscard]] double opening(int contact, const Vector& v) const { return n.dot(contact, v) + normal_speed[contact]; }
  /// Index of the contact with this id, or -1.
  [[nodiscard]] int find(std::uint64_t id) const;
};

/// A force along one row with a law of its own that a step takes implicitly:
///
///     force = -stiffness * position - damping * (r'v - velocity),   cut off at lower and upper.
///
/// Infinite damping is a motor or dry friction: r'v = velocity as long as the force stays within its bounds (bounded
/// multipliers: 1982, (6.4)-(6.5); friction that needs no normal force: 1996, section 3.5).
struct Drive {
  static constexpr double unlimited = std::numeric_limits<double>::infinity();
  double position = 0.0;                         ///< From where stiffness pulls to, m or rad.
  double velocity = 0.0;                         ///< Wanted r'v, m/s or rad/s.
  double stiffness = 0.0;                        ///< N/m or N m/rad.
  double damping = 0.0;                          ///< N s/m or N m s/rad.
  double lower = -unlimited, upper = unlimited;  ///< N or N m, lower <= 0 <= upper.
  bool is_applied = false;                       ///< applied_force() holds it too, taken explicitly.
  int owner = -1;                                ///< Its joint, or -1 - i for the force of index i.
  static constexpr std::uint64_t silent = ~std::uint64_t{0};
  std::uint64_t event = silent;  ///< Under which its sticking and slipping are told, see contact_name().
  BodyPair bodies = {};
};

/// Dry friction against three velocities at once: a torque (N m) within a ball, which opposes them (1996, section 3.5).
struct BallFriction {
  double largest = 0.0;
  std::uint64_t id = 0;  ///< Of its events, see contact_name().
  int owner = -1;        ///< Its joint.
  BodyPair bodies = {};
};

struct DriveSet {
  linalg::Rows r;  ///< One row a drive.
  std::vector<Drive> drives;
  linalg::Rows ball_rows;  ///< Three rows a ball, then what kinematic bodies add to their velocities.
  std::vector<double> ball_speeds;
  std::vector<BallFriction> balls;

  void clear();
  /// Of the turning that a ball's friction opposes.
  [[nodiscard]] double ball_speed(int ball, const Vector& v) const;
  [[nodiscard]] int size() const { return static_cast<int>(drives.size()); }
};

/// Which derivatives of the applied force a scheme asks for.
enum class JacobianKind : std::uint8_t {
  exact,
  /// The negative semidefinite part that springs and dampers have at any length, -stiffness g g' and -damping g g'
  /// along the gradient g of their length (2006, (9.2)-(9.3)): M~ stays positive definite at any step.
  definite,
};

/// What a scheme sees of a mechanical system:  M(t,q) dv/dt = k1(t,q,v) + F(q,v) v + constraint forces, dq/dt = B(q) v.
/// Multibody is one; a user's own generalized coordinates are another. Const functions may be called from several
/// threads.
class System {
 public:
  virtual ~System() = default;

  [[nodiscard]] virtual int positions() const = 0;   ///< Length of q.
  [[nodiscard]] virtual int velocities() const = 0;  ///< Length of v.
  /// Bodies that rows name. Default: one with all velocities, whose M(q) is one block.
  [[nodiscard]] virtual BodyStructure body_structure() const { return BodyStructure::one(velocities()); }

  /// Symmetric positive definite.
  virtual void mass(double t, const Vector& q, SparseMatrix& M) const = 0;
  /// Applied forces k1, without the gyroscopic force.
  virtual void applied_force(double t, const Vector& q, const Vector& v, Vector& k) const = 0;
  /// Derivatives of applied_force(): K_q along displacements q (+) d at d = 0 with the numbers of v kept, K_v with
  /// respect to v; without those of find_stiff_drives() for a step of length h, which may be 0. Default: exact ones by
  /// central differences, good to about 1e-8, and no definite ones.
  virtual void force_jacobians(double t, const Vector& q, const Vector& v, double h, JacobianKind kind,
                               SparseMatrix& K_q, SparseMatrix& K_v) const;
  /// Springs and dampers, along their lines, that are so stiff for a step of length h > 0 that in M~ they would swallow
  /// the masses in rounding. They are part of applied_force() too. Default: none.
  virtual void find_stiff_drives(double t, const Vector& q, double h, DriveSet& drives) const;
  /// F(q, v), antisymmetric, such that F v is the gyroscopic force. Default: none.
  virtual void gyroscopic(const Vector& q, const Vector& v, SparseMatrix& F) const;
  /// The same where v is a guess: of the matrices with this F v, one in which what is wrong in v counts little.
  virtual void predicted_gyroscopic(const Vector& q, const Vector& v, SparseMatrix& F) const { gyroscopic(q, v, F); }
  /// q_new = q (+) h v.
  virtual void advance(const Vector& q, const Vector& v, double h, Vector& q_new) const = 0;
  /// dq/dt = B(q) v. Default: differences of advance(), exact to rounding where that is q + h v.
  virtual void position_rate(const Vector& q, const Vector& v, Vector& q_rate) const;

  /// All joint rows, the same number in the same order as long as the system itself is not changed.
  virtual void find_joints(double t, const Vector& q, JointSet& joints) const;
  /// Rows that those of find_joints imply wherever the system can go, to be measured and never held. Default: none.
  virtual void find_implied_joints(double t, const Vector& q, JointSet& joints) const;
  /// All contacts with Phi <= margin.
  virtual void find_gaps(double t, const Vector& q, double margin, GapSet& gaps) const;
  /// Those of these pairs alone (id >> feature_bits), which are sorted. Default: picked from all.
  virtual void find_pair_gaps(double t, const Vector& q, std::span<const std::uint64_t> pairs, double margin,
                              GapSet& gaps) const;

  /// What a step of length h takes implicitly: motors, servos, friction in joints, and of the springs and dampers those
  /// that an explicit step of that length could not follow. Always in the same order.
  virtual void find_drives(double t, const Vector& q, double h, DriveSet& drives) const;

  /// When the first impulse from outside comes that is later than t (1982, (2.10a)); infinity where none does.
  [[nodiscard]] virtual double next_impulse(double t) const;
  /// The sum of the impulses from outside at the time t, N s or N m s, one number for each velocity.
  virtual void find_impulse(double t, const Vector& q, Vector& impulse) const;

  /// The largest velocity of anything that moves, kinematic bodies included, m/s or rad/s.
  [[nodiscard]] virtual double fastest(const Vector& v) const {
    return v.size() == 0 ? 0.0 : v.lpNorm<Eigen::Infinity>();
  }
  /// How far, in metres and radians, velocities times h may reach without one body passing through another unseen.
  [[nodiscard]] virtual double safe_way() const { return std::numeric_limits<double>::infinity(); }

  /// Of gravity and springs.
  [[nodiscard]] virtual double potential_energy(double t, const Vector& q) const = 0;

  [[nodiscard]] virtual std::string contact_name(std::uint64_t id) const;
  [[nodiscard]] virtual std::string joint_name(int joint) const;
};

}  // namespace stiction
