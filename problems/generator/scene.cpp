#include "problems/generator/scene.h"

#include <cmath>
#include <utility>

#include "stiction/base/assert.h"

namespace stiction::families {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

Matrix3 cross_matrix(const Vector3& a) {
  Matrix3 matrix;
  matrix << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return matrix;
}

Matrix3 angular_block(const Body& body, bool with_gyroscopic_force) {
  Matrix3 block = body.inertia.asDiagonal();
  if (with_gyroscopic_force) block -= step * cross_matrix(body.inertia.cwiseProduct(body.spin));
  return block;
}

/// The diagonal's inverse is rounded once an entry, so that equal bodies stay equal and symmetric problems symmetric.
Matrix3 inverse_of(const Body& body, const Matrix3& turning, bool with_gyroscopic_force) {
  if (with_gyroscopic_force) return turning.inverse();
  return body.inertia.cwiseInverse().asDiagonal();
}

void add_block(Triplets& triplets, Index first, const Matrix3& block) {
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j)
      if (block(i, j) != 0.0) triplets.emplace_back(first + i, first + j, block(i, j));
}

/// The velocity of a body's point along a direction, as a column of coefficients.
void add_point_row(Triplets& triplets, const std::vector<Body>& bodies, int which, const Vector3& point,
                   const Vector3& direction, double sign, Index column) {
  if (which == Scene::world) return;
  const Body& body = bodies[static_cast<std::size_t>(which)];
  const Vector3 arm = point - body.position;
  const Vector3 turn = body.rotation.transpose() * arm.cross(direction);
  for (Index i = 0; i < 3; ++i) {
    if (direction[i] != 0.0) triplets.emplace_back(6 * which + i, column, sign * direction[i]);
    if (turn[i] != 0.0) triplets.emplace_back(6 * which + 3 + i, column, sign * turn[i]);
  }
}

SparseMatrix assemble(Index rows, Index columns, const Triplets& triplets) {
  SparseMatrix matrix(rows, columns);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

}  // namespace

Body make_box(double mass, const Vector3& size, const Vector3& position) {
  const Vector3 squared = size.cwiseProduct(size);
  Body body{.mass = mass, .position = position};
  body.inertia = mass / 12.0 * Vector3(squared.y() + squared.z(), squared.x() + squared.z(), squared.x() + squared.y());
  return body;
}

Body make_sphere(double mass, double radius, const Vector3& position) {
  Body body{.mass = mass, .position = position};
  body.inertia = Vector3::Constant(0.4 * mass * radius * radius);
  return body;
}

int Scene::add_body(const Body& body) {
  bodies_.push_back(body);
  return static_cast<int>(bodies_.size()) - 1;
}

Contact& Scene::add_contact(const Contact& contact) {
  contacts_.push_back(contact);
  return contacts_.back();
}

void Scene::add_joint_row(int a, int b, const Vector3& point, const Vector3& direction) {
  joint_rows_.push_back({a, b, point, direction});
}

void Scene::add_ball_joint(int a, int b, const Vector3& point) {
  for (int axis = 0; axis < 3; ++axis) add_joint_row(a, b, point, Vector3::Unit(axis));
}

void Scene::fall(const Vector3& acceleration) {
  for (Body& body : bodies_) body.velocity += step * acceleration;
}

