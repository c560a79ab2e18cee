#pragma once

#include <cstdint>
#include <vector>

#include "stiction/contact/step_problem.h"
#include "stiction/model/system.h"

namespace stiction {

/// Contacts as earlier iterates of a step saw them. Where a pair's features change from one iterate to the next, a
/// corner that is over a face here and beside it there, each of two answers may break the contact that the other one
/// knows, for ever. Both are contacts of the gap that the pair has, the least of several. So what pushed and is not
/// seen any more where the step would end keeps its row, linearised where it was seen last:
///
///     n'v+ + b_n >= 0 from q^ = q + h v^,
///
/// as long as that is near enough for the gap to be known to the contact tolerance.
class EarlierContacts {
 public:
  void clear();
  [[nodiscard]] bool empty() const { return rows_.contacts.empty(); }

  /// After a solve at v^: `seen` are the contacts there, `end` those where the step would end.
  void note(const StepProblem& problem, const StepSolution& solution, const GapSet& seen, const GapSet& end,
            const Vector& v_hat);

  /// Whether a row is to be posed beside the contacts seen at v^ in a part of length h.
  [[nodiscard]] bool is_wanted(int row, const GapSet& seen, const Vector& v_hat, double h, double tolerance) const;
  [[nodiscard]] const GapSet& rows() const { return rows_; }
  [[nodiscard]] double b_n(int row) const { return b_n_[static_cast<std::size_t>(row)]; }

 private:
  void keep(const GapSet& from, int index, double b_n, int iterate);

  GapSet rows_, next_;
  std::vector<double> b_n_, next_b_n_;
  std::vector<int> iterate_, next_iterate_;  ///< Where each row is from,
  std::vector<Vector> v_hat_;                ///< and what v^ was there.
  int iterates_ = 0;
};

}  // namespace stiction
