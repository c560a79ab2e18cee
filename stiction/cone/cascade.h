#pragma once

#include <memory>

#include "stiction/cone/alart_curnier.h"
#include "stiction/cone/central_path.h"
#include "stiction/cone/polyhedral.h"
#include "stiction/cone/proximal_point.h"
#include "stiction/cone/solver.h"
#include "stiction/cone/sweeps.h"

namespace stiction::cone {

/// `auto`: from cheap to sure, until the residual is small enough. Each method that was asked is in Solution::attempts.
///
/// The start as it is, and no force at all; a few sweeps and Newton's method, of a small problem twice, the second time
/// after more sweeps; accelerated sweeps where the problem is large; a few proximal points where that ended near; the
/// central path; proximal points; Lemke's method on facets; the central path from other starts; and accelerated sweeps
/// without hurry. Each has a limit of its own, so it ends, with the best point that was found. Problems too large to
/// factorise get sweeps alone.
class Cascade final : public Solver {
 public:
  [[nodiscard]] std::string_view name() const override { return "auto"; }
  int improve(const ScaledProblem& problem, double target, Vector& s) override;

 private:
  /// What most problems never need, made when one does.
  struct Sure {
    CentralPath central_path;
    ProximalPoint last_digits{{.most_iterations = 30}};
    ProximalPoint proximal_point{{.most_iterations = 150}};
    Polyhedral polyhedral;
    Sweeps some{{.most = 600, .patience = 12}};
    Sweeps many{{.most = 20'000, .patience = 100}};
  };

  bool take_rest(const ScaledProblem& problem, double target, Vector& s);
  bool ask(Solver& method, const ScaledProblem& problem, double target, Vector& s);
  /// So many plain sweeps more, and Newton's method from there unless the problem is large. Better points go to s.
  bool sweep_and_polish(const ScaledProblem& problem, double target, int sweeps, Vector& s);
  /// The central path from other starts than the first.
  bool try_other_paths(const ScaledProblem& problem, double target, Vector& s);

  AlartCurnier newton_{{.most = 20, .patience = 7}};
  std::unique_ptr<Sure> sure_;
  Vector u_, swept_, polished_;
  double best_ = 0.0;  ///< The residual of s.
  int iterations_ = 0;
};

}  // namespace stiction::cone
