#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "stiction/contact/certificate.h"
#include "stiction/contact/cone_options.h"
#include "stiction/contact/contact_memory.h"
#include "stiction/contact/islands.h"
#include "stiction/contact/limit_surface.h"
#include "stiction/contact/step_problem.h"

namespace stiction {

class IslandSolver;
class RoundSolver;

/// Solves step problems, island by island, on the true cone where that is asked for (RoundSolver) and otherwise, or
/// where the answer does not certify, with polyhedral friction cones (IslandSolver says how); and remembers for each
/// contact (by id) its facets and its place in the basis as the next start.
///
/// Joints that say the same twice (two hinges on one axis) are rows that depend on each other up to rounding, and
/// rounding alone then decides between multipliers of any size. Where an answer does not certify the joints are made a
/// little soft about their last multipliers, which bounds these, and solved again until nothing moves: a proximal point
/// method. The answer is certified as one of the problem as it is.
///
/// Friction of two blocks that share one set is found by giving each its share of it and solving again until the shares
/// are right (LimitSurfaces); what is found, settled or not, is certified as one of the problem with the pair.
class PolyhedralSolver {
 public:
  explicit PolyhedralSolver(const PolyhedralOptions& options);
  ~PolyhedralSolver();
  PolyhedralSolver(PolyhedralSolver&&) noexcept;
  PolyhedralSolver& operator=(PolyhedralSolver&&) noexcept;

  /// What facets may cost. Where there is another way on they need neither turn nor be asked again and again.
  struct Effort {
    bool turns = true;   ///< Until they are true, Lemke's method to its end with a proof; else one path as they are.
    bool always = true;  ///< Also for an island for which they found nothing lately.
  };

  /// True when every island was solved; `certificate` is that of the whole answer in any case: by the problem's own law
  /// or, where that does not hold, as one of the weaker problem with the facets it was found for. Hard islands on the
  /// true cone may be left at the error `rough`: is_rough() then.
  bool solve(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate, Effort effort,
             double rough = 0.0);
  bool solve(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate) {
    return solve(problem, solution, certificate, Effort{});
  }
  [[nodiscard]] bool is_rough() const;
  /// Whether the last solve had islands that the quick methods do not solve.
  [[nodiscard]] bool was_hard() const;

  /// The next solve starts from other impulses of the last answer that do the same.
  void start_from(const StepProblem& problem, const StepSolution& solution);

  /// How many problems without pairs the last solve took: one where nothing shares a set.
  [[nodiscard]] int tries() const { return tries_; }
  /// Whether the last solve found no answer for the island of this velocity.
  [[nodiscard]] bool is_unsolved(int velocity) const { return unsolved_[static_cast<std::size_t>(velocity)]; }

  /// Whether it found one that is not on the true cone, which was asked for.
  [[nodiscard]] bool is_on_facets(int velocity) const {
    return options_.asks_round() && !open_.empty() && open_[static_cast<std::size_t>(velocity)];
  }

  [[nodiscard]] const SolveCounts& counts() const { return counts_; }
  void forget();

 private:
  /// Storage for islands of one size: Eigen's vectors are made anew whenever their size changes.
  struct Workspace {
    int unknowns = 0;
    std::unique_ptr<IslandSolver> solver;
  };

  /// An answer that holds the problem's own law roughly: worth more than one of facets that certifies by no law.
  struct Loose {
    bool any = false;
    StepSolution solution;
    StepCertificate certificate;

    void keep(const StepSolution& found, const StepCertificate& of_it);
    /// In the place of what was found since, unless that is certified. True when it was put back.
    bool put_back(bool is_certified, StepSolution& found, StepCertificate& of_it);
  };

  /// Of an island, by its first velocity: how often in a row facets found nothing for so many velocities and contacts,
  /// and how often they are left out.
  struct Futile {
    std::size_t velocities = 0, contacts = 0;
    int times = 0, left_out = 0;
  };

  Futile* futile_of(int island);
  bool is_futile(int island);
  void note_facets(int island, bool found);
  bool solve_pairs(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate);
  bool solve_blocks(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate);
  bool solve_round(const StepProblem& problem, double rough, StepSolution& solution, StepCertificate& certificate);
  [[nodiscard]] bool is_out_of_reach(const StepProblem& problem) const;
  void look_on_bodies(const StepProblem& problem);
  bool take_found(int island, StepSolution& solution);
  void remember_contact(int j, const StepSolution& solution);
  void remember(const StepProblem& problem, const StepSolution& solution);
  bool solve_islands(const StepProblem& problem, StepSolution& solution);
  void judge(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate);
  bool solve_softly(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate);
  void prepare(const StepProblem& problem, StepSolution& solution);
  [[nodiscard]] IslandSolver& workspace_for(int island, const StepSolution& solution);

  PolyhedralOptions options_;
  std::unique_ptr<RoundSolver> round_;
  Islands islands_;
  std::vector<Workspace> workspaces_;  ///< Ordered by size.
  ContactMemory memory_, next_memory_;
  std::vector<bool> unsolved_;  ///< By velocity.
  StepCertifyWork certify_work_;
  LimitSurfaces surfaces_;
  int tries_ = 1;
  StepProblem shares_, soft_;
  StepSolution soft_solution_, as_true_;
  Effort effort_;
  std::vector<Futile> futile_;
  Loose loose_;
  StepSolution found_;      ///< On the bodies,
  std::vector<bool> open_;  ///< and by velocity, whether its island has no answer there. Empty: none is to be taken.
  SolveCounts counts_;
};

}  // namespace stiction
