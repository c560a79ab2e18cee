#pragma once

#include "stiction/lcp/principal_basis.h"
#include "stiction/lcp/solver.h"

namespace stiction::lcp {

/// Moves from one complementary basis to the next until all signs are right. Three rules, from fast to sure, each
/// starting from the best basis of the one before:
///
/// 1. Blocks (Kostreva 1978; Judice and Pires 1994): every variable with a wrong sign changes place at once. That ends
/// most
///    problems in a few steps, but can cycle.
/// 2. Driving (Dantzig and Cottle 1967; Cottle, Pang and Stone 1992, 4.2): the worst sign is mended by driving its
/// variable, while
///    all signs that are right stay right. So the number of wrong ones falls with each drive, a few pivots long.
/// 3. Least-index criss-cross (Klafszky and Terlaky 1992; den Hertog, Roos and Terlaky 1993): the first wrong sign k is
///    mended by a pivot on the diagonal where the tableau's t_kk > 0, otherwise by an exchange with the first l that
///    has t_kl > 0. Slow, but it cannot cycle. For P-matrices it is Murty's least-index method (1974).
///
/// Guarantee, in exact arithmetic: criss-cross is finite for sufficient M (P, and positive semidefinite whether
/// symmetric or not): it ends at a solution, or at a row of the tableau that proves that there is none. Row and column
/// scaling keep M sufficient. A box l <= z <= u is the problem with matrix [M I; -I 0] for z - l and the multiplier of
/// u - z, which is sufficient when M is: x_i (M x + y)_i <= 0 and -y_i x_i <= 0 give x_i (M x)_i <= -x_i y_i <= 0, so
/// all vanish; its complementary bases are our places. Free variables are pivoted in and then stay, which is covered
/// when their block is nonsingular. Any other M is tried, without promise: a basis met twice ends the run.
class PrincipalPivoting final : public Solver {
 public:
  struct Options {
    /// Block steps in a row that may fail to lower the number of wrong signs. Judice and Pires use 10; Murty's family
    /// needs n/2, and a cycle is noticed anyway. 0: no blocks.
    int block_tries = 100;
    /// Whether to drive before criss-cross.
    bool drive = true;
    /// Bases tried in all. The average is a small multiple of n; the worst case is exponential (Murty 1978).
    int max_bases = 5000;
    /// A sign is wrong when it is so by more than this, in equilibrated units over max(|z|, |q|). Well above the
    /// rounding of one refined solve, well below the certificate's 1e-8. On failure the run is repeated with 100 times
    /// as much, twice.
    double sign_tolerance = 1e-13;
    /// An entry of the tableau below this part of its row's largest (or of one) is zero; the same for pivots of M_aa.
    double pivot_tolerance = 1e-11;
  };

  PrincipalPivoting() = default;
  explicit PrincipalPivoting(const Options& options) : options_(options) {}
  [[nodiscard]] std::string_view name() const override { return "principal_pivoting"; }

 protected:
  void run(const Problem& problem, Solution& solution) override;

 private:
  using Wrong = PrincipalBasis::Wrong;
  enum class Outcome : std::uint8_t { solved, infeasible, stalled, limit };
  /// What ends a step of a drive: the driven variable is mended, or another one reaches its bound or w = 0.
  struct Event {
    Index index = -1;
    Place place = Place::basic;
    double step = infinity, rate = 0.0;
  };

  void load(const Problem& problem);
  bool evaluate();
  Outcome pivot(const Problem& problem, Vector& proof);

  Index plan_block();
  Outcome pivot_blocks();

  Outcome drive_all(const Problem& problem, Vector& proof);
  Outcome drive(const Wrong& wrong);
  [[nodiscard]] Event next_event(const Wrong& wrong, bool mend_z) const;
  bool take_event(const Event& event, Index k, double direction, double& value);

  Outcome criss_cross();
  bool cross(const Wrong& wrong);
  [[nodiscard]] bool can_enter(Index j, double coefficient, Place& place) const;
  void write_proof(const Wrong& wrong, Vector& proof) const;

  void forget_bases();
  bool seen_before();

  Options options_;
  PrincipalBasis basis_;
  std::vector<Place> next_places_, best_places_, checkpoint_;
  Vector row_, dz_, dw_, best_z_;
  double best_residual_ = infinity, row_tolerance_ = 0.0, sign_tolerance_ = 0.0;
  int steps_ = 0, renew_ = 0;
};

}  // namespace stiction::lcp