ContactProblem Scene::build(std::string name, bool with_gyroscopic_force) const {
  const Index nv = 6 * static_cast<Index>(bodies_.size());
  const Index nc = static_cast<Index>(contacts_.size());
  const Index nj = static_cast<Index>(joint_rows_.size());
  ContactProblem problem{.name = std::move(name)};
  problem.momentum.resize(nv);
  Triplets mass, inverse;
  for (Index i = 0; i < nv / 6; ++i) {
    const Body& body = bodies_[static_cast<std::size_t>(i)];
    STICTION_ASSERT(body.mass > 0.0 && body.inertia.minCoeff() > 0.0, "a body of the generator has mass and inertia");
    const Matrix3 turning = angular_block(body, with_gyroscopic_force);
    add_block(mass, 6 * i, body.mass * Matrix3::Identity());
    add_block(mass, 6 * i + 3, turning);
    add_block(inverse, 6 * i, 1.0 / body.mass * Matrix3::Identity());
    add_block(inverse, 6 * i + 3, inverse_of(body, turning, with_gyroscopic_force));
    problem.momentum.segment<3>(6 * i) = body.mass * body.velocity;
    problem.momentum.segment<3>(6 * i + 3) = body.inertia.cwiseProduct(body.spin);
  }
  problem.A = assemble(nv, nv, mass);
  problem.A_inverse = assemble(nv, nv, inverse);

  Triplets nu, n, t1, t2;
  for (Index i = 0; i < nj; ++i) {
    const JointRow& row = joint_rows_[static_cast<std::size_t>(i)];
    add_point_row(nu, bodies_, row.a, row.point, row.direction, 1.0, i);
    add_point_row(nu, bodies_, row.b, row.point, row.direction, -1.0, i);
  }
  problem.b_nu = Vector::Zero(nj);
  problem.b_n = problem.b_t1 = problem.b_t2 = problem.mu = problem.hf = Vector::Zero(nc);
  for (Index j = 0; j < nc; ++j) {
    const Contact& contact = contacts_[static_cast<std::size_t>(j)];
    Vector3 first, second;
    make_tangents(contact.normal, first, second);
    for (const auto& [triplets, direction] :
         {std::pair(&n, contact.normal), std::pair(&t1, first), std::pair(&t2, second)}) {
      add_point_row(*triplets, bodies_, contact.a, contact.point, direction, 1.0, j);
      add_point_row(*triplets, bodies_, contact.b, contact.point, direction, -1.0, j);
    }
    problem.b_n[j] = contact.b_n;
    problem.b_t1[j] = -first.dot(contact.surface_velocity);
    problem.b_t2[j] = -second.dot(contact.surface_velocity);
    problem.mu[j] = contact.mu;
    problem.hf[j] = contact.hf;
  }
  problem.nu = assemble(nv, nj, nu);
  problem.n = assemble(nv, nc, n);
  problem.t1 = assemble(nv, nc, t1);
  problem.t2 = assemble(nv, nc, t2);
  return problem;
}

void make_tangents(const Vector3& normal, Vector3& t1, Vector3& t2) {
  const Vector3 helper = std::abs(normal.x()) < 0.9 ? Vector3(1.0, 0.0, 0.0) : Vector3(0.0, 1.0, 0.0);
  t2 = normal.cross(helper);
  t2 /= std::sqrt(t2.squaredNorm());
  t1 = t2.cross(normal);
}

Vector3 random_in_cube(Random& random, double half) {
  Vector3 point;
  for (int i = 0; i < 3; ++i) point[i] = random.uniform(-half, half);
  return point;
}

Vector3 random_direction(Random& random) {
  Vector3 point;
  double squared;
  do {
    point = random_in_cube(random, 1.0);
    squared = point.squaredNorm();
  } while (squared > 1.0 || squared < 0.01);
  return point / std::sqrt(squared);
}

Matrix3 random_rotation(Random& random) {
  Matrix3 rotation;
  rotation.col(2) = random_direction(random);
  Vector3 first, second;
  make_tangents(rotation.col(2), first, second);
  const Vector3 turn = random_direction(random);
  const double x = turn.x(), y = turn.y(), length = std::sqrt(x * x + y * y);
  rotation.col(0) = length > 0.0 ? Vector3((x * first + y * second) / length) : first;
  rotation.col(1) = rotation.col(2).cross(rotation.col(0));
  return rotation;
}

double log_scale(double ratio, double fraction) {
  return static_cast<double>(static_cast<float>(std::pow(ratio, fraction)));
}

double random_mass(Random& random, double ratio) {
  return log_scale(ratio, random.uniform());
}

Vector3 direction_at(double angle) {
  const auto rounded = [](double x) { return static_cast<double>(static_cast<float>(x)); };
  const double x = rounded(std::cos(angle)), z = rounded(std::sin(angle));
  const double length = std::sqrt(x * x + z * z);
  return {x / length, 0.0, z / length};
}

}  // namespace stiction::families
