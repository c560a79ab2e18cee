#pragma once

#include <memory>

#include "stiction/lcp/enumeration.h"
#include "stiction/lcp/lemke.h"
#include "stiction/lcp/principal_pivoting.h"
#include "stiction/lcp/semismooth_newton.h"
#include "stiction/lcp/solver.h"

namespace stiction::lcp {

/// The solver "auto": Lemke's method, and where that ends without an answer the others, from fast to sure, until one
/// has an answer that certifies:
///
///     lemke, principal_pivoting, semismooth_newton, enumeration, semismooth_newton from many starts.
///
/// `Solution::attempts` says who was asked. `infeasible` comes with a proof that was checked, as always; that all of
/// them failed proves nothing, and the status is then Lemke's. What is left is the best point of all.
///
/// The others are asked up to `Options` unknowns, since a problem that has no answer would keep them busy for ever.
class Cascade final : public Solver {
 public:
  struct Options {
    Index pivoting = 300;         ///< Unknowns up to which principal pivoting is asked.
    Index newton = 500;           ///< The same of Newton's method.
    Index many_starts_size = 60;  ///< The same of Newton's method from `many_starts` points.
    int many_starts = 100;
  };

  Cascade() = default;
  explicit Cascade(const Options& options) : options_(options) {}
  [[nodiscard]] std::string_view name() const override { return "auto"; }

 protected:
  void run(const Problem& problem, Solution& solution) override;

 private:
  /// The methods after Lemke's, made when they are first needed.
  struct Others {
    explicit Others(const Options& options) : many_newtons({.starts = options.many_starts}) {}
    PrincipalPivoting pivoting;
    SemismoothNewton newton, many_newtons;
    Enumeration enumeration;
  };
  bool ask(Solver& method, const Problem& problem, Solution& solution);
  bool ask_others(const Problem& problem, Solution& solution);

  Options options_;
  Lemke lemke_;
  std::unique_ptr<Others> others_;
  Solution trial_;
  std::vector<Attempt> attempts_;
};

}  // namespace stiction::lcp
