#include "stiction/record/run_series.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>

#include "stiction/base/text.h"

namespace stiction {

namespace {

struct BodyQuantity {
  std::string_view name;
  const char *path, *unit;
  std::size_t component;
};

constexpr std::array<BodyQuantity, 13> body_quantities{{{"x", "frames/position", "m", 0},
                                                        {"y", "frames/position", "m", 1},
                                                        {"z", "frames/position", "m", 2},
                                                        {"vx", "frames/velocity", "m/s", 0},
                                                        {"vy", "frames/velocity", "m/s", 1},
                                                        {"vz", "frames/velocity", "m/s", 2},
                                                        {"wx", "frames/angular_velocity", "rad/s", 0},
                                                        {"wy", "frames/angular_velocity", "rad/s", 1},
                                                        {"wz", "frames/angular_velocity", "rad/s", 2},
                                                        {"qw", "frames/orientation", "", 0},
                                                        {"qx", "frames/orientation", "", 1},
                                                        {"qy", "frames/orientation", "", 2},
                                                        {"qz", "frames/orientation", "", 3}}};

/// One component of one body or joint, frame after frame.
std::vector<double> component_of(const RecordedArray& array, std::size_t which, std::size_t component) {
  const std::size_t width = array.row.back();
  std::vector<double> values(array.rows);
  for (std::size_t frame = 0; frame < array.rows; ++frame)
    values[frame] = array.values[frame * array.row_size() + which * width + component];
  return values;
}

std::vector<double> size_of_vector(const RecordedArray& array, std::size_t which) {
  std::vector<double> sizes(array.rows, 0.0);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::vector<double> part = component_of(array, which, i);
    for (std::size_t frame = 0; frame < part.size(); ++frame) sizes[frame] = std::hypot(sizes[frame], part[frame]);
  }
  return sizes;
}

/// Twice the angle of w and z, made continuous.
std::vector<double> angle_about_z(const RecordedArray& orientation, std::size_t body) {
  const std::vector<double> w = component_of(orientation, body, 0), z = component_of(orientation, body, 3);
  std::vector<double> angle(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) {
    angle[i] = 2.0 * std::atan2(z[i], w[i]);
    if (i > 0) angle[i] -= 2.0 * std::numbers::pi * std::round((angle[i] - angle[i - 1]) / (2.0 * std::numbers::pi));
  }
  return angle;
}

std::optional<std::size_t> find(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::optional<RunSeries> find_body(const RecordedRun& run, std::string_view body, std::string_view quantity) {
  const auto which = find(run.bodies, body);
  if (!which) return std::nullopt;
  RunSeries series;
  for (const BodyQuantity& known : body_quantities) {
    if (known.name != quantity) continue;
    series.unit = known.unit;
    series.values = component_of(run.array(known.path), *which, known.component);
    return series;
  }
  if (quantity == "speed") {
    series.unit = "m/s";
    series.values = size_of_vector(run.array("frames/velocity"), *which);
    return series;
  }
  if (quantity != "angle") return std::nullopt;
  series.unit = "rad";
  series.values = angle_about_z(run.array("frames/orientation"), *which);
  return series;
}

std::optional<RunSeries> find_column(const RecordedRun& run, const std::string& path, bool is_of_steps) {
  const auto found = run.arrays.find(path);
  if (found == run.arrays.end() || !found->second.row.empty()) return std::nullopt;
  RunSeries series;
  series.is_of_steps = is_of_steps;
  series.values = found->second.values;
  series.unit = path.starts_with("energy/") || path.starts_with("dissipated/") ? "J"
                : path == "steps/penetration"                                  ? "m"
                                                                               : "";
  return series;
}

std::optional<RunSeries> find_any(const RecordedRun& run, const std::string& name) {
  const std::size_t first = name.find('.'), last = name.rfind('.');
  if (name == "t") return find_column(run, "frames/time", false);
  if (name == "contacts") return find_column(run, "steps/contacts", true);
  if (first == std::string::npos) return std::nullopt;
  const std::string_view kind = std::string_view(name).substr(0, first),
                         rest = std::string_view(name).substr(first + 1);
  if (kind == "dissipated") return find_column(run, "dissipated/" + std::string(rest), false);
  if (kind == "energy") return find_column(run, "energy/" + std::string(rest), false);
  if (kind == "step") return find_column(run, "steps/" + std::string(rest), true);
  if (first == last) return std::nullopt;
  const std::string_view middle = std::string_view(name).substr(first + 1, last - first - 1),
                         end = std::string_view(name).substr(last + 1);
  if (kind == "body") return find_body(run, middle, end);
  const auto joint = kind == "joint" ? find(run.joints, middle) : std::nullopt;
  if (!joint || (end != "force" && end != "torque")) return std::nullopt;
  RunSeries series;
  series.unit = end == "force" ? "N" : "N m";
  series.values = size_of_vector(run.array("joints/" + std::string(end)), *joint);
  return series;
}

std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) text += (i == 0 ? "" : ", ") + one_line(names[i], 40);
  return names.empty() ? "none" : names.size() > most ? text + ", ..." : text;
}

}  // namespace

Result<RunSeries> find_series(const RecordedRun& run, const std::string& name) {
  std::optional<RunSeries> series = find_any(run, name);
  if (!series)
    return Error{one_line(name) +
                 ": no such quantity; there are t, contacts, energy.total, energy.kinetic, energy.gravity, "
                 "energy.springs, dissipated.contacts (joints, impacts, rest), step.residual, step.penetration and the "
                 "like, body.NAME.x (y, z, vx, ..., speed, wx, "
                 "..., angle) with the bodies " +
                 list_of(run.bodies) + ", and joint.NAME.force (torque) with the joints " + list_of(run.joints)};
  series->name = name;
  series->time = run.array(series->is_of_steps ? "steps/time" : "frames/time").values;
  if (name == "t") series->unit = "s";
  return *std::move(series);
}

}  // namespace stiction
