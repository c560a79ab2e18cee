#include "bench/step/scene_json.h"

#include <nlohmann/json.hpp>

namespace stiction::bench {
namespace {

using nlohmann::json;

json list(const Vec3& x) {
  return {x.x(), x.y(), x.z()};
}

/// Radius and length as the shape has them; full edge lengths of a box.
json size_of(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return {sphere->radius};
  if (const auto* box = std::get_if<Box>(&shape)) return {box->x, box->y, box->z};
  if (const auto* capsule = std::get_if<Capsule>(&shape)) return {capsule->radius, capsule->length};
  const auto& cylinder = std::get<Cylinder>(shape);
  return {cylinder.radius, cylinder.length};
}

}  // namespace

std::string to_json(const StepScene& scene) {
  json out{{"name", scene.name},       {"h", scene.h},
           {"mu", scene.mu},           {"gravity", list(scene.gravity)},
           {"collide", scene.collide}, {"planes", json::array()},
           {"bodies", json::array()},  {"joints", json::array()}};
  for (const HalfSpace& plane : scene.planes)
    out["planes"].push_back({{"normal", list(plane.normal)}, {"offset", plane.offset}});
  for (const SceneBody& body : scene.bodies) {
    const Quat& turn = body.pose.orientation;
    out["bodies"].push_back({{"shape", name_of(body.shape)},
                             {"size", size_of(body.shape)},
                             {"mass", body.mass},
                             {"position", list(body.pose.position)},
                             {"orientation", {turn.w(), turn.x(), turn.y(), turn.z()}},
                             {"velocity", list(body.velocity)},
                             {"angular_velocity", list(body.angular_velocity)}});
  }
  for (const SceneJoint& joint : scene.joints) {
    out["joints"].push_back({{"kind", joint.kind == SceneJoint::Kind::ball ? "ball" : "hinge"},
                             {"body", joint.body},
                             {"partner", joint.partner},
                             {"anchor", list(joint.anchor)},
                             {"axis", list(joint.axis)}});
  }
  return out.dump();
}

}  // namespace stiction::bench
