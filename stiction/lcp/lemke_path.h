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
    bool random_cover = false;  ///< Cover vector: ones, or random in [1, 2).
    double perturbation = 0.0;  ///< Adds random numbers up to this times max|q| to q; the final solve is without.
    std::uint64_t seed = 1;
    double pivots_per_row = 20.0;  ///< Gives up after so many; most paths take one or two.
    bool onward = false;           ///< Start where the last try ended, not from z = 0.
  };
  enum class End : std::uint8_t { solution, ray, limit, singular };

  /// Starts from the basis with z_j basic where basic[j]. On `solution`, values() holds z of the standard form; on
  /// `ray` the direction of z. basic() is the last basis in any case.
  End run(const StandardForm& form, const std::vector<bool>& basic, const Settings& settings);

  /// One linear solve on the given basis, with a step of refinement. False when it is singular.
  bool evaluate(const StandardForm& form, const std::vector<bool>& basic);

  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  [[nodiscard]] const std::vector<bool>& basic() const { return basic_; }
  [[nodiscard]] int pivots() const { return pivots_; }
  /// Free variables that were found dependent and held at zero, with the rows that were redundant.
  [[nodiscard]] const std::vector<linalg::SparseLu::Replaced>& repaired() const { return basis_.repaired(); }

 private:
  void start(const Settings& settings);
  bool refresh();
  [[nodiscard]] bool is_feasible(double tolerance) const;
  [[nodiscard]] int first_leaving() const;
  [[nodiscard]] int ratio_test(const Settings& settings) const;
  void pivot(int position, int entering);
  void read_basis();
  End stop(End end);
  void read_ray(int entering);

  const StandardForm* form_ = nullptr;
  ComplementaryBasis basis_;
  int n_ = 0, pivots_ = 0;
  double magnitude_ = 0.0;  ///< Largest of |q| and |x|: what tolerances are relative to.
  std::vector<double> rhs_, order_rhs_, cover_, x_, order_, column_, correction_;
  std::vector<double> values_;
  std::vector<bool> basic_;
};

}  // namespace stiction::lcp
