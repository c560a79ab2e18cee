#pragma once

#include <vector>

#include "stiction/lcp/basic_point.h"
#include "stiction/lcp/lemke_path.h"
#include "stiction/lcp/solver.h"

namespace stiction::lcp {

/// Lemke's method with everything floating point needs to keep the promise of Theorem 2.1 of 1997: equilibration,
/// sparse factors of the basis, lexicographic ties, a ladder of further tries when an answer does not certify, and a
/// proof when there is no answer. Takes every Problem: bounds, free variables, dense or sparse.
class Lemke final : public Solver {
 public:
  struct Options {
    bool reuse_basis = true;       ///< Try `solution.basis` first: one linear solve (1997, section 6).
    bool prove_infeasible = true;  ///< When a path ends without an answer, look for y >= 0, M'y <= 0, q'y < 0.
    int most_tries = 12;           ///< Rungs of the ladder.
  };

  Lemke() = default;
  explicit Lemke(Options options) : options_(options) {}
  [[nodiscard]] std::string_view name() const override { return "lemke"; }

  /// How the last answer was found: 0 the first try, k the k-th further one.
  [[nodiscard]] int rung() const { return rung_; }

 private:
  void run(const Problem& problem, Solution& solution) override;
  bool accept(const Problem& problem, Solution& solution);
  bool accept_rest(const Problem& problem, Solution& solution);
  bool accept_end(const Problem& problem, Solution& solution);
  bool climb(const Problem& problem, Solution& solution);
  bool prove(const Problem& problem, Solution& solution, bool from_ray);
  bool split_free_variables(const Problem& problem);

  Options options_;
  StandardForm form_;
  LemkePath path_;
  BasicPoint point_;
  CertifyWork work_;
  std::vector<bool> basic_, split_;
  Vector best_, proof_;
  double best_residual_ = infinity;
  bool saw_ray_ = false, looked_for_proof_ = false;
  int rung_ = 0;
};

}  // namespace stiction::lcp
