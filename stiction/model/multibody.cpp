#include "stiction/model/multibody.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "stiction/geometry/bounds.h"

namespace stiction {
namespace {

Vec3 free_part(const Body& body, const Vector& v, int first) {
  Vec3 part = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    if (body.columns[first + i] >= 0) part[i] = v[body.columns[first + i]];
  }
  return part;
}

Vec3 linear_part(const Body& body, const Vector& v) {
  return free_part(body, v, 0);
}

/// In the body's frame.
Vec3 angular_part(const Body& body, const Vector& v) {
  return free_part(body, v, 3);
}

Pose pose_in(const Body& body, double t, const Vector& q) {
  if (body.motion == Motion::movable) {
    const auto x = q.segment<7>(body.first_position);
    return {x.head<3>(), Quat(x[3], x[4], x[5], x[6])};
  }
  if (body.motion == Motion::fixed) return body.pose;
  return {body.pose.position + t * body.velocity, exponential(t * body.angular_velocity) * body.pose.orientation};
}

void write_pose(const Pose& pose, int first, Vector& q) {
  const Quat& o = pose.orientation;
  q.segment<7>(first) << pose.position, o.w(), o.x(), o.y(), o.z();
}

SparseMatrix constant_mass(const Model& model) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const Body& body : model.bodies()) {
    for (int i = 0; i < 3; ++i) {
      if (body.columns[i] >= 0) entries.emplace_back(body.columns[i], body.columns[i], body.mass);
      for (int j = 0; j < 3; ++j) {
        const int row = body.columns[3 + i], column = body.columns[3 + j];
        if (row < 0 || column < 0 || (i != j && body.inertia(i, j) == 0.0)) continue;
        entries.emplace_back(row, column, body.inertia(i, j));
      }
    }
  }
  SparseMatrix M(model.velocities(), model.velocities());
  M.setFromTriplets(entries.begin(), entries.end());
  M.makeCompressed();
  return M;
}

Mat3 whole_inertia(const Body& body) {
  return body.movable() && body.can_rotate() ? body.inertia : Mat3(Mat3::Zero());
}

/// Inertia less its middle moment. w x w = 0, so that ((I - m) w) x w is the gyroscopic force for any m; but where w is
/// predicted, what is wrong in it counts least with the middle moment: not at all for a ball, and for a top only its
/// spin. Where w is known m must be 0: [I w]x w+ turns what a torque adds along with the body.
Mat3 inertia_less_middle(const Body& body) {
  if (!body.movable() || !body.can_rotate()) return Mat3::Zero();
  const Vec3 moments = Eigen::SelfAdjointEigenSolver<Mat3>(body.inertia, Eigen::EigenvaluesOnly).eigenvalues();
  if (moments[2] - moments[0] <= 1e-14 * moments[2]) return Mat3::Zero();
  return body.inertia - moments[1] * Mat3::Identity();
}

/// Zeros where a body that can rotate about more than one axis has gyroscopic forces.
SparseMatrix gyroscopic_pattern(const Model& model, const std::vector<Mat3>& inertias) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < inertias.size(); ++k) {
    const Body& body = model.bodies()[k];
    if (inertias[k].isZero(0.0)) continue;
    for (int i = 3; i < 6; ++i) {
      for (int j = 3; j < 6; ++j) {
        if (i != j && body.columns[i] >= 0 && body.columns[j] >= 0) {
          entries.emplace_back(body.columns[i], body.columns[j], 0.0);
        }
      }
    }
  }
  SparseMatrix F(model.velocities(), model.velocities());
  F.setFromTriplets(entries.begin(), entries.end());
  F.makeCompressed();
  return F;
}

/// A quarter of the least thickness of two shapes that can meet, or of what a hinge's limits forbid, over the fastest
/// that velocities of one move two points of theirs towards each other.
double safe_way_of(const Model& model) {
  double thinnest = std::numeric_limits<double>::infinity(), second = thinnest, reach = 0.0;
  bool has_points = false;  // which meet only what is thick
  for (const BodyShape& shape : model.shapes()) {
    const double thick = thickness(shape.shape);
    has_points |= thick == 0.0;
    if (thick > 0.0) {
      second = std::min(second, std::max(thick, thinnest));
      thinnest = std::min(thinnest, thick);
    }
    if (model.body({shape.body}).motion == Motion::fixed || is_unbounded(shape.shape)) continue;
    const Bounds box = bounds(shape.shape, shape.pose);
    Vec3 corner = box.low.cwiseAbs().cwiseMax(box.high.cwiseAbs());
    if (is_planar(shape.shape)) corner.z() = 0.0;
    reach = std::max(reach, corner.norm());
  }
  double way = 0.25 * (thinnest + (has_points ? 0.0 : second)) / (2.0 * std::sqrt(3.0) * (1.0 + reach));
  // A hinge turns by what two bodies turn.
  for (const JointGap& gap : model.joint_gaps()) {
    const auto* limit = std::get_if<LimitGap>(&gap.law);
    if (limit != nullptr) way = std::min(way, 0.25 * limit->rest() / (2.0 * std::sqrt(3.0)));
  }
  return way;
}

}  // namespace

Multibody::Gyroscope Multibody::make_gyroscope(const Model& model, Mat3 (*inertia_of)(const Body&)) {
  Gyroscope gyroscope;
  gyroscope.inertias.reserve(model.bodies().size());
  for (const Body& body : model.bodies()) gyroscope.inertias.push_back(inertia_of(body));
  gyroscope.pattern = gyroscopic_pattern(model, gyroscope.inertias);
  return gyroscope;
}

