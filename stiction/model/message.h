#pragma once

#include <cmath>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "stiction/base/result.h"
#include "stiction/base/text.h"
#include "stiction/linalg/pose.h"

/// Words for messages about what a user described.
namespace stiction {

inline std::ostream& write(std::ostream& out, const Vec3& x) {
  return out << '(' << x.x() << ", " << x.y() << ", " << x.z() << ')';
}
template <class T>
std::ostream& write(std::ostream& out, const T& value) {
  return out << value;
}

/// All parts one after the other.
template <class... Parts>
[[nodiscard]] std::string say(const Parts&... parts) {
  std::ostringstream out;
  (write(out, parts), ...);
  return out.str();
}

/// "body 'rod'"
[[nodiscard]] inline std::string called(std::string_view kind, std::string_view name) {
  return std::string(kind) + " '" + one_line(name, 80) + "'";
}

/// An error about one thing: "body 'rod': mass must be ...".
template <class... Parts>
[[nodiscard]] Error error_at(const std::string& where, const Parts&... parts) {
  return Error{say(where, ": ", parts...)};
}

/// Each gives the error, or nothing when the value is fine.
[[nodiscard]] inline std::optional<Error> need_finite(const std::string& where, std::string_view what, double x) {
  if (std::isfinite(x)) return std::nullopt;
  return error_at(where, what, " must be a finite number, is ", x);
}
[[nodiscard]] inline std::optional<Error> need_finite(const std::string& where, std::string_view what, const Vec3& x) {
  if (x.allFinite()) return std::nullopt;
  return error_at(where, what, " must be three finite numbers, is ", x);
}
[[nodiscard]] inline std::optional<Error> need_positive(const std::string& where, std::string_view what, double x) {
  if (std::isfinite(x) && x > 0.0) return std::nullopt;
  return error_at(where, what, " must be positive and finite, is ", x);
}
[[nodiscard]] inline std::optional<Error> need_not_negative(const std::string& where, std::string_view what, double x) {
  if (std::isfinite(x) && x >= 0.0) return std::nullopt;
  return error_at(where, what, " must be zero or positive, and finite, is ", x);
}
/// For axes, normals and quaternions, whose length is made one.
template <class V>
[[nodiscard]] std::optional<Error> need_direction(const std::string& where, std::string_view what, const V& x) {
  const double length = x.stableNorm();
  if (std::isfinite(length) && length > 0.0) return std::nullopt;
  return error_at(where, what, length == 0.0 ? " must not be zero" : " must have finite entries",
                  "; it is made one in length");
}
[[nodiscard]] inline std::optional<Error> need_direction(const std::string& where, std::string_view what,
                                                         const Quat& x) {
  return need_direction(where, what, x.coeffs());
}

}  // namespace stiction
