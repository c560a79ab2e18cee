#pragma once

#include "stiction/lcp/scaled_problem.h"
#include "stiction/lcp/solver.h"
#include "stiction/linalg/rank_revealing_lu.h"

namespace stiction::lcp {

/// Moves from one complementary basis to the next; each basis is solved afresh, so no error is carried along.
///
/// First block pivots (Kostreva 1978; Judice and Pires 1994): every variable whose sign is wrong changes place at once.
/// That ends most problems in a few steps but can cycle. When the number of wrong signs has not come down for
/// `Options::block_tries` steps, or a basis is singular, the least-index criss-cross method (Klafszky and Terlaky 1992;
/// den Hertog, Roos and Terlaky 1993) takes over: the first wrong sign k is mended by a pivot on the diagonal where the
/// tableau's t_kk > 0, otherwise by an exchange with the first l that has t_kl > 0. For P-matrices it is Murty's
/// least-index method (1974).
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
    /// needs n/2, and a cycle is noticed anyway. 0: criss-cross only.
    int block_tries = 100;
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
  enum class Outcome : std::uint8_t { solved, infeasible, stalled, limit };
  /// The first wrong sign: that of w_k or, for a basic variable, of z_k against a bound. It must grow or shrink.
  struct Wrong {
    Index index = -1;
    double direction = 0.0;
  };

  void load(const Problem& problem);
  void start_cold();
  bool start_warm(const std::vector<Place>& suggested);
  bool evaluate();
  void keep_best();
  [[nodiscard]] Wrong find_wrong(Index first) const;
  [[nodiscard]] Place mended_place(const Wrong& wrong) const;
  Index plan_block();
  Outcome pivot();
  void forget_bases();
  bool seen_before();
  bool pivot_once(const Wrong& wrong);
  void tableau_row(const Wrong& wrong);
  [[nodiscard]] bool can_enter(Index j, double coefficient, Place& place) const;
  void write_proof(const Wrong& wrong, Vector& proof) const;

  Options options_;
  ScaledProblem scaled_;
  linalg::RankRevealingLu lu_;
  std::vector<Place> places_, next_places_, checkpoint_;
  std::vector<Index> basic_;
  Vector z_, w_, right_side_, values_, row_, best_z_;
  double best_residual_ = infinity, row_tolerance_ = 0.0, sign_tolerance_ = 0.0;
  int bases_ = 0, steps_ = 0, renew_ = 0;
};

}  // namespace stiction::lcp
