#pragma once

#include <memory>
#include <vector>

#include "stiction/contact/certificate.h"
#include "stiction/contact/determined_forces.h"
#include "stiction/contact/force_projection.h"
#include "stiction/contact/force_set.h"
#include "stiction/contact/island_problem.h"
#include "stiction/contact/islands.h"
#include "stiction/contact/step_problem.h"

namespace stiction {

/// Among the impulses that obey the law with the v+ found, those of least length: the sum of squares of all normal,
/// friction and joint impulses in SI units, friction of an ellipse in the units in which it is a circle. They do not
/// depend on the order of contacts, and are symmetric where the problem is. Friction that shares one set keeps the
/// shares of it that its sliding gives; at rest what is found is taken where it lies within the set.
class LeastForces {
 public:
  struct Counts {
    long islands = 0;     ///< That were looked at,
    long changed = 0;     ///< given other impulses,
    long left = 0;        ///< or left as they were because no answer was found or certified.
    long iterations = 0;  ///< Linear systems factorised.
    long judged = 0;      ///< Contacts certified, each as often as that was: at most three times in a step.
  };

  LeastForces(bool turns, double tolerance) : finder_(turns), tolerance_(tolerance) {}

  /// Puts them in place of those of `solution`, whose certificate is `certificate`, where the whole
  /// certifies with them; else only in the islands that certify alone. True when anything changed; the certificate is
  /// then the worse of both.
  bool find(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate);

  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  ForceProjection& projection_of(int first_velocity);
  bool find_island(const StepProblem& problem, int island, double speed, StepSolution& solution);
  void copy_island(int island, const StepSolution& from, StepSolution& to) const;
  bool is_certified(const StepProblem& problem, const StepSolution& solution, StepCertificate& certificate);
  bool share(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate);

  ForceSetFinder finder_;
  double tolerance_;
  Islands islands_;
  StepProblem blocks_;  ///< The problem without pairs, where it has any.
  ForceSet set_, rest_;
  DeterminedForces determined_;
  /// What was found for an island in the last step, where it starts in the next.
  struct Memory {
    int first_velocity = -1;
    long used = 0;  ///< The last step that did.
    ForceProjection projection;
  };
  std::vector<std::unique_ptr<Memory>> memories_;
  std::vector<int> memory_of_;  ///< By the first velocity of an island; -1: none.
  std::size_t next_ = 0;        ///< Of the memories, the next to be looked at where one is wanted.
  long step_ = 0;
  std::vector<double> target_;
  StepSolution least_, by_solver_;
  IslandProblem part_;
  std::vector<int> changed_;  ///< Islands that have other forces in least_.
  StepCertifyWork certify_work_;
  Counts counts_;
};

}  // namespace stiction
