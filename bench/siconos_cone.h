#pragma once

#ifdef STICTION_HAVE_SICONOS

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>

#include "stiction/cone/problem.h"

namespace stiction::bench {

/// One of Siconos' solvers of contact problems in space. Its copies and workspaces are made here, outside the measured
/// time.
class SiconosCone {
 public:
  /// `sparse`: ADMM wants W so, the others dense.
  SiconosCone(const cone::Problem& problem, int solver, int most_iterations, double tolerance, bool sparse)
      : W_(problem.W.to_dense()), q_(problem.q), mu_(problem.mu) {
    const auto n = static_cast<int>(problem.size());
    NumericsMatrix* matrix = NM_create_from_data(NM_DENSE, n, n, W_.data());
    if (sparse) {
      sparse_ = NM_create(NM_SPARSE, n, n);
      NM_copy_to_sparse(matrix, sparse_, 0.0);
    }
    dense_ = matrix;
    problem_ = frictionContactProblem_new_with_data(3, static_cast<int>(problem.contacts()), sparse ? sparse_ : dense_,
                                                    q_.data(), mu_.data());
    options_ = solver_options_create(solver);
    options_->iparam[SICONOS_IPARAM_MAX_ITER] = most_iterations;
    options_->dparam[SICONOS_DPARAM_TOL] = tolerance;
    r_.setZero(n);
    u_.setZero(n);
  }
  ~SiconosCone() {
    solver_options_delete(options_);
    // q, mu and W's numbers belong to this object's vectors.
    problem_->q = nullptr;
    problem_->mu = nullptr;
    problem_->M = nullptr;
    frictionContactProblem_free(problem_);
    dense_->matrix0 = nullptr;
    NM_free(dense_);
    if (sparse_ != nullptr) NM_free(sparse_);
  }
  SiconosCone(const SiconosCone&) = delete;
  SiconosCone& operator=(const SiconosCone&) = delete;

  void solve() {
    r_.setZero();
    u_.setZero();
    fc3d_driver(problem_, r_.data(), u_.data(), options_);
  }
  [[nodiscard]] const cone::Vector& r() const { return r_; }

 private:
  cone::DenseMatrix W_;
  cone::Vector q_, mu_, r_, u_;
  NumericsMatrix *dense_ = nullptr, *sparse_ = nullptr;
  FrictionContactProblem* problem_ = nullptr;
  SolverOptions* options_ = nullptr;
};

}  // namespace stiction::bench

#endif
