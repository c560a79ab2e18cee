#pragma once

#include <vector>

#include "stiction/contact/step_problem.h"
#include "stiction/linalg/triplets.h"
#include "stiction/model/system.h"

namespace stiction {

/// Makes step problems of what a system says of itself at one place: linearisation, gaps, joints and drives, as blocks
/// on bodies. Storage is reused from step to step.
class StepAssembly {
 public:
  explicit StepAssembly(const System& system);

  /// M~ = M - alpha h F(v), k~ = h k1(t, q_force, v) + h F v  (DESIGN.md section 1). What a step takes implicitly is
  /// left out of k1: add_drives() makes rows of it. q_force = q + share h v.
  void linearise(double t, const Vector& q_mass, const Vector& q_force, const Vector& v, double h, double share);
  /// M~ = M, k~ = 0: an impact takes no time (1997, section 3).
  void linearise_impact(double t, const Vector& q, const Vector& v);
  /// A step of length h begins: impacts in it are measured against what the forces do in so long.
  void begin_step(double h) { step_ = h; }

  /// Gaps and joints at a position; fills gaps() and joints().
  void look(double t, const Vector& q, double margin);
  [[nodiscard]] const GapSet& gaps() const { return gaps_; }
  [[nodiscard]] const JointSet& joints() const { return joints_; }

  /// Starts the constraints of the problem anew.
  void begin_constraints();
  void add_joint(int row, double b);
  /// The drives that linearise() found, after the joints: c = -h [k (position at the end) + d (r'v+ - velocity)] is
  /// r'v+ + b + c/(h^2 k + h d) = 0.
  void add_drives();
  /// Their rows and positions where the step ends: q = q_start + h v at time t, to first order from there. True when
  /// there are any.
  bool update_drives(double t, const Vector& q, const Vector& v);
  /// For schemes that make their own M~, k~ and rows: the drives at a place for a part of length h, springs left out.
  const DriveSet& find_drives(double t, const Vector& q, double h);
  /// A row of one of these.
  void add_drive(int index, double b, const StepProblem::RowLaw& law);
  /// Those of them that hold against any impulse, for an impact at q.
  void add_rigid_drives(double t, const Vector& q);
  /// A contact with normal right-hand side b_n, its tangents and normals those of a GapSet (gaps(), or geometry at an
  /// average position); slip of kinematic bodies is taken along. `mark`: leaving_bit or
  /// earlier_bit, where the row is not that of the contact at q^.
  void add_contact(const GapSet& geometry, int index, double b_n, std::uint64_t mark = 0);
  /// A contact of gaps() that holds as an equality, without friction; it has no place in slots().
  void add_equality(int index, double b);
  /// Friction of spherical joints, after all contacts; once, and not in an impact.
  void add_ball_frictions();

  [[nodiscard]] StepProblem& problem() { return problem_; }
  [[nodiscard]] const StepProblem& problem() const { return problem_; }
  [[nodiscard]] const DriveSet& drives() const { return drives_; }
  /// Geometry of the problem's contacts.
  [[nodiscard]] const std::vector<ContactPoint>& posed() const { return posed_; }
  /// Of each row of the problem, its place among the joint rows and then the drives. The last rows may have none.
  [[nodiscard]] const std::vector<int>& slots() const { return slots_; }
  /// Of the part of a step that is posed, s; zero for an impact.
  [[nodiscard]] double length() const { return takes_time_ ? drive_step_ : 0.0; }
  [[nodiscard]] bool takes_time() const { return takes_time_; }  ///< No impact.
  [[nodiscard]] bool has_balls() const { return has_balls_; }
  [[nodiscard]] double force_time() const { return force_time_; }
  /// Of forces that the scheme itself puts into the problem.
  void set_force_time(double t) { force_time_ = t; }

 private:
  void add_turning_friction(const GapSet& geometry, int index, int carrier, bool spins);
  void pair(int first, int second);
  void add_block(const BallFriction& ball, int row, int directions);
  void take_drives(double t, const Vector& q_force, const Vector& v, double h, double share);

  const System& system_;
  GapSet gaps_;
  JointSet joints_;
  std::vector<int> slots_;
  DriveSet drives_, updated_;
  double step_ = 0.0;        ///< Length of the whole step, s.
  double drive_step_ = 0.0;  ///< h of the drives.
  double force_time_ = 0.0;
  bool takes_time_ = true;
  bool has_balls_ = false;
  SparseMatrix mass_, gyroscopic_;
  linalg::Triplets triplets_;
  StepProblem problem_;
  std::vector<ContactPoint> posed_;
};

}  // namespace stiction
