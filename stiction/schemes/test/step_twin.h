#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "stiction/contact/step_problem.h"
#include "stiction/model/multibody.h"

/// The step problem a second time, slowly and from the model alone: dense, every gradient by differences of gaps, joint
/// functions, energies and points that are written down here once more. Nothing of find_gaps, find_joints,
/// applied_force, gyroscopic, advance or the schemes is used.
namespace stiction::twin {

using linalg::DenseMatrix;

/// Where all bodies are, by index.
using Placement = std::vector<Eigen::Isometry3d>;

/// A position that v and the time can be differentiated along.
class Positions {
 public:
  Positions(const Model& model, double t, const Vector& q) : model_(model), t_(t) {
    for (const Body& body : model.bodies()) {
      Eigen::Isometry3d& pose = start_.emplace_back(Eigen::Isometry3d::Identity());
      pose.translation() = body.pose.position;
      pose.linear() = body.pose.orientation.toRotationMatrix();
      if (body.motion != Motion::movable) continue;
      const int first = body.first_position;
      pose.translation() << q[first], q[first + 1], q[first + 2];
      pose.linear() = Quat(q[first + 3], q[first + 4], q[first + 5], q[first + 6]).toRotationMatrix();
    }
  }

  /// After moving by v for a time s, the clock showing t + dt.
  [[nodiscard]] Placement at(const Vector& v, double s, double dt) const {
    Placement placement = start_;
    for (std::size_t i = 0; i < placement.size(); ++i) {
      const Body& body = model_.bodies()[i];
      if (body.motion == Motion::kinematic) {
        placement[i].translation() += (t_ + dt) * body.velocity;
        placement[i].linear() = rotation((t_ + dt) * body.angular_velocity) * placement[i].linear();
      } else if (body.motion == Motion::movable) {
        placement[i].translation() += s * part(body, v, 0);
        placement[i].linear() = placement[i].linear() * rotation(s * part(body, v, 3));
      }
    }
    return placement;
  }

  static Vec3 part(const Body& body, const Vector& v, int first) {
    Vec3 x = Vec3::Zero();
    for (int i = 0; i < 3; ++i)
      if (body.columns[first + i] >= 0) x[i] = v[body.columns[first + i]];
    return x;
  }

 private:
  static Mat3 rotation(const Vec3& vector) {
    const double angle = vector.norm();
    return angle == 0.0 ? Mat3(Mat3::Identity()) : Eigen::AngleAxisd(angle, vector / angle).toRotationMatrix();
  }

  const Model& model_;
  double t_;
  Placement start_;
};

/// A position q^ (+) and its neighbours: the derivative of any function of the placement along each velocity, and in
/// time (kinematic bodies), by differences of fourth order.
class Neighbourhood {
 public:
  Neighbourhood(const Model& model, double t, const Vector& q, const Vector& v, double moved)
      : model_(model), positions_(model, t, q), v_(v), moved_(moved) {}

  [[nodiscard]] Placement here() const { return around(Vector::Zero(v_.size()), 0.0, 0.0); }

  template <class F>
  Vector gradient(F&& f) const {
    Vector result(v_.size());
    for (Eigen::Index i = 0; i < v_.size(); ++i)
      result[i] = slope([&](double s) { return f(around(Vector::Unit(v_.size(), i), s, 0.0)); });
    return result;
  }
  template <class F>
  double rate(F&& f) const {
    return slope([&](double s) { return f(around(Vector::Zero(v_.size()), 0.0, s)); });
  }

 private:
  /// First along v to q^, then along a direction.
  [[nodiscard]] Placement around(const Vector& direction, double s, double dt) const {
    Placement placement = positions_.at(v_, moved_, moved_ + dt);
    for (std::size_t i = 0; i < placement.size(); ++i) {
      const Body& body = model_.bodies()[i];
      if (body.motion != Motion::movable) continue;
      placement[i].translation() += s * Positions::part(body, direction, 0);
      const Vec3 turn = s * Positions::part(body, direction, 3);
      if (turn.norm() > 0.0)
        placement[i].linear() = placement[i].linear() * Eigen::AngleAxisd(turn.norm(), turn.normalized());
    }
    return placement;
  }
  template <class F>
  static double slope(F&& f) {
    constexpr double d = 1e-3;
    return (8.0 * (f(d) - f(-d)) - (f(2.0 * d) - f(-2.0 * d))) / (12.0 * d);
  }

