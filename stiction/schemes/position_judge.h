#pragma once

#include <cstdint>
#include <vector>

#include "stiction/contact/step_problem.h"
#include "stiction/model/state.h"
#include "stiction/model/system.h"

namespace stiction {

/// What `full` asks of gaps and joints at the end of a step, contact by contact and joint by joint: of the rows of one
/// joint together, whatever the axes that they are written along. Position-level schemes close them to the contact
/// tolerance. At velocity level a step leaves them by a share of h^2 times the acceleration, so that
///
///     bound = tolerance + order h^2 (c + a),
///
/// c how fast the row itself turns along the motion, |nu(q+)'v - nu(q)'v|/h with what kinematic bodies prescribe, and
/// a, of a contact that was open when the step began, how its bodies were accelerated towards each other: by what they
/// did, |n'(v+ - v)|/h, or what the applied forces would do to them, |sum n_i k_i/M_ii|, whichever is less. What is
/// held feels no force, and an impact is none. A point that turns on an arm l has c = l omega^2, a pendulum v^2/L. It
/// bounds all that has drifted, since that is what a user sees.
///
/// At position level a contact that pushes must push on the side on which its bodies were: of one that has been through
/// the other it is judged how deep it was on the way.
class PositionJudge {
 public:
  explicit PositionJudge(const System& system) : system_(system) {}

  struct Promise {
    double tolerance = 1e-7;  ///< m or rad.
    double drift = 0.0;       ///< order h^2, s^2; zero at position level.
  };
  /// At the end of the step.
  struct Measured {
    const GapSet& gaps;
    const JointSet& joints;
    const JointSet& implied;  ///< Rows that others imply: as much the scene's as those that are held.
  };
  struct Verdict {
    double excess = 0.0;             ///< Above one the promise is broken: the largest error over its bound, or over the
                                     ///< tolerance where it is within that.
    double open_gap = 0.0;           ///< The widest gap under an impulse, m,
    std::uint64_t open_contact = 0;  ///< and where.
  };

  /// Of gaps and joints measured at the end of a step between two states. `pushed` is the problem of its last part with
  /// the normal impulses found, or null, and `length` that part's. Contacts that it left push where it began, and those
  /// that it grazed where they are nearest on its way.
  Verdict judge(const State& before, const State& after, const Promise& promise, const Measured& measured,
                const StepProblem* pushed, const std::vector<double>& c_n, double length);

 private:
  /// A gap that is further off than the tolerance, at velocity level.
  struct Suspect {
    const GapSet* gaps;
    int at;
    double off;
  };
  struct Step {
    const State &before, &after;
    Promise promise;
    [[nodiscard]] double h() const { return after.t - before.t; }
  };

  void judge_joints(const Step& step, const JointSet& joints, bool are_implied, double& excess);
  void judge_pushed(const Step& step, const GapSet& gaps, const StepProblem& pushed, const std::vector<double>& c_n,
                    double length, Verdict& verdict);
  [[nodiscard]] double least_gap(const Step& step, std::uint64_t pair, double length);
  void judge_side(const Step& step, const GapSet& gaps, int at, double length, double& excess);
  void judge_suspects(const Step& step, double& excess);
  void judge_gap(const Step& step, const GapSet& gaps, int at, double off, double& excess);
  [[nodiscard]] double bound(const Step& step, const JointSet& start, const JointSet& joints, int first,
                             int last) const;
  [[nodiscard]] double bound(const Step& step, const GapSet& gaps, int at) const;
  [[nodiscard]] double closing(const Step& step, const GapSet& gaps, int at) const;

  const System& system_;
  JointSet start_joints_;  ///< Where the step began.
  GapSet start_gaps_;
  GapSet left_;  ///< Contacts that the last part left, where it began,
  GapSet away_;  ///< and those that pushed and are not among the measured ones, where it ended.
  GapSet way_;   ///< A pair that may have been through, on its way.
  std::vector<Suspect> suspects_;
  std::vector<int> pushing_;  ///< Rows of the problem.
  std::vector<std::uint64_t> left_pairs_, away_pairs_, suspect_pairs_, side_pair_;
  SparseMatrix mass_;
  Vector force_, q_back_;
};

}  // namespace stiction
