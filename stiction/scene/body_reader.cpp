#include "stiction/scene/body_reader.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "stiction/geometry/mass_properties.h"
#include "stiction/scene/shape_reader.h"

namespace stiction::scene {

namespace {

constexpr std::size_t most_shapes = 1000;
constexpr std::array<std::string_view, 16> body_keys{
    "name",  "mass",     "density",          "inertia", "shape", "shapes",    "position", "orientation",
    "angle", "velocity", "angular_velocity", "freedom", "fixed", "kinematic", "material", "group"};
constexpr std::array<std::string_view, 6> freedom_words{"full", "planar", "particle", "x", "y", "z"};
constexpr std::array<std::string_view, 6> velocity_names{"x", "y", "z", "rx", "ry", "rz"};

/// A velocity that the freedom locks must not be there at the start; rounding, relative to the others, may.
constexpr double locked_share = 1e-12;

using Mask = std::array<bool, 6>;

Freedom freedom_of(const Mask& mask) {
  return {mask[0], mask[1], mask[2], mask[3], mask[4], mask[5]};
}

Mask mask_of(const Freedom& freedom) {
  return {freedom.x, freedom.y, freedom.z, freedom.rx, freedom.ry, freedom.rz};
}

Freedom freedom_of_word(std::size_t word) {
  switch (word) {
    case 0:
      return Freedom::full();
    case 1:
      return Freedom::planar();
    case 2:
      return Freedom::particle();
    default: {
      Mask mask{};
      mask[word - 3] = true;
      return freedom_of(mask);
    }
  }
}

std::optional<Freedom> read_freedom(const Spot& spot, Mistakes& mistakes) {
  const JsonValue::Array* list = spot.value().array();
  if (list == nullptr) {
    const auto word = read_word(spot, freedom_words, mistakes);
    return word ? std::optional(freedom_of_word(*word)) : std::nullopt;
  }
  if (list->empty()) {
    spot.expect("at least one of " + list_words(velocity_names) + "; a body that cannot move is `\"fixed\": true`",
                mistakes);
    return std::nullopt;
  }
  Mask mask{};
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Spot item(spot, (*list)[i], i);
    const auto word = read_word(item, velocity_names, mistakes);
    if (!word) return std::nullopt;
    if (mask[*word]) item.expect("each velocity once", mistakes);
    mask[*word] = true;
  }
  return freedom_of(mask);
}

std::optional<Vec3> read_angular_velocity(const Spot& spot, Mistakes& mistakes) {
  if (spot.value().number() == nullptr) return read_vector(spot, angular_velocity_range, mistakes);
  const auto about_z = read_number(spot, angular_velocity_range, mistakes);
  return about_z ? std::optional<Vec3>(*about_z * Vec3::UnitZ()) : std::nullopt;
}

void read_shapes(const ObjectReader& object, const Materials& materials, BodyDef& body) {
  object.refuse_both("shape", "shapes");
  const auto add = [&](const Spot& spot) {
    if (auto shape = read_shape(spot, materials, body.material, object.mistakes()))
      body.shapes.push_back(std::move(*shape));
  };
  if (const auto one = object.find("shape")) add(*one);
  object.for_each("shapes", "shapes", most_shapes, [&](const Spot& spot, std::size_t /*index*/) { add(spot); });
}

void read_motion(const ObjectReader& object, BodyDef& body) {
  if (const auto position = object.vector("position", coordinate_range)) body.position = *position;
  if (const auto orientation = object.orientation()) body.orientation = *orientation;
  if (const auto velocity = object.vector("velocity", velocity_range)) body.velocity = *velocity;
  if (const auto at = object.find("angular_velocity"))
    body.angular_velocity = read_angular_velocity(*at, object.mistakes()).value_or(Vec3::Zero());
  if (const auto at = object.find("freedom"))
    body.freedom = read_freedom(*at, object.mistakes()).value_or(Freedom::full());
  body.fixed = object.boolean("fixed").value_or(false);
  body.kinematic = object.boolean("kinematic").value_or(false);
}

/// Why no body has this inertia. Of one that turns about some axes only, the moments about the others may be missing.
std::optional<std::string> find_inertia_defect(const Mat3& inertia, const Freedom& freedom) {
  if (freedom.rx && freedom.ry && freedom.rz) return inertia_defect(inertia);
  if (inertia != inertia.transpose()) return "is not symmetric";
  const Vec3 moments = Eigen::SelfAdjointEigenSolver<Mat3>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  if (moments[0] < -1e-9 * moments[2] || moments[2] <= 0.0) return "has a moment that is not positive";
  return std::nullopt;
}

void check_mass(const ObjectReader& object, const BodyDef& body) {
  if (body.inertia)
    if (const auto defect = find_inertia_defect(*body.inertia, body.freedom))
      object.refuse("inertia", "the inertia " + *defect + ", expected that of a body");
  if (body.fixed || body.kinematic) return;
  if (!object.has("mass") && !object.has("density"))
    object.refuse(
        "", "found neither `mass` nor `density`, expected one of them; a body that cannot move is `\"fixed\": true`");
  for (const ShapeDef& shape : body.shapes)
    if (is_unbounded(shape.shape))
      object.refuse(object.has("shape") ? "shape" : "shapes",
                    std::string(std::holds_alternative<HalfSpace>(shape.shape) ? "a half-space" : "a hollow shape") +
                        " can belong to a fixed or kinematic body alone, expected `\"fixed\": true`");
  if (!body.density) return;
  const bool is_solid = std::any_of(body.shapes.begin(), body.shapes.end(), [](const ShapeDef& shape) {
    const double space = volume(shape.shape);
    return space > 0.0 && std::isfinite(space);
  });
  if (!is_solid) object.refuse("density", "no shape of the body has a volume, expected `mass` instead of `density`");
}

/// The freedom's velocities: world x y z, then rotations about the body's own axes.
void check_locked_velocities(const ObjectReader& object, const BodyDef& body) {
  const Mask mask = mask_of(body.freedom);
  const Vec3 rotation = body.orientation.conjugate() * body.angular_velocity;
  for (int i = 0; i < 3; ++i) {
    const auto index = static_cast<std::size_t>(i);
    if (!mask[index] && std::abs(body.velocity[i]) > locked_share * body.velocity.norm())
      object.refuse("velocity", "the body's freedom has no `" + std::string(velocity_names[index]) +
                                    "`, expected no velocity along it");
    if (!mask[index + 3] && std::abs(rotation[i]) > locked_share * rotation.norm())
      object.refuse("angular_velocity", "the body's freedom has no `" + std::string(velocity_names[index + 3]) +
                                            "`, expected no angular velocity about its own " +
                                            std::string(velocity_names[index]));
  }
}

void check_motion(const ObjectReader& object, const BodyDef& body) {
  if (body.fixed && body.kinematic)
    object.refuse("kinematic", "found both `fixed` and `kinematic`, expected one of them");
  if (body.fixed) {
    if (!body.velocity.isZero(0.0)) object.refuse("velocity", "the body is fixed, expected no velocity");
    if (!body.angular_velocity.isZero(0.0))
      object.refuse("angular_velocity", "the body is fixed, expected no angular velocity");
  } else if (!body.kinematic) {
    check_locked_velocities(object, body);
  }
}

}  // namespace

BodyDef read_body(const Spot& spot, const Materials& materials, Mistakes& mistakes) {
  BodyDef body;
  const ObjectReader object(spot, "a body", body_keys, mistakes);
  if (!object.ok()) return body;
  if (const auto name = object.require("name", name_in_words())) body.name = read_name(*name, mistakes).value_or("");
  if (const auto group = object.find("group")) body.group = read_name(*group, mistakes).value_or("");
  object.refuse_both("mass", "density");
  body.mass = object.number("mass", mass_range);
  body.density = object.number("density", density_range);
  if (const auto inertia = object.find("inertia")) body.inertia = read_inertia(*inertia, mistakes);
  body.material = materials.fallback();
  if (const auto at = object.find("material"))
    body.material = materials.read_use(*at, mistakes).value_or(materials.fallback());
  read_shapes(object, materials, body);
  read_motion(object, body);
  check_mass(object, body);
  check_motion(object, body);
  return body;
}

}  // namespace stiction::scene
