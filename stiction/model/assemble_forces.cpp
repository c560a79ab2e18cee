#include <algorithm>

#include "stiction/model/assembly.h"
#include "stiction/model/message.h"

namespace stiction {

std::optional<Error> ModelAssembly::add_springs() {
  Names names("spring");
  for (const SpringDef& def : from.springs_) {
    const Result<std::string> name = names.claim(def.name, static_cast<int>(data.springs.size()));
    if (!name) return Error{name.error()};
    const std::string where = called("spring", name.value());
    if (auto error = check_handle(where, "body", def.body, false)) return error;
    if (auto error = check_handle(where, "partner", def.partner, true)) return error;
    if (def.body == def.partner) return error_at(where, "joins a body to itself; give two bodies");
    if (auto error = need_finite(where, "anchor", def.anchor)) return error;
    if (auto error = need_finite(where, "partner_anchor", def.partner_anchor)) return error;
    if (auto error = need_not_negative(where, "stiffness", def.stiffness)) return error;
    if (auto error = need_not_negative(where, "damping", def.damping)) return error;
    const double length = def.length.value_or((def.anchor - def.partner_anchor).norm());
    if (auto error = need_not_negative(where, "length", length)) return error;
    const Body* b = body(def.partner.index);
    data.springs.push_back({.name = name.value(),
                            .body = def.body.index,
                            .partner = def.partner.index,
                            .anchor = body(def.body.index)->pose.to_local(def.anchor),
                            .partner_anchor = b == nullptr ? def.partner_anchor : b->pose.to_local(def.partner_anchor),
                            .stiffness = def.stiffness,
                            .damping = def.damping,
                            .length = length});
  }
  return std::nullopt;
}

std::optional<Error> ModelAssembly::add_forces() {
  Names names("force");
  for (const ForceDef& def : from.forces_) {
    const Result<std::string> name = names.claim(def.name, static_cast<int>(data.forces.size()));
    if (!name) return Error{name.error()};
    const std::string where = called("force", name.value());
    if (auto error = check_handle(where, "body", def.body, false)) return error;
    if (auto error = need_finite(where, "force", def.force.constant())) return error;
    if (auto error = need_finite(where, "torque", def.torque.constant())) return error;
    if (auto error = need_finite(where, "point", def.point)) return error;
    data.forces.push_back({name.value(), def.body.index, def.force, def.torque, def.point, def.law});
  }
  return std::nullopt;
}

std::optional<Error> ModelAssembly::add_impulses() {
  Names names("impulse");
  for (const ImpulseDef& def : from.impulses_) {
    const Result<std::string> name = names.claim(def.name, static_cast<int>(data.impulses.size()));
    if (!name) return Error{name.error()};
    const std::string where = called("impulse", name.value());
    if (auto error = check_handle(where, "body", def.body, false)) return error;
    if (auto error = need_positive(where, "time", def.time)) return error;
    if (auto error = need_finite(where, "impulse", def.impulse)) return error;
    if (auto error = need_finite(where, "angular_impulse", def.angular_impulse)) return error;
    if (auto error = need_finite(where, "point", def.point)) return error;
    data.impulses.push_back({name.value(), def.body.index, def.time, def.impulse, def.angular_impulse, def.point});
  }
  // By time, then by name: a total order, the same on every platform.
  std::sort(data.impulses.begin(), data.impulses.end(),
            [](const Impulse& a, const Impulse& b) { return a.time != b.time ? a.time < b.time : a.name < b.name; });
  return std::nullopt;
}

std::optional<Error> ModelAssembly::add_functions() {
  const auto add = [](const std::vector<FunctionConstraint>& given, Names names,
                      std::vector<FunctionConstraint>& kept) -> std::optional<Error> {
    for (const FunctionConstraint& def : given) {
      const Result<std::string> name = names.claim(def.name, static_cast<int>(kept.size()));
      if (!name) return Error{name.error()};
      const std::string where = called("function", name.value());
      if (!def.value) return error_at(where, "has no value function; give one");
      if (auto error = check_material(where, {.mu = 0.0, .restitution = def.restitution})) return error;
      kept.push_back(def);
      kept.back().name = name.value();
    }
    return std::nullopt;
  };
  if (auto error = add(from.gaps_, Names("gap"), data.user_gaps)) return error;
  return add(from.constraints_, Names("constraint"), data.user_constraints);
}

}  // namespace stiction
