#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "stiction/linalg/pose.h"
#include "stiction/scene/spot.h"

/// Reads the values of which a scene is made. Each reader says what it expected and gives nothing where that is not
/// there. The ends of the ranges are far outside all machines, and close enough that squares and quotients of them stay
/// finite.
namespace stiction::scene {

struct Range {
  double low, high;
  std::string_view what;  ///< With its unit, for messages.
};

inline constexpr Range mass_range{1e-12, 1e12, "a mass in kg"};
inline constexpr Range density_range{1e-9, 1e9, "a density in kg/m^3"};
inline constexpr Range length_range{1e-9, 1e9, "a length in m"};
inline constexpr Range rest_length_range{0.0, 1e9, "a length in m"};
inline constexpr Range coordinate_range{-1e9, 1e9, "a coordinate in m"};
inline constexpr Range direction_range{-1e9, 1e9, "a component"};
inline constexpr Range angle_range{-1e9, 1e9, "an angle in rad"};
inline constexpr Range velocity_range{-1e9, 1e9, "a velocity in m/s"};
inline constexpr Range angular_velocity_range{-1e9, 1e9, "an angular velocity in rad/s"};
inline constexpr Range gravity_range{-1e9, 1e9, "an acceleration in m/s^2"};
inline constexpr Range inertia_range{-1e15, 1e15, "a moment of inertia in kg m^2"};
inline constexpr Range force_range{-1e15, 1e15, "a force in N"};
inline constexpr Range torque_range{-1e15, 1e15, "a torque in N m"};
inline constexpr Range impulse_range{-1e15, 1e15, "an impulse in N s"};
inline constexpr Range angular_impulse_range{-1e15, 1e15, "an angular impulse in N m s"};
inline constexpr Range impulse_time_range{1e-9, 1e9, "a time in s"};
inline constexpr Range stiffness_range{0.0, 1e15, "a stiffness in N/m"};
inline constexpr Range damping_range{0.0, 1e15, "a damping in N s/m"};
inline constexpr Range turn_stiffness_range{0.0, 1e15, "a stiffness in N m/rad"};
inline constexpr Range turn_damping_range{0.0, 1e15, "a damping in N m s/rad"};
inline constexpr Range max_force_range{0.0, 1e15, "a largest force in N"};
inline constexpr Range max_torque_range{0.0, 1e15, "a largest torque in N m"};
inline constexpr Range friction_force_range{0.0, 1e15, "a friction force in N"};
inline constexpr Range friction_torque_range{0.0, 1e15, "a friction torque in N m"};
inline constexpr Range break_force_range{1e-12, 1e15, "a force in N"};
inline constexpr Range break_torque_range{1e-12, 1e15, "a torque in N m"};
inline constexpr Range ratio_range{-1e9, 1e9, "a ratio"};
inline constexpr Range teeth_range{-1e6, 1e6, "a number of teeth"};
inline constexpr Range mu_range{0.0, 1e3, "a coefficient of friction"};
inline constexpr Range arm_range{0.0, 1e3, "a length, torque over normal force"};
inline constexpr Range restitution_range{0.0, 1.0, "a coefficient of restitution"};

inline constexpr std::size_t longest_name = 100;  ///< In characters.

/// What is closer to zero is read as zero, in any unit: squares and products of such numbers have no digits left.
inline constexpr double least_number = 1e-100;

[[nodiscard]] std::optional<double> read_number(const Spot& spot, const Range& range, Mistakes& mistakes);
[[nodiscard]] std::optional<int> read_whole_number(const Spot& spot, const Range& range, Mistakes& mistakes);
[[nodiscard]] std::optional<bool> read_bool(const Spot& spot, Mistakes& mistakes);
/// 1 to longest_name characters, none of them a control character.
[[nodiscard]] bool is_name(std::string_view text);
[[nodiscard]] std::string name_in_words();
[[nodiscard]] std::optional<std::string> read_name(const Spot& spot, Mistakes& mistakes);
/// [x, y, z], each in the range.
[[nodiscard]] std::optional<Vec3> read_vector(const Spot& spot, const Range& range, Mistakes& mistakes);
/// [x, y], each in the range.
[[nodiscard]] std::optional<Eigen::Vector2d> read_plane_vector(const Spot& spot, const Range& range,
                                                               Mistakes& mistakes);
/// [x, y, z], not zero; made a unit vector.
[[nodiscard]] std::optional<Vec3> read_direction(const Spot& spot, Mistakes& mistakes);
/// [w, x, y, z], not zero, made a unit quaternion; or {"axis": [x, y, z], "angle": a}.
[[nodiscard]] std::optional<Quat> read_orientation(const Spot& spot, Mistakes& mistakes);
/// A 3 by 3 matrix by rows, its diagonal, or one number for all three axes.
[[nodiscard]] std::optional<Mat3> read_inertia(const Spot& spot, Mistakes& mistakes);

/// One of these words; gives its index.
[[nodiscard]] std::optional<std::size_t> read_word(const Spot& spot, std::span<const std::string_view> words,
                                                   Mistakes& mistakes);

/// "; did you mean `x`?", or nothing where no word is near.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

/// "`a`, `b` or `c`".
[[nodiscard]] std::string list_words(std::span<const std::string_view> words);

}  // namespace stiction::scene
