#include "stiction/cone/factor_form.h"

#include <Eigen/QR>
#include <Eigen/SparseLU>

namespace stiction::cone {

namespace {

// Joints that contradict each other by more than this part of what they ask for have no velocity.
constexpr double contradiction = 1e-8;
// Pivots below this part of the largest are zero: rows that depend on each other do so to about 1e-15.
constexpr double rank_tolerance = 1e-11;

std::string find_misfit(const FactorForm& form) {
  const Index nv = form.f.size(), nr = form.dimension * form.mu.size(), nc = form.d.size();
  const auto is = [](const SparseMatrix& A, Index rows, Index cols) { return A.rows() == rows && A.cols() == cols; };
  if (!is(form.M, nv, nv)) return "M does not have the size of f";
  if (!is(form.H, nv, nr)) return "H does not have a row for each velocity and the columns of each contact";
  if (form.b.size() != nr) return "b does not have the size of H's columns";
  if (nc != 0 && !is(form.G, nv, nc)) return "G does not have a row for each velocity and a column for each joint";
  return {};
}

}  // namespace

double eliminate(const DenseMatrix& R, const DenseMatrix& V, const DenseMatrix& V2, const Vector& s, DenseMatrix& W,
                 Vector& q) {
  Eigen::CompleteOrthogonalDecomposition<DenseMatrix> factors;
  factors.setThreshold(rank_tolerance);
  factors.compute(R);
  const Vector c = factors.solve(s);
  W.noalias() -= V * factors.solve(V2);
  q.noalias() -= V * c;
  const double scale = s.norm();
  return scale > 0.0 ? (R * c - s).norm() / scale : 0.0;
}

Result<Problem> condense(const FactorForm& form) {
  if (const std::string misfit = find_misfit(form); !misfit.empty()) return Error{form.name + ": " + misfit};
  Eigen::SparseLU<SparseMatrix> factors(form.M);
  if (factors.info() != Eigen::Success) return Error{form.name + ": M is singular, expected a regular mass matrix"};
  const SparseMatrix MH = factors.solve(form.H);
  const Vector free = factors.solve(form.f);
  SparseMatrix W = SparseMatrix(form.H.transpose()) * MH;
  Problem problem{form.name, form.dimension, {}, form.b + form.H.transpose() * free, form.mu, form.mu2};
  if (form.d.size() == 0) {
    problem.W = Matrix(std::move(W));
    return problem;
  }
  const SparseMatrix MG = factors.solve(form.G);
  const DenseMatrix R = DenseMatrix(SparseMatrix(form.G.transpose()) * MG);
  const DenseMatrix V = DenseMatrix(SparseMatrix(form.H.transpose()) * MG);
  const DenseMatrix V2 = DenseMatrix(SparseMatrix(form.G.transpose()) * MH);
  const Vector s = form.d + form.G.transpose() * free;
  DenseMatrix dense(W);
  if (eliminate(R, V, V2, s, dense, problem.q) > contradiction)
    return Error{form.name + ": joints contradict each other: no velocity satisfies them"};
  problem.W = Matrix(std::move(dense));
  return problem;
}

}  // namespace stiction::cone
