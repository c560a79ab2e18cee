#include <array>
#include <cmath>

#include "stiction/linalg/triplets.h"
#include "stiction/model/multibody.h"

/// Derivatives of the applied forces. A body's displacement is d = (linear in the world's frame, rotation in its own),
/// six numbers; its point r (own frame) moves by J d with J = [1, -R [r]x].
namespace stiction {
namespace {

using Map = Eigen::Matrix<double, 3, 6>;
using Block = Eigen::Matrix<double, 6, 6>;

/// One body under a force.
struct Side {
  const Body* body = nullptr;  ///< nullptr: the world, or a body that nothing moves.
  Mat3 R = Mat3::Identity();
  Vec3 r = Vec3::Zero(), omega = Vec3::Zero();         ///< Point and angular velocity in the body's frame.
  Vec3 point = Vec3::Zero(), velocity = Vec3::Zero();  ///< Of the point, world frame.

  /// d point along d, and also d velocity with respect to the body's velocities.
  [[nodiscard]] Map moves() const {
    Map map;
    map << Mat3::Identity(), -R * cross_matrix(r);
    return map;
  }
  /// d velocity along d: the arm's velocity R (omega x r) turns with the body.
  [[nodiscard]] Map turns_velocity() const {
    Map map;
    map << Mat3::Zero(), -R * cross_matrix(omega.cross(r));
    return map;
  }
};

Side side_of(const Multibody& system, int index, const Vec3& r, double t, const Vector& q, const Vector& v) {
  Side side;
  if (index < 0) {
    side.point = r;
    return side;
  }
  const BodyId id{index};
  const Body& body = system.model().body(id);
  const Pose pose = system.pose(id, t, q);
  side.body = body.movable() ? &body : nullptr;
  side.R = pose.orientation.toRotationMatrix();
  side.r = r;
  const Vec3 omega = system.angular_velocity(id, t, q, v);
  side.omega = side.R.transpose() * omega;
  side.point = pose.position + side.R * r;
  side.velocity = system.velocity(id, t, q, v) + omega.cross(side.R * r);
  return side;
}

void scatter(const Block& block, const Side& row_side, const Side& column_side, linalg::Triplets& K) {
  if (row_side.body == nullptr || column_side.body == nullptr) return;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      const int row = row_side.body->columns[i], column = column_side.body->columns[j];
      if (row >= 0 && column >= 0) K.add(row, column, block(i, j));
    }
  }
}

/// A force and torque that stay as they are while the body under them turns: in its frame they turn back.
Block turning_back(const Side& side, const Vec3& force, const Vec3& torque) {
  Block block = Block::Zero();
  block.bottomRightCorner<3, 3>() =
      cross_matrix(side.r) * cross_matrix(side.R.transpose() * force) + cross_matrix(side.R.transpose() * torque);
  return block;
}

/// f = -(k (d - L) + c u.s) u on side a, d u = x_a - x_b, s = v_a - v_b.
struct SpringLaw {
  Vec3 force = Vec3::Zero();
  Mat3 along_place = Mat3::Zero(), along_speed = Mat3::Zero();
};

SpringLaw law_of(const Spring& spring, const Vec3& apart, const Vec3& speed, JacobianKind kind) {
  SpringLaw law;
  const double distance = apart.norm();
  if (distance == 0.0) {  // as spring_force() has it
    law.force = -spring.damping * speed;
    law.along_speed = -spring.damping * Mat3::Identity();
    if (spring.length == 0.0) law.along_place = -spring.stiffness * Mat3::Identity();
    return law;
  }
  const Vec3 u = apart / distance;
  const Mat3 along = u * u.transpose(), across = Mat3::Identity() - along;
  const double tension = spring.stiffness * (distance - spring.length) + spring.damping * u.dot(speed);
  law.force = -tension * u;
  law.along_speed = -spring.damping * along;
  law.along_place = -spring.stiffness * along;
  if (kind == JacobianKind::definite) return law;
  law.along_place -= tension / distance * across;
  law.along_place -= spring.damping / distance * u * (across * speed).transpose();
  return law;
}

void add_spring(const Multibody& system, const Spring& spring, double t, const Vector& q, const Vector& v,
                JacobianKind kind, linalg::Triplets& K_q, linalg::Triplets& K_v) {
  const std::array<Side, 2> sides{side_of(system, spring.body, spring.anchor, t, q, v),
                                  side_of(system, spring.partner, spring.partner_anchor, t, q, v)};
  const SpringLaw law = law_of(spring, sides[0].point - sides[1].point, sides[0].velocity - sides[1].velocity, kind);
  for (int i = 0; i < 2; ++i) {
    const Map row = sides[i].moves();
    for (int j = 0; j < 2; ++j) {
      const double sign = i == j ? 1.0 : -1.0;
      const Map column = sides[j].moves();
      Map change = law.along_place * column;
      if (kind == JacobianKind::exact) change += law.along_speed * sides[j].turns_velocity();
      scatter(sign * row.transpose() * change, sides[i], sides[j], K_q);
      scatter(sign * row.transpose() * law.along_speed * column, sides[i], sides[j], K_v);
    }
    if (kind == JacobianKind::exact)
      scatter(turning_back(sides[i], i == 0 ? law.force : -law.force, Vec3::Zero()), sides[i], sides[i], K_q);
  }
}

using Gradient = Eigen::Matrix<double, 3, static_cast<int>(force_variables.size())>;

/// The variables of a formula (force_variables) and how they change with displacement and velocity.
struct FormulaInput {
  std::array<double, force_variables.size()> values;
  Eigen::Matrix<double, static_cast<int>(force_variables.size()), 6> along_place, along_speed;
};

