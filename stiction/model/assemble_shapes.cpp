#include <cmath>

#include "stiction/model/assembly.h"
#include "stiction/model/message.h"

namespace stiction {
namespace {

std::optional<Error> check_shape(const std::string& where, const Sphere& s) {
  return need_not_negative(where, "radius", s.radius);
}

std::optional<Error> check_shape(const std::string& where, const HalfSpace& s) {
  if (auto error = need_direction(where, "normal", s.normal)) return error;
  return need_finite(where, "offset", s.offset);
}

std::optional<Error> check_shape(const std::string& where, const Capsule& s) {
  if (auto error = need_not_negative(where, "radius", s.radius)) return error;
  if (auto error = need_positive(where, "length", s.length)) return error;
  return need_direction(where, "axis", s.axis);
}

std::optional<Error> check_shape(const std::string& where, const Box& s) {
  const Vec3 size(s.x, s.y, s.z);
  if (size.allFinite() && size.minCoeff() > 0.0) return std::nullopt;
  return error_at(where, "edge lengths must be positive and finite, are ", size);
}

std::optional<Error> check_round(const std::string& where, double radius, std::string_view what, double length,
                                 const Vec3& axis) {
  if (auto error = need_positive(where, "radius", radius)) return error;
  if (auto error = need_positive(where, what, length)) return error;
  return need_direction(where, "axis", axis);
}

std::optional<Error> check_shape(const std::string& where, const Cylinder& s) {
  return check_round(where, s.radius, "length", s.length, s.axis);
}

std::optional<Error> check_shape(const std::string& where, const Cone& s) {
  return check_round(where, s.radius, "height", s.height, s.axis);
}

std::optional<Error> check_shape(const std::string& where, const Ellipsoid& s) {
  const Vec3 radii(s.x, s.y, s.z);
  if (radii.allFinite() && radii.minCoeff() > 0.0) return std::nullopt;
  return error_at(where, "radii must be positive and finite, are ", radii);
}

std::optional<Error> check_shape(const std::string& where, const Hull& s) {
  if (s.solid != nullptr) return std::nullopt;
  return error_at(where, "is empty; make it with make_hull()");
}

std::optional<Error> check_shape(const std::string& where, const HollowCylinder& s) {
  return check_round(where, s.radius, "radius", s.radius, s.axis);
}

std::optional<Error> check_shape(const std::string& where, const HollowSphere& s) {
  return need_positive(where, "radius", s.radius);
}

std::optional<Error> check_shape(const std::string& where, const Disc& s) {
  return need_positive(where, "radius", s.radius);
}

std::optional<Error> check_shape(const std::string& where, const Polygon& s) {
  if (s.points != nullptr) return std::nullopt;
  return error_at(where, "is empty; make it with make_polygon()");
}

/// What a shape asks of its body.
std::optional<Error> check_owner(const std::string& where, const Body& owner, const ShapeDef& def) {
  if (owner.movable() && is_unbounded(def.shape)) {
    return error_at(where, "a body that moves freely cannot have a ",
                    std::holds_alternative<HalfSpace>(def.shape) ? "half-space" : "hollow shape",
                    "; make it fixed or kinematic");
  }
  if (!is_planar(def.shape)) return std::nullopt;
  const Vec3 z = owner.pose.orientation * (def.pose.orientation.normalized() * Vec3::UnitZ());
  if (owner.planar && std::abs(z.z()) >= 1.0 - 1e-12) return std::nullopt;
  return error_at(where, "a planar shape needs a body that moves in the plane x, y and has its z along the world's; ",
                  "give it the freedom `planar`, or make it fixed");
}

}  // namespace

std::optional<Error> check_material(const std::string& where, const Material& material) {
  if (auto error = need_not_negative(where, "mu", material.mu)) return error;
  if (auto error = need_not_negative(where, "mu2", material.mu2.value_or(0.0))) return error;
  if (auto error = need_not_negative(where, "spin_friction", material.spin_friction)) return error;
  if (auto error = need_not_negative(where, "roll_friction", material.roll_friction)) return error;
  if (material.direction) {
    if (auto error = need_direction(where, "direction", *material.direction)) return error;
  }
  if (!(material.tangential_restitution >= 0.0 && material.tangential_restitution <= 1.0)) {
    return error_at(where, "tangential_restitution must be from 0 to 1, is ", material.tangential_restitution);
  }
  if (material.restitution >= 0.0 && material.restitution <= 1.0) return std::nullopt;
  return error_at(where, "restitution must be from 0 to 1, is ", material.restitution);
}

std::optional<Error> ModelAssembly::add_shapes(const BodyDef& def, int index) {
  const Body& owner = data.bodies[index];
  const std::vector<ShapeDef> shapes = all_shapes(def);
  Names names("shape");
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const ShapeDef& shape = shapes[i];
    const Result<std::string> claimed = names.claim(shape.name, static_cast<int>(i));
    if (!claimed) return error_at(called("body", owner.name), claimed.error());
    const std::string name = shapes.size() == 1 && shape.name.empty() ? owner.name : owner.name + "/" + claimed.value();
    const std::string where = say(called("body", owner.name), ", ", name_of(shape.shape),
                                  shapes.size() == 1 ? "" : " '" + one_line(claimed.value(), 80) + "'");
    if (auto error = std::visit([&where](const auto& s) { return check_shape(where, s); }, shape.shape)) return error;
    if (auto error = need_finite(where, "position", shape.pose.position)) return error;
    if (auto error = need_direction(where, "orientation", shape.pose.orientation)) return error;
    if (auto error = check_owner(where, owner, shape)) return error;
    if (auto error = check_material(where, shape.material)) return error;
    data.shapes.push_back({.body = index,
                           .shape = normalized(shape.shape),
                           .pose = {shape.pose.position, shape.pose.orientation.normalized()},
                           .material = material_index(shape.material),
                           .direction = shape.material.direction
                                            ? std::optional<Vec3>(shape.material.direction->stableNormalized())
                                            : std::nullopt,
                           .name = name});
  }
  return std::nullopt;
}

}  // namespace stiction
