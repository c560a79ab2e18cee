#pragma once

#include "stiction/base/random.h"
#include "stiction/lcp/solver.h"
#include "stiction/linalg/sparse_lu.h"

namespace stiction::lcp {

/// Newton's method for a nonsmooth equation Phi(z) = 0 that says the same as the complementarity problem (Qi and Sun
/// 1993; De Luca, Facchinei and Kanzow 1996). With phi(a, b) = a + b - sqrt(a^2 + b^2), which vanishes exactly when a
/// >= 0, b >= 0, ab = 0 (Fischer 1992), Phi_i is
///
///     phi(z_i - l_i, w_i)                          lower bound only
///     -phi(u_i - z_i, -w_i)                        upper bound only
///     phi(z_i - l_i, -phi(u_i - z_i, -w_i))        both (Billups 1995)
///     w_i                                          free
///
/// or, for the min function, z_i - mid(l_i, u_i, z_i - w_i). The step solves (D_a + D_b M) d = -Phi by sparse LU and is
/// accepted by a nonmonotone Armijo search on the Fischer-Burmeister merit |Phi|^2 / 2, which is smooth. Where the step
/// is not one of descent, or the matrix is singular, M + eps I takes the place of M in it (for P0-matrices that is
/// nonsingular), then the gradient. Now and then, and at the end, the active set is guessed and one linear system
/// solved on it.
///
/// Guarantee: for P-matrices every stationary point of the merit is the solution (Facchinei and Soares 1997) and the
/// last steps are quadratic or exact; for P0-matrices, positive semidefinite ones among them, stationary points are
/// solutions too, if the iterates stay bounded. Others are tried, from `Options::starts` starting points.
class SemismoothNewton final : public Solver {
 public:
  enum class Function : std::uint8_t { fischer_burmeister, min };

  struct Options {
    Function function = Function::fischer_burmeister;
    /// Newton steps from each start; ten to twenty are usual.
    int max_iterations = 100;
    /// Starting points in all: the suggested z or zero, then random ones, the same on every run.
    int starts = 4;
    /// Ends when the natural residual is this part of `Solver::tolerance`: one more quadratic step costs little.
    double stop_at = 1e-3;
    /// Merits remembered by the line search (Grippo, Lampariello and Lucidi 1986); 1 is the plain Armijo search.
    int memory = 6;
    /// Iterates beyond this multiple of the largest |q| (equilibrated) have diverged: w has no digits left to speak of.
    double divergence = 1e8;
  };

  SemismoothNewton() = default;
  explicit SemismoothNewton(const Options& options) : options_(options) {}
  [[nodiscard]] std::string_view name() const override { return "semismooth_newton"; }

 protected:
  void run(const Problem& problem, Solution& solution) override;

 private:
  /// Value of Phi_i and its derivatives by z_i and w_i.
  struct Element {
    double value, by_z, by_w;
  };

  void load(const Problem& problem);
  void start_at(const Vector& suggested);
  void start_at_random(Random& random);
  bool iterate();
  void polish();
  void multiply(const Vector& z, Vector& w) const;
  /// The natural residual over max(|q|, |mid(l, 0, u)|). Backward error in q alone: small only near a solvable problem.
  [[nodiscard]] double residual(const Vector& z, const Vector& w) const;
  [[nodiscard]] Element fischer_burmeister(Index i, double z, double w) const;
  [[nodiscard]] Element min_function(Index i, double z, double w) const;
  void linearise(Function function);
  double merit(const Vector& z, const Vector& w) const;
  bool solve_newton(double epsilon);
  bool find_direction();
  bool search_line();
  void keep_best();

  Options options_;
  std::vector<Index> starts_, rows_;  // the equilibrated M by columns
  std::vector<double> values_;
  Vector q_, lower_, upper_, row_scale_, column_scale_;
  linalg::SparseLu lu_;
  std::vector<double> right_side_;
  Vector z_, w_, phi_, by_z_, by_w_, direction_, gradient_, image_, trial_, trial_w_, best_z_;
  std::vector<double> merits_;
  double scale_ = 0.0, slope_ = 0.0, best_residual_ = infinity;
  int steps_ = 0, iterations_ = 0;
};

}  // namespace stiction::lcp
