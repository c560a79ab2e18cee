#pragma once

#include <vector>

#include "stiction/contact/judge_products.h"
#include "stiction/contact/step_problem.h"

namespace stiction {

/// The speed that errors of one contact or row are measured against: what happens around it, not what happens fastest
/// in the scene, and nothing that the answer's impulses could raise but for the floor. For a contact
///
///     V_i = the largest of  free relative speed + weight + floor  over the contacts of its bodies and their neighbours
///
/// - free relative speed: of sliding, and of approach where it approaches, with no contact and no joint acting;
/// - weight: what the applied impulses alone (gravity: |g| h) could do along the contact's directions, whatever their
///   signs, so that it is |g| h under a wall's side too;
/// - floor: a part of the speeds of the bodies themselves, before and after, for what rests or moves along without
///   gravity, or is hit from afar. Relative speeds are known no better than the rounding of these.
///
/// Rows of joints and drives and blocks of turning friction have units of their own. A speed is carried over from row j
/// to row i by sqrt(w_i / w_j), w = row M^-1 row': what the same kinetic energy gives the other.
///
/// M stands in M^-1 by its diagonal: these are scales. Storage is kept.
class LocalSpeed {
 public:
  void find(const StepProblem& problem, const judge::Mobilities& mobilities, const Vector& v_plus);

  /// Of a contact, m/s, or of a block of turning friction, rad/s.
  [[nodiscard]] double contact(int j) const { return contact_[static_cast<std::size_t>(j)]; }
  /// Of a velocity, in its own unit.
  [[nodiscard]] double velocity(int i) const { return velocity_[static_cast<std::size_t>(i)]; }
  /// Of a row of nu, in its own unit.
  [[nodiscard]] double row(int i) const { return row_[static_cast<std::size_t>(i)]; }

  /// Share of the bodies' own speeds that is the floor: with a tolerance of 1e-8 an error of 1e-12 of them counts.
  static constexpr double floor_share = 1e-4;

 private:
  /// A row by itself: its free speed with what the problem adds to it, weight and floor included.
  [[nodiscard]] double alone(const linalg::Rows& rows, int row, double free) const;
  [[nodiscard]] double free_speed(const StepProblem& problem, const linalg::Rows& rows, int row) const;
  void share_among_blocks(const StepProblem& problem);
  void spread(const StepProblem& problem, const judge::Mobilities& mobilities);

  Vector free_, weight_, moving_;
  std::vector<double> velocity_;
  std::vector<double> mean_;                                   ///< Mobilities of contacts, over their rows.
  std::vector<double> contact_, row_;                          ///< First by themselves, then of the neighbourhood.
  std::vector<double> contact_root_, row_root_, own_root_;     ///< Over sqrt(w).
  std::vector<double> speed_, root_, next_speed_, next_root_;  ///< Largest by velocity.
};

}  // namespace stiction
