#include "stiction/schemes/theta_forces.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

// Larger systems are factorised as sparse ones.
constexpr int most_dense = 256;

void add_product(const SparseMatrix& K, double factor, const Vector& x, Vector& y) {
  for (int j = 0; j < K.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(K, j); it; ++it) y[it.row()] += factor * it.value() * x[j];
}

void add_entries(const SparseMatrix& K, double factor, linalg::Triplets& triplets) {
  for (int j = 0; j < K.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(K, j); it; ++it)
      triplets.add(static_cast<int>(it.row()), j, factor * it.value());
}

}  // namespace

void ThetaForces::set_mean_mass(double t, const Vector& q, double t_end, const Vector& q_end) {
  system_.mass(t, q, mass_);
  system_.mass(t_end, q_end, other_mass_);
  triplets_.clear();
  add_entries(mass_, 0.5, triplets_);
  add_entries(other_mass_, 0.5, triplets_);
  triplets_.fill(static_cast<int>(mass_.rows()), static_cast<int>(mass_.cols()), mass_);
}

void ThetaForces::sum_mass(const Step& step) {
  if (K_q_.nonZeros() + K_v_.nonZeros() == 0) {
    smooth_mass_ = mass_;
    return;
  }
  triplets_.clear();
  add_entries(mass_, 1.0, triplets_);
  add_entries(K_v_, -step.alpha * step.h, triplets_);
  add_entries(K_q_, -step.alpha * step.gamma * step.h * step.h, triplets_);
  triplets_.fill(static_cast<int>(mass_.rows()), static_cast<int>(mass_.cols()), smooth_mass_);
}

/// Gershgorin's discs of the symmetric part, scaled to a diagonal of ones: cheap, and true for what is not stiff.
bool ThetaForces::is_dominant() {
  const Vector& diagonal = change_ = smooth_mass_.diagonal();
  if (!(diagonal.minCoeff() > 0.0)) return false;
  off_diagonal_.assign(static_cast<std::size_t>(diagonal.size()), 0.0);
  for (int j = 0; j < smooth_mass_.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(smooth_mass_, j); it; ++it) {
      if (it.row() == j) continue;
      const double half = 0.5 * std::abs(it.value()) / std::sqrt(diagonal[j] * diagonal[it.row()]);
      off_diagonal_[static_cast<std::size_t>(j)] += half;
      off_diagonal_[static_cast<std::size_t>(it.row())] += half;
    }
  for (const double sum : off_diagonal_)
    if (!(sum < 0.999)) return false;
  return true;
}

/// Whether (M~ + M~')/2 is positive definite; F is antisymmetric and has no part in it.
bool ThetaForces::is_definite() {
  if (smooth_mass_.rows() == 0 || is_dominant()) return true;
  if (smooth_mass_.rows() <= most_dense) {
    symmetric_ = smooth_mass_;
    for (Eigen::Index i = 0; i < symmetric_.rows(); ++i)
      for (Eigen::Index j = 0; j < i; ++j) symmetric_(i, j) = 0.5 * (symmetric_(i, j) + symmetric_(j, i));
    cholesky_.compute(symmetric_);
    return cholesky_.info() == Eigen::Success;
  }
  const SparseMatrix transposed = smooth_mass_.transpose();
  const Eigen::SimplicialLLT<SparseMatrix> sparse(SparseMatrix(smooth_mass_ + transposed));
  return sparse.info() == Eigen::Success;
}

/// Takes what is too stiff for M~ out of the forces, which are those at the start.
void ThetaForces::take_stiff(const State& state, const Step& step, StepProblem& problem) {
  stiff_.clear();
  if (!step.has_rows) return;
  system_.find_stiff_drives(state.t, state.q, step.h, stiff_);
  for (int i = 0; i < stiff_.size(); ++i) {
    const Drive& drive = stiff_.drives[i];
    const double speed = stiff_.r.dot(i, state.v) - drive.velocity;
    stiff_.r.add_to(i, step.h * (drive.stiffness * drive.position + drive.damping * speed), problem.k);
  }
}

