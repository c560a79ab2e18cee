#include "stiction/model/assembly.h"
#include "stiction/model/joint_checks.h"
#include "stiction/model/joint_parts.h"
#include "stiction/model/joint_structure.h"
#include "stiction/model/message.h"

namespace stiction {

std::optional<Error> ModelAssembly::check_handle(const std::string& where, std::string_view what, BodyId id,
                                                 bool may_be_world) const {
  const int count = static_cast<int>(data.bodies.size());
  if (id.index >= 0 && id.index < count) return std::nullopt;
  if (id.index == -1 && may_be_world) return std::nullopt;
  if (id.index == -1) return error_at(where, what, " is missing; give a body of this model");
  return error_at(where, what, " is ", id.index, ", which is no body of this model (it has ", count, ")");
}

std::optional<Error> ModelAssembly::add_joints() {
  Names names("joint");
  for (const JointDef& def : from.joints_) {
    const int index = static_cast<int>(data.joints.size());
    Result<std::string> name = names.claim(def.name, index);
    if (!name) return Error{name.error()};
    data.joints.push_back({.name = name.value(),
                           .kind = def.kind,
                           .body = def.body.index,
                           .partner = def.partner.index,
                           .carrier = def.carrier.index,
                           .break_force = def.break_force.value_or(Drive::unlimited),
                           .break_torque = def.break_torque.value_or(Drive::unlimited),
                           .friction = def.friction});
    if (auto error = add_joint(def, index)) return error;
  }
  return std::nullopt;
}

std::optional<Error> ModelAssembly::add_joint(const JointDef& def, int index) {
  Joint& joint = data.joints[index];
  const std::string where = called("joint", joint.name);
  if (auto error = check_handle(where, "body", def.body, false)) return error;
  if (auto error = check_handle(where, "partner", def.partner, true)) return error;
  if (auto error = check_handle(where, "carrier", def.carrier, true)) return error;
  const Body* a = body(def.body.index);
  const Body* b = body(def.partner.index);
  if (a == b) return error_at(where, "joins ", called("body", a->name), " to itself; give two bodies");
  if (!a->movable() && (b == nullptr || !b->movable())) {
    return error_at(where, "joins two bodies that no force moves; make one of them movable");
  }
  if (auto error = check_joint(where, def)) return error;
  const JointBodies bodies{a, b, body(def.carrier.index)};
  if (auto error = check_joint_bodies(where, def, bodies)) return error;
  const auto pose = [](const Body* body) { return body == nullptr ? Pose{} : body->pose; };
  const bool own_anchor = def.kind == JointKind::distance || def.kind == JointKind::rope;
  const JointFrames frames{pose(a), pose(b), pose(bodies.c), def.anchor, own_anchor ? *def.partner_anchor : def.anchor};
  for (const ConstraintPart& part : parts_of(def, frames)) {
    const PartStructure structure = structure_of(part, bodies);
    if (structure.free_motion) {
      joint.parts.push_back(part);
    } else if (structure.kinematic_motion) {
      return error_at(where, "a ", to_string(def.kind),
                      " joint cannot hold here: the kinematic body moves in a way that ",
                      called("body", (a->movable() ? a : b)->name), " is not free to follow");
    }
  }
  add_joint_gaps(def, joint.name, index, frames, data.joint_gaps);
  add_joint_drives(def, index, frames, data.joint_drives);
  return std::nullopt;
}

}  // namespace stiction
