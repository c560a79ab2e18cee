#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "stiction/model/system.h"

namespace stiction {

/// What a drive does (1982, (6.4)-(6.5)).
enum class DriveMode : std::uint8_t {
  follows,   ///< Its law, with a finite damping.
  holds,     ///< r'v = velocity, the force within its bounds.
  at_lower,  ///< r'v >= velocity, the force is the lower bound.
  at_upper,  ///< r'v <= velocity, the force is the upper bound.
};

/// Holds its velocity against any force.
[[nodiscard]] bool is_rigid(const Drive& drive);

/// The unilateral constraints that hold as equalities (1982, section 2), by the ids of their contacts, sorted, and what
/// every drive of the system does, those that a step of no length has.
struct ActiveSet {
  std::vector<std::uint64_t> contacts;
  std::vector<DriveMode> drives;

  [[nodiscard]] bool has(std::uint64_t id) const;
  friend bool operator==(const ActiveSet&, const ActiveSet&) = default;
};

/// What is held at one position with an active set: rows g with g'v + offset = 0, those of the joints first, then of
/// the drives that hold, then of the active contacts. The matrix G of (4.2) is made of them.
class ActiveRows {
 public:
  explicit ActiveRows(const System& system) : system_(system) {}

  /// How much farther than rounding asks for a bend ahead counts as passed (find_convection()).
  void see_bends_ahead(double times) { foresight_ = times; }

  /// False where an active contact is not there any more; lost() is its id.
  bool find(double t, const Vector& q, const ActiveSet& active);
  [[nodiscard]] std::uint64_t lost() const { return lost_; }

  [[nodiscard]] int size() const { return rows_.size(); }
  [[nodiscard]] int joints() const { return joints_; }
  /// Joints and drives: the row of the first contact.
  [[nodiscard]] int first_contact() const { return joints_ + static_cast<int>(held_.size()); }
  /// All drives, and which of them are held.
  [[nodiscard]] const DriveSet& drives() const { return drives_; }
  [[nodiscard]] const std::vector<int>& held() const { return held_; }
  [[nodiscard]] const linalg::Rows& rows() const { return rows_; }
  [[nodiscard]] const BodyPair& bodies(int row) const { return bodies_[row]; }
  /// The joint that a row of the joints belongs to.
  [[nodiscard]] int joint_of(int row) const { return joint_set_.joint[row]; }
  /// Rows with a position behind them, joints and contacts without the Pfaffian ones, and their Theta and Phi.
  [[nodiscard]] const linalg::Rows& position_rows() const { return position_rows_; }
  [[nodiscard]] const std::vector<double>& positions() const { return positions_; }
  [[nodiscard]] const std::vector<ContactPoint>& contacts() const { return contacts_; }
  [[nodiscard]] double speed(int row, const Vector& v) const { return rows_.dot(row, v) + offsets_[row]; }

  /// Whether a drive that holds against any force asks for a velocity that is not that of v: others do not allow it.
  [[nodiscard]] bool contradict(const Vector& v) const;

  /// d/dt (g'v + offset) at constant v: the term G-dot' q-dot of (2.5b) with what moving bodies add. By differences of
  /// fourth order along the motion with this v, one-sided where a contact is not found on the other side, and where the
  /// curvature of a surface or the velocity of a drive jumps nearby.
  void find_convection(double t, const Vector& q, const Vector& v, const ActiveSet& active, std::vector<double>& c);

 private:
  /// g'v + offset for all rows at a position nearby; not a number for contacts that are not there.
  void find_speeds(double t, const Vector& q, const Vector& v, const ActiveSet& active, std::vector<double>& speeds);
  void find_speeds_at(double place, double t, const Vector& q, const Vector& v, const ActiveSet& active,
                      std::vector<double>& speeds);
  /// Whether the speeds of a row at five places are not those of one smooth function.
  [[nodiscard]] bool is_bent(int row, const Vector& v, double step) const;
  [[nodiscard]] bool is_before_bend(int row, const Vector& v, double step, double probe) const;
  void find_bent_slopes(double t, const Vector& q, const Vector& v, const ActiveSet& active, double step,
                        std::vector<double>& c);

  const System& system_;
  JointSet joint_set_, near_joints_;
  DriveSet drives_, near_drives_;
  std::vector<int> held_;
  GapSet gaps_, near_gaps_;
  linalg::Rows rows_, position_rows_;
  std::vector<BodyPair> bodies_;
  std::vector<double> positions_, offsets_;
  std::vector<ContactPoint> contacts_;
  int joints_ = 0;
  std::uint64_t lost_ = 0;
  std::array<std::vector<double>, 4> speeds_;     ///< At -2, -1, 1, 2 steps,
  std::array<std::vector<double>, 2> far_back_;   ///< at -3, -4,
  std::array<std::vector<double>, 2> far_ahead_;  ///< at 3, 4,
  std::vector<double> just_ahead_;                ///< and hardly ahead.
  std::vector<int> bent_;
  double foresight_ = 1.0;
  Vector q_near_;
};

}  // namespace stiction
