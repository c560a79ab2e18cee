#include <algorithm>
#include <array>

#include "stiction/model/multibody.h"
#include "stiction/model/pair_row.h"

namespace stiction {
namespace {

// Springs and dampers that together would change the speed of a body by more than this share of itself in a step are
// taken implicitly. An explicit step blows up from about 2; an implicit one loses energy, so what a step can follow
// stays explicit.
constexpr double stiff = 0.1;

/// A straight piece of a spring's law.
struct Line {
  Vec3 direction = Vec3::UnitX();
  double stretch = 0.0, stiffness = 0.0, damping = 0.0;
};

/// The pieces of one spring where its ends are.
struct Lines {
  std::array<Line, 4> lines;
  int count = 0;
  Pose a, b;
  Vec3 x_a, x_b;
};

/// Along the line between the ends, the part of the Jacobian that is negative semidefinite at any length (2006,
/// (9.2)-(9.3)); across it a spring under tension T has the stiffness T/length. A spring without a rest length is
/// linear and has the same stiffness in all three directions.
Lines lines_of(const Multibody& system, const Spring& spring, double t, const Vector& q) {
  Lines found;
  found.a = system.pose({spring.body}, t, q);
  found.b = system.pose({spring.partner}, t, q);
  found.x_a = found.a.to_world(spring.anchor);
  found.x_b = found.b.to_world(spring.partner_anchor);
  const Vec3 apart = found.x_a - found.x_b;
  const double distance = apart.norm();
  const auto add = [&](const Line& line) { found.lines[found.count++] = line; };
  const bool is_linear = spring.length == 0.0;
  if (is_linear)
    for (int i = 0; i < 3; ++i) add({Vec3::Unit(i), apart[i], spring.stiffness, 0.0});
  if (distance == 0.0) return found;
  const Vec3 along = apart / distance;
  const double stretch = distance - spring.length;
  add({along, stretch, is_linear ? 0.0 : spring.stiffness, spring.damping});
  if (is_linear) return found;
  const double across = std::max(0.0, spring.stiffness * stretch / distance);
  const Vec3 first = along.unitOrthogonal();
  add({first, 0.0, across, 0.0});
  add({along.cross(first), 0.0, across, 0.0});
  return found;
}

PairRow row_of(const Model& model, const Spring& spring, const Lines& at, const Vec3& direction) {
  const auto body_of = [&](int body) { return body < 0 ? nullptr : &model.body({body}); };
  PairRow row;
  row.add_point(body_of(spring.body), at.a, at.x_a, direction, 1.0);
  row.add_point(body_of(spring.partner), at.b, at.x_b, direction, -1.0);
  return row;
}

/// Storage that lives from call to call. Each thread has its own, since several may look at once.
struct Scratch {
  linalg::Rows row;
  std::vector<double> share;  ///< By which the springs of a body would change its speed in a step.
};

}  // namespace

void Multibody::find_drives(double t, const Vector& q, double h, DriveSet& drives) const {
  thread_local Scratch scratch;
  drives.clear();
  find_joint_drives(t, q, drives);
  find_ball_frictions(t, q, drives);
  const std::vector<Spring>& springs = model_.springs();
  if (springs.empty()) return;
  scratch.share.assign(model_.bodies().size(), 0.0);
  for (const Spring& spring : springs) {
    const Lines at = lines_of(*this, spring, t, q);
    double largest = 0.0;
    for (int i = 0; i < at.count; ++i) {
      const Line& line = at.lines[i];
      scratch.row.clear();
      row_of(model_, spring, at, line.direction).append_to(scratch.row);
      largest = std::max(largest, h * (h * line.stiffness + line.damping) * scratch.row.mobility(0, mass_));
    }
    for (const int body : {spring.body, spring.partner})
      if (body >= 0) scratch.share[body] += largest;
  }
  for (std::size_t index = 0; index < springs.size(); ++index) {
    const Spring& spring = springs[index];
    const auto is_stiff = [&](int body) {
      return body >= 0 && model_.body({body}).movable() && scratch.share[body] > stiff;
    };
    if (!is_stiff(spring.body) && !is_stiff(spring.partner)) continue;
    const Lines at = lines_of(*this, spring, t, q);
    for (int i = 0; i < at.count; ++i) {
      const Line& line = at.lines[i];
      const PairRow row = row_of(model_, spring, at, line.direction);
      row.append_to(drives.r);
      drives.drives.push_back({.position = line.stretch,
                               .velocity = -row.kinematic_speed(),
                               .stiffness = line.stiffness,
                               .damping = line.damping,
                               .is_applied = true,
                               .owner = -1 - static_cast<int>(index),
                               .bodies = pair_of(spring.body, spring.partner)});
    }
  }
}

}  // namespace stiction
