#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "stiction/base/random.h"
#include "stiction/cone/body_matrix.h"
#include "stiction/cone/body_newton.h"
#include "stiction/cone/body_problem.h"
#include "stiction/cone/body_space.h"
#include "stiction/cone/problem.h"

namespace stiction::cone {

/// Bodies of unit mass at rest.
inline BodyProblem make_bodies(int width, int nodes) {
  BodyProblem problem;
  problem.width = width;
  problem.nodes = nodes;
  problem.v.assign(static_cast<std::size_t>(nodes * width), 0.0);
  problem.k = problem.v;
  problem.M.assign(static_cast<std::size_t>(nodes * width * width), 0.0);
  for (int i = 0; i < nodes * width; ++i)
    problem.M[static_cast<std::size_t>((i / width) * width * width + (i % width) * (width + 1))] = 1.0;
  return problem;
}

inline void set_mass(BodyProblem& problem, int node, const DenseMatrix& M) {
  const int W = problem.width;
  for (int i = 0; i < W; ++i)
    for (int j = 0; j < W; ++j) problem.M[static_cast<std::size_t>((node * W + i) * W + j)] = M(i, j);
}

/// A unit whose row i moves touched[t] by J[t].row(i).
inline void add_unit(BodyProblem& problem, BodyProblem::Kind kind, const std::vector<int>& touched,
                     const std::vector<DenseMatrix>& J, const Vector& b, bool has_normal = false) {
  BodyProblem::Unit unit;
  unit.kind = kind;
  unit.has_normal = has_normal;
  unit.rows = static_cast<int>(b.size());
  unit.first_row = problem.rows();
  unit.touches = static_cast<int>(touched.size());
  unit.first_touch = static_cast<int>(problem.touched.size());
  unit.first_group = static_cast<int>(problem.groups.size());
  unit.jacobian = problem.J.size();
  problem.units.push_back(unit);
  for (std::size_t t = 0; t < touched.size(); ++t) {
    problem.touched.push_back(touched[t]);
    for (int i = 0; i < unit.rows; ++i)
      for (int j = 0; j < problem.width; ++j) problem.J.push_back(J[t](i, j));
  }
  for (int i = 0; i < unit.rows; ++i) {
    problem.b.push_back(b[i]);
    problem.compliance.push_back(0.0);
    problem.least.push_back(0.0);
    problem.most.push_back(0.0);
  }
}

/// Friction of the unit added last.
inline void add_group(BodyProblem& problem, int first, int size, double mu, double hf = 0.0) {
  problem.groups.push_back({first, size, mu, hf});
  ++problem.units.back().groups;
}

/// How a point of a body moves along d; in the plane along the first two of d.
inline Vector motion(int width, const Eigen::Vector3d& at, const Eigen::Vector3d& d) {
  Vector row(width);
  if (width == 3)
    row << d.x(), d.y(), at.x() * d.y() - at.y() * d.x();
  else
    row << d, at.cross(d);
  return row;
}

/// How a body turns about d.
inline Vector turning(int width, const Eigen::Vector3d& d) {
  Vector row = Vector::Zero(width);
  if (width == 3)
    row[2] = 1.0;
  else
    row.tail(3) = d;
  return row;
}

/// What random_body_problem makes.
struct BodyFamily {
  int width = 6, nodes = 6, contacts = 10, joints = 2, bounded = 2;
  bool several = false;    ///< Rolling, spinning and soft contacts, and friction without a normal.
  bool redundant = false;  ///< Every joint twice.
  bool coupled = false;    ///< Nodes that M couples.
  double skew = 0.2;       ///< Of M.
};

/// Nodes at rest are a motion that every law allows, so that there is an answer (1997, Theorem 2.1).
class RandomBodies {
 public:
  RandomBodies(Random& random, const BodyFamily& family) : random_(random), family_(family) {
    problem = make_bodies(family.width, family.nodes);
    add_masses();
    for (int i = 0; i < family.joints; ++i) add_joint();
    for (int i = 0; i < family.contacts; ++i) add_contact(i);
    for (int i = 0; i < family.bounded; ++i) add_bounded(i);
  }