FormulaInput input_of(const Side& side, double t) {
  FormulaInput input;
  const Vec3 omega = side.R * side.omega, ahead = side.R.col(0);
  input.values = {t,
                  side.point[0],
                  side.point[1],
                  side.point[2],
                  side.velocity[0],
                  side.velocity[1],
                  side.velocity[2],
                  omega[0],
                  omega[1],
                  omega[2],
                  std::atan2(ahead[1], ahead[0])};
  input.along_place.setZero();
  input.along_speed.setZero();
  input.along_place.middleRows<3>(1) = side.moves();
  input.along_place.middleRows<3>(4) = side.turns_velocity();
  input.along_place.block<3, 3>(7, 3) = -side.R * cross_matrix(side.omega);
  input.along_speed.middleRows<3>(4) = side.moves();
  input.along_speed.block<3, 3>(7, 3) = side.R;
  const double square = ahead[0] * ahead[0] + ahead[1] * ahead[1];
  if (square > 0.0) {
    const Mat3 ahead_turns = -side.R * cross_matrix(Vec3::UnitX());
    input.along_place.block<1, 3>(10, 3) = (ahead[0] * ahead_turns.row(1) - ahead[1] * ahead_turns.row(0)) / square;
  }
  return input;
}

Vec3 evaluate(const VectorFormula& formula, const FormulaInput& input, Gradient& gradient) {
  gradient.setZero();
  if (formula.is_constant()) return formula.constant();
  Vec3 value;
  std::array<double, force_variables.size()> row{};
  for (int i = 0; i < 3; ++i) {
    value[i] = formula.components()[i].value_and_gradient(input.values, row);
    for (std::size_t k = 0; k < row.size(); ++k) gradient(i, static_cast<int>(k)) = row[k];
  }
  return value;
}

void add_formula(const Force& force, const Side& side, double t, linalg::Triplets& K_q, linalg::Triplets& K_v) {
  const FormulaInput input = input_of(side, t);
  Gradient force_gradient, torque_gradient;
  const Vec3 f = evaluate(force.force, input, force_gradient), tau = evaluate(force.torque, input, torque_gradient);
  const Map moves = side.moves();
  Block along_place = turning_back(side, f, tau), along_speed = Block::Zero();
  if (!force.force.is_constant()) {
    along_place += moves.transpose() * force_gradient * input.along_place;
    along_speed += moves.transpose() * force_gradient * input.along_speed;
  }
  if (!force.torque.is_constant()) {
    along_place.bottomRows<3>() += side.R.transpose() * torque_gradient * input.along_place;
    along_speed.bottomRows<3>() += side.R.transpose() * torque_gradient * input.along_speed;
  }
  scatter(along_place, side, side, K_q);
  scatter(along_speed, side, side, K_v);
}

/// What a user's function adds, as a generalized force on its body, displaced by d with velocities changed by w.
Eigen::Matrix<double, 6, 1> law_at(const Force& force, const Side& side, double t, const Eigen::Matrix<double, 6, 1>& d,
                                   const Eigen::Matrix<double, 6, 1>& w) {
  const Quat turned = Quat(side.R) * exponential(d.tail<3>());
  const Mat3 R = turned.toRotationMatrix();
  const Vec3 centre = side.point - side.R * side.r + d.head<3>(), arm = R * side.r;
  const Vec3 omega = R * (side.omega + w.tail<3>());
  const Vec3 velocity = side.velocity - (side.R * side.omega).cross(side.R * side.r) + w.head<3>();
  const ForceInput input{t, {centre, turned}, centre + arm, velocity + omega.cross(arm), omega};
  Vec3 f = Vec3::Zero(), tau = Vec3::Zero();
  force.law(input, f, tau);
  Eigen::Matrix<double, 6, 1> generalized;
  generalized << f, R.transpose() * (tau + arm.cross(f));
  return generalized;
}

void add_law(const Force& force, const Side& side, double t, linalg::Triplets& K_q, linalg::Triplets& K_v) {
  constexpr double way = 6e-6;  // the cube root of the rounding
  Block along_place, along_speed;
  const Eigen::Matrix<double, 6, 1> none = Eigen::Matrix<double, 6, 1>::Zero();
  for (int i = 0; i < 6; ++i) {
    Eigen::Matrix<double, 6, 1> step = none;
    step[i] = way;
    along_place.col(i) = (law_at(force, side, t, step, none) - law_at(force, side, t, -step, none)) / (2.0 * way);
    along_speed.col(i) = (law_at(force, side, t, none, step) - law_at(force, side, t, none, -step)) / (2.0 * way);
  }
  scatter(along_place, side, side, K_q);
  scatter(along_speed, side, side, K_v);
}

}  // namespace

void Multibody::force_jacobians(double t, const Vector& q, const Vector& v, double h, JacobianKind kind,
                                SparseMatrix& K_q, SparseMatrix& K_v) const {
  thread_local linalg::Triplets along_q, along_v;
  thread_local DriveSet stiff;
  along_q.clear();
  along_v.clear();
  for (std::size_t i = 0; i < model_.springs().size(); ++i) {
    stiff.clear();
    if (!add_stiff_line(static_cast<int>(i), t, q, h, stiff))
      add_spring(*this, model_.springs()[i], t, q, v, kind, along_q, along_v);
  }
  for (const Force& force : model_.forces()) {
    if (kind == JacobianKind::definite) break;
    const Side side = side_of(*this, force.body, force.point, t, q, v);
    if (side.body == nullptr) continue;
    add_formula(force, side, t, along_q, along_v);
    if (force.law) add_law(force, side, t, along_q, along_v);
  }
  along_q.fill(velocities(), velocities(), K_q);
  along_v.fill(velocities(), velocities(), K_v);
}

}  // namespace stiction
