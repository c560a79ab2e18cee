#include "stiction/model/body_structure.h"

#include <algorithm>
#include <numeric>

#include "stiction/model/model.h"

namespace stiction {
namespace {

/// Compounds under construction: the root of a body is the lowest of its compound.
struct Compounds {
  std::vector<int> parent;

  int root(int body) {
    while (parent[body] != body) body = parent[body] = parent[parent[body]];
    return body;
  }
  void join(int a, int b) {
    if (a < 0 || b < 0) return;
    const int root_a = root(a), root_b = root(b);
    parent[std::max(root_a, root_b)] = std::min(root_a, root_b);
  }
};

}  // namespace

BodyStructure BodyStructure::one(int velocities) {
  BodyStructure structure;
  structure.starts.push_back(velocities);
  structure.compound.push_back(0);
  return structure;
}

std::vector<int> places_of(const Model& model) {
  std::vector<int> places;
  int count = 0;
  for (const Body& body : model.bodies()) {
    const bool has_any = std::any_of(body.columns.begin(), body.columns.end(), [](int column) { return column >= 0; });
    places.push_back(has_any ? count++ : -1);
  }
  return places;
}

BodyStructure structure_of(const Model& model) {
  const std::vector<int> places = places_of(model);
  const auto place = [&](int body) { return body < 0 ? -1 : places[body]; };
  BodyStructure structure;
  structure.planar = true;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] < 0) continue;
    const Body& body = model.bodies()[i];
    const auto has = std::count_if(body.columns.begin(), body.columns.end(), [](int column) { return column >= 0; });
    structure.starts.push_back(structure.starts.back() + static_cast<int>(has));
    structure.planar = structure.planar && body.planar;
  }
  Compounds compounds;
  compounds.parent.resize(static_cast<std::size_t>(structure.size()));
  std::iota(compounds.parent.begin(), compounds.parent.end(), 0);
  for (const Joint& joint : model.joints()) {
    if (place(joint.carrier) < 0) continue;
    compounds.join(place(joint.carrier), place(joint.body));
    compounds.join(place(joint.carrier), place(joint.partner));
  }
  if (!model.user_gaps().empty() || !model.user_constraints().empty())
    for (int body = 1; body < structure.size(); ++body) compounds.join(0, body);
  for (int body = 0; body < structure.size(); ++body) structure.compound.push_back(compounds.root(body));
  for (const Spring& spring : model.springs()) {
    const int a = place(spring.body), b = place(spring.partner);
    if (a >= 0 && b >= 0 && a != b) structure.springs.emplace_back(std::min(a, b), std::max(a, b));
  }
  std::sort(structure.springs.begin(), structure.springs.end());
  structure.springs.erase(std::unique(structure.springs.begin(), structure.springs.end()), structure.springs.end());
  return structure;
}

}  // namespace stiction