  BodyProblem problem;

 private:
  Eigen::Vector3d direction() {
    // In braces: in this order with every compiler.
    Eigen::Vector3d d{random_.normal(), random_.normal(), family_.width == 3 ? 0.0 : random_.normal()};
    return d.normalized();
  }
  Eigen::Vector3d point() { return {random_.normal(), random_.normal(), random_.normal()}; }
  DenseMatrix square() {
    return DenseMatrix::NullaryExpr(family_.width, family_.width, [&] { return random_.normal(); });
  }
  /// One node, with the world, or two.
  std::vector<int> pair() {
    const int a = random_.integer(0, family_.nodes - 1), b = random_.integer(-1, family_.nodes - 1);
    return b < 0 || b == a ? std::vector<int>{a} : std::vector<int>{a, b};
  }

  void add_masses() {
    const int W = family_.width;
    for (int i = 0; i < family_.nodes; ++i) {
      const DenseMatrix A = square(), B = square();
      const double scale = std::pow(10.0, random_.uniform(-0.5, 0.5));
      set_mass(
          problem, i,
          scale * (A * A.transpose() / W + 0.5 * DenseMatrix::Identity(W, W) + family_.skew * (B - B.transpose()) / W));
    }
    for (double& v : problem.v) v = random_.normal();
    for (double& k : problem.k) k = 0.3 * random_.normal();
    if (!family_.coupled) return;
    for (int i = 0; i + 1 < family_.nodes; i += 2) problem.coupled.emplace_back(i, i + 1);
    if (family_.nodes > 3) problem.coupled.emplace_back(1, 3);
    std::sort(problem.coupled.begin(), problem.coupled.end());
    for (std::size_t i = 0; i < problem.coupled.size(); ++i)
      for (auto* blocks : {&problem.upper, &problem.lower})
        for (int j = 0; j < W * W; ++j) blocks->push_back(0.01 * random_.normal());
  }

  /// Rows that the same rows of both nodes move, against each other.
  std::vector<DenseMatrix> against(std::size_t touches, const std::vector<Vector>& first,
                                   const std::vector<Vector>& second) {
    std::vector<DenseMatrix> J(touches, DenseMatrix(first.size(), family_.width));
    for (std::size_t i = 0; i < first.size(); ++i) {
      J[0].row(static_cast<Index>(i)) = first[i];
      if (touches > 1) J[1].row(static_cast<Index>(i)) = -second[i];
    }
    return J;
  }

  void add_joint() {
    const std::vector<int> touched = pair();
    const Eigen::Vector3d a = point(), b = point(), d = direction(), e = d.unitOrthogonal();
    std::vector<Vector> first = {motion(family_.width, a, d)}, second = {motion(family_.width, b, d)};
    if (family_.width == 6) {
      first.push_back(motion(6, a, e));
      second.push_back(motion(6, b, e));
    }
    const auto rows = static_cast<Index>(first.size());
    const std::vector<DenseMatrix> J = against(touched.size(), first, second);
    add_unit(problem, BodyProblem::Kind::joint, touched, J, Vector::Zero(rows));
    if (family_.redundant)
      add_unit(problem, BodyProblem::Kind::joint, touched, J, Vector::Zero(rows));
    else if (random_.uniform() < 0.5)
      problem.compliance.back() = random_.uniform(0.0, 0.3);
  }

