#pragma once

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "stiction/base/random.h"
#include "stiction/schemes/test/collision.h"
#include "stiction/schemes/test/flat_system.h"
#include "stiction/schemes/time_stepper.h"

/// Random systems without friction on which Newton's law is tried (1982, section 3): any mass matrix, one to eight
/// contacts, all closed and none separating, some of them copies of others, sometimes a joint.
namespace stiction::test {

inline Vector random_row(Random& random, int size) {
  Vector row(size);
  for (int i = 0; i < size; ++i) row[i] = random.uniform(-1.0, 1.0);
  return row;
}

struct NewtonSystem {
  linalg::DenseMatrix M;
  Vector f, v;
  std::vector<FlatSystem::Contact> contacts;
  std::vector<std::pair<Vector, double>> joints;

  explicit NewtonSystem(Random& random, bool copies = true) {
    const int size = random.integer(2, 6);
    linalg::DenseMatrix L = linalg::DenseMatrix::Identity(size, size);
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < i; ++j) L(i, j) = random.uniform(-0.7, 0.7);
      L(i, i) = std::pow(10.0, random.uniform(-0.5, 0.5));
    }
    M = L * L.transpose();
    f = 5.0 * random_row(random, size);
    v = 2.0 * random_row(random, size);
    if (random.uniform() < 0.3) {
      const Vector row = random_row(random, size);
      const Vector away = M.ldlt().solve(row);
      v -= away * (row.dot(v) / row.dot(away));
      joints.emplace_back(row, 0.0);
      if (random.uniform() < 0.5) joints.emplace_back(2.0 * row, 0.0);
    }
    const int count = copies ? random.integer(1, 8) : random.integer(1, size - static_cast<int>(!joints.empty()));
    for (int j = 0; j < count; ++j) {
      const bool copy = copies && j > 0 && random.uniform() < 0.25;
      Vector n = copy ? contacts[static_cast<std::size_t>(random.integer(0, j - 1))].n : random_row(random, size);
      if (n.dot(v) > 0.0) n = -n;
      contacts.push_back({.n = n, .restitution = random.uniform()});
    }
  }

  /// With the contacts in another order, and the joints backwards where that order is not the first one.
  [[nodiscard]] FlatSystem system(const std::vector<std::size_t>& order) const {
    FlatSystem flat(M, f);
    for (const std::size_t j : order) flat.contacts.push_back(contacts[j]);
    flat.joint_rows = joints;
    if (!std::is_sorted(order.begin(), order.end())) std::reverse(flat.joint_rows.begin(), flat.joint_rows.end());
    return flat;
  }
  [[nodiscard]] std::vector<std::size_t> in_order() const {
    std::vector<std::size_t> order(contacts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
  }
};

struct NewtonTrial {
  bool solved = true, certified = true;
  double gain = -1.0;           ///< Of the complementarity law, over the energy before.
  double order_error = 0.0;     ///< By which v+ depends on the order of the contacts and joints.
  double equality_gain = -1.0;  ///< Of (3.9), likewise.
  bool is_reported = true;      ///< (3.9)'s gains are, and nothing else.
  double bound_excess = -1.0;   ///< By which a motion breaks (3.7) for constant M: S(t) <= S(0) + t |C^-1 f|,
  double speed_excess = -1.0;   ///< and (3.8), whose limit for d' = 0 is |v(t)| <= S(0)/a + t c/a^2.
};

/// S = |C'v| of (3.4).
inline double speed_norm(const linalg::DenseMatrix& M, const Vector& v) {
  return std::sqrt(v.dot(M * v));
}

inline void try_motion(const NewtonSystem& data, NewtonTrial& trial) {
  const FlatSystem system = data.system(data.in_order());
  SchemeOptions options = preset(Scheme::lotstedt);
  options.restitution_threshold = 0.05;
  TimeStepper stepper(system, options);
  State state{0.0, Vector::Zero(data.v.size()), data.v, data.v};
  StepReport report;
  const double start = speed_norm(data.M, data.v), push = std::sqrt(data.f.dot(data.M.ldlt().solve(data.f)));
  const double a2 = Eigen::SelfAdjointEigenSolver<linalg::DenseMatrix>(data.M).eigenvalues()[0];
  for (int step = 0; step < 10; ++step) {
    if (!stepper.step(state, 0.05, report)) {
      trial.solved = false;
      return;
    }
    trial.certified = trial.certified && report.certificate.certified();
    const double bound = start + state.t * push;
    trial.bound_excess = std::max(trial.bound_excess, speed_norm(data.M, state.v) / bound - 1.0);
    const double fastest = start / std::sqrt(a2) + state.t * data.f.norm() / a2;
    trial.speed_excess = std::max(trial.speed_excess, state.v.norm() / fastest - 1.0);
  }
}

inline NewtonTrial try_newton(Random& random) {
  NewtonTrial trial;
  const NewtonSystem data(random);
  const Vector q = Vector::Zero(data.v.size());
  const FlatSystem system = data.system(data.in_order());
  const Collision first(system, q, data.v, impact_options(ImpactLaw::newton));
  trial.solved = first.solved;
  trial.certified = first.report.certificate.certified();
  trial.gain = first.gain() / first.before;
  std::vector<std::size_t> order = data.in_order();
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(random.integer(0, static_cast<int>(i) - 1))]);
  const FlatSystem shuffled = data.system(order);
  const Collision second(shuffled, q, data.v, impact_options(ImpactLaw::newton));
  trial.order_error = (first.v - second.v).norm() / data.v.norm();
  try_motion(data, trial);

  const NewtonSystem independent(random, false);
  const FlatSystem other = independent.system(independent.in_order());
  const Collision equality(other, Vector::Zero(independent.v.size()), independent.v,
                           impact_options(ImpactLaw::newton_equality));
  trial.solved = trial.solved && equality.solved;
  trial.equality_gain = equality.gain() / equality.before;
  const double reported = equality.reported_gain();
  trial.is_reported =
      trial.equality_gain > 1e-10 ? std::abs(reported - equality.gain()) <= 1e-12 * equality.before : reported == 0.0;
  return trial;
}

}  // namespace stiction::test