Multibody::Multibody(Model model)
    : model_(std::move(model)),
      mass_(constant_mass(model_)),
      gyroscope_(make_gyroscope(model_, whole_inertia)),
      predicted_gyroscope_(make_gyroscope(model_, inertia_less_middle)),
      places_(places_of(model_)) {
  safe_way_ = safe_way_of(model_);
  for (const Body& body : model_.bodies()) {
    if (body.motion != Motion::kinematic) continue;
    kinematic_speed_ = std::max({kinematic_speed_, body.velocity.norm(), body.angular_velocity.norm()});
  }
  up_ = model_.gravity().isZero(0.0) ? Vec3(Vec3::UnitZ()) : Vec3(-model_.gravity().stableNormalized());
  implied_ = find_implied_rows(*this);
}

BodyPair Multibody::pair_of(const Joint& joint) const {
  const int carrier = joint.carrier < 0 ? -1 : places_[joint.carrier];
  return carrier < 0 ? pair_of(joint.body, joint.partner) : BodyPair{carrier, -1, true};
}

void Multibody::break_joint(JointId joint) {
  broken_.resize(model_.joints().size(), 0);
  broken_[joint.index] = 1;
  implied_ = {};
  implied_ = find_implied_rows(*this);
}

Vector Multibody::initial_positions() const {
  Vector q = Vector::Zero(positions());
  for (const Body& body : model_.bodies()) {
    if (body.movable()) write_pose(body.pose, body.first_position, q);
  }
  return q;
}

Vector Multibody::initial_velocities() const {
  Vector v = Vector::Zero(velocities());
  for (const Body& body : model_.bodies()) {
    const Vec3 turn = body.pose.orientation.conjugate() * body.angular_velocity;
    for (int i = 0; i < 3; ++i) {
      if (body.columns[i] >= 0) v[body.columns[i]] = body.velocity[i];
      if (body.columns[3 + i] >= 0) v[body.columns[3 + i]] = turn[i];
    }
  }
  return v;
}

Pose Multibody::pose(BodyId body, double t, const Vector& q) const {
  return body == world ? Pose{} : pose_in(model_.body(body), t, q);
}

Vec3 Multibody::velocity(BodyId id, double /*t*/, const Vector& /*q*/, const Vector& v) const {
  if (id == world) return Vec3::Zero();
  const Body& body = model_.body(id);
  return body.movable() ? linear_part(body, v) : body.velocity;
}

Vec3 Multibody::angular_velocity(BodyId id, double t, const Vector& q, const Vector& v) const {
  if (id == world) return Vec3::Zero();
  const Body& body = model_.body(id);
  return body.movable() ? Vec3(pose_in(body, t, q).orientation * angular_part(body, v)) : body.angular_velocity;
}

void Multibody::find_poses(double t, const Vector& q, std::vector<Pose>& poses) const {
  poses.resize(model_.bodies().size());
  for (std::size_t i = 0; i < poses.size(); ++i) poses[i] = pose_in(model_.bodies()[i], t, q);
}

double Multibody::kinetic_energy(const Vector& v) const {
  double sum = 0.0;
  for (int j = 0; j < mass_.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator it(mass_, j); it; ++it) sum += v[it.row()] * it.value() * v[j];
  }
  return 0.5 * sum;
}

void Multibody::mass(double /*t*/, const Vector& /*q*/, SparseMatrix& M) const {
  M = mass_;
}

void Multibody::gyroscopic(const Vector& /*q*/, const Vector& v, SparseMatrix& F) const {
  fill(gyroscope_, v, F);
}

void Multibody::predicted_gyroscopic(const Vector& /*q*/, const Vector& v, SparseMatrix& F) const {
  fill(predicted_gyroscope_, v, F);
}

void Multibody::fill(const Gyroscope& gyroscope, const Vector& v, SparseMatrix& F) const {
  F = gyroscope.pattern;
  if (F.nonZeros() == 0) return;
  for (std::size_t k = 0; k < gyroscope.inertias.size(); ++k) {
    const Body& body = model_.bodies()[k];
    if (gyroscope.inertias[k].isZero(0.0)) continue;
    const Mat3 cross = cross_matrix(gyroscope.inertias[k] * angular_part(body, v));
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const int row = body.columns[3 + i], column = body.columns[3 + j];
        if (i != j && row >= 0 && column >= 0) F.coeffRef(row, column) = cross(i, j);
      }
    }
  }
}

void Multibody::advance(const Vector& q, const Vector& v, double h, Vector& q_new) const {
  q_new.resize(positions());
  for (const Body& body : model_.bodies()) {
    if (!body.movable()) continue;
    Pose pose = pose_in(body, 0.0, q);
    pose.position += h * linear_part(body, v);
    if (body.can_rotate()) {
      pose.orientation = pose.orientation * exponential(h * angular_part(body, v));
      pose.orientation.normalize();
    }
    write_pose(pose, body.first_position, q_new);
  }
}

/// Of a quaternion: 1/2 q (0, w) with w in the body's frame.
void Multibody::position_rate(const Vector& q, const Vector& v, Vector& q_rate) const {
  q_rate.setZero(positions());
  for (const Body& body : model_.bodies()) {
    if (!body.movable()) continue;
    q_rate.segment<3>(body.first_position) = linear_part(body, v);
    if (!body.can_rotate()) continue;
    const Vec3 half = 0.5 * angular_part(body, v);
    const Quat turn = pose_in(body, 0.0, q).orientation * Quat(0.0, half.x(), half.y(), half.z());
    q_rate.segment<4>(body.first_position + 3) << turn.w(), turn.x(), turn.y(), turn.z();
  }
}

std::string Multibody::joint_name(int joint) const {
  const int joints = static_cast<int>(model_.joints().size());
  return joint < joints ? model_.joints()[joint].name : model_.user_constraints()[joint - joints].name;
}

}  // namespace stiction
