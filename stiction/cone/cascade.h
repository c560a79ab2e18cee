#pragma once

#include "stiction/cone/admm.h"
#include "stiction/cone/alart_curnier.h"
#include "stiction/cone/fixed_point.h"
#include "stiction/cone/interior_point.h"
#include "stiction/cone/polyhedral.h"
#include "stiction/cone/proximal_point.h"
#include "stiction/cone/solver.h"
#include "stiction/cone/sweeps.h"

namespace stiction::cone {

/// `auto`: from cheap to sure, until the residual is small enough. Each method that was asked is in Solution::attempts.
///
/// The start as it is; a few sweeps; accelerated sweeps where the problem is large; Newton's method; the interior
/// point, polished by Newton's method; ADMM likewise; the interior point from other scales; Lemke's method on facets;
/// and accelerated sweeps without hurry.
class Cascade final : public Solver {
 public:
  enum class Effort : char {
    full,
    quick,    ///< Ends before the interior point: for a start, where something else is sure.
    patient,  ///< The interior point too, but not Lemke's method: where that is the something else.
  };

  Cascade() = default;
  explicit Cascade(Effort effort) : effort_(effort) {}
  [[nodiscard]] std::string_view name() const override { return "auto"; }
  int improve(const ScaledProblem& problem, double target, Vector& s) override;

 private:
  bool ask(Solver& method, const ScaledProblem& problem, double target, Vector& s);
  /// Newton's method from s with several rho.
  bool polish(const ScaledProblem& problem, double target, Vector& s);
  bool try_interior_points(const ScaledProblem& problem, double target, Vector& s);
  /// Proximal points from other starts and with other weights than before.
  bool try_other_starts(const ScaledProblem& problem, double target, Vector& s);

  Effort effort_ = Effort::full;
  Sweeps few_{{.most = 20, .window = 0, .check_every = 20}};
  Sweeps some_{{.most = 600, .patience = 12}};
  Sweeps many_{{.most = 20'000, .patience = 100}};
  AlartCurnier newton_{{.most = 20, .patience = 7}};
  ProximalPoint proximal_point_{{.most_iterations = 150}};
  FixedPoint programme_{{.most = 1}};
  FixedPoint fixed_point_{{.most = 16}};
  FixedPoint damped_{{.most = 40, .window = 0, .damping = 0.6, .from_start = true}};
  InteriorPoint interior_point_;
  ProximalPoint harder_{{.most_iterations = 150, .softness = 1e-3}};
  Admm admm_{{.most = 2000}};
  Polyhedral polyhedral_;
  Vector trial_, start_, u_;
  int iterations_ = 0;
};

}  // namespace stiction::cone
