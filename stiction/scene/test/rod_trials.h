#pragma once

#include "stiction/scene/test/rod_limit.h"
#include "stiction/scene/test/scene_runs.h"

/// Stewart and Trinkle's rod and their pair of balls (1996, section 4) at several steps.
namespace stiction::scene::test {

/// The rod's resting place against the limit, the mean over `phases` ways in which the steps can fall on the events:
/// the first step is a part of h.
inline Convergence rod_convergence(const std::string& scheme, int phases, bool& certified) {
  const double x = RodLimit().x_end;
  Convergence errors;
  for (const double h : {0.0016, 0.0008, 0.0004, 0.0002, 0.0001}) {
    double mean = 0.0;
    for (int phase = 1; phase <= phases; ++phase) {
      SceneRun run(load("papers/rod_and_table", {"/simulation/scheme=" + scheme}), h);
      run.step(h * phase / phases);
      run.until(0.7);
      mean += std::abs(run->pose(run.body("rod")).position.x() - x) / phases;
      certified = certified && run.certified();
    }
    errors.add(h, mean);
  }
  return errors;
}

/// What figures 3 to 5 of the paper show.
struct RodCurves {
  std::vector<double> t, v_x, v_y, omega;
  int impacts = 0, take_offs = 0;
  double first = 0.0, penetration = 0.0;
  bool certified = false;

  /// Index of the first step that ends in contact.
  [[nodiscard]] std::size_t contact_step() const {
    return static_cast<std::size_t>(std::lower_bound(t.begin(), t.end(), first - 1e-9) - t.begin());
  }
  /// How often a curve turns round, by more than rounding.
  static int turns(const std::vector<double>& curve) {
    int count = 0;
    double last = 0.0;
    for (std::size_t k = 1; k < curve.size(); ++k) {
      const double change = curve[k] - curve[k - 1];
      if (std::abs(change) < 1e-9) continue;
      if (change * last < 0.0) ++count;
      last = change;
    }
    return count;
  }
};

inline RodCurves rod_curves(double h) {
  SceneRun run(load("papers/rod_and_table"), h);
  const BodyId rod = run.body("rod");
  RodCurves curves;
  const long steps = std::lround(0.7 / h);
  for (long k = 0; k < steps; ++k) {
    run.step(h);
    curves.t.push_back(run->time());
    curves.v_x.push_back(run->velocity(rod).x());
    curves.v_y.push_back(run->velocity(rod).y());
    curves.omega.push_back(run->angular_velocity(rod).z());
  }
  for (const Event& event : run->events()) {
    curves.impacts += event.kind == EventKind::impact;
    curves.take_offs += event.kind == EventKind::take_off;
  }
  curves.first = run.first(EventKind::impact);
  curves.penetration = run->certificate().max_penetration;
  curves.certified = run.certified();
  return curves;
}

/// The pair of balls at 1 s against a finer run: the larger error of the two places.
inline Convergence two_balls_convergence(const std::string& scene, const std::vector<double>& steps, double fine,
                                         const std::string& scheme, bool& certified) {
  const std::vector<std::string> overrides{"/simulation/scheme=" + scheme};
  SceneRun reference(load(scene, overrides), fine);
  reference.until(1.0);
  certified = certified && reference.certified();
  Convergence errors;
  for (const double h : steps) {
    SceneRun run(load(scene, overrides), h);
    run.until(1.0);
    certified = certified && run.certified();
    double error = 0.0;
    for (const char* ball : {"ball1", "ball2"})
      error =
          std::max(error, (run->pose(run.body(ball)).position - reference->pose(reference.body(ball)).position).norm());
    errors.add(h, error);
  }
  return errors;
}

}  // namespace stiction::scene::test
