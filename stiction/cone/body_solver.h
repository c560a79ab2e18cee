#pragma once

#include <cstdint>

#include "stiction/cone/body_interior.h"
#include "stiction/cone/body_matrix.h"
#include "stiction/cone/body_newton.h"
#include "stiction/cone/body_problem.h"
#include "stiction/cone/body_proximal.h"
#include "stiction/cone/body_refiner.h"
#include "stiction/cone/body_space.h"
#include "stiction/cone/body_sweeps.h"

namespace stiction::cone {

/// What solved an island.
enum class BodyStage : std::uint8_t { none, start, refined, sweeps, newton, interior, proximal };

/// What a solve leaves for the next one of the same island.
struct BodyMemory {
  BodyRefiner refiner;
  double idle = 0.0;      ///< The error of a start, good enough, that nothing made better.
  double softness = 0.0;  ///< That Newton's method begins with, where there are many units.

  void forget() {
    refiner.forget();
    idle = softness = 0.0;
  }
};

/// Solves a BodyProblem, from cheap to sure: the impulses it is given, Newton's method from them, from an interior
/// point, from nothing, and at last the proximal method. What one finds is finished by Newton's method.
class BodySolver {
 public:
  struct Options {
    /// Impulses that are found are accepted at this share of the tolerance: energy, a sum over all units, is promised
    /// to more digits.
    double found_share = 1e-3;
    /// and at this one where Newton's method comes to no more.
    double near_share = 0.1;
    /// Impulses that are given are accepted at this one, or errors would creep in over many steps; rounding grows with
    /// the units, and so does the share from `few_units` on, at most `most_growth` times.
    double start_share = 1e-5, few_units = 10.0, most_growth = 100.0;
    /// Given ones that Newton's step with earlier factors has made better are accepted at this one: rounding is what is
    /// left. It is tried from `near` of the tolerance on, and for joints alone always, to found_share.
    double refined_share = 1e-4, near = 1.0;
    /// Given ones with a larger error are of another time: what moved has come to rest, but for rounding. None are then
    /// the better start.
    double foreign = 1e6;
    double rounding = 2e-14;  ///< Nothing is sought that is finer.
    /// What the proximal method finds, at this one: the certificate adds up a little more than its error.
    double hard_share = 0.3;
    /// Products of blocks that it may take, a second or two, and linear systems.
    double most_products = 1e7;
    int most_systems = 4000;
    /// and so many of these in a row in which the error does not fall by half: in a small island there is mostly no
    /// answer then. In a large one the last resort is to go on.
    int most_idle = 300;
    /// Barriers of interior points over that of a cold start: the larger one gets past other folds of the path.
    double cold = 1.0, colder = 100.0;
    double crowd = 100.0;  ///< Units from which on Newton's method begins with the softness of its last solve.
    /// Units up to which nothing lasts long, and up to which Newton's method is tried from more places.
    int small_island = 150, middle_island = 400;
    /// Before Newton's method, of islands with fewer than `few_units` units so many plain sweeps,
    int smoothing = 10;
    /// and of others accelerated ones from errors above this, at most so many.
    double rough = 1e-2;
    int most_rough_sweeps = 100;
    /// Sweeps alone take no longer than Newton's method would: five factorisations, in which a product of blocks takes
    /// a third of the time of a unit in a sweep.
    double newton_sweeps = 5.0 / 3.0;
    int most_sweeps = 1000;
    /// A factorisation is asked for first where it has so few products of blocks a unit.
    double cheap_products = 300.0;
  };
  struct Counts {
    long islands = 0, started = 0, refined = 0, sweeps = 0, newtons = 0, interiors = 0, proximals = 0,
         unsolved = 0;  ///< Islands by what solved them.
    long iterations = 0, factorisations = 0;
  };

  /// From the impulses in `r` (one a row). Leaves the best there, with their velocities in state(). True when both
  /// impulses and speeds obey the laws to the tolerance, or to `rough` where that is coarser and the island is hard.
  /// `finely`: as nearly as rounding lets it. With the memory of the island, factors of earlier calls are used again.
  bool solve(const BodyProblem& problem, double tolerance, bool finely, BodyStage last, std::vector<double>& r,
             BodyMemory* memory = nullptr, double rough = 0.0);
  [[nodiscard]] const BodyState& state() const { return state_; }
  [[nodiscard]] BodyStage stage() const { return stage_; }
  /// Whether the last island was large and left to the proximal method: it takes a hundred times as long as others.
  [[nodiscard]] bool was_hard() const { return was_hard_; }
  [[nodiscard]] const Counts& counts() const { return counts_; }

  Options options;

 private:
  bool try_refiner(double sought, double enough);
  bool try_sweeps();
  void begin_with_sweeps(BodyStage last, double rough);
  bool try_newton(double softness);
  bool finish();
  bool try_interior(double barrier);
  bool begin_anew(double barrier);
  bool try_proximal(double accepted, bool patiently);
  [[nodiscard]] bool accepts_start(double tolerance, double many, bool finely) const;
  bool run(double tolerance, bool finely, BodyStage last, double rough);

  BodySpace space_;
  BodyMatrix matrix_;
  BodySweeps sweeps_;
  BodyNewton newton_;
  BodyInterior interior_;
  BodyProximal proximal_;
  BodyMemory* memory_ = nullptr;
  BodyState state_, kept_;
  BodyStage stage_ = BodyStage::none;
  double enough_ = 0.0;
  bool is_cheap_ = true, was_hard_ = false;
  Counts counts_;
};

}  // namespace stiction::cone
