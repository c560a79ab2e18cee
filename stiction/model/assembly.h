#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "stiction/model/model_builder.h"

namespace stiction {

/// ModelBuilder::build at work: each step checks one kind of definition and adds what the model needs of it. The first
/// mistake ends it.
struct ModelAssembly {
  explicit ModelAssembly(const ModelBuilder& builder) : from(builder) {}

  std::optional<Error> add_bodies();
  std::optional<Error> add_body(const BodyDef& def, int index);
  std::optional<Error> add_shapes(const BodyDef& def, int index);
  std::optional<Error> add_joints();
  std::optional<Error> add_joint(const JointDef& def, int index);
  std::optional<Error> add_springs();
  std::optional<Error> add_forces();
  std::optional<Error> add_impulses();
  std::optional<Error> add_functions();
  std::optional<Error> add_surfaces();
  std::optional<Error> add_ignored_pairs();
  std::optional<Error> add_groups();
  std::optional<Error> check_shape_pairs() const;

  [[nodiscard]] Model model() && { return Model(std::move(data)); }

  /// Index of a new material, or of an equal one that is there already.
  int material_index(const Material& material);
  /// The body of a handle; `may_be_world` lets -1 through.
  [[nodiscard]] std::optional<Error> check_handle(const std::string& where, std::string_view what, BodyId id,
                                                  bool may_be_world) const;
  [[nodiscard]] const Body* body(int index) const { return index < 0 ? nullptr : &data.bodies[index]; }

  const ModelBuilder& from;
  Model::Data data;
  std::vector<Material> materials;
};

/// Names of one kind: gives the default to those without, and refuses a second one.
class Names {
 public:
  explicit Names(std::string kind) : kind_(std::move(kind)) {}
  /// The name in use, or an error when it is taken.
  Result<std::string> claim(const std::string& given, int index);

 private:
  std::string kind_;
  std::set<std::string, std::less<>> taken_;
};

/// Mass and inertia of a movable body.
[[nodiscard]] Result<Body> with_mass(Body body, const BodyDef& def, const std::vector<ShapeDef>& shapes);

/// One list of a body's shapes, `shape` first.
[[nodiscard]] std::vector<ShapeDef> all_shapes(const BodyDef& def);

[[nodiscard]] std::optional<Error> check_material(const std::string& where, const Material& material);

}  // namespace stiction
