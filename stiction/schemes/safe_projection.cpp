#include "stiction/schemes/safe_projection.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

// A velocity is not scaled by more: near rest a little energy is a large change of it.
constexpr double most_scaling = 0.5;

}  // namespace

double SafeProjection::kinetic_energy(double t, const Vector& q, const Vector& v) {
  system_.mass(t, q, mass_);
  double sum = 0.0;
  for (int j = 0; j < mass_.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(mass_, j); it; ++it) sum += v[it.row()] * it.value() * v[j];
  return 0.5 * sum;
}

/// Joints with a speed of their own do work: there is no energy to keep, and no length of v to change.
bool SafeProjection::is_driven(double t, const Vector& q) {
  system_.find_joints(t, q, joints_);
  return std::any_of(joints_.velocity.begin(), joints_.velocity.end(), [](double speed) { return speed != 0.0; });
}

void SafeProjection::project(State& state, const std::vector<std::uint64_t>& closed) {
  active_.contacts = closed;
  q_ = state.q;
  v_ = state.v;
  while (!projection_.project(state.t, active_, q_, v_)) {
    const std::size_t before = active_.contacts.size();
    std::erase(active_.contacts, projection_.lost());
    if (active_.contacts.size() == before) return;
    q_ = state.q;
    v_ = state.v;
  }
  if (!q_.allFinite() || !v_.allFinite()) return;
  if (!is_driven(state.t, q_)) {
    const double risen = system_.potential_energy(state.t, q_) - system_.potential_energy(state.t, state.q);
    const double kinetic = kinetic_energy(state.t, q_, v_);
    if (kinetic > 0.0 && std::abs(risen) <= most_scaling * kinetic)
      v_ *= std::sqrt((kinetic - risen) / kinetic);
    else if (risen > 0.0)
      return;
  }
  state.q = q_;
  state.v = v_;
}

}  // namespace stiction
