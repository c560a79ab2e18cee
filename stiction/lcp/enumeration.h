#pragma once

#include "stiction/lcp/scaled_problem.h"
#include "stiction/lcp/solver.h"
#include "stiction/linalg/rank_revealing_lu.h"

namespace stiction::lcp {

/// Tries every complementary piece: the slow twin that judges the other solvers. For small problems only.
///
/// A piece says of each variable that it is on its lower bound (w_i >= 0), on its upper bound (w_i <= 0), or between
/// (w_i = 0). The solutions are the union of these polyhedra. A nonempty polyhedron that contains no line has a vertex
/// (Schrijver 1986, section 8.5), so a solvable problem has a solution that is a vertex of a piece, and these are what
/// is enumerated. Let a be the variables strictly between their bounds at the vertex and Z the rows with w = 0. The
/// vertex is the only point of its piece with that Z, so M_Za has full column rank, and some rows T of Z outside a
/// complete M_aa to full column rank with |T| = |a| - rank M_aa. Nonsingular M_aa needs no T: one square system. For
/// singular M_aa every T of that size is tried, which finds solutions that no nonsingular complementary basis has, such
/// as z = (0, 1) of M = [0 1; 0 0], q = (-1, 0).
///
/// Only free variables bring lines, the null space of their columns (without the rows of fixed variables, whose w may
/// be anything). Those of the free columns that depend on the others are set to zero: every solution can be moved along
/// the lines until that holds.
///
/// `solved`: a vertex was found and certified. `ray`: no vertex certifies. That is exhaustive, not proven: `infeasible`
/// is kept for what comes with a certificate of Farkas, and a solvable problem and an unsolvable one may differ by less
/// than rounding. `invalid`: more than `Options::max_size` variables.
class Enumeration final : public Solver {
 public:
  struct Options {
    /// Up to 3^12 = 531,441 pieces when every variable has two bounds, 4,096 for a linear complementarity problem.
    Index max_size = 12;
    /// A pivot below this part of the largest entry (equilibrated) is zero. Rounding in the entries of a product like
    /// G'M^-1G leaves 1e-15; a block that is singular to 1e-11 has lost the digits that its solution would need.
    double rank_tolerance = 1e-11;
  };

  Enumeration() = default;
  explicit Enumeration(const Options& options) : options_(options) {}
  [[nodiscard]] std::string_view name() const override { return "enumeration"; }

  /// Every vertex solution, once each, in the order of the pieces. Problems too large or malformed have none here.
  [[nodiscard]] std::vector<Vector> all_solutions(const Problem& problem);
  [[nodiscard]] bool has_solution(const Problem& problem);

 protected:
  void run(const Problem& problem, Solution& solution) override;

 private:
  void load(const Problem& problem);
  void drop_dependent_free_columns();
  bool advance_places();
  /// Tries the vertices of one piece; `found(z)` returns true to stop. True when stopped.
  template <class Found>
  bool try_piece(const Problem& problem, Found&& found);
  template <class Found>
  bool try_pieces(const Problem& problem, Found&& found);
  template <class Found>
  bool try_completions(const Problem& problem, Index missing, Found&& found);
  void factorise_rows();
  bool solve_rows();
  bool accept_candidate(const Problem& problem);

  Options options_;
  ScaledProblem scaled_;
  linalg::RankRevealingLu lu_;
  std::vector<Place> places_;
  std::vector<char> dropped_;
  std::vector<Index> basic_, rows_, spare_, chosen_;
  Vector rest_, right_side_, basic_values_, z_, w_, candidate_;
  CertifyWork certify_work_;
};

}  // namespace stiction::lcp
