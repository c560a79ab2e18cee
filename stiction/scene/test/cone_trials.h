#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "stiction/scene/test/scene_runs.h"

/// Scenes of the papers with friction in space, with cones of more and more facets and with the circular one.
namespace stiction::scene::test {

struct ConeEnd {
  std::vector<Vec3> positions, velocities;  ///< Of all bodies.
  double friction_loss = 0.0;
  bool certified = false;
  std::string why;

  [[nodiscard]] double distance(const ConeEnd& other) const {
    double largest = 0.0;
    for (std::size_t i = 0; i < positions.size(); ++i)
      largest = std::max(largest, (positions[i] - other.positions[i]).norm());
    return largest;
  }
};

/// Cone as the scene file has it: "circular", or a number of facets, turned or not.
inline ConeEnd run_with_cone(const std::string& scene, const std::string& cone, bool turns, double h, double end) {
  SceneRun run(
      load(scene, {"/simulation/cone=" + cone, std::string("/simulation/turn_facets=") + (turns ? "true" : "false")}),
      h);
  run.until(end);
  ConeEnd result;
  for (const Body& body : run->model().bodies()) {
    const BodyId id = run.body(body.name);
    result.positions.push_back(run->pose(id).position);
    result.velocities.push_back(run->velocity(id));
  }
  result.friction_loss = run->certificate().max_friction_loss;
  result.certified = run.certified();
  result.why = run.why();
  return result;
}

/// Facets from 4 to 64, by doubling.
inline constexpr int facet_counts[] = {4, 8, 16, 32, 64};

/// Distances of all bodies from where the circular cone brings them, for facets that stay and that turn.
struct FacetStudy {
  std::vector<double> fixed, turned;
  bool certified = true;

  /// By how much a doubling of the facets divides the distance, in the mean.
  [[nodiscard]] double ratio() const { return std::pow(fixed.front() / fixed.back(), 0.25); }
};

inline FacetStudy study_facets(const std::string& scene, double h, double end) {
  FacetStudy study;
  const ConeEnd circular = run_with_cone(scene, "circular", true, h, end);
  study.certified = circular.certified;
  for (const int k : facet_counts) {
    const ConeEnd fixed = run_with_cone(scene, std::to_string(k), false, h, end);
    const ConeEnd turned = run_with_cone(scene, std::to_string(k), true, h, end);
    study.fixed.push_back(fixed.distance(circular));
    study.turned.push_back(turned.distance(circular));
    study.certified = study.certified && fixed.certified && turned.certified;
  }
  return study;
}

}  // namespace stiction::scene::test
