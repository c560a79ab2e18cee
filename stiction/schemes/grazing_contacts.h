#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "stiction/contact/step_problem.h"
#include "stiction/model/system.h"

namespace stiction {

/// Pairs that meet and part again within a position-level step, of which neither end shows anything. Each has its row
/// where it is nearest on the way q (+) s v, s from 0 to h:
///
///     n'v+ + b_n >= 0,   b_n = Phi(q (+) s v^)/s - n'v^,
///
/// the gap there, linearised as that at the end is. The place is found anew for each v^; the gap is least there, so an
/// error of the place is one of second order of the gap. Rows where a way begins would be divided by nothing: places
/// are `earliest` of it or later.
class GrazingContacts {
 public:
  explicit GrazingContacts(const System& system) : system_(system) {}

  void clear() { pairs_.clear(); }
  [[nodiscard]] bool empty() const { return pairs_.empty(); }
  /// A pair that overlaps at a place of the way, s from its beginning. Looked at with the next look(). False when it is
  /// known.
  bool add(std::uint64_t pair, double place);
  /// Takes out those that are so deep that a row would push them any way; true when there are any.
  bool drop_deep();

  /// Finds where each pair is nearest on the way.
  void look(double t, const Vector& q, const Vector& v, double h);

  struct Pair {
    std::uint64_t pair = 0;
    double place = 0.0;
    GapSet gaps;  ///< There.

    /// The least gap, m, infinite where none was seen.
    [[nodiscard]] double least() const;
    /// So much deeper than a quarter of what the bodies are thick that the way out may be on the other side.
    [[nodiscard]] bool is_deep() const;
  };
  [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }

  /// How far rows of these pairs, looked at on the way that a solution takes, are from 0 <= Phi complementary to c_n
  /// >= 0, m.
  [[nodiscard]] double error(const StepProblem& problem, const StepSolution& solution,
                             const std::function<bool(const GapSet&, int)>& is_left_out) const;

 private:
  /// The nearest contact of a pair at a place, or -1.
  int look_at(double t, const Vector& q, const Vector& v, double margin, Pair& pair);
  void find_nearest(double t, const Vector& q, const Vector& v, double h, double margin, Pair& pair);

  const System& system_;
  std::vector<Pair> pairs_;  ///< By pair.
  std::vector<std::uint64_t> one_;
  Vector q_between_;
};

}  // namespace stiction