  void add_contact(int number) {
    const int W = family_.width;
    const std::vector<int> touched = pair();
    const Eigen::Vector3d a = point(), b = point(), n = direction();
    const Eigen::Vector3d t = W == 3 ? Eigen::Vector3d(-n.y(), n.x(), 0.0) : n.unitOrthogonal(), s = n.cross(t);
    std::vector<Vector> first, second;
    const auto push = [&](const Eigen::Vector3d& d) {
      first.push_back(motion(W, a, d));
      second.push_back(motion(W, b, d));
    };
    const auto push_turn = [&](const Eigen::Vector3d& d) {
      first.push_back(turning(W, d));
      second.push_back(first.back());
    };
    const int kind = family_.several ? number % 5 : 0;
    const bool has_normal = kind != 4;
    if (has_normal) push(n);
    push(t);
    if (W == 6) push(s);
    if (kind == 1 || kind == 2) push_turn(n);
    if (W == 6 && (kind == 1 || kind == 3)) {
      push_turn(t);
      push_turn(s);
    }
    Vector offsets = Vector::Zero(static_cast<Index>(first.size()));
    if (has_normal && random_.uniform() < 0.5) offsets[0] = random_.uniform(0.0, 0.5);
    add_unit(problem, BodyProblem::Kind::contact, touched, against(touched.size(), first, second), offsets, has_normal);
    const double mu = random_.uniform(0.1, 1.2), small = random_.uniform(0.02, 0.3);
    const int sliding = W == 3 ? 1 : 2, from = has_normal ? 1 : 0;
    switch (kind) {
      case 1:  // sliding, spinning and, in space, rolling
        add_group(problem, 1, sliding, mu);
        add_group(problem, 1 + sliding, 1, small);
        if (W == 6) add_group(problem, 4, 2, small);
        break;
      case 2:  // a soft finger
        add_group(problem, 1, sliding + 1, mu);
        break;
      case 3:  // sliding that needs no normal force, and rolling
        add_group(problem, 1, sliding, mu, 0.1);
        if (W == 6) add_group(problem, 3, 2, small, 0.05);
        break;
      case 4:  // friction alone
        add_group(problem, from, sliding, 0.0, small);
        break;
      default:
        add_group(problem, from, sliding, mu);
    }
  }

  void add_bounded(int number) {
    constexpr double none = std::numeric_limits<double>::infinity();
    const std::vector<int> touched = pair();
    const Eigen::Vector3d d = direction();
    const Vector first = motion(family_.width, point(), d), second = motion(family_.width, point(), d);
    const int kind = number % 3;
    // Of one bound only what a motion at rest obeys.
    const double b = kind == 0 ? random_.uniform(-0.5, 0.5) : kind == 1 ? random_.uniform(0.0, 0.5) : 0.0;
    add_unit(problem, BodyProblem::Kind::bounded, touched, against(touched.size(), {first}, {second}),
             Vector::Constant(1, b));
    problem.least.back() = kind == 2 ? -none : -random_.uniform(0.0, 0.5);
    problem.most.back() = kind == 1 ? none : random_.uniform(0.05, 0.5);
    if (random_.uniform() < 0.5) problem.compliance.back() = random_.uniform(0.0, 0.3);
  }

  Random& random_;
  BodyFamily family_;
};

inline BodyProblem random_body_problem(Random& random, const BodyFamily& family) {
  return RandomBodies(random, family).problem;
}

/// The same problem as dense matrices: what the methods are judged by shares nothing with them.
struct DenseBodies {
  explicit DenseBodies(const BodyProblem& problem) {
    const int W = problem.width, n = problem.velocities(), m = problem.rows();
    M = DenseMatrix::Zero(n, n);
    J = DenseMatrix::Zero(m, n);
    const auto put = [&](const std::vector<double>& blocks, std::size_t at, int row, int column) {
      for (int i = 0; i < W; ++i)
        for (int j = 0; j < W; ++j)
          M(row * W + i, column * W + j) =
              blocks[at * static_cast<std::size_t>(W * W) + static_cast<std::size_t>(i * W + j)];
    };
    for (int i = 0; i < problem.nodes; ++i) put(problem.M, static_cast<std::size_t>(i), i, i);
    for (std::size_t i = 0; i < problem.coupled.size(); ++i) {
      put(problem.upper, i, problem.coupled[i].first, problem.coupled[i].second);
      put(problem.lower, i, problem.coupled[i].second, problem.coupled[i].first);
    }
    for (const BodyProblem::Unit& unit : problem.units) {
      std::size_t at = unit.jacobian;
      for (int t = 0; t < unit.touches; ++t)
        for (int i = 0; i < unit.rows; ++i)
          for (int j = 0; j < W; ++j)
            J(unit.first_row + i, problem.touched[unit.first_touch + t] * W + j) += problem.J[at++];
    }
    const auto copy = [](const std::vector<double>& list) {
      return Vector(Eigen::Map<const Vector>(list.data(), static_cast<Index>(list.size())));
    };
    const Eigen::PartialPivLU<DenseMatrix> lu(M);
    w0 = copy(problem.v) + lu.solve(copy(problem.k));
    response = lu.solve(J.transpose());
    W_matrix = J * response;
    W_matrix.diagonal() += copy(problem.compliance);
    q = J * w0 + copy(problem.b);
  }

