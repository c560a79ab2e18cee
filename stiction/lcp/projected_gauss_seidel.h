#pragma once

#include "stiction/lcp/solver.h"

namespace stiction::lcp {

/// Projected Gauss-Seidel, or successive over-relaxation (Cryer 1971; Mangasarian 1977): one variable after the other,
///
///     z_i <- mid(l_i, u_i, z_i - relaxation w_i / M_ii),     w_i = M_i z + q_i with the newest z.
///
/// Cheap sweeps and a usable answer at any time, but convergence is linear at best and slow for stacks and mass ratios.
///
/// Guarantee: it converges for symmetric positive definite M and 0 < relaxation < 2; for symmetric positive
/// semidefinite M with a positive diagonal when a solution exists (Luo and Tseng 1991); for H-matrices with a positive
/// diagonal and relaxation <= 1 (Cottle, Pang and Stone 1992, 5.3). Others are tried.
///
/// A row without a positive diagonal entry cannot be mended by its own variable. Such a z_i is left as it is, unless
/// w_i pushes it to a finite bound: then it is put there. The cone rows of a polyhedral friction problem are of this
/// kind.
class ProjectedGaussSeidel final : public Solver {
 public:
  struct Options {
    /// Over-relaxation, in (0, 2); outside it the problem is refused as `invalid`.
    double relaxation = 1.0;
    /// A sweep costs one product with M.
    int max_sweeps = 10000;
    /// The sweep's own measure is the natural residual with w_i as it was when i was visited. It must come down to this
    /// part of `Solver::tolerance`: the later rows of a sweep disturb the earlier ones a little.
    double stop_at = 0.1;
    /// Iterates beyond this multiple of the largest |q| or starting |z| (equilibrated) have diverged.
    double divergence = 1e7;
  };

  ProjectedGaussSeidel() = default;
  explicit ProjectedGaussSeidel(const Options& options) : options_(options) {}
  [[nodiscard]] std::string_view name() const override { return "projected_gauss_seidel"; }

 protected:
  /// Starts at `solution.z` where it has the problem's size. `ray` when the iterates grow beyond all measure.
  void run(const Problem& problem, Solution& solution) override;

 private:
  void load(const Problem& problem);
  [[nodiscard]] double row_times(Index i, const Vector& z) const;
  /// One sweep; returns its largest natural residual in equilibrated units and updates the largest |z|.
  double sweep(const Problem& problem, Vector& z, double& largest_z) const;
  void write_places(const Problem& problem, Solution& solution) const;

  Options options_;
  std::vector<Index> row_starts_, row_columns_, row_ends_;  // M by rows, diagonal apart
  std::vector<double> row_values_;
  Vector diagonal_, row_scale_, column_scale_;
};

}  // namespace stiction::lcp
