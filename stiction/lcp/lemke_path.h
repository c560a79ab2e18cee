#pragma once

#include <cstdint>
#include <vector>

#include "stiction/lcp/complementary_basis.h"
#include "stiction/lcp/standard_form.h"

namespace stiction::lcp {

/// One run of Lemke's method on a standard form: from a complementary basis, along the path of almost complementary
/// ones, to a solution or a ray (Cottle, Pang and Stone 1992, algorithm 4.4.5; degeneracy by lexicographic order,
/// section 4.9).
///
/// The lexicographic order compares rows of B^-1 (q, p, ...) with p a positive random vector in place of the first unit
/// vector: any matrix with lexicographically positive rows serves the proof, and a generic first column leaves no tie,
/// so that one more column to keep up to date is all the order costs.
class LemkePath {
 public:
  struct Settings {
    double tie = 1e-12;         ///< Ratios closer than this (of the largest value) are tied. In a tie z0 leaves first.
    double pivot = 1e-9;        ///< Entries below this fraction of the column's largest are zero.
    bool random_cover = false;  ///< Cover vector: after what is missing, or random in [1, 2).
    double perturbation = 0.0;  ///< Adds random numbers up to this times max|q| to q; the final solve is without.
    std::uint64_t seed = 1;
    double pivots_per_row = 20.0;  ///< Gives up after so many; most paths take one or two.
    bool onward = false;           ///< Start where the last try ended, not from z = 0.
  };
  enum class End : std::uint8_t {
    solution,  ///< basic() is the basis of one, as far as the path's own values tell.
    ray,       ///< ray() is the direction of z.
    limit,     ///< Too many pivots.
    singular,  ///< A basis could not be factorised.
    no_start,  ///< Nor could the first one: no path starts from these basic variables.
  };

  /// Starts from the basis with z_j basic where basic[j].
  End run(const StandardForm& form, const std::vector<bool>& basic, const Settings& settings);

  /// The structural variables of the last basis, whatever the end.
  [[nodiscard]] const std::vector<bool>& basic() const { return basic_; }
  /// After `solution`, when z0 became zero without leaving the basis: the index whose w and z are both not in basic();
  /// either of them may be. Otherwise -1.
  [[nodiscard]] int undecided() const { return undecided_; }
  [[nodiscard]] const std::vector<double>& ray() const { return ray_; }
  [[nodiscard]] int pivots() const { return pivots_; }

 private:
  bool begin(const std::vector<bool>& basic, const Settings& settings);
  bool refresh();
  [[nodiscard]] bool is_feasible() const;
  [[nodiscard]] int first_leaving(double tie) const;
  [[nodiscard]] int ratio_test(double tie, double smallest_pivot) const;
  [[nodiscard]] bool oversteps(int leaving, double smallest_pivot, double tolerance) const;
  int choose_leaving(const Settings& settings, int entering);
  void load_column(int variable);
  double refine_column(int variable);
  void pivot(int position, int entering);
  [[nodiscard]] double cover_value() const;
  void read_ray(int entering);
  End stop(End end, int undecided = -1);

  const StandardForm* form_ = nullptr;
  ComplementaryBasis basis_;
  int n_ = 0, pivots_ = 0, undecided_ = -1;
  double magnitude_ = 0.0;  ///< Largest of |q| and |x|: what tolerances are relative to.
  std::vector<double> rhs_, order_rhs_, cover_, x_, order_, column_, correction_, ray_;
  std::vector<bool> basic_;
};

}  // namespace stiction::lcp
