#include <cmath>

#include "stiction/model/multibody.h"
#include "stiction/model/pair_row.h"

namespace stiction {
namespace {

// Springs and dampers that change the speed along their line by more than so many times itself in a step. Momentum is
// certified to 1e-10, and M~ with terms so many times the masses holds it to 1e-12.
constexpr double swallows = 1e4;

}  // namespace

bool Multibody::add_stiff_line(int index, double t, const Vector& q, double h, DriveSet& drives) const {
  const Spring& spring = model_.springs()[static_cast<std::size_t>(index)];
  if (!(h > 0.0)) return false;
  const Pose a = pose({spring.body}, t, q), b = pose({spring.partner}, t, q);
  const Vec3 x_a = a.to_world(spring.anchor), x_b = b.to_world(spring.partner_anchor), apart = x_a - x_b;
  const double distance = apart.norm();
  if (distance == 0.0) return false;
  const auto body_of = [&](int body) { return body < 0 ? nullptr : &model_.body({body}); };
  PairRow row;
  row.add_point(body_of(spring.body), a, x_a, apart / distance, 1.0);
  row.add_point(body_of(spring.partner), b, x_b, apart / distance, -1.0);
  thread_local linalg::Rows found;
  found.clear();
  row.append_to(found);
  if (!(h * (h * spring.stiffness + spring.damping) * found.mobility(0, mass_) > swallows)) return false;
  row.append_to(drives.r);
  drives.drives.push_back({.position = distance - spring.length,
                           .velocity = -row.kinematic_speed(),
                           .stiffness = spring.stiffness,
                           .damping = spring.damping,
                           .is_applied = true,
                           .owner = -1 - index,
                           .bodies = pair_of(spring.body, spring.partner)});
  return true;
}

void Multibody::find_stiff_drives(double t, const Vector& q, double h, DriveSet& drives) const {
  drives.clear();
  for (std::size_t i = 0; i < model_.springs().size(); ++i) add_stiff_line(static_cast<int>(i), t, q, h, drives);
}

}  // namespace stiction
