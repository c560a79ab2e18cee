#pragma once

#include <numbers>

#include "stiction/scene/test/scene_runs.h"

/// Boxes on slopes of 30 degrees, mu 2 % above and below tan(30 deg), at four headings (scenes/slope_box.json: the
/// boxes are turned; scenes/slope_headings.json: the fall line is turned against the directions of friction).
namespace stiction::scene::test {

struct SlopeBox {
  std::string name;
  double travel = 0.0;              ///< Of the box's centre, at the end, m.
  double acceleration_error = 0.0;  ///< Relative; along the fall line, from the speed at the end.
  double astray = 0.0;              ///< Angle between the velocity at the end and the fall line, rad.
};

struct SlopeRun {
  std::vector<SlopeBox> boxes;
  double penetration = 0.0;
  bool certified = false;
  std::string why;
};

inline constexpr double slope_gravity = 9.81;

inline SlopeRun run_slope(const std::string& scene, double mu_over_tan, double h, double end,
                          std::vector<std::string> overrides = {}) {
  const double mu = mu_over_tan / std::numbers::sqrt3;
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "/materials/default/mu=%.17g", mu);
  overrides.emplace_back(text.data());
  SceneRun run(load(scene, overrides), h);
  const bool level = scene == "slope_headings";
  const std::vector<std::pair<std::string, double>> headings{
      {"box_0", 0.0}, {"box_10", 10.0}, {"box_22_5", 22.5}, {"box_45", 45.0}};
  std::vector<Vec3> starts;
  starts.reserve(headings.size());
  for (const auto& [name, heading] : headings) starts.push_back(run->pose(run.body(name)).position);
  run.until(end);
  SlopeRun result;
  const double a = slope_gravity * (0.5 - 0.5 * std::numbers::sqrt3 * mu);
  for (std::size_t i = 0; i < headings.size(); ++i) {
    const BodyId body = run.body(headings[i].first);
    const double angle = headings[i].second * std::numbers::pi / 180.0;
    const Vec3 down = level ? Vec3(std::cos(angle), std::sin(angle), 0.0) : Vec3(0.5 * std::numbers::sqrt3, 0.0, -0.5);
    const Vec3 v = run->velocity(body);
    result.boxes.push_back({headings[i].first, (run->pose(body).position - starts[i]).norm(),
                            v.dot(down) / (a * run->time()) - 1.0, std::atan2(v.cross(down).norm(), v.dot(down))});
  }
  result.penetration = run->certificate().max_penetration;
  result.certified = run.certified();
  result.why = run.why();
  return result;
}

}  // namespace stiction::scene::test
