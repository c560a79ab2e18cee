#pragma once

#include "stiction/cone/block_system.h"
#include "stiction/cone/solver.h"

namespace stiction::cone {

/// The alternating direction method of multipliers on the cone programme of fixed g = mu |u_T|, with g brought up to
/// date in every iteration (Acary, Bourrier and Viennet 2023): s = z in K, over-relaxed, its penalty balanced. One
/// factorisation of W + rho I for each penalty. Slow in its last digits, but hard to upset.
class Admm final : public Solver {
 public:
  struct Options {
    int most = 5000;
    double relaxation = 1.5;
    double rho = 1.0;
  };

  Admm() = default;
  explicit Admm(const Options& options) : options_(options) {}
  [[nodiscard]] std::string_view name() const override { return "admm"; }
  int improve(const ScaledProblem& problem, double target, Vector& s) override;

 private:
  void factorise(const ScaledProblem& problem, double rho);

  Options options_ = {};
  BlockSystem system_;
  Vector z_, last_z_, dual_, s_, u_;
};

}  // namespace stiction::cone
