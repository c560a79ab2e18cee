#pragma once

#include "stiction/contact/polyhedral_solver.h"
#include "stiction/linalg/bounded_multipliers.h"
#include "stiction/model/state.h"
#include "stiction/schemes/smooth_motion.h"
#include "stiction/schemes/step_report.h"

namespace stiction {

/// Which contacts push right after a time t0 (1982, section 5). The complementarity problem (2.5b) at t0 says so for
/// all but those with lambda = 0 and delta = 0. For these Theorem 5.4 solves one problem after the other for the
/// derivatives of lambda and delta; here the problem at t0 is followed by the same problem a little later, at t0 + tau,
/// where those derivatives show. The motion up to there is that of a set which is tried, and the set that its problem
/// at t0 + tau gives is tried next, until it is the one that was tried. That one is right: along its motion all lambda
/// and delta are positive or stay zero, so the motion obeys (2.5), and by the theorem there is no other; and the right
/// set is always found consistent, since by the theorem it does not change for a while. Contacts that are in doubt even
/// then are held; they push with nothing, and leave when they would have to pull.
class ActiveSetFinder {
 public:
  ActiveSetFinder(const System& system, PolyhedralSolver& solver);

  /// The candidates are closed contacts that neither approach nor leave, and drives at their velocity as held. Of the
  /// contacts some may be `leaving` (sorted), but so slowly that the forces would bring them back at once: they are
  /// held if they are pushed together. `tau` is short against the time in which the motion changes. False when the
  /// problem at t0 could not be solved.
  bool find(const State& state, const ActiveSet& candidates, const std::vector<std::uint64_t>& leaving, double tau,
            StepReport& report);
  [[nodiscard]] const ActiveSet& active() const { return active_; }

  /// The largest delta of (2.5b) among the candidates at a state, over the scale of the accelerations: positive when
  /// they cannot all be held without one that pulls. Negative when the problem could not be solved.
  double largest_parting(const Acceleration& at, StepReport& report);
  /// An answer to the problem of `at` with forces that push, for its certificate.
  bool certify_pushing(const Acceleration& at, StepReport& report);
  /// Impulses of a part of this length along the rows of `at` that come to the same as these together, those of
  /// contacts not negative and those of drives within their bounds, of least length. They are left as they are where
  /// there are none.
  void make_push(const Acceleration& at, double length, Vector& impulses, StepReport& report);

  /// Relative to the accelerations: less is nothing.
  static constexpr double sharp = 1e-10;

 private:
  MotionStatus solve(double t, const Vector& q, const Vector& v, const ActiveSet& candidates, StepReport& report);
  bool solve(const Acceleration& at, StepReport& report);
  /// Reads the solved problem; true when a contact is in doubt.
  bool sort_out(const ActiveSet& candidates, ActiveSet& active) const;
  [[nodiscard]] double scale() const;

  PolyhedralSolver& solver_;
  Acceleration acceleration_;
  SmoothMotion motion_;
  StepProblem problem_;
  StepSolution solution_;
  StepCertificate certificate_;
  ActiveSet active_, next_;
  std::vector<std::uint64_t> leaving_;
  linalg::BoundedMultipliers bounded_;
  std::vector<double> lower_, upper_;
};

}  // namespace stiction
