#pragma once

#include <string>
#include <utility>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/model/definitions.h"
#include "stiction/model/model.h"

namespace stiction {

/// Collects a description; build() checks all of it and makes the model. Handles are valid as soon as they are given
/// out, mistakes are reported by build() alone.
class ModelBuilder {
 public:
  BodyId add_body(BodyDef body);
  /// A fixed body named "ground" (or "ground<index>" from the second on) of one shape in the world's frame.
  BodyId add_ground(const Shape& shape, const Material& material = {});
  JointId add_joint(JointDef joint);
  void add_spring(SpringDef spring);
  void add_force(ForceDef force);
  void add_impulse(ImpulseDef impulse);
  /// Phi(q) >= 0 of the user's own, frictionless.
  void add_gap(FunctionConstraint gap);
  /// Theta(q) = 0 of the user's own.
  void add_constraint(FunctionConstraint constraint);
  /// In m/s^2; {0, 0, -9.81} unless set.
  void set_gravity(const Vec3& gravity);
  /// What holds between two named materials instead of the combination rule; `a` and `b` may be the same.
  void set_pair(std::string a, std::string b, const Material& surface);
  /// Contacts between the two are not looked for.
  void ignore_pair(BodyId a, BodyId b);
  /// Contacts between bodies of the one group and of the other (or of the same) are not looked for.
  void ignore_groups(std::string a, std::string b);

  [[nodiscard]] Result<Model> build() const;

 private:
  friend struct ModelAssembly;
  struct MaterialPair {
    std::string a, b;
    Material surface;
  };
  std::vector<BodyDef> bodies_;
  std::vector<JointDef> joints_;
  std::vector<SpringDef> springs_;
  std::vector<ForceDef> forces_;
  std::vector<ImpulseDef> impulses_;
  std::vector<FunctionConstraint> gaps_, constraints_;
  std::vector<MaterialPair> material_pairs_;
  std::vector<std::pair<BodyId, BodyId>> ignored_;
  std::vector<std::pair<std::string, std::string>> ignored_groups_;
  Vec3 gravity_ = {0.0, 0.0, -9.81};
};

}  // namespace stiction
