#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "stiction/contact/polyhedral_solver.h"
#include "stiction/contact/step_assembly.h"
#include "stiction/model/state.h"
#include "stiction/model/system.h"
#include "stiction/schemes/options.h"
#include "stiction/schemes/step_report.h"

namespace stiction {

class LeastForces;

/// What both schemes and the impacts share: the assembly of a step problem, its solution, and the record. One copy of
/// each; storage is reused from step to step.
class StepWork {
 public:
  StepWork(const System& system, const SchemeOptions& options);
  ~StepWork();

  // Assembly: see StepAssembly.
  void linearise(double t, const Vector& q_mass, const Vector& q_force, const Vector& v, double h, double share) {
    assembly_.linearise(t, q_mass, q_force, v, h, share);
  }
  void linearise_impact(double t, const Vector& q, const Vector& v) { assembly_.linearise_impact(t, q, v); }
  void begin_step(double h) { assembly_.begin_step(h); }
  void look(double t, const Vector& q, double margin) { assembly_.look(t, q, margin); }
  [[nodiscard]] const GapSet& gaps() const { return assembly_.gaps(); }
  [[nodiscard]] const JointSet& joints() const { return assembly_.joints(); }
  void begin_constraints() { assembly_.begin_constraints(); }
  void add_joint(int row, double b) { assembly_.add_joint(row, b); }
  void add_drives() { assembly_.add_drives(); }
  bool update_drives(double t, const Vector& q, const Vector& v) { return assembly_.update_drives(t, q, v); }
  const DriveSet& find_drives(double t, const Vector& q, double h) { return assembly_.find_drives(t, q, h); }
  void add_drive(int index, double b, const StepProblem::RowLaw& law) { assembly_.add_drive(index, b, law); }
  void add_rigid_drives(double t, const Vector& q) { assembly_.add_rigid_drives(t, q); }
  void add_contact(int index, double b_n) { assembly_.add_contact(gaps(), index, b_n); }
  void add_contact(const GapSet& geometry, int index, double b_n, std::uint64_t mark = 0) {
    assembly_.add_contact(geometry, index, b_n, mark);
  }
  void add_equality(int index, double b) { assembly_.add_equality(index, b); }
  [[nodiscard]] StepProblem& problem() { return assembly_.problem(); }
  [[nodiscard]] double length() const { return assembly_.length(); }
  void set_force_time(double t) { assembly_.set_force_time(t); }

  using Effort = PolyhedralSolver::Effort;

  /// Solves what is posed; merges the certificate into the report. False when unsolved.
  bool solve(StepReport& report, Effort effort, double rough = 0.0);
  bool solve(StepReport& report) { return solve(report, Effort{}); }
  /// Of the answer of the last solve.
  [[nodiscard]] const StepCertificate& certificate() const { return certificate_; }
  /// Adds the impulses of the last solution, so many times, to the report's contacts and joints.
  void record(StepReport& report, double times = 1.0);

  /// Lists the contacts of the last solution that are closed after it, a step of length h.
  void note_closed(double h, StepReport& report) const;

  /// Deepest penetration and joint error at a position, into the report if they are larger than what is there; and the
  /// gaps there up to the margin.
  const GapSet& measure(double t, const Vector& q, double margin, StepReport& report);

  [[nodiscard]] const StepSolution& solution() const { return solution_; }
  /// The last solution with the impulses of least length among those that obey the law with its velocities: what is
  /// recorded, and what the next step starts from.
  [[nodiscard]] const StepSolution& shared();
  [[nodiscard]] PolyhedralSolver& solver() { return solver_; }
  [[nodiscard]] const System& system() const { return system_; }
  /// What the last measure() saw.
  [[nodiscard]] const GapSet& measured() const { return measured_; }
  [[nodiscard]] const JointSet& measured_joints() const { return measured_joints_; }
  [[nodiscard]] const JointSet& measured_implied() const { return implied_; }
  [[nodiscard]] double kinetic_energy(double t, const Vector& q, const Vector& v);

 private:
  void measure_implied(double t, const Vector& q, StepReport& report);
  void note_drives(StepReport& report) const;
  void record_drives(StepReport& report) const;
  void record_balls(StepReport& report, double times) const;
  void record_heat(StepReport& report, double times) const;

  const System& system_;
  PolyhedralOptions cone_;
  StepAssembly assembly_;
  GapSet measured_;
  JointSet measured_joints_, implied_;
  SparseMatrix mass_;
  StepSolution solution_, shared_;
  std::unique_ptr<LeastForces> least_forces_;
  bool is_shared_ = false;  ///< shared_ belongs to solution_.
  StepCertificate certificate_;
  PolyhedralSolver solver_;
  std::vector<std::pair<std::uint64_t, std::size_t>> recorded_;  ///< Ids and places in the report, by id.
};

}  // namespace stiction
