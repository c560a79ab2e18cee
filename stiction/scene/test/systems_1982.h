#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "stiction/scene/test/scene_runs.h"

/// The systems that Lotstedt (1982) names, run by the event-driven method, and how far the time-stepping schemes are
/// from it: as h goes to zero they agree.
namespace stiction::scene::test {

struct System1982 {
  std::string scene;
  double time;                              ///< Of the comparison: while things are under way.
  std::vector<std::string> overrides = {};  ///< stewart_trinkle is plastic.
};

inline std::vector<System1982> systems_1982(const std::string& scheme) {
  const std::vector<std::string> plastic{"/materials/default/restitution=0"};
  if (scheme == "stewart_trinkle")
    return {{"papers/bar_and_floor", 0.4, plastic},
            {"papers/table_on_four_legs", 0.14},
            {"papers/particles_on_slope", 0.7, plastic},
            {"papers/discs_on_slope", 0.36},
            {"papers/ball_on_string", 0.6}};
  // At 0.2127 s disc 3 leaves disc 2. Where in a step that falls decides how large the error of second order is.
  const double discs = scheme == "trapezoidal" ? 0.212 : 0.36;
  return {{"papers/bar_and_floor", 1.0},
          {"papers/table_on_four_legs", 0.14},
          {"papers/particles_on_slope", 0.7},
          {"papers/discs_on_slope", discs},
          {"papers/ball_on_string", 0.6}};
}

struct Agreement {
  Convergence errors;     ///< Of q, by steps.
  bool certified = true;  ///< All of the runs.

  /// Rounding only: the schemes of second order follow constant accelerations from one event to the next.
  [[nodiscard]] bool is_exact() const { return *std::max_element(errors.error.begin(), errors.error.end()) < 1e-11; }
  [[nodiscard]] bool has_order(double order) const {
    return is_exact() ? order == 2.0 : errors.order() >= order - 0.2 && errors.order() <= order + 0.3;
  }
};

inline double order_of(const std::string& scheme) {
  return scheme == "trapezoidal" ? 2.0 : 1.0;
}

inline Agreement agreement_1982(const System1982& system, const std::string& scheme, const std::vector<double>& steps) {
  Agreement result;
  std::vector<std::string> overrides = system.overrides;
  overrides.emplace_back("/simulation/scheme=lotstedt");
  SceneRun events(load(system.scene, overrides), 0.01);
  events.until(system.time);
  result.certified = events.certified();
  overrides.back() = "/simulation/scheme=" + scheme;
  overrides.emplace_back("/simulation/impact=newton");
  for (const double h : steps) {
    SceneRun run(load(system.scene, overrides), h);
    run.until(system.time);
    result.certified = result.certified && run.certified();
    result.errors.add(h, (run->state().q - events->state().q).norm());
  }
  return result;
}

}  // namespace stiction::scene::test