void ThetaForces::linearise(const State& state, const Step& step, const Point& about, StepProblem& problem) {
  const double h = step.h, alpha = step.alpha;
  step_ = step;
  problem.alpha = alpha;
  problem.v = state.v;
  system_.applied_force(state.t + h, about.q, about.v, problem.k);
  problem.k *= alpha * h;
  if (alpha < 1.0) {
    system_.applied_force(state.t, state.q, state.v, start_force_);
    problem.k += (1.0 - alpha) * h * start_force_;
  }
  const JacobianKind kind = step.jacobian == ForceJacobian::rank_one ? JacobianKind::definite : JacobianKind::exact;
  take_stiff(state, step, problem);
  const double row_step = step.has_rows ? h : 0.0;
  system_.force_jacobians(state.t + h, about.q, about.v, row_step, kind, K_q_, K_v_);
  used_ = stiff_.size() > 0 ? JacobianUse::rank_one : JacobianUse::none;
  sum_mass(step);
  if (K_q_.nonZeros() + K_v_.nonZeros() > 0) {
    if (stiff_.size() == 0) used_ = kind == JacobianKind::exact ? JacobianUse::exact : JacobianUse::rank_one;
    if (step.jacobian == ForceJacobian::automatic && !is_definite()) {
      system_.force_jacobians(state.t + h, about.q, about.v, row_step, JacobianKind::definite, K_q_, K_v_);
      sum_mass(step);
      used_ = JacobianUse::rank_one;
    }
    change_ = state.v - about.w;
    add_product(K_q_, alpha * h * h, change_, problem.k);
    change_ = state.v - about.v;
    add_product(K_v_, alpha * h, change_, problem.k);
  }
  problem.M = smooth_mass_;
  problem.take_masses();
  smooth_force_ = problem.k;
}

double ThetaForces::miss(const State& state, const Vector& q_end, const Vector& v_end, const double* c) {
  const double h = step_.h, alpha = step_.alpha;
  if (K_q_.nonZeros() + K_v_.nonZeros() + stiff_.size() == 0) return 0.0;
  system_.applied_force(state.t + h, q_end, v_end, end_force_);
  end_force_ *= alpha * h;
  if (alpha < 1.0) end_force_ += (1.0 - alpha) * h * start_force_;
  end_force_ -= smooth_force_;
  change_ = v_end - state.v;
  add_product(smooth_mass_, 1.0, change_, end_force_);
  add_product(mass_, -1.0, change_, end_force_);
  for (int i = 0; i < stiff_.size(); ++i) stiff_.r.add_to(i, -c[i], end_force_);
  double largest = 0.0;
  for (int i = 0; i < end_force_.size(); ++i) largest = std::max(largest, std::abs(end_force_[i]) / mass_.coeff(i, i));
  return largest;
}

double ThetaForces::kinetic_energy(const Vector& v) {
  change_.setZero(v.size());
  add_product(mass_, 0.5, v, change_);
  return v.dot(change_);
}

bool ThetaForces::add_gyroscopic(const Vector& q, const Vector& v_middle, StepProblem& problem) {
  system_.predicted_gyroscopic(q, v_middle, gyroscopic_);
  if (gyroscopic_.nonZeros() == 0) return false;
  triplets_.clear();
  add_entries(smooth_mass_, 1.0, triplets_);
  add_entries(gyroscopic_, -step_.alpha * step_.h, triplets_);
  triplets_.fill(static_cast<int>(smooth_mass_.rows()), static_cast<int>(smooth_mass_.cols()), problem.M);
  problem.take_masses();
  problem.k = smooth_force_;
  add_product(gyroscopic_, step_.h, problem.v, problem.k);
  return true;
}

}  // namespace stiction
