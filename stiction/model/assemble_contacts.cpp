#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/geometry/contact_points.h"
#include "stiction/model/assembly.h"
#include "stiction/model/message.h"

namespace stiction {
namespace {

double mu2_of(const Material& material) {
  return material.mu2.value_or(material.mu);
}

/// The combination rule stated at Material.
SurfacePair combined(const Material& a, const Material& b) {
  return {.mu = std::sqrt(a.mu * b.mu),
          .mu2 = std::sqrt(mu2_of(a) * mu2_of(b)),
          .restitution = std::max(a.restitution, b.restitution),
          .spin_friction = std::max(a.spin_friction, b.spin_friction),
          .roll_friction = std::max(a.roll_friction, b.roll_friction),
          .tangential_restitution = std::max(a.tangential_restitution, b.tangential_restitution),
          .soft = a.soft || b.soft};
}

template <class T>
std::pair<T, T> sorted(const T& a, const T& b) {
  return {std::min(a, b), std::max(a, b)};
}

/// Shapes that is_supported treats alike: the kind, and whether it is thin.
int kind_of(const Shape& shape) {
  const auto* sphere = std::get_if<Sphere>(&shape);
  const auto* capsule = std::get_if<Capsule>(&shape);
  const bool thin = (sphere != nullptr && sphere->radius == 0.0) || (capsule != nullptr && capsule->radius == 0.0);
  return 2 * static_cast<int>(shape.index()) + (thin ? 1 : 0);
}
std::string described(const Shape& shape) {
  return (kind_of(shape) % 2 == 1 ? "a thin " : "a ") + std::string(name_of(shape));
}
constexpr int kinds = 2 * static_cast<int>(std::variant_size_v<Shape>);

}  // namespace

int ModelAssembly::material_index(const Material& material) {
  const auto same = [&material](const Material& known) {
    return known.name == material.name && known.mu == material.mu && mu2_of(known) == mu2_of(material) &&
           known.restitution == material.restitution && known.spin_friction == material.spin_friction &&
           known.roll_friction == material.roll_friction &&
           known.tangential_restitution == material.tangential_restitution && known.soft == material.soft;
  };
  const auto it = std::find_if(materials.begin(), materials.end(), same);
  if (it != materials.end()) return static_cast<int>(it - materials.begin());
  materials.push_back(material);
  return static_cast<int>(materials.size()) - 1;
}

std::optional<Error> ModelAssembly::add_surfaces() {
  const int count = static_cast<int>(materials.size());
  data.materials = count;
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      const bool same_name = i != j && !materials[i].name.empty() && materials[i].name == materials[j].name;
      if (same_name) {
        return error_at(called("material", materials[i].name), "is used with different values; give each its own name");
      }
      data.surfaces.push_back(combined(materials[i], materials[j]));
    }
  }
  std::vector<std::pair<std::string, std::string>> given;
  for (const auto& pair : from.material_pairs_) {
    const std::string where = say("pair of ", called("material", pair.a), " and '", one_line(pair.b, 80), "'");
    if (pair.a.empty() || pair.b.empty()) return error_at(where, "a pair needs two named materials");
    if (auto error = check_material(where, pair.surface)) return error;
    given.push_back(sorted(pair.a, pair.b));
    if (std::count(given.begin(), given.end(), given.back()) > 1) return error_at(where, "is given twice; remove one");
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < count; ++j) {
        if (sorted(materials[i].name, materials[j].name) != given.back()) continue;
        const Material& surface = pair.surface;
        data.surfaces[i * count + j] = {surface.mu,
                                        mu2_of(surface),
                                        surface.restitution,
                                        surface.spin_friction,
                                        surface.roll_friction,
                                        surface.tangential_restitution,
                                        surface.soft};
      }
    }
  }
  return std::nullopt;
}

std::optional<Error> ModelAssembly::add_ignored_pairs() {
  for (const auto& [a, b] : from.ignored_) {
    if (auto error = check_handle("ignored pair", "body", a, false)) return error;
    if (auto error = check_handle("ignored pair", "body", b, false)) return error;
    data.ignored_pairs.push_back(sorted(a.index, b.index));
  }
  for (std::size_t i = 0; i < data.joints.size(); ++i) {
    const Joint& joint = data.joints[i];
    if (joint.partner >= 0 && !from.joints_[i].collide) data.ignored_pairs.push_back(sorted(joint.body, joint.partner));
  }
  std::sort(data.ignored_pairs.begin(), data.ignored_pairs.end());
  const auto end = std::unique(data.ignored_pairs.begin(), data.ignored_pairs.end());
  data.ignored_pairs.erase(end, data.ignored_pairs.end());
  return std::nullopt;
}

std::optional<Error> ModelAssembly::check_shape_pairs() const {
  std::array<std::vector<int>, kinds> of_kind;
  const int count = static_cast<int>(data.shapes.size());
  for (int i = 0; i < count; ++i) of_kind[kind_of(data.shapes[i].shape)].push_back(i);
  for (int first = 0; first < kinds; ++first) {
    for (int second = first; second < kinds; ++second) {
      if (of_kind[first].empty() || of_kind[second].empty()) continue;
      const Shape &a = data.shapes[of_kind[first][0]].shape, &b = data.shapes[of_kind[second][0]].shape;
      if (is_supported(a, b)) continue;
      for (const int i : of_kind[first]) {
        for (const int j : of_kind[second]) {
          if (!data.may_touch(i, j)) continue;
          return Error{say(called("body", data.bodies[data.shapes[i].body].name), " and ",
                           called("body", data.bodies[data.shapes[j].body].name), ": contact between ", described(a),
                           " and ", described(b),
                           " is not known; use other shapes, or ignore the pair if the two never meet")};
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace stiction
