#pragma once

#include "stiction/cone/anderson.h"
#include "stiction/cone/solver.h"

namespace stiction::cone {

/// Block Gauss-Seidel: contact after contact is solved exactly with the others held (Jourdan, Alart and Jean 1998), and
/// Anderson's acceleration of whole sweeps. Needs no factorisation: each sweep costs one product with W.
class Sweeps final : public Solver {
 public:
  struct Options {
    int most = 20'000;     ///< Sweeps.
    int plain = 20;        ///< Sweeps before the acceleration: it stalls from far away.
    int window = 10;       ///< Of the acceleration; 0: none.
    int check_every = 10;  ///< Sweeps from one look at the residual to the next.
    /// Stop after so many looks without an improvement by a tenth. 0: never.
    int patience = 0;
  };

  Sweeps() = default;
  explicit Sweeps(const Options& options) : options_(options), anderson_(options.window) {}
  [[nodiscard]] std::string_view name() const override { return "sweeps"; }
  int improve(const ScaledProblem& problem, double target, Vector& s) override;

  /// One sweep over all contacts.
  static void sweep(const ScaledProblem& problem, Vector& s);

 private:
  Options options_ = {};
  Anderson anderson_{options_.window};
  Vector x_, g_, u_;
};

}  // namespace stiction::cone
