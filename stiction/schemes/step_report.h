#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "stiction/contact/certificate.h"
#include "stiction/model/system.h"
#include "stiction/schemes/grade.h"

namespace stiction {

/// A reversal is sliding that stops and goes back at once; only schemes that locate it tell it.
enum class EventKind : std::uint8_t { impact, take_off, stick, slip, breakage, reversal };
[[nodiscard]] std::string_view to_string(EventKind kind);

/// Bodies that meet slower than this, m/s, touch and do not collide.
inline constexpr double gentle = 1e-6;

struct Event {
  double time = 0.0;
  EventKind kind = EventKind::impact;
  std::uint64_t contact = 0;
  double energy_gain = 0.0;  ///< Kinetic energy that an impact law created, J, said with the first of an impact's
                             ///< contacts; Poisson's may (1997, end of section 3).
  double approach = 0.0;     ///< Speed at which the bodies met, m/s.
};

/// One contact's part in a step.
struct ContactRecord {
  ContactPoint geometry;                              ///< Where the step's problem was posed.
  double c_n = 0.0, c_t1 = 0.0, c_t2 = 0.0;           ///< Impulses of the step, impacts included, N s.
  double c_spin = 0.0, c_roll1 = 0.0, c_roll2 = 0.0;  ///< Of torsional and rolling friction, N m s.
  double slip = 0.0;                                  ///< lambda: sliding speed, m/s.
};

/// A contact that is closed at the end of a step: it neither opens nor is about to.
struct ClosedContact {
  std::uint64_t id = 0;
  double slip = 0.0;      ///< Sliding speed, m/s.
  double approach = 0.0;  ///< Speed at which it closed at the start of the step, m/s.
};

/// Energy that became heat, J: of friction in contacts (turning friction included) and in joints, and what impacts that
/// a scheme resolves as such took away (negative where their law made some).
struct Dissipation {
  double contacts = 0.0, joints = 0.0, impacts = 0.0;
  void add(const Dissipation& other) {
    contacts += other.contacts;
    joints += other.joints;
    impacts += other.impacts;
  }
  [[nodiscard]] double sum() const { return contacts + joints + impacts; }
};

/// Which derivatives of the forces a step of the family of 2008 took into M~.
enum class JacobianUse : std::uint8_t { none, exact, rank_one };
/// What a drive with a name for events did at the end of a step.
struct DriveState {
  std::uint64_t event = 0;
  bool slips = false;
};

/// What one step did. A failed step leaves the state as it was.
struct StepReport {
  bool solved = true;  ///< A problem of the step could not be solved when false.
  bool forces_are_finite = true;
  double force_time = 0.0;         ///< At which they were last taken.
  bool relaxed = false;            ///< Nothing certified until the stabilising terms were dropped.
  bool converged = true;           ///< Of the nonlinear position-level iteration; a step that did not is not certified.
  bool rough = false;              ///< It stopped short of it by less than 0.01 mm, in the smallest part that is tried.
  double position_excess = 0.0;    ///< The largest error of a gap or joint at q+ over what the scheme promises of it.
  double open_gap = 0.0;           ///< Widest gap at q+ under an impulse, m,
  std::uint64_t open_contact = 0;  ///< and where.
  bool followed = true;            ///< False: something (deepest_contact) is too fast for any division of the step.
  int parts = 1;              ///< Into which the step was divided: to converge, or because something moved further than
                              ///< it is thick.
  int located = 0;            ///< Meetings within the step that divided it.
  bool grazes = false;        ///< Something met and parted in the shortest part of a step that is tried.
  bool plastic = false;       ///< So much happened in the step that its rest was taken without bouncing.
  int posed_contacts = 0;     ///< In the last problem posed.
  int solves = 0;             ///< Step problems posed, impacts included.
  int rank_changes = 0;       ///< lotstedt: times that the rank of the active constraints changed with the same set.
  bool has_friction = false;  ///< lotstedt: refused, since a contact (certificate.worst_contact) has friction.
  JacobianUse jacobian = JacobianUse::none;  ///< Rank one where a part of the step took those.
  int trials = 0;  ///< Parts of the step that were tried to find where contacts stick, slip or part.
  StepCertificate certificate;
  Dissipation dissipated;
  double penetration = 0.0;  ///< Deepest at the end of the step, m, positive.
  std::uint64_t deepest_contact = 0;
  double joint_error = 0.0;  ///< Largest |Theta| at the end of the step.
  int worst_joint = -1;
  bool implied_hold = true;  ///< False: worst_joint was taken to follow from other joints, and parts from them.
  std::vector<Event> events;
  std::vector<ContactRecord> contacts;
  std::vector<ClosedContact> closed;   ///< Ordered by id.
  std::vector<DriveState> drives;      ///< Always the same ones in the same order.
  std::vector<double> joint_impulses;  ///< Of the system's joint rows, then of its drives.
  std::vector<signed char> holds;      ///< By drive: 1 where it kept its speed in all of the step, -1 where it gave
                                       ///< way, 0 where it took no part.
  std::vector<double> ball_impulses;   ///< Three for each friction of a spherical joint.

  void clear();
  [[nodiscard]] Grade grade(double tolerance) const;
  /// What is promised of a step of its grade holds.
  [[nodiscard]] bool certified(double tolerance) const { return is_certified(grade(tolerance)); }
  /// How far gaps that should be closed or open and joints are off at the end of the step, m or rad.
  [[nodiscard]] double position_error() const { return std::max({penetration, joint_error, open_gap}); }
};

}  // namespace stiction
