#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "stiction/contact/polyhedral_solver.h"
#include "stiction/linalg/triplets.h"
#include "stiction/model/state.h"
#include "stiction/model/system.h"
#include "stiction/schemes/limit_surface.h"
#include "stiction/schemes/options.h"
#include "stiction/schemes/step_report.h"

namespace stiction {

class LeastForces;

/// What both schemes and the impacts share: linearisation, assembly of a step problem from gaps and joints, its
/// solution, and the record. One copy of each; storage is reused from step to step.
class StepWork {
 public:
  StepWork(const System& system, const SchemeOptions& options);
  ~StepWork();

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
  void begin_constraints() {
    problem_.clear_constraints();
    slots_.clear();
    surfaces_.clear();
    posed_.clear();
    has_balls_ = false;
  }
  void add_joint(int row, double b) {
    problem_.nu.append(joints_.nu, row);
    problem_.b_nu.push_back(b);
    slots_.push_back(row);
  }
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
  /// A contact of gaps() with normal right-hand side b_n; slip of kinematic bodies is taken along.
  void add_contact(int index, double b_n);
  /// The same with the tangents and normals of another GapSet (geometry at an average position).
  void add_contact(const GapSet& geometry, int index, double b_n);

  /// Solves what is posed; merges the certificate into the report. False when unsolved.
  bool solve(StepReport& report);
  /// Of the answer of the last solve.
  [[nodiscard]] const StepCertificate& certificate() const { return certificate_; }
  /// Adds the impulses of the last solution, so many times, to the report's contacts and joints.
  void record(StepReport& report, double times = 1.0);

  /// Lists the contacts of the last solution that are closed after it, a step of length h.
  void note_closed(double h, StepReport& report) const;

  /// Deepest penetration and joint error at a position, into the report if they are larger than what is there; and the
  /// gaps there up to the margin.
  const GapSet& measure(double t, const Vector& q, double margin, StepReport& report);

  [[nodiscard]] StepProblem& problem() { return problem_; }
  /// Of the part of a step that is posed, s; zero for an impact.
  [[nodiscard]] double length() const { return takes_time_ ? drive_step_ : 0.0; }
  /// Of forces that the scheme itself puts into the problem.
  void set_force_time(double t) { force_time_ = t; }
  [[nodiscard]] const StepSolution& solution() const { return solution_; }
  /// The last solution with the impulses of least length among those that obey the law with its velocities: what is
  /// recorded. The next step starts from those of the solver, whose basis is known.
  [[nodiscard]] const StepSolution& shared();
  [[nodiscard]] PolyhedralSolver& solver() { return solver_; }
  [[nodiscard]] const System& system() const { return system_; }
  /// The largest acceleration that the applied forces alone give a coordinate, m/s^2 or rad/s^2.
  [[nodiscard]] double applied_acceleration(const State& state);
  [[nodiscard]] double kinetic_energy(double t, const Vector& q, const Vector& v);

 private:
  void add_turning_friction(const GapSet& geometry, int index, int carrier, bool spins);
  void add_block(const BallFriction& ball, int row, int directions);
  void add_ball_frictions();
  bool solve_once();
  void measure_implied(double t, const Vector& q, StepReport& report);
  void note_drives(StepReport& report) const;
  void record_drives(StepReport& report) const;
  void record_balls(StepReport& report, double times) const;
  void record_heat(StepReport& report, double times) const;
  void take_drives(double t, const Vector& q_force, const Vector& v, double h, double share);

  const System& system_;
  PolyhedralOptions cone_;
  GapSet gaps_, measured_;
  JointSet joints_, measured_joints_, implied_;
  std::vector<int> slots_;  ///< Place in the record of each row of the problem: joint rows, then drives.
  DriveSet drives_, updated_;
  double step_ = 0.0;        ///< Length of the whole step, s.
  double drive_step_ = 0.0;  ///< h of the drives.
  double force_time_ = 0.0;
  bool takes_time_ = true;  ///< Of the problem: no impact.
  bool has_balls_ = false;  ///< The friction of spherical joints is in the problem, after all contacts.
  SparseMatrix mass_, gyroscopic_;
  Vector force_;
  linalg::Triplets triplets_;
  StepProblem problem_;
  StepSolution solution_, shared_;
  std::unique_ptr<LeastForces> least_forces_;
  bool is_shared_ = false;  ///< shared_ belongs to solution_.
  LimitSurfaces surfaces_;
  StepCertificate certificate_;
  PolyhedralSolver solver_;
  std::vector<ContactPoint> posed_;  ///< Geometry of the problem's contacts, for the record.
  std::vector<std::pair<std::uint64_t, std::size_t>> recorded_;  ///< Ids and places in the report, by id.
};

}  // namespace stiction