  const Model& model_;
  Positions positions_;
  Vector v_;
  double moved_;
};

/// Where a contact is: the nearest points of the two surfaces.
struct Witness {
  double Phi = 0.0;
  Vec3 on_a, on_b, normal;
};

/// Of two round things: centres and radii.
inline Witness between(const Vec3& a, double radius_a, const Vec3& b, double radius_b) {
  const Vec3 n = (a - b).normalized();
  return {(a - b).norm() - radius_a - radius_b, a - radius_a * n, b + radius_b * n, n};
}

inline Vec3 nearest_on_segment(const Vec3& from, const Vec3& to, const Vec3& x) {
  const Vec3 d = to - from;
  return from + std::clamp(d.dot(x - from) / d.squaredNorm(), 0.0, 1.0) * d;
}

struct Segment {
  Vec3 ends[2];
  double radius;
};

/// The contact of an id, by what Multibody::find_gaps and find_contact_points promise in their headers.
inline Witness witness(const Model& model, std::uint64_t id, const Placement& placement) {
  const auto count = static_cast<std::uint64_t>(model.shapes().size());
  const std::uint64_t pair = id >> feature_bits, feature = id & ((std::uint64_t{1} << feature_bits) - 1);
  const BodyShape &a = model.shapes()[pair / count], &b = model.shapes()[pair % count];
  const auto place = [&](const BodyShape& shape, const Vec3& local) {
    return Vec3(placement[shape.body] * (shape.pose.position + shape.pose.orientation * local));
  };
  const auto segment = [&](const BodyShape& shape) {
    const auto& capsule = std::get<Capsule>(shape.shape);
    const Vec3 half = 0.5 * capsule.length * capsule.axis;
    return Segment{{place(shape, -half), place(shape, half)}, capsule.radius};
  };
  const auto* plane = std::get_if<HalfSpace>(&b.shape);
  const auto *ball_a = std::get_if<Sphere>(&a.shape), *ball_b = std::get_if<Sphere>(&b.shape);
  if (plane) {
    const Vec3 n = placement[b.body].linear() * (b.pose.orientation * plane->normal);
    const Vec3 origin = place(b, plane->offset * plane->normal);
    Vec3 x;
    double radius = 0.0;
    if (ball_a) {
      x = place(a, Vec3::Zero());
      radius = ball_a->radius;
    } else if (const auto* box = std::get_if<Box>(&a.shape)) {
      x = place(a, 0.5 * Vec3(feature & 1U ? box->x : -box->x, feature & 2U ? box->y : -box->y,
                              feature & 4U ? box->z : -box->z));
    } else {
      x = segment(a).ends[feature];
      radius = segment(a).radius;
    }
    const double height = n.dot(x - origin);
    return {height - radius, x - radius * n, x - height * n, n};
  }
  if (ball_a && ball_b) return between(place(a, Vec3::Zero()), ball_a->radius, place(b, Vec3::Zero()), ball_b->radius);
  const auto against_box = [&](const BodyShape& ball, double radius, const BodyShape& shape) {
    const auto& box = std::get<Box>(shape.shape);
    const Vec3 half = 0.5 * Vec3(box.x, box.y, box.z), centre = place(ball, Vec3::Zero());
    const Vec3 local =
        shape.pose.orientation.conjugate() * (Vec3(placement[shape.body].inverse() * centre) - shape.pose.position);
    return between(centre, radius, place(shape, local.cwiseMin(half).cwiseMax(-half)), 0.0);
  };
  const auto turned = [](const Witness& w) { return Witness{w.Phi, w.on_b, w.on_a, -w.normal}; };
  if (ball_a && std::holds_alternative<Box>(b.shape)) return against_box(a, ball_a->radius, b);
  if (ball_b && std::holds_alternative<Box>(a.shape)) return turned(against_box(b, ball_b->radius, a));
  if (ball_a) {
    const Segment other = segment(b);
    const Vec3 x = place(a, Vec3::Zero());
    return between(x, ball_a->radius, nearest_on_segment(other.ends[0], other.ends[1], x), other.radius);
  }
  if (ball_b) {
    const Segment other = segment(a);
    const Vec3 x = place(b, Vec3::Zero());
    return between(nearest_on_segment(other.ends[0], other.ends[1], x), other.radius, x, ball_b->radius);
  }
  const Segment s = segment(a), r = segment(b);
  if (feature == 1 || feature == 2) {
    const Vec3 x = s.ends[feature - 1];
    return between(x, s.radius, nearest_on_segment(r.ends[0], r.ends[1], x), r.radius);
  }
  if (feature >= 3) {
    const Vec3 x = r.ends[feature - 3];
    return between(nearest_on_segment(s.ends[0], s.ends[1], x), s.radius, x, r.radius);
  }
  Eigen::Matrix<double, 3, 2> D;
  D << s.ends[1] - s.ends[0], r.ends[0] - r.ends[1];
  const Eigen::Vector2d at = (D.transpose() * D).inverse() * (D.transpose() * (r.ends[0] - s.ends[0]));
  return between(s.ends[0] + at[0] * (s.ends[1] - s.ends[0]), s.radius, r.ends[0] + at[1] * (r.ends[1] - r.ends[0]),
                 r.radius);
}

/// Theta by the formulas of constraint_parts.h.
inline double joint_value(const Joint& joint, const ConstraintPart& part, const Placement& placement) {
  const Eigen::Isometry3d identity = Eigen::Isometry3d::Identity();
  const Eigen::Isometry3d& a = joint.body < 0 ? identity : placement[joint.body];
  const Eigen::Isometry3d& b = joint.partner < 0 ? identity : placement[joint.partner];
  if (const auto* point = std::get_if<PointPart>(&part))
    return (a * point->anchor_a - b * point->anchor_b)[point->axis];
  if (const auto* plane = std::get_if<PlanePart>(&part))
    return (b.linear() * plane->normal_b).dot(a * plane->anchor_a - b * plane->anchor_b);
  if (const auto* perpendicular = std::get_if<PerpendicularPart>(&part))
    return (a.linear() * perpendicular->u_a).dot(b.linear() * perpendicular->w_b);
  const auto& distance = std::get<DistancePart>(part);
  return (a * distance.anchor_a - b * distance.anchor_b).norm() - distance.length;
}

inline double spring_length(const Spring& spring, const Placement& placement) {
  const Vec3 b = spring.partner < 0 ? spring.partner_anchor : Vec3(placement[spring.partner] * spring.partner_anchor);
  return (placement[spring.body] * spring.anchor - b).norm();
}

template <class F>
Vec3 constant(const F& force) {
  if constexpr (requires { force.constant(); })
    return force.constant();
  else
    return force;
}

/// k1 from energies: gravity and springs by their potential, dampers by the rate of their length, forces by their work.
inline Vector applied_force(const Model& model, const Neighbourhood& near, const Vector& v) {
  const auto potential = [&](const Placement& placement) {
    double sum = 0.0;
    for (std::size_t i = 0; i < placement.size(); ++i)
      if (model.bodies()[i].motion == Motion::movable)
        sum -= model.bodies()[i].mass * model.gravity().dot(placement[i].translation());
    for (const Spring& spring : model.springs())
      sum += 0.5 * spring.stiffness * std::pow(spring_length(spring, placement) - spring.length, 2);
    return sum;
  };
  Vector k = -near.gradient(potential);
  for (const Spring& spring : model.springs()) {
    const auto length = [&](const Placement& placement) { return spring_length(spring, placement); };
    const Vector gradient = near.gradient(length);
    k -= spring.damping * (gradient.dot(v) + near.rate(length)) * gradient;
  }
  for (const Force& force : model.forces()) {
    const Mat3 start = near.here()[force.body].linear();
    k += near.gradient([&](const Placement& placement) {
      const Mat3 turn = placement[force.body].linear() * start.transpose();
      const Vec3 angle = 0.5 * Vec3(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1));
      return constant(force.force).dot(placement[force.body] * force.point) + constant(force.torque).dot(angle);
    });
  }
  return k;
}

