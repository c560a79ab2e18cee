#pragma once

#include <memory>
#include <string>
#include <vector>

#include "stiction/cone/body_solver.h"
#include "stiction/cone/cascade.h"
#include "stiction/cone/factor_bodies.h"
#include "stiction/cone/factor_certificate.h"
#include "stiction/cone/factor_islands.h"
#include "stiction/cone/solver.h"

namespace stiction::cone {

/// `auto` of a factor form: island by island on its bodies (BodySolver), so that W is not formed. One that needs no
/// force, r = 0, is found before anything is iterated, and left at that. An island that its certificate refuses is
/// given to a slower proximal point method and, where that does not help and W keeps the limits, condensed and given to
/// the Cascade; the better answer stays. FactorJudge decides. Where there is no answer, a proof is looked for as
/// condensed problems have it, and checked on the factors.
class FactorSolver {
 public:
  FactorSolver();

  /// The form must outlive this. Empty on success, otherwise what is wrong with it.
  [[nodiscard]] std::string prepare(const FactorForm& form);
  /// The condensed problem but for its W.
  [[nodiscard]] const Problem& problem() const { return judge_.problem(); }

  /// Of the form that was prepared. r is laid out as `condense` says; a start is not taken.
  void solve(Solution& solution);

  double tolerance = 1e-8;
  CondenseLimits limits;

 private:
  struct Island {
    FactorIsland part;
    FactorJudge judge;
    FactorBodies bodies;
    std::vector<double> impulses;
    Vector r, proof;
    double bound = 0.0;       ///< Of the proof.
    bool is_at_rest = false;  ///< r = 0 is its answer.
    bool is_posed = false;

    void take_impulses();
  };

  /// Marks the islands whose answer is r = 0. False where there is none.
  bool find_at_rest();
  [[nodiscard]] bool may_be_at_rest(const Island& island) const;
  /// All but those at rest.
  void solve_on_bodies();
  /// Harder: a stored problem has the time that a step has not. Gives back its iterations.
  int solve_patiently();
  void solve_condensed(Island& island, Solution& solution);
  /// Whether an island's own certificate refuses its answer.
  [[nodiscard]] bool is_left(Island& island);
  bool finish(std::string_view method, int iterations, Solution& solution);
  bool prove_infeasible(Solution& solution);
  /// By y of an island; a bound above zero says that y has been checked there.
  bool prove_infeasible(const Island& island, const Vector& candidate, double bound, Solution& solution);
  [[nodiscard]] bool is_measured_alike(const Island& island) const;
  [[nodiscard]] Vector gather() const;

  const FactorForm* form_ = nullptr;
  FactorJudge judge_;
  BodySolver bodies_;
  BodySpace space_;
  BodyMatrix matrix_;
  BodyNewton proximal_;
  std::vector<std::unique_ptr<Island>> islands_;
};

}  // namespace stiction::cone
