#include "stiction/scene/shape_reader.h"

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace stiction::scene {

namespace {

constexpr std::array<std::string_view, 6> common_keys{"type", "name", "position", "orientation", "angle", "material"};

/// A type of shape: its own keys, and how it is read. What is wrong has been said when the shape is read; a default
/// then stands in for it.
struct ShapeType {
  std::string_view name;
  std::span<const std::string_view> keys;
  Shape (*read)(const ObjectReader& object);
};

constexpr std::array<std::string_view, 1> sphere_keys{"radius"};
constexpr std::array<std::string_view, 2> half_space_keys{"normal", "offset"};
constexpr std::array<std::string_view, 3> capsule_keys{"radius", "length", "axis"};
constexpr std::array<std::string_view, 2> segment_keys{"length", "axis"};
constexpr std::array<std::string_view, 1> box_keys{"size"};

Shape read_sphere(const ObjectReader& object) {
  return Sphere{object.required_number("radius", length_range).value_or(1.0)};
}

Shape read_point(const ObjectReader& /*object*/) {
  return Sphere{0.0};
}

Shape read_half_space(const ObjectReader& object) {
  return HalfSpace{object.direction("normal").value_or(Vec3::UnitZ()),
                   object.number("offset", coordinate_range).value_or(0.0)};
}

Shape read_capsule(const ObjectReader& object) {
  return Capsule{object.required_number("radius", length_range).value_or(1.0),
                 object.required_number("length", length_range).value_or(1.0),
                 object.direction("axis").value_or(Vec3::UnitZ())};
}

Shape read_segment(const ObjectReader& object) {
  return Capsule{0.0, object.required_number("length", length_range).value_or(1.0),
                 object.direction("axis").value_or(Vec3::UnitZ())};
}

Shape read_box(const ObjectReader& object) {
  const auto size = object.require("size", "[x, y, z], the full edge lengths in m");
  const auto edges = size ? read_vector(*size, length_range, object.mistakes()) : std::nullopt;
  return edges ? Box{edges->x(), edges->y(), edges->z()} : Box{};
}

constexpr std::array<ShapeType, 6> shape_types{{
    {"sphere", sphere_keys, read_sphere},
    {"point", {}, read_point},
    {"half_space", half_space_keys, read_half_space},
    {"capsule", capsule_keys, read_capsule},
    {"segment", segment_keys, read_segment},
    {"box", box_keys, read_box},
}};

}  // namespace

std::optional<ShapeDef> read_shape(const Spot& spot, const Materials& materials, const Material& material,
                                   Mistakes& mistakes) {
  std::array<std::string_view, shape_types.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = shape_types[i].name;
  const auto index = read_type(spot, "a shape", names, mistakes);
  if (!index) return std::nullopt;
  const ShapeType& type = shape_types[*index];

  std::vector<std::string_view> keys(common_keys.begin(), common_keys.end());
  keys.insert(keys.end(), type.keys.begin(), type.keys.end());
  const ObjectReader object(spot, "a shape of type `" + std::string(type.name) + "`", keys, mistakes);
  ShapeDef shape{.shape = type.read(object), .material = material};
  if (const auto position = object.vector("position", coordinate_range)) shape.pose.position = *position;
  if (const auto orientation = object.orientation()) shape.pose.orientation = *orientation;
  if (const auto at = object.find("material")) shape.material = materials.read_use(*at, mistakes).value_or(material);
  if (const auto at = object.find("name")) shape.name = read_name(*at, mistakes).value_or("");
  return shape;
}

}  // namespace stiction::scene
