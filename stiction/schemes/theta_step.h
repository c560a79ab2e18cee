#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "stiction/schemes/step_work.h"
#include "stiction/schemes/theta_forces.h"
#include "stiction/schemes/transitions.h"
#include "stiction/schemes/velocity_predictor.h"

namespace stiction {

/// One part of a step of the family of 2008 with a given set of closed contacts: (4.4) there, (5.3)-(5.8) of 2006.
class ThetaStep {
 public:
  ThetaStep(const System& system, const SchemeOptions& options, StepWork& work)
      : system_(system), options_(options), work_(work), forces_(system) {}

  /// The parts to come belong to a step of length h, by which stabilisation goes.
  void begin(double h) { whole_ = h; }
  /// The velocity jumped, or the state is another: nothing is known of the motion before.
  void forget() { predictor_.forget(); }

  /// Solves for a part of length h. `closed` contacts (sorted ids) take part, with the solution in the StepWork. A
  /// plastic one has alpha = gamma = 1 and no stabilisation. False when unsolved.
  bool advance(const State& state, double h, const std::vector<std::uint64_t>& closed, bool plastic,
               StepReport& report);
  /// The last part was taken: its v_alpha is known.
  void accept(double t);

  [[nodiscard]] const Vector& q() const { return q_new_; }
  [[nodiscard]] const Vector& v() const { return v_new_; }
  [[nodiscard]] const Vector& v_alpha() const { return v_alpha_; }
  [[nodiscard]] const Vector& v_gamma() const { return v_gamma_; }
  [[nodiscard]] double length() const { return step_.h; }
  [[nodiscard]] double alpha() const { return step_.alpha; }
  /// Rows of the problem that hold a speed within bounds: friction in joints and motors.
  [[nodiscard]] const std::vector<Transitions::HoldingRow>& holding_rows() const { return holding_rows_; }

 private:
  void place(const State& state, const Vector& v_middle);
  void pose(const State& state, const std::vector<std::uint64_t>& closed, double theta);
  void add_drives(const State& state);
  void find_targets(const State& state, const DriveSet& drives);
  [[nodiscard]] StepProblem::RowLaw law_of(const Drive& drive, double speed, double start, double& b) const;
  bool solve(const State& state, StepReport& report);
  bool solve_relaxed(StepReport& report);
  enum class Outcome : std::uint8_t { settled, unsettled, unsolved };
  Outcome iterate(const State& state, const std::vector<std::uint64_t>& closed, double theta, StepReport& report);
  bool solve_linear(const State& state, const std::vector<std::uint64_t>& closed, double theta, StepReport& report);
  bool refine(const State& state, const std::vector<std::uint64_t>& closed, double theta, StepReport& report);
  bool damp(const State& state, const std::vector<std::uint64_t>& closed, double theta, StepReport& report);
  double energy(double t, const Vector& q, const Vector& v);
  void read(const State& state);
  [[nodiscard]] bool misses(const State& state);

  const System& system_;
  const SchemeOptions& options_;
  StepWork& work_;
  ThetaForces forces_;
  VelocityPredictor predictor_;
  ThetaForces::Step step_;
  int first_stiff_row_ = 0;           ///< Rows of the problem for what is too stiff for M~ begin here.
  double whole_ = 0.0, share_ = 0.0;  ///< Length of the whole step; where the geometry is, as a share of this part.
  std::vector<Transitions::HoldingRow> holding_rows_;
  std::vector<std::pair<double, double>> targets_;  ///< Of drives, at the start and the end of the part.
  DriveSet end_drives_;
  Vector q_hat_, q_drive_, q_new_, v_new_, v_alpha_, v_gamma_, v_middle_, v_last_, zero_;
};

}  // namespace stiction
