#include <algorithm>
#include <cmath>

#include "stiction/model/assembly.h"
#include "stiction/model/message.h"

namespace stiction {
namespace {

constexpr const char* velocity_names[6] = {"x", "y", "z", "rx", "ry", "rz"};

std::array<bool, 6> free_velocities(const Freedom& f) {
  return {f.x, f.y, f.z, f.rx, f.ry, f.rz};
}

/// Rotations about z alone, and that along the world's z.
bool is_planar(const Body& body) {
  const Freedom& f = body.freedom;
  if (f.z || f.rx || f.ry) return false;
  const Vec3 z = body.pose.orientation * Vec3::UnitZ();
  return !f.rz || std::hypot(z.x(), z.y()) < 1e-9;
}

std::optional<Error> check_motion(const std::string& where, const BodyDef& def) {
  if (auto error = need_finite(where, "position", def.position)) return error;
  if (auto error = need_direction(where, "orientation", def.orientation)) return error;
  if (auto error = need_finite(where, "velocity", def.velocity)) return error;
  if (auto error = need_finite(where, "angular_velocity", def.angular_velocity)) return error;
  if (def.fixed && def.kinematic) return error_at(where, "cannot be both fixed and kinematic; choose one");
  if (def.fixed && !(def.velocity.isZero(0.0) && def.angular_velocity.isZero(0.0))) {
    return error_at(where, "is fixed but has a velocity; remove it or make the body kinematic");
  }
  return std::nullopt;
}

/// A velocity in a direction that the freedom locks is a contradiction, beyond the rounding of a turned frame.
std::optional<Error> check_locked(const std::string& where, const Body& body) {
  Eigen::Matrix<double, 6, 1> velocity;
  velocity << body.velocity, body.pose.orientation.conjugate() * body.angular_velocity;
  const std::array<bool, 6> free = free_velocities(body.freedom);
  if (std::none_of(free.begin(), free.end(), [](bool f) { return f; })) {
    return error_at(where, "has no free velocity; free one or make the body fixed");
  }
  for (int i = 0; i < 6; ++i) {
    const double scale = i < 3 ? body.velocity.norm() : body.angular_velocity.norm();
    if (!free[i] && std::abs(velocity[i]) > 1e-12 * scale) {
      return error_at(where, i < 3 ? "velocity" : "angular_velocity", " has a part along ", velocity_names[i],
                      ", which its freedom locks; make that part zero or free it");
    }
  }
  return std::nullopt;
}

}  // namespace

Result<std::string> Names::claim(const std::string& given, int index) {
  std::string name = given.empty() ? kind_ + std::to_string(index) : given;
  if (!taken_.insert(name).second) return Error{"there are two of " + called(kind_, name) + "; names must differ"};
  return name;
}

std::vector<ShapeDef> all_shapes(const BodyDef& def) {
  std::vector<ShapeDef> shapes;
  if (def.shape) shapes.push_back({.shape = *def.shape, .material = def.material});
  shapes.insert(shapes.end(), def.shapes.begin(), def.shapes.end());
  return shapes;
}

std::optional<Error> ModelAssembly::add_bodies() {
  if (from.bodies_.empty()) return Error{"the model has no bodies; add one"};
  Names names("body");
  for (const BodyDef& def : from.bodies_) {
    const int index = static_cast<int>(data.bodies.size());
    Result<std::string> name = names.claim(def.name, index);
    if (!name) return Error{name.error()};
    data.bodies.push_back({.name = name.value()});
    if (auto error = add_body(def, index)) return error;
  }
  return std::nullopt;
}

std::optional<Error> ModelAssembly::add_body(const BodyDef& def, int index) {
  Body& body = data.bodies[index];
  const std::string where = called("body", body.name);
  if (auto error = check_motion(where, def)) return error;
  body.motion = def.fixed ? Motion::fixed : def.kinematic ? Motion::kinematic : Motion::movable;
  body.freedom = def.freedom;
  body.pose = {def.position, def.orientation.normalized()};
  body.velocity = def.velocity;
  body.angular_velocity = def.angular_velocity;
  if (def.mass) {
    if (auto error = need_positive(where, "mass", *def.mass)) return error;
  }
  if (def.density) {
    if (auto error = need_positive(where, "density", *def.density)) return error;
  }
  if (def.inertia && !def.inertia->allFinite()) {
    return error_at(where, "the inertia has an entry that is not a finite number; correct it");
  }
  const bool stays = body.velocity.z() == 0.0 && body.angular_velocity.x() == 0.0 && body.angular_velocity.y() == 0.0;
  body.planar = body.movable() ? is_planar(body) : stays;
  if (auto error = add_shapes(def, index)) return error;
  if (!body.movable()) return std::nullopt;
  if (auto error = check_locked(where, body)) return error;
  body.first_position = data.positions;
  data.positions += 7;
  const std::array<bool, 6> free = free_velocities(body.freedom);
  for (int i = 0; i < 6; ++i) {
    if (free[i]) body.columns[i] = data.velocities++;
  }
  Result<Body> heavy = with_mass(body, def, all_shapes(def));
  if (!heavy) return Error{heavy.error()};
  body = std::move(heavy).value();
  return std::nullopt;
}

}  // namespace stiction
