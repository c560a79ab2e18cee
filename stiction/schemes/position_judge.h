#pragma once

#include <vector>

#include "stiction/contact/step_problem.h"
#include "stiction/model/state.h"
#include "stiction/model/system.h"

namespace stiction {

/// What `full` asks of gaps and joints at the end of a step, contact by contact and joint by joint. Position-level
/// schemes close them to the contact tolerance. At velocity level a step leaves them by a share of h^2 times the
/// acceleration, so that
///
///     bound = tolerance + order h^2 (s^2 + a),
///
/// s the largest velocity of the bodies it is on, a their largest acceleration by applied forces: nothing that moves
/// elsewhere has a say. It bounds all that has drifted, since that is what a user sees. s^2 is the acceleration on a
/// curve of a radius of 1 m, and where something turns, with s = omega, no less than omega v on any shorter one.
class PositionJudge {
 public:
  explicit PositionJudge(const System& system) : system_(system), structure_(system.body_structure()) {}

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
  void find_motion(const State& before, const State& after);
  const GapSet& look_back(std::uint64_t id, const State& after, double length);
  [[nodiscard]] double bound(const BodyPair& bodies, const Promise& promise) const;

  const System& system_;
  BodyStructure structure_;
  SparseMatrix mass_;
  Vector force_, q_back_;
  GapSet back_;
  std::vector<double> motion_;  ///< s^2 + a by body, of compounds together.
};

}  // namespace stiction
