#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "stiction/schemes/impact.h"

namespace stiction {

/// One impact of a system, all of its contacts with Phi <= reach taking part.
struct Collision {
  bool solved = false;
  Vector v;  ///< v+
  StepReport report;
  double before = 0.0, after = 0.0;  ///< Kinetic energies.
  int contacts = 0;

  Collision(const System& system, const Vector& q, const Vector& v_minus, const SchemeOptions& options,
            double threshold_step = 0.0, double reach = 1e-9) {
    StepWork work(system, options);
    Impact impact(system, options, work);
    State state{0.0, q, v_minus, v_minus};
    GapSet gaps;
    system.find_gaps(0.0, q, reach, gaps);
    std::vector<std::uint64_t> closed;
    closed.reserve(gaps.contacts.size());
    for (const ContactPoint& contact : gaps.contacts) closed.push_back(contact.id);
    contacts = gaps.size();
    before = work.kinetic_energy(0.0, q, v_minus);
    solved = impact.resolve(state, closed, threshold_step, report);
    v = state.v;
    after = work.kinetic_energy(0.0, q, v);
  }

  [[nodiscard]] double gain() const { return after - before; }
  /// As reported with its events.
  [[nodiscard]] double reported_gain() const {
    double most = 0.0;
    for (const Event& event : report.events) most = std::max(most, event.energy_gain);
    return most;
  }
};

inline SchemeOptions impact_options(ImpactLaw law, bool turn = true) {
  SchemeOptions options = preset(Scheme::anitescu_potra);
  options.impact = law;
  options.cone.turn = turn;
  return options;
}

}  // namespace stiction
