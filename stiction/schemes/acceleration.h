#pragma once

#include <cstdint>
#include <vector>

#include "stiction/contact/step_problem.h"
#include "stiction/schemes/active_rows.h"
#include "stiction/schemes/constrained_motion.h"

namespace stiction {

/// What stopped an evaluation of the motion.
enum class MotionStatus : std::uint8_t {
  fine,
  lost_contact,  ///< An active contact is not there: a body slid off its support (1982, end of section 2).
  not_finite,    ///< Forces or positions.
  unsolved,      ///< No forces do what is asked: two motors that contradict each other.
};

/// The acceleration at one state with an active set that holds as equalities (1982, (4.3)-(4.5)):
///
///     M a = f + G lambda,   G'a + c = 0,   f = k1 + F v.
class Acceleration {
 public:
  explicit Acceleration(const System& system) : system_(system), rows_(system) {}

  void see_bends_ahead(double times) { rows_.see_bends_ahead(times); }
  MotionStatus evaluate(double t, const Vector& q, const Vector& v, const ActiveSet& active);

  [[nodiscard]] const Vector& a() const { return a_; }
  /// Of the joints, of all drives and of the active contacts; of least length where they are not unique.
  [[nodiscard]] const Vector& forces() const { return forces_; }
  [[nodiscard]] const ActiveRows& rows() const { return rows_; }
  [[nodiscard]] std::uint64_t lost() const { return rows_.lost(); }
  [[nodiscard]] int rank() const { return motion_.rank(); }
  [[nodiscard]] bool is_redundant() const { return motion_.rank() < motion_.constraints(); }
  /// Largest acceleration that takes part: a, and what the forces alone would give.
  [[nodiscard]] double scale() const { return scale_; }
  /// n'M^-1 n of an active contact: what a unit of force there adds to its acceleration by itself.
  [[nodiscard]] double mobility(int contact) const { return motion_.mobility(rows_.first_contact() + contact); }
  /// The same of a drive that is held, by its place among these.
  [[nodiscard]] double held_mobility(int place) const { return motion_.mobility(rows_.joints() + place); }
  /// The smallest lambda of an active contact, or what is left to a bound of a held drive, as the acceleration that it
  /// gives its row by itself over scale().
  [[nodiscard]] double smallest_push() const;

  /// The complementarity problem (2.5b) with the active contacts and held drives as candidates, as a step problem:
  /// velocities are accelerations there, impulses forces, and b the convective terms.
  void pose(StepProblem& problem) const;
  /// a and lambda as an answer to it.
  void answer(StepSolution& solution) const;

 private:
  void add_drives(const Vector& v, const ActiveSet& active);

  const System& system_;
  ActiveRows rows_;
  ConstrainedMotion motion_;
  SparseMatrix M_, F_;
  Vector f_, a_, lambda_, forces_;
  std::vector<double> c_, drive_forces_;
  double scale_ = 0.0;
};

}  // namespace stiction
