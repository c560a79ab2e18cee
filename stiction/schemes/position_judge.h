#pragma once

#include <vector>

#include "stiction/contact/step_problem.h"
#include "stiction/model/state.h"
#include "stiction/model/system.h"

namespace stiction {

using linalg::Rows;

/// What `full` asks of gaps and joints at the end of a step, contact by contact and joint by joint. Position-level
/// schemes close them to the contact tolerance. At velocity level a step leaves them by a share of h^2 times the
/// acceleration, so that
///
///     bound = tolerance + order h^2 (c + a),
///
/// c how fast the row's own gradient turns along the motion, |(nu(q+) - nu(q))'v|/h, and a the acceleration by applied
/// forces along it, sum |nu_i k_i/M_ii|: what the row feels, whatever else its bodies do, and in whatever frame they
/// travel. A point that turns on an arm l has c = l omega^2, a pendulum v^2/L. It bounds all that has drifted, since
/// that is what a user sees.
class PositionJudge {
 public:
  explicit PositionJudge(const System& system) : system_(system) {}

  struct Promise {
    double tolerance = 1e-7;  ///< m or rad.
    double drift = 0.0;       ///< order h^2, s^2; zero at position level.
  };
  struct Verdict {
    double excess = 0.0;             ///< The largest error over its bound; above one the promise is broken.
    double open_gap = 0.0;           ///< The widest gap under an impulse, m,
    std::uint64_t open_contact = 0;  ///< and where.
  };

  /// Of gaps and joints measured at the end of a step between two states. `pushed` is the problem of its last part with
  /// the normal impulses found, or null, and `length` that part's. Contacts that it left push where it began.
  Verdict judge(const State& before, const State& after, const Promise& promise, const GapSet& gaps,
                const JointSet& joints, const StepProblem* pushed, const std::vector<double>& c_n, double length);

 private:
  double bound(const Rows& rows, int row, const Rows* before, int row_before, double since,
               const Promise& promise) const;
  [[nodiscard]] double bound_of_gap(const GapSet& gaps, int at, const StepProblem* pushed, double length,
                                    const Promise& promise) const;
  const GapSet& look_back(std::uint64_t id, const State& after, double length);
  const GapSet& look_at(std::uint64_t id, const State& after);

  const System& system_;
  JointSet start_;  ///< Joints where the step began.
  SparseMatrix mass_;
  Vector force_, q_back_;
  GapSet back_;
  Vector v_before_, v_after_;
};

}  // namespace stiction