  [[nodiscard]] Vector velocities(const std::vector<double>& r) const { return w0 + response * as_vector(r); }
  [[nodiscard]] Vector speeds(const std::vector<double>& r) const { return q + W_matrix * as_vector(r); }
  [[nodiscard]] static Vector as_vector(const std::vector<double>& r) {
    return Eigen::Map<const Vector>(r.data(), static_cast<Index>(r.size()));
  }

  /// By how much the worst law is broken, as a speed.
  [[nodiscard]] double error(const BodyProblem& problem, const std::vector<double>& impulses) const {
    const Vector r = as_vector(impulses), u = speeds(impulses);
    double worst = r.allFinite() ? 0.0 : std::numeric_limits<double>::infinity();
    for (const BodyProblem::Unit& unit : problem.units) {
      const int first = unit.first_row;
      const auto step = [&](int row) { return 1.0 / W_matrix(row, row); };
      if (unit.kind == BodyProblem::Kind::joint) {
        worst = std::max(worst, u.segment(first, unit.rows).cwiseAbs().maxCoeff());
        continue;
      }
      if (unit.kind == BodyProblem::Kind::bounded) {
        const double z = r[first] - step(first) * u[first];
        const double near = std::min(std::max(z, problem.least[first]), problem.most[first]);
        worst = std::max(worst, std::abs(r[first] - near) / step(first));
        continue;
      }
      if (unit.has_normal)
        worst = std::max(worst, std::abs(r[first] - std::max(0.0, r[first] - step(first) * u[first])) / step(first));
      for (int g = 0; g < unit.groups; ++g) {
        const BodyProblem::Group& group = problem.groups[unit.first_group + g];
        const int at = first + group.first;
        const double radius = group.mu * (unit.has_normal ? std::max(0.0, r[first]) : 0.0) + group.hf;
        Vector z = r.segment(at, group.size) - step(at) * u.segment(at, group.size);
        if (z.norm() > radius) z *= radius / z.norm();
        worst = std::max(worst, (r.segment(at, group.size) - z).norm() / step(at));
      }
    }
    return worst;
  }

  DenseMatrix M, J, response, W_matrix;
  Vector w0, q;
};

/// Contacts of one sliding group alone, on their rows.
inline Problem condensed(const BodyProblem& problem) {
  const DenseBodies dense(problem);
  Vector mu(static_cast<Index>(problem.units.size()));
  for (std::size_t i = 0; i < problem.units.size(); ++i)
    mu[static_cast<Index>(i)] = problem.groups[problem.units[i].first_group].mu;
  return {.name = "condensed",
          .dimension = problem.width == 3 ? 2 : 3,
          .W = DenseMatrix(dense.W_matrix),
          .q = dense.q,
          .mu = mu};
}

/// A problem ready for one method, at impulses of zero.
struct BodyStart {
  explicit BodyStart(const BodyProblem& problem) {
    prepared = space.prepare(problem);
    matrix.analyse(problem);
    state.r.assign(static_cast<std::size_t>(problem.rows()), 0.0);
    state.find(space);
  }
  BodyStart(const BodyStart&) = delete;
  BodyStart& operator=(const BodyStart&) = delete;

  bool prepared = false;
  BodySpace space;
  BodyMatrix matrix;
  BodyState state;
};

}  // namespace stiction::cone
