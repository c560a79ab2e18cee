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
inline constexpr auto fixed = with_common_keys("anchor", "partner_anchor", "break_force", "break_torque");
inline constexpr auto spherical = with_common_keys("anchor", "partner_anchor", "friction");
inline constexpr auto with_axis = with_common_keys("anchor", "partner_anchor", "axis");
/// One coordinate is left free, and its keys stand in the joint.
inline constexpr auto with_coordinate = with_common_keys("anchor", "partner_anchor", "axis", "limits", "restitution",
                                                         "one_way", "friction", "motor", "servo");
/// Two are, each with an object of its own.
inline constexpr auto cylindrical = with_common_keys("anchor", "partner_anchor", "axis", "slide", "turn");
inline constexpr auto distance = with_common_keys("anchor", "partner_anchor", "length");
inline constexpr auto rope = with_common_keys("anchor", "partner_anchor", "length", "restitution");
inline constexpr auto universal = with_common_keys("anchor", "partner_anchor", "axis", "partner_axis");
inline constexpr auto gear = with_common_keys("axis", "partner_axis", "carrier", "teeth", "ratio");
inline constexpr auto rack = with_common_keys("axis", "partner_axis", "carrier", "radius");
inline constexpr auto rolling_ball = with_common_keys("anchor", "normal", "radius");
inline constexpr auto rolling_disc = with_common_keys("anchor", "normal", "radius", "axis");
inline constexpr auto knife_edge = with_common_keys("anchor", "axis", "one_way");

inline constexpr std::array<std::string_view, 1> anchor_needed{"anchor"}, axis_needed{"axis"};
inline constexpr std::array<std::string_view, 2> rolling_ball_needed{"normal", "radius"};
inline constexpr std::array<std::string_view, 3> universal_needed{"anchor", "axis", "partner_axis"},
    rack_needed{"partner", "partner_axis", "radius"}, rolling_disc_needed{"normal", "radius", "axis"};
}  // namespace keys

struct JointKeys {
  JointKind kind;
  std::span<const std::string_view> keys;
  std::span<const std::string_view> needed = {};  ///< Besides `type` and `body`.

  [[nodiscard]] bool needs(std::string_view key) const {
    return std::find(needed.begin(), needed.end(), key) != needed.end();
  }
};

inline constexpr std::array<JointKeys, 14> joint_keys{{
    {JointKind::fixed, keys::fixed},
    {JointKind::revolute, keys::with_coordinate, keys::anchor_needed},
    {JointKind::prismatic, keys::with_coordinate, keys::axis_needed},
    {JointKind::spherical, keys::spherical, keys::anchor_needed},
    {JointKind::distance, keys::distance},
    {JointKind::universal, keys::universal, keys::universal_needed},
    {JointKind::cylindrical, keys::cylindrical, keys::axis_needed},
    {JointKind::planar, keys::with_axis, keys::axis_needed},
    {JointKind::gear, keys::gear},
    {JointKind::rack, keys::rack, keys::rack_needed},
    {JointKind::rope, keys::rope},
    {JointKind::rolling_ball, keys::rolling_ball, keys::rolling_ball_needed},
    {JointKind::rolling_disc, keys::rolling_disc, keys::rolling_disc_needed},
    {JointKind::knife_edge, keys::knife_edge, keys::axis_needed},
}};

/// In the order of joint_keys.
inline constexpr std::array<std::string_view, 14> joint_types{
    "fixed",  "revolute", "prismatic", "spherical", "distance",     "universal",    "cylindrical",
    "planar", "gear",     "rack",      "rope",      "rolling_ball", "rolling_disc", "knife_edge"};

}  // namespace stiction::scene
