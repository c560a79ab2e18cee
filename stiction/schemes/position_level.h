#pragma once

#include <cstdint>
#include <vector>

#include "stiction/schemes/earlier_contacts.h"
#include "stiction/schemes/grazing_contacts.h"
#include "stiction/schemes/held_gaps.h"
#include "stiction/schemes/passing.h"
#include "stiction/schemes/step_work.h"
#include "stiction/schemes/velocity_extrapolation.h"

namespace stiction {

/// Stewart and Trinkle's scheme (1996, (25)-(26) and section 3.6): the complementarity is between c_n and the gap at
/// the end of the step, so nothing penetrates and collisions need not be located. With q^ = q + s h v^ the gap is
/// linearised as
///
///     [Phi(q^) + n(q^)'(q + h v+ - q^)]/h = n'v+ + b_n,   b_n = Phi(q^)/h - s n'v^,
///
/// and likewise Theta. The linear version solves this once at v^ = v; the nonlinear one repeats it with v^ = v+ until
/// Phi(q+) >= 0 holds with n = n(q+).
///
/// What touches at q, comes nearer and is apart again at q+, as a corner that slides off an edge, has its row at q:
/// n(q)'v+ + Phi(q)/h >= 0, the linear one there. What meets and parts on the way divides the step just after it has
/// met; where much does, each has its row where it is nearest (GrazingContacts).
class PositionLevel {
 public:
  PositionLevel(const System& system, const SchemeOptions& options, StepWork& work)
      : system_(system), options_(options), work_(work), passing_(system), held_(system, options), grazing_(system) {}

  enum class Outcome : std::uint8_t { taken, unconverged, passed, failed };
  /// Advances the state by h, or leaves it. A step that does not converge, or in which something meets and parts again
  /// (passed: at() is when), is taken only if it must; what did not converge is reported.
  Outcome step(State& state, double h, bool must, StepReport& report);
  void forget() {
    active_.clear();
    held_.forget();
    was_relaxed_ = false;
    predictor_.forget();
  }
  [[nodiscard]] double at() const { return passing_.at(); }
  [[nodiscard]] std::uint64_t met() const { return passing_.contact(); }  ///< Where.

 private:
  /// What goes without its position part: nothing, contacts, or joints too.
  enum class Jam : std::uint8_t { none, contacts, joints };

  Outcome try_step(State& state, double h, bool must, bool was_deep, StepReport& report);
  void pose(const State& state, double h);
  bool relax(int velocities);
  [[nodiscard]] bool is_jammed(const linalg::Rows& rows, int row, Jam from = Jam::contacts) const;
  bool find_missed(double t, const Vector& q, double tolerance);
  void keep_pushing();
  void pose_leaving(double h);
  void pose_earlier(double h);
  void pose_grazing(const State& state, double h, double margin);
  bool find_leaving(const State& state, double h, int few);
  void find_passing(const State& state, double h);
  [[nodiscard]] bool is_active(std::uint64_t id, double Phi) const;
  [[nodiscard]] bool sinks(const State& state);
  [[nodiscard]] double position_error(double moved, bool is_hard, bool all = false) const;
  [[nodiscard]] double gap_left(std::uint64_t id, double moved, bool is_hard) const;

  const System& system_;
  const SchemeOptions& options_;
  StepWork& work_;
  Passing passing_;
  HeldGaps held_;
  VelocityExtrapolation predictor_;
  EarlierContacts earlier_;
  GrazingContacts grazing_;
  bool lets_go_ = false;      ///< What grazes has no rows.
  bool has_earlier_ = false;  ///< What is posed has some.
  Vector v_hat_, best_hat_, q_hat_, q_force_, q_new_, way_;
  GapSet normals_, check_, start_, leaving_gaps_;
  JointSet check_joints_, start_joints_;
  bool has_drives_ = false;
  bool is_relaxed_ = false;  ///< Something goes without its position part:
  std::vector<Jam> jammed_;  ///< by velocity, what,
  bool is_known_ = false;    ///< and not just everything.
  std::vector<char> jammed_velocities_;
  bool was_relaxed_ = false;  ///< The last part went without its position part.
  // Sorted:
  std::vector<std::uint64_t> active_;   ///< Contacts with an impulse in the last step,
  std::vector<std::uint64_t> pushing_;  ///< in this one,
  std::vector<std::uint64_t> lasting_;  ///< and in both.
  std::vector<std::uint64_t> added_;    ///< In this step with an impulse, or violated at q+.
  std::vector<std::uint64_t> leaving_;  ///< Pairs that touch at q, would overlap on the way and are apart at q+.
  bool meets_ = false;                  ///< Others that do.
};

}  // namespace stiction
