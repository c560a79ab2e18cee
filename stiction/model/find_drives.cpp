#include "stiction/model/multibody.h"
#include "stiction/model/pair_row.h"

namespace stiction {
namespace {

// A spring and damper that would change the speed along them by more than this share of itself in a step are taken
// implicitly. An explicit step blows up from about 2, sooner where several pull at one body; an implicit one loses
// energy, so what a step can follow stays explicit.
constexpr double stiff = 0.1;

/// 1 / (row diag(M)^-1 row'), zero where nothing moves.
double mass_along(const SparseMatrix& M, const linalg::Rows& rows, int row) {
  double mobility = 0.0;
  const auto columns = rows.columns(row);
  const auto values = rows.values(row);
  for (std::size_t p = 0; p < columns.size(); ++p) mobility += values[p] * values[p] / M.coeff(columns[p], columns[p]);
  return mobility > 0.0 ? 1.0 / mobility : 0.0;
}

/// A straight piece of a spring's law.
struct Line {
  Vec3 direction;
  double stretch, stiffness, damping;
};

}  // namespace

/// Springs and dampers along the line between their ends, the part of their Jacobian that is negative semidefinite at
/// any length (2006, (9.2)-(9.3)). A spring without a rest length is linear: it is taken in all three directions.
void Multibody::find_drives(double t, const Vector& q, double h, DriveSet& drives) const {
  drives.clear();
  find_joint_drives(t, q, drives);
  int index = 0;
  for (const Spring& spring : model_.springs()) {
    const auto body_of = [&](int body) { return body < 0 ? nullptr : &model_.body({body}); };
    const Pose a = pose({spring.body}, t, q), b = pose({spring.partner}, t, q);
    const Vec3 x_a = a.to_world(spring.anchor), x_b = b.to_world(spring.partner_anchor), apart = x_a - x_b;
    const double distance = apart.norm();
    const auto add = [&](const Line& line) {
      PairRow row;
      row.add_point(body_of(spring.body), a, x_a, line.direction, 1.0);
      row.add_point(body_of(spring.partner), b, x_b, line.direction, -1.0);
      row.append_to(drives.r);
      const double mass = mass_along(mass_, drives.r, drives.r.size() - 1);
      if (h * (h * line.stiffness + line.damping) <= stiff * mass || mass == 0.0) {
        drives.r.pop_row();
        return;
      }
      drives.drives.push_back({.position = line.stretch,
                               .velocity = -row.kinematic_speed(),
                               .stiffness = line.stiffness,
                               .damping = line.damping,
                               .is_applied = true,
                               .owner = -1 - index});
    };
    const bool has_direction = distance > 0.0, is_linear = spring.length == 0.0;
    if (is_linear)
      for (int i = 0; i < 3; ++i) add({Vec3::Unit(i), apart[i], spring.stiffness, 0.0});
    if (has_direction)
      add({apart / distance, distance - spring.length, is_linear ? 0.0 : spring.stiffness, spring.damping});
    ++index;
  }
}

}  // namespace stiction
