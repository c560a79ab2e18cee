#include "stiction/scene/shape_reader.h"

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "stiction/geometry/hull.h"
#include "stiction/geometry/polygon.h"

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
constexpr std::array<std::string_view, 3> cone_keys{"radius", "height", "axis"};
constexpr std::array<std::string_view, 1> ellipsoid_keys{"radii"};
constexpr std::array<std::string_view, 2> hollow_keys{"radius", "axis"};
constexpr std::array<std::string_view, 2> points_keys{"points", "centered"};

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

double required_length(const ObjectReader& object, std::string_view key) {
  return object.required_number(key, length_range).value_or(1.0);
}

Vec3 read_axis(const ObjectReader& object) {
  return object.direction("axis").value_or(Vec3::UnitZ());
}

Shape read_cylinder(const ObjectReader& object) {
  return Cylinder{required_length(object, "radius"), required_length(object, "length"), read_axis(object)};
}

Shape read_cone(const ObjectReader& object) {
  return Cone{required_length(object, "radius"), required_length(object, "height"), read_axis(object)};
}

Shape read_ellipsoid(const ObjectReader& object) {
  const auto at = object.require("radii", "[x, y, z], half the lengths in m");
  const auto radii = at ? read_vector(*at, length_range, object.mistakes()) : std::nullopt;
  return radii ? Ellipsoid{radii->x(), radii->y(), radii->z()} : Ellipsoid{};
}

Shape read_hollow_cylinder(const ObjectReader& object) {
  return HollowCylinder{required_length(object, "radius"), read_axis(object)};
}

Shape read_hollow_sphere(const ObjectReader& object) {
  return HollowSphere{required_length(object, "radius")};
}

Shape read_disc(const ObjectReader& object) {
  return Disc{required_length(object, "radius")};
}

/// A hull or polygon from its points. Where these are as they should be one by one, what the maker says of them
/// together becomes a mistake.
template <class Point, class Read, class Make>
Shape read_points(const ObjectReader& object, std::string_view what, std::size_t most, Read read, Make make) {
  const std::size_t mistakes = object.mistakes().list().size();
  const bool is_centered = object.boolean("centered").value_or(false);
  std::vector<Point> points;
  static_cast<void>(object.require("points", what));
  object.for_each("points", "points", most, [&](const Spot& spot, std::size_t /*index*/) {
    if (const auto x = read(spot, coordinate_range, object.mistakes())) points.push_back(*x);
  });
  if (object.mistakes().list().size() > mistakes || !object.ok()) return Sphere{};
  const auto solid = make(points);
  if (solid) return is_centered ? centered(solid.value()) : solid.value();
  object.refuse("points", solid.error());
  return Sphere{};
}

Shape read_hull(const ObjectReader& object) {
  return read_points<Vec3>(object, "a list of [x, y, z], 4 or more, in m", most_hull_points, read_vector, make_hull);
}

Shape read_polygon(const ObjectReader& object) {
  return read_points<Eigen::Vector2d>(object, "a list of [x, y], 3 or more, in m", most_polygon_points,
                                      read_plane_vector, make_polygon);
}

constexpr std::array<ShapeType, 14> shape_types{{
    {"sphere", sphere_keys, read_sphere},
    {"point", {}, read_point},
    {"half_space", half_space_keys, read_half_space},
    {"capsule", capsule_keys, read_capsule},
    {"segment", segment_keys, read_segment},
    {"box", box_keys, read_box},
    {"cylinder", capsule_keys, read_cylinder},
    {"cone", cone_keys, read_cone},
    {"ellipsoid", ellipsoid_keys, read_ellipsoid},
    {"hull", points_keys, read_hull},
    {"hollow_cylinder", hollow_keys, read_hollow_cylinder},
    {"hollow_sphere", sphere_keys, read_hollow_sphere},
    {"disc", sphere_keys, read_disc},
    {"polygon", points_keys, read_polygon},
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
