#pragma once

#include <cstdint>

#include "stiction/cone/body_admm.h"
#include "stiction/cone/body_interior.h"
#include "stiction/cone/body_matrix.h"
#include "stiction/cone/body_newton.h"
#include "stiction/cone/body_problem.h"
#include "stiction/cone/body_space.h"
#include "stiction/cone/body_sweeps.h"

namespace stiction::cone {

/// What solved an island.
enum class BodyStage : std::uint8_t { none, start, sweeps, newton, admm, interior };

/// Solves a BodyProblem, from cheap to sure: the impulses it is given, sweeps, Newton's method, alternating directions.
class BodySolver {
 public:
  struct Options {
    /// Impulses that are given are accepted at this share of the tolerance, or errors would creep in over many steps;
    /// what is found at the other.
    double start_share = 1e-5, found_share = 1e-3;
    /// Errors of many units add up in the energy: what is sought is finer in proportion, from so many units on, down to
    /// rounding.
    double sought_units = 10.0, rounding = 2e-14;
    double warmth = 1e-2;  ///< Of the barrier of a warm interior point.
    int smoothing = 10;    ///< Sweeps before Newton's method.
    int most_sweeps = 600;
    int admm_iterations = 40;
    /// A factorisation is asked for first where it has so few products of blocks a unit.
    double cheap_products = 60.0;
  };
  struct Counts {
    long islands = 0, started = 0, sweeps = 0, newtons = 0, admms = 0, interiors = 0,
         unsolved = 0;  ///< Islands by what solved them.
    long iterations = 0, factorisations = 0;
  };

  /// From the impulses in `r` (one a row). Leaves the best there, with their velocities in state(). True when both
  /// impulses and speeds obey the laws to the tolerance. `finely`: as nearly as rounding lets it.
  bool solve(const BodyProblem& problem, double tolerance, bool finely, BodyStage last, std::vector<double>& r);
  [[nodiscard]] const BodyState& state() const { return state_; }
  [[nodiscard]] BodyStage stage() const { return stage_; }
  [[nodiscard]] const Counts& counts() const { return counts_; }

  Options options;

 private:
  bool try_sweeps();
  bool try_newton();
  bool try_admm(int most_iterations);
  bool finish();
  bool try_interior(double warmth);
  bool run(double tolerance, bool finely, BodyStage last);

  BodySpace space_;
  BodyMatrix matrix_;
  BodySweeps sweeps_;
  BodyNewton newton_;
  BodyAdmm admm_;
  BodyInterior interior_;
  BodyState state_;
  BodyStage stage_ = BodyStage::none;
  double sought_ = 0.0, enough_ = 0.0;
  Counts counts_;
};

}  // namespace stiction::cone
