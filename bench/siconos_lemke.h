#pragma once

#ifdef STICTION_HAVE_SICONOS

#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

#include "stiction/lcp/problem.h"

namespace stiction::bench {

/// Siconos' lexicographic Lemke (SICONOS_LCP_LEMKE) on a dense linear complementarity problem. Its copies and
/// workspaces are made here, outside the measured time.
class SiconosLemke {
 public:
  explicit SiconosLemke(const lcp::Problem& problem) : M_(problem.M.to_dense()), q_(problem.q) {
    const auto n = static_cast<int>(problem.size());
    problem_ = newLCP();
    problem_->size = n;
    problem_->M = NM_create_from_data(NM_DENSE, n, n, M_.data());
    problem_->q = q_.data();
    options_ = solver_options_create(SICONOS_LCP_LEMKE);
    z_.setZero(n);
    w_.setZero(n);
  }
  ~SiconosLemke() {
    solver_options_delete(options_);
    // M and q belong to this object's vectors.
    problem_->M->matrix0 = nullptr;
    problem_->q = nullptr;
    freeLinearComplementarityProblem(problem_);
  }
  SiconosLemke(const SiconosLemke&) = delete;
  SiconosLemke& operator=(const SiconosLemke&) = delete;

  lcp::Vector& q() { return q_; }
  /// Only the pivoting: no driver, which would also evaluate Siconos' own error.
  void solve() {
    int info = 0;
    z_.setZero();
    w_.setZero();
    lcp_lexicolemke(problem_, z_.data(), w_.data(), &info, options_);
  }
  [[nodiscard]] const lcp::Vector& z() const { return z_; }

 private:
  lcp::DenseMatrix M_;
  lcp::Vector q_, z_, w_;
  LinearComplementarityProblem* problem_ = nullptr;
  SolverOptions* options_ = nullptr;
};

}  // namespace stiction::bench

#endif
