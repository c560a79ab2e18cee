#pragma once

#include <array>

#include "stiction/scene/test/scene_runs.h"

/// Potra, Anitescu, Gavrea and Trinkle 2006, section 10, for the tests and for `make accept`.
namespace stiction::scene::test {

/// Table 10.1 as printed: h = 2^-5 ... 2^-11. Theta is at the end, by the formulas of the paper (squared lengths).
struct PrintedRow {
  double position_error, Theta1, Theta2;
};
inline constexpr std::array<PrintedRow, 7> table_10_1{{{2.38e-3, -1.27e-3, -3.18e-3},
                                                       {6.14e-4, -3.14e-4, -8.29e-4},
                                                       {1.54e-4, -7.82e-5, -2.14e-4},
                                                       {3.95e-5, -1.95e-5, -5.48e-5},
                                                       {1.01e-5, -4.88e-6, -1.37e-5},
                                                       {2.42e-6, -1.22e-6, -3.44e-6},
                                                       {6.15e-7, -3.05e-7, -8.60e-7}}};

struct PendulumEnd {
  Vec3 bob1, bob2;
  std::vector<Event> impacts;
  bool certified = false;
  std::string why;

  [[nodiscard]] double drift1() const { return bob1.squaredNorm() - 1.0; }
  [[nodiscard]] double drift2() const { return (bob1 - bob2).squaredNorm() - 1.0; }
  [[nodiscard]] double distance(const PendulumEnd& other) const {
    return std::hypot((bob1 - other.bob1).norm(), (bob2 - other.bob2).norm());
  }
};

inline PendulumEnd swing(double h, const std::vector<std::string>& overrides = {}) {
  SceneRun run(load("papers/double_pendulum_wall", overrides), h);
  run.until(2.5);
  PendulumEnd end{
      run->pose(run.body("bob1")).position, run->pose(run.body("bob2")).position, {}, run.certified(), run.why()};
  for (const Event& event : run->events())
    if (event.kind == EventKind::impact) end.impacts.push_back(event);
  return end;
}

/// A run of two_carts_*: its distances and energies after every step.
struct CartRun {
  std::vector<double> distance, stretch, energy;  ///< x2 - x1, x1 - 0.2, J.
  bool certified = false, finite = true;
  std::string why;

  /// Largest minus smallest.
  [[nodiscard]] static double variation(const std::vector<double>& values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return *high - *low;
  }
  [[nodiscard]] double energy_gain() const { return *std::max_element(energy.begin(), energy.end()) - energy.front(); }
};

inline CartRun drive(const std::string& scene_name, const std::vector<std::string>& overrides = {}) {
  SceneRun run(load("papers/" + scene_name, overrides));
  const BodyId cart1 = run.body("cart1"), cart2 = run.body("cart2");
  CartRun result;
  const auto store = [&] {
    const double x1 = run->pose(cart1).position.x(), x2 = run->pose(cart2).position.x();
    result.distance.push_back(x2 - x1);
    result.stretch.push_back(x1 - 0.2);
    result.energy.push_back(run->kinetic_energy() + run->potential_energy());
    result.finite = result.finite && std::isfinite(x1 + x2 + result.energy.back());
  };
  store();
  const double h = run->options().h;
  const long steps = std::lround(run->options().end / h);
  for (long k = 0; k < steps; ++k) {
    run.step(h);
    store();
  }
  result.certified = run.certified();
  result.why = run.why();
  return result;
}

}  // namespace stiction::scene::test
