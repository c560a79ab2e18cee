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
///     bound = tolerance + order h^2 (v^2 + a + l (omega^2 + alpha)),
///
/// v and omega the largest velocities of a body it is on, a and alpha the largest accelerations by applied forces, and
/// l the arm on which a turn of that body moves the gap or the joint, as its gradient says. So nothing has a say that
/// moves elsewhere or along what the gap and the joint do not feel, such as the spin of a ball. It bounds all that has
/// drifted, since that is what a user sees. v^2 is the acceleration on a curve of a radius of 1 m, l omega^2 that of a
/// point at the arm's end.
class PositionJudge {
 public:
  explicit PositionJudge(const System& system);

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
  /// Of a body: its largest v^2 + a, omega^2 + alpha.
  struct Motion {
    double along = 0.0, turning = 0.0;
  };
  /// How a body enters the rows looked at.
  struct Part {
    int body = -1;
    bool moves = false;
    double arm = 0.0;
  };

  void find_motion(const State& before, const State& after);
  const GapSet& look_back(std::uint64_t id, const State& after, double length);
  [[nodiscard]] bool is_turning(int velocity) const;
  void add_parts(const Rows& rows, int row);
  [[nodiscard]] double bound(const Rows& rows, int first, int end, const Promise& promise);

  const System& system_;
  BodyStructure structure_;
  SparseMatrix mass_;
  Vector force_, q_back_;
  GapSet back_;
  std::vector<int> body_of_;  ///< By velocity.
  std::vector<Motion> motion_;
  std::vector<Part> parts_;
};

}  // namespace stiction