/// M and F = [I w]x.
inline void inertia(const Model& model, const Vector& v, DenseMatrix& M, DenseMatrix& F) {
  M = F = DenseMatrix::Zero(v.size(), v.size());
  for (const Body& body : model.bodies()) {
    const Vec3 L = body.inertia * Positions::part(body, v, 3);
    Mat3 cross;
    cross << 0, -L.z(), L.y(), L.z(), 0, -L.x(), -L.y(), L.x(), 0;
    for (int i = 0; i < 3; ++i) {
      if (body.columns[i] >= 0) M(body.columns[i], body.columns[i]) = body.mass;
      for (int j = 0; j < 3; ++j) {
        const int row = body.columns[3 + i], column = body.columns[3 + j];
        if (row < 0 || column < 0) continue;
        M(row, column) = body.inertia(i, j);
        F(row, column) = cross(i, j);
      }
    }
  }
}

/// One contact's rows at a position.
struct ContactRows {
  double Phi = 0.0, speed = 0.0, slip1 = 0.0, slip2 = 0.0;
  Vector n, t1, t2;
};

inline ContactRows contact_rows(const Model& model, const Neighbourhood& near, std::uint64_t id) {
  const Placement here = near.here();
  const Witness w = witness(model, id, here);
  const auto gap = [&](const Placement& placement) { return witness(model, id, placement).Phi; };
  ContactRows rows;
  rows.Phi = w.Phi;
  rows.n = near.gradient(gap);
  rows.speed = near.rate(gap);
  // 1996, section 3; along x or y where n is along up.
  const Vec3 up = -model.gravity().normalized();
  Vec3 t1 = w.normal.cross(up);
  if (t1.norm() < 1e-6) {
    t1 = std::abs(w.normal.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY();
    t1 -= w.normal * w.normal.dot(t1);
  }
  t1.normalize();
  const Vec3 t2 = t1.cross(w.normal);
  const auto count = static_cast<std::uint64_t>(model.shapes().size());
  const int a = model.shapes()[(id >> feature_bits) / count].body,
            b = model.shapes()[(id >> feature_bits) % count].body;
  const Vec3 local_a = here[a].inverse() * w.on_a, local_b = here[b].inverse() * w.on_b;
  const auto along = [&](const Vec3& t) {
    return [&t, a, b, local_a, local_b](const Placement& placement) {
      return t.dot(placement[a] * local_a - placement[b] * local_b);
    };
  };
  rows.t1 = near.gradient(along(t1));
  rows.t2 = near.gradient(along(t2));
  rows.slip1 = near.rate(along(t1));
  rows.slip2 = near.rate(along(t2));
  return rows;
}

/// The twin of an assembled problem, with the largest difference found in each part.
struct Difference {
  double worst = 0.0;
  std::string where;

  void compare(double mine, double theirs, double scale, const std::string& what) {
    const double difference = std::abs(mine - theirs) / std::max(1.0, scale);
    if (!(difference <= worst)) {
      worst = std::isnan(difference) ? 1e300 : difference;
      where = what;
    }
  }
  void compare(const Vector& mine, const linalg::Rows& rows, int row, const std::string& what) {
    Vector theirs = Vector::Zero(mine.size());
    rows.add_to(row, 1.0, theirs);
    for (Eigen::Index i = 0; i < mine.size(); ++i) compare(mine[i], theirs[i], 1.0, what);
  }
};

}  // namespace stiction::twin
