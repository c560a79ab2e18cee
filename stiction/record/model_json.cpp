#include "stiction/record/model_json.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "stiction/geometry/polytope.h"

namespace stiction {

namespace {

using nlohmann::ordered_json;

ordered_json list_of(const Vec3& x) {
  return {x.x(), x.y(), x.z()};
}

ordered_json list_of(const Quat& q) {
  return {q.w(), q.x(), q.y(), q.z()};
}

/// The keys that belong to a type alone.
struct OwnKeys {
  ordered_json& out;

  void operator()(const Sphere& s) const { out["radius"] = s.radius; }
  void operator()(const HalfSpace& s) const {
    out["normal"] = list_of(s.normal);
    out["offset"] = s.offset;
  }
  void operator()(const Capsule& s) const { round(s.radius, "length", s.length, s.axis); }
  void operator()(const Box& s) const { out["size"] = {s.x, s.y, s.z}; }
  void operator()(const Cylinder& s) const { round(s.radius, "length", s.length, s.axis); }
  void operator()(const Cone& s) const { round(s.radius, "height", s.height, s.axis); }
  void operator()(const Ellipsoid& s) const { out["radii"] = {s.x, s.y, s.z}; }
  void operator()(const Hull& s) const {
    out["points"] = ordered_json::array();
    for (const Vec3& x : s.solid->vertices) out["points"].push_back(list_of(x));
    out["faces"] = ordered_json::array();
    for (const auto& face : s.solid->faces) {
      const auto corners = s.solid->corners_of(face);
      out["faces"].push_back(std::vector<int>(corners.begin(), corners.end()));
    }
  }
  void operator()(const HollowCylinder& s) const {
    out["radius"] = s.radius;
    out["axis"] = list_of(s.axis);
  }
  void operator()(const HollowSphere& s) const { out["radius"] = s.radius; }
  void operator()(const Disc& s) const { out["radius"] = s.radius; }
  void operator()(const Polygon& s) const {
    out["points"] = ordered_json::array();
    for (const Eigen::Vector2d& x : *s.points) out["points"].push_back({x.x(), x.y()});
  }

 private:
  void round(double radius, const char* what, double length, const Vec3& axis) const {
    out["radius"] = radius;
    out[what] = length;
    out["axis"] = list_of(axis);
  }
};

ordered_json to_json(const BodyShape& shape) {
  ordered_json out;
  out["type"] = name_of(shape.shape);
  out["name"] = shape.name;
  std::visit(OwnKeys{out}, shape.shape);
  out["position"] = list_of(shape.pose.position);
  out["orientation"] = list_of(shape.pose.orientation);
  return out;
}

/// Where it holds the partner and the body, each in its own frame; empty where it holds no point of them.
ordered_json anchors_of(const Joint& joint, const RopeGap* rope) {
  const auto both = [](const auto& part) { return ordered_json{list_of(part.anchor_b), list_of(part.anchor_a)}; };
  if (rope != nullptr) return both(*rope);
  for (const ConstraintPart& part : joint.parts) {
    if (const auto* point = std::get_if<PointPart>(&part)) return both(*point);
    if (const auto* plane = std::get_if<PlanePart>(&part)) return both(*plane);
    if (const auto* rod = std::get_if<DistancePart>(&part)) return both(*rod);
  }
  return ordered_json::array();
}

/// About or along which the body moves, in the partner's frame; of a universal joint the partner's own. Two directions
/// across it are what the parts know.
std::optional<Vec3> axis_of(const Joint& joint) {
  std::vector<Vec3> across;
  for (const ConstraintPart& part : joint.parts) {
    const auto* plane = std::get_if<PlanePart>(&part);
    const auto* angle = std::get_if<PerpendicularPart>(&part);
    if (joint.kind == JointKind::prismatic && plane != nullptr) across.push_back(plane->normal_b);
    if (joint.kind != JointKind::prismatic && angle != nullptr) across.push_back(angle->w_b);
  }
  if (joint.kind == JointKind::universal && !across.empty()) return across[0];
  if (joint.kind == JointKind::fixed || across.size() != 2) return std::nullopt;
  return across[0].cross(across[1]);
}

ordered_json to_json(const Joint& joint, const RopeGap* rope, const std::string& partner, const std::string& body) {
  ordered_json out{{"name", joint.name},
                   {"type", to_string(joint.kind)},
                   {"bodies", {partner, body}},
                   {"anchors", anchors_of(joint, rope)}};
  if (const std::optional<Vec3> axis = axis_of(joint)) out["axis"] = list_of(*axis);
  if (rope != nullptr) out["length"] = rope->length;
  return out;
}

const char* motion_of(const Body& body) {
  switch (body.motion) {
    case Motion::fixed:
      return "fixed";
    case Motion::kinematic:
      return "kinematic";
    case Motion::movable:
    default:
      return "movable";
  }
}

}  // namespace

std::string model_to_json(const Model& model) {
  ordered_json bodies = ordered_json::array();
  bool is_planar = true;
  for (const Body& body : model.bodies()) {
    ordered_json entry;
    entry["name"] = body.name;
    entry["motion"] = motion_of(body);
    entry["mass"] = body.mass;
    entry["position"] = list_of(body.pose.position);
    entry["orientation"] = list_of(body.pose.orientation);
    entry["shapes"] = ordered_json::array();
    bodies.push_back(entry);
    is_planar = is_planar && (body.motion == Motion::fixed || body.planar);
  }
  for (const BodyShape& shape : model.shapes()) {
    bodies[static_cast<std::size_t>(shape.body)]["shapes"].push_back(to_json(shape));
  }
  ordered_json out;
  out["gravity"] = list_of(model.gravity());
  out["planar"] = is_planar;
  out["bodies"] = std::move(bodies);
  out["joints"] = ordered_json::array();
  const auto name_of_body = [&](int body) { return body < 0 ? "" : model.bodies()[body].name; };
  std::vector<const RopeGap*> ropes(model.joints().size(), nullptr);
  for (const JointGap& gap : model.joint_gaps())
    if (const auto* rope = std::get_if<RopeGap>(&gap.law)) ropes[static_cast<std::size_t>(gap.joint)] = rope;
  for (std::size_t i = 0; i < ropes.size(); ++i) {
    const Joint& joint = model.joints()[i];
    out["joints"].push_back(to_json(joint, ropes[i], name_of_body(joint.partner), name_of_body(joint.body)));
  }
  out["springs"] = ordered_json::array();
  for (const Spring& spring : model.springs())
    out["springs"].push_back({{"name", spring.name},
                              {"bodies", {name_of_body(spring.partner), name_of_body(spring.body)}},
                              {"anchors", {list_of(spring.partner_anchor), list_of(spring.anchor)}},
                              {"stiffness", spring.stiffness},
                              {"damping", spring.damping},
                              {"length", spring.length}});
  return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace stiction
