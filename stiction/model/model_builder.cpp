#include "stiction/model/model_builder.h"

#include "stiction/model/assembly.h"
#include "stiction/model/message.h"

namespace stiction {

BodyId ModelBuilder::add_body(BodyDef body) {
  bodies_.push_back(std::move(body));
  return {static_cast<int>(bodies_.size()) - 1};
}

BodyId ModelBuilder::add_ground(const Shape& shape, const Material& material) {
  bool taken = false;
  for (const BodyDef& body : bodies_) taken = taken || body.name == "ground";
  const std::string name = taken ? "ground" + std::to_string(bodies_.size()) : "ground";
  return add_body({.name = name, .shape = shape, .material = material, .fixed = true});
}

JointId ModelBuilder::add_joint(JointDef joint) {
  joints_.push_back(std::move(joint));
  return {static_cast<int>(joints_.size()) - 1};
}

void ModelBuilder::add_spring(SpringDef spring) {
  springs_.push_back(std::move(spring));
}

void ModelBuilder::add_force(ForceDef force) {
  forces_.push_back(std::move(force));
}

void ModelBuilder::add_impulse(ImpulseDef impulse) {
  impulses_.push_back(std::move(impulse));
}

void ModelBuilder::add_gap(FunctionConstraint gap) {
  gaps_.push_back(std::move(gap));
}

void ModelBuilder::add_constraint(FunctionConstraint constraint) {
  constraints_.push_back(std::move(constraint));
}

void ModelBuilder::set_gravity(const Vec3& gravity) {
  gravity_ = gravity;
}

void ModelBuilder::set_pair(std::string a, std::string b, const Material& surface) {
  material_pairs_.push_back({std::move(a), std::move(b), surface});
}

void ModelBuilder::ignore_pair(BodyId a, BodyId b) {
  ignored_.emplace_back(a, b);
}

void ModelBuilder::ignore_groups(std::string a, std::string b) {
  ignored_groups_.emplace_back(std::move(a), std::move(b));
}

Result<Model> ModelBuilder::build() const {
  ModelAssembly assembly(*this);
  if (auto error = need_finite("model", "gravity", gravity_)) return *error;
  assembly.data.gravity = gravity_;
  for (auto step : {&ModelAssembly::add_bodies, &ModelAssembly::add_joints, &ModelAssembly::add_springs,
                    &ModelAssembly::add_forces, &ModelAssembly::add_impulses, &ModelAssembly::add_functions,
                    &ModelAssembly::add_surfaces, &ModelAssembly::add_ignored_pairs, &ModelAssembly::add_groups}) {
    if (auto error = (assembly.*step)()) return *error;
  }
  if (auto error = assembly.check_shape_pairs()) return *error;
  return std::move(assembly).model();
}

}  // namespace stiction
