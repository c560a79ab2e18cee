#pragma once

#include <array>
#include <numbers>

#include "stiction/scene/test/scene_runs.h"

/// The scenes of scenes/analytic that depend on a step, against their closed forms: errors at five steps. The others
/// have nothing to converge; analytic_test.cpp holds them to rounding.
namespace stiction::scene::test {

inline constexpr double g = 9.81;
inline constexpr std::array<double, 5> five_steps{0.01, 0.005, 0.0025, 0.00125, 0.000625};

struct KnownAnswer {
  std::string scene, scheme, quantity;
  Convergence errors;
  bool certified = true;
};

inline std::string scheme_override(const std::string& scheme) {
  return "/simulation/scheme=" + scheme;
}

/// Case 1: path and end of the bouncing, 5/3 m and 1.35457 s. Impacts happen at the floor, so the way of a step with an
/// impact goes through there; bounces that fit into one step are lost.
struct Bouncing {
  double path = 0.0, last_impact = 0.0, rest = 0.0;
  bool certified = false;
};

inline Bouncing bounce(double h) {
  SceneRun run(load("analytic/case_01_bouncing_ball"), h);
  const BodyId ball = run.body("ball");
  constexpr double floor = 0.1;  // the ball's radius
  Bouncing result;
  const long steps = std::lround(1.5 / h);
  for (long k = 0; k < steps; ++k) {
    const double before = run->pose(ball).position.z();
    run.step(h);
    const double after = run->pose(ball).position.z();
    const bool hit = std::any_of(run->report().events.begin(), run->report().events.end(),
                                 [](const Event& event) { return event.kind == EventKind::impact; });
    result.path += hit ? std::abs(before - floor) + std::abs(after - floor) : std::abs(after - before);
    if (hit) result.last_impact = run->report().events.back().time;
  }
  result.rest = run->velocity(ball).norm();
  result.certified = run.certified();
  return result;
}

inline KnownAnswer case_1() {
  KnownAnswer answer{"case_01_bouncing_ball", "anitescu_potra", "path", {}};
  for (const double h : five_steps) {
    const Bouncing run = bounce(h);
    answer.errors.add(h, run.path - 5.0 / 3.0);
    answer.certified = answer.certified && run.certified;
  }
  return answer;
}

/// Case 2: slides for t = 2 v0/(7 mu g), then rolls at 5 v0/7. The velocities are those of the closed form; the way is
/// of first order, as the sum of end-of-step velocities is.
inline KnownAnswer case_2(const std::string& scheme) {
  KnownAnswer answer{"case_02_sliding_to_rolling", scheme, "x at 1 s", {}};
  constexpr double v0 = 5.0, mu = 0.2;
  const double t = 2 * v0 / (7 * mu * g), x = 12 * v0 * v0 / (49 * mu * g) + 5.0 / 7.0 * v0 * (1.0 - t);
  for (const double h : five_steps) {
    SceneRun run(load("analytic/case_02_sliding_to_rolling", {scheme_override(scheme)}), h);
    run.until(1.0);
    answer.errors.add(h, run->pose(run.body("ball")).position.x() - x);
    answer.certified = answer.certified && run.certified();
  }
  return answer;
}

/// Case 3: a = g sin/(1 + k).
inline KnownAnswer case_3(const std::string& scheme, const std::string& body, double k) {
  KnownAnswer answer{"case_03_rolling_on_incline", scheme, "way of the " + body + " at 1 s", {}};
  const Vec3 down(0.5 * std::numbers::sqrt3, -0.5, 0.0);
  for (const double h : five_steps) {
    SceneRun run(load("analytic/case_03_rolling_on_incline", {scheme_override(scheme)}), h);
    const Vec3 start = run->pose(run.body(body)).position;
    run.until(1.0);
    const double way = (run->pose(run.body(body)).position - start).dot(down);
    answer.errors.add(h, way - 0.25 * g / (1.0 + k));
    answer.certified = answer.certified && run.certified();
  }
  return answer;
}

/// Case 3b: a = g (sin - mu cos), mu = 0.1.
inline KnownAnswer case_3b(const std::string& scheme) {
  KnownAnswer answer{"case_03b_slipping_on_incline", scheme, "way at 1 s", {}};
  const Vec3 down(0.5 * std::numbers::sqrt3, 0.0, -0.5);
  for (const double h : five_steps) {
    SceneRun run(load("analytic/case_03b_slipping_on_incline", {scheme_override(scheme)}), h);
    const Vec3 start = run->pose(run.body("sphere")).position;
    run.until(1.0);
    const double way = (run->pose(run.body("sphere")).position - start).dot(down);
    answer.errors.add(h, way - 0.5 * g * (0.5 - 0.05 * std::numbers::sqrt3));
    answer.certified = answer.certified && run.certified();
  }
  return answer;
}

/// Case 16, mu = 1.5 > 4/3: no force is large enough, so an impulse stops the sliding end at once, however small h is.
/// With the end's mobility W = [3.4, -1.2; -1.2, 1.6] (tangent, normal; m = L = 1, tan(theta) = 2) and v_t = -3 the
/// impulse that stops it is (1.2, 0.9), inside the cone. (x, y, omega) after it: (-1.8, 0.9, 1.8 sqrt 5).
inline KnownAnswer case_16(const std::string& scheme) {
  KnownAnswer answer{"case_16_painleve_rod", scheme, "velocity after the first step", {}};
  const Vec3 limit(-1.8, 0.9, 1.8 * std::sqrt(5.0));
  for (const double h : five_steps) {
    SceneRun run(load("analytic/case_16_painleve_rod", {scheme_override(scheme)}), h);
    const BodyId rod = run.body("rod");
    run.step(h);
    const Vec3 found(run->velocity(rod).x(), run->velocity(rod).y(), run->angular_velocity(rod).z());
    answer.errors.add(h, (found - limit).norm());
    run.until(0.5);
    answer.certified = answer.certified && run.certified();
  }
  return answer;
}

inline std::vector<KnownAnswer> known_answers() {
  std::vector<KnownAnswer> all{case_1()};
  for (const std::string scheme : {"stewart_trinkle", "anitescu_potra"}) {
    all.push_back(case_2(scheme));
    all.push_back(case_3(scheme, "sphere", 0.4));
    all.push_back(case_3(scheme, "cylinder", 0.5));
    all.push_back(case_3(scheme, "hoop", 1.0));
    all.push_back(case_3b(scheme));
    all.push_back(case_16(scheme));
  }
  return all;
}

}  // namespace stiction::scene::test
