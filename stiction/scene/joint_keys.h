#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "stiction/model/definitions.h"

/// The types of joints that a scene may have, and the keys of each.
namespace stiction::scene {

/// What every joint may have, and more.
template <class... More>
constexpr auto with_common_keys(More... more) {
  return std::array<std::string_view, 5 + sizeof...(More)>{"type", "name", "body", "partner", "collide", more...};
}

namespace keys {
inline constexpr auto anchored = with_common_keys("anchor", "partner_anchor");
inline constexpr auto with_axis = with_common_keys("anchor", "partner_anchor", "axis");
inline constexpr auto distance = with_common_keys("anchor", "partner_anchor", "length");
inline constexpr auto universal = with_common_keys("anchor", "partner_anchor", "axis", "partner_axis");
inline constexpr auto gear = with_common_keys("axis", "partner_axis", "carrier", "teeth", "ratio");
inline constexpr auto rack = with_common_keys("axis", "partner_axis", "carrier", "radius");

inline constexpr std::array<std::string_view, 1> anchor_needed{"anchor"}, axis_needed{"axis"};
inline constexpr std::array<std::string_view, 3> universal_needed{"anchor", "axis", "partner_axis"},
    rack_needed{"partner", "partner_axis", "radius"};
}  // namespace keys

struct JointKeys {
  JointKind kind;
  std::span<const std::string_view> keys;
  std::span<const std::string_view> needed = {};  ///< Besides `type` and `body`.

  [[nodiscard]] bool needs(std::string_view key) const {
    return std::find(needed.begin(), needed.end(), key) != needed.end();
  }
};

inline constexpr std::array<JointKeys, 10> joint_keys{{
    {JointKind::fixed, keys::anchored},
    {JointKind::revolute, keys::with_axis, keys::anchor_needed},
    {JointKind::prismatic, keys::with_axis, keys::axis_needed},
    {JointKind::spherical, keys::anchored, keys::anchor_needed},
    {JointKind::distance, keys::distance},
    {JointKind::universal, keys::universal, keys::universal_needed},
    {JointKind::cylindrical, keys::with_axis, keys::axis_needed},
    {JointKind::planar, keys::with_axis, keys::axis_needed},
    {JointKind::gear, keys::gear},
    {JointKind::rack, keys::rack, keys::rack_needed},
}};

/// In the order of joint_keys.
inline constexpr std::array<std::string_view, 10> joint_types{
    "fixed", "revolute", "prismatic", "spherical", "distance", "universal", "cylindrical", "planar", "gear", "rack"};

}  // namespace stiction::scene
