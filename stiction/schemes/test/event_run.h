#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "stiction/model/multibody.h"
#include "stiction/schemes/time_stepper.h"

namespace stiction {

/// A run of a model by one scheme, `lotstedt` unless said otherwise, that remembers what a test asks for.
class EventRun {
 public:
  explicit EventRun(Model model, double tolerance = 1e-10, double threshold = 0.0)
      : EventRun(std::move(model), options_for(tolerance, threshold)) {}
  EventRun(Model model, const SchemeOptions& options) : system_(std::move(model)), stepper_(system_, options) {
    state_.q = system_.initial_positions();
    state_.v = state_.v_alpha = system_.initial_velocities();
    energy_ = energy();
  }

  static SchemeOptions options_for(double tolerance, double threshold) {
    SchemeOptions options = preset(Scheme::lotstedt);
    options.integration_tolerance = tolerance;
    options.restitution_threshold = threshold;
    return options;
  }

  /// Steps of h, the last one shortened.
  void until(double end, double h) {
    while (end - state_.t > 1e-12) {
      ASSERT_TRUE(stepper_.step(state_, std::min(h, end - state_.t), report_)) << "t = " << state_.t;
      events_.insert(events_.end(), report_.events.begin(), report_.events.end());
      certificate_.merge(report_.certificate);
      rank_changes_ += report_.rank_changes;
      for (const ContactRecord& contact : report_.contacts) impulses_ += contact.c_n;
      energy_error_ = std::max(energy_error_, std::abs(energy() - energy_));
    }
  }

  [[nodiscard]] double energy() const {
    return system_.kinetic_energy(state_.v) + system_.potential_energy(state_.t, state_.q);
  }
  [[nodiscard]] double largest_energy_error() const { return energy_error_; }  ///< Against the start.
  [[nodiscard]] Vec3 place(BodyId body) const { return system_.pose(body, state_.t, state_.q).position; }
  [[nodiscard]] Vec3 velocity(BodyId body) const { return system_.velocity(body, state_.t, state_.q, state_.v); }
  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const StepReport& report() const { return report_; }
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  [[nodiscard]] const StepCertificate& certificate() const { return certificate_; }
  [[nodiscard]] const Model& model() const { return system_.model(); }
  [[nodiscard]] const Multibody& system() const { return system_; }
  [[nodiscard]] double impulses() const { return impulses_; }  ///< Of all contacts, summed.
  [[nodiscard]] int rank_changes() const { return rank_changes_; }

 private:
  Multibody system_;
  TimeStepper stepper_;
  State state_;
  StepReport report_;
  std::vector<Event> events_;
  StepCertificate certificate_;
  double energy_ = 0.0, energy_error_ = 0.0, impulses_ = 0.0;
  int rank_changes_ = 0;
};

}  // namespace stiction
