#pragma once

#include <cmath>
#include <numbers>

#include "stiction/base/random.h"
#include "stiction/contact/step_problem.h"

namespace stiction {

/// A step problem of the guaranteed class (1997, Theorem 2.1) with random bodies of six velocities, random contacts
/// between them and the world, and random joints: b_n >= 0, b_nu = 0, b_t = 0.
inline StepProblem random_step_problem(Random& random, int bodies, int contacts, int joints, double alpha = 1.0) {
  StepProblem problem;
  const int nv = 6 * bodies;
  problem.alpha = alpha;
  problem.M.resize(nv, nv);
  for (int i = 0; i < nv; ++i) problem.M.insert(i, i) = std::pow(10.0, random.uniform(-1.0, 1.0));
  problem.M.makeCompressed();
  problem.v.resize(nv);
  problem.k.resize(nv);
  for (int i = 0; i < nv; ++i) {
    problem.v[i] = random.normal();
    problem.k[i] = 0.1 * random.normal();
  }
  // The gradient along a direction d of the motion of a point at r of body a, less that of a point of body b.
  const auto push = [&](linalg::Rows& rows, int a, int b, const Vec3& ra, const Vec3& rb, const Vec3& d) {
    const Vec3 ta = ra.cross(d), tb = rb.cross(d);
    for (int c = 0; c < 3; ++c) rows.push(6 * a + c, d[c]);
    for (int c = 0; c < 3; ++c) rows.push(6 * a + 3 + c, ta[c]);
    if (b >= 0) {
      for (int c = 0; c < 3; ++c) rows.push(6 * b + c, -d[c]);
      for (int c = 0; c < 3; ++c) rows.push(6 * b + 3 + c, -tb[c]);
    }
    rows.end_row();
  };
  const auto random_vector = [&] { return Vec3(random.normal(), random.normal(), random.normal()); };
  const auto random_partner = [&](int a) {
    const int b = random.integer(-1, bodies - 1);
    return b == a ? -1 : b;
  };
  for (int i = 0; i < joints; ++i) {
    const int a = random.integer(0, bodies - 1);
    push(problem.nu, a, random_partner(a), random_vector(), random_vector(), random_vector().normalized());
    problem.b_nu.push_back(0.0);
  }
  for (int j = 0; j < contacts; ++j) {
    const int a = random.integer(0, bodies - 1), b = random_partner(a);
    const Vec3 ra = random_vector(), rb = random_vector();
    const Vec3 n = random_vector().normalized();
    const Vec3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
    push(problem.n, a, b, ra, rb, n);
    push(problem.t1, a, b, ra, rb, t1);
    push(problem.t2, a, b, ra, rb, t2);
    const double mu = random.uniform(0.0, 1.5);
    problem.contacts.push_back({static_cast<std::uint64_t>(j + 1), mu, mu, 0.0, 2});
    problem.b_n.push_back(random.uniform() < 0.5 ? 0.0 : random.uniform());
    problem.b_t1.push_back(0.0);
    problem.b_t2.push_back(0.0);
  }
  return problem;
}

/// Asks for friction cones of so many facets, turned or not.
inline void ask_for_facets(StepProblem& problem, int facets, bool turns = false) {
  for (StepProblem::Contact& contact : problem.contacts) {
    contact.facets = facets;
    contact.turns = turns;
  }
}

/// Gives every contact of such a problem torsional and rolling friction, or one of them, as blocks after all contacts;
/// some contacts friction that needs no normal force; and every second joint bounds and compliance, as of a drive.
inline void add_blocks(Random& random, StepProblem& problem, double largest = 0.3) {
  const int contacts = problem.size();
  // The turning of a contact's bodies against each other about the direction of a row: it moves them along that.
  const auto push_turning = [&](linalg::Rows& rows, const linalg::Rows& along, int j) {
    Vector row = Vector::Zero(problem.velocities());
    along.add_to(j, 1.0, row);
    for (int i = 0; i < problem.velocities(); ++i)
      if (i % 6 < 3) rows.push(i + 3, row[i]);
    rows.end_row();
  };
  for (int j = 0; j < contacts; ++j) {
    const int kind = random.integer(0, 2);
    for (const bool spins : {true, false}) {
      if (kind == (spins ? 1 : 2)) continue;
      const double mu = random.uniform(0.0, largest);
      const auto id = static_cast<std::uint64_t>((spins ? 1000 : 2000) + j);
      problem.contacts.push_back({id, mu, mu, 0.0, spins ? 1 : 2, j});
      problem.n.end_row();
      push_turning(problem.t1, spins ? problem.n : problem.t1, j);
      if (spins)
        problem.t2.end_row();
      else
        push_turning(problem.t2, problem.t2, j);
      for (auto* offsets : {&problem.b_n, &problem.b_t1, &problem.b_t2}) offsets->push_back(0.0);
    }
    if (random.uniform() < 0.2) problem.contacts[j].hf = random.uniform(0.0, 0.2);
  }
  problem.row_laws.resize(static_cast<std::size_t>(problem.joints()));
  for (int i = 0; i < problem.joints(); i += 2) {
    problem.row_laws[i] = {-random.uniform(0.0, 0.5), random.uniform(0.0, 0.5), 0.1 * random.uniform()};
    problem.b_nu[i] = random.uniform(-0.5, 0.5);
  }
}

}  // namespace stiction
