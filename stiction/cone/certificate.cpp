#include "stiction/cone/certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/cone/contact_judge.h"
#include "stiction/cone/precise_sum.h"

namespace stiction::cone {

namespace {

/// sum += value, and what that loses is added to `low` (Knuth).
void add(double value, double& sum, double& low) {
  const double next = sum + value, part = next - sum;
  low += (sum - (next - part)) + (value - part);
  sum = next;
}

/// u = W r + q with the sizes of its terms, and the pairs of contacts that W joins. work.trace is known.
void multiply(const Problem& problem, const Vector& r, CertifyWork& work) {
  constexpr double rounding = 1e-12;
  const Index dimension = problem.dimension;
  std::vector<double>& size = work.near;  // of a block, as its diagonal blocks have it
  size.resize(work.trace.size());
  for (std::size_t c = 0; c < size.size(); ++c) size[c] = std::sqrt(std::max(0.0, work.trace[c]));
  work.u = problem.q;
  work.low.setZero(problem.size());
  work.terms.setZero(problem.size());
  work.neighbours.clear();
  work.mark.assign(static_cast<std::size_t>(problem.contacts()), -1);
  for (Index j = 0; j < problem.size(); ++j) {
    const Index column = j / dimension;
    const double least = rounding * size[column];
    Index row = 0;
    problem.W.for_each_in_column(j, [&, force = r[j]](Index i, double value) {
      const double product = value * force;
      add(product, work.u[i], work.low[i]);
      work.terms[i] += std::abs(product);
      while (i >= (row + 1) * dimension) ++row;
      if (work.mark[row] == column || row == column || !(std::abs(value) > least * size[row])) return;
      work.mark[row] = column;
      work.neighbours.emplace_back(row, column);
    });
  }
  work.u += work.low;
}

Index find_root(std::vector<Index>& island, Index contact) {
  while (island[contact] != contact) contact = island[contact] = island[island[contact]];
  return contact;
}

void find_traces(const Problem& problem, CertifyWork& work) {
  work.trace.assign(static_cast<std::size_t>(problem.contacts()), 0.0);
  for (Index i = 0; i < problem.size(); ++i) work.trace[i / problem.dimension] += problem.W.coefficient(i, i);
}

/// V to work.speed. The neighbours are known.
void find_speeds(const Problem& problem, CertifyWork& work) {
  constexpr double gravity_share = 1e-2, rounding_share = 1e-6;
  const Index contacts = problem.contacts();
  work.speed.resize(static_cast<std::size_t>(contacts));
  work.island.resize(static_cast<std::size_t>(contacts));
  double fastest = 0.0;
  for (Index c = 0; c < contacts; ++c) {
    double speed[3];
    RoundContact(problem, c).read_speed(problem.free_speeds(), speed);
    fastest = std::max(fastest, work.speed[c] = norm(speed));
    work.island[c] = c;
  }
  // The largest speed of each island, at its root.
  work.near = work.speed;
  for (const auto& [a, b] : work.neighbours) {
    const Index root_a = find_root(work.island, a), root_b = find_root(work.island, b);
    work.island[std::max(root_a, root_b)] = std::min(root_a, root_b);
  }
  for (Index c = 0; c < contacts; ++c) {
    double& most = work.near[find_root(work.island, c)];
    most = std::max(most, work.speed[c]);
  }
  std::vector<double>& floor = work.floor;
  floor.resize(work.speed.size());
  for (Index c = 0; c < contacts; ++c)
    floor[c] = std::max(gravity_share * work.near[find_root(work.island, c)], rounding_share * fastest);
  for (int step = 0; step < 2; ++step) {
    work.near = work.speed;
    for (const auto& [a, b] : work.neighbours) {
      work.near[a] = std::max(work.near[a], work.speed[b]);
      work.near[b] = std::max(work.near[b], work.speed[a]);
    }
    work.speed.swap(work.near);
  }
  for (Index c = 0; c < contacts; ++c) work.speed[c] = std::max(work.speed[c], floor[c]);
}

}  // namespace

Certificate certify(const Problem& problem, const Vector& r) {
  CertifyWork work;
  return certify(problem, r, work);
}

Certificate certify(const Problem& problem, const Vector& r, CertifyWork& work) {
  if (r.size() != problem.size() || !r.allFinite() || problem.is_contradictory()) return {};
  find_traces(problem, work);
  multiply(problem, r, work);
  find_speeds(problem, work);
  Certificate certificate = judge(problem, r, work);
  certificate.contact_residual = std::max(certificate.contact_residual, problem.disagreement);
  return certificate;
}

double siconos_error(const Problem& problem, const Vector& r) {
  if (r.size() != problem.size() || !r.allFinite()) return std::numeric_limits<double>::infinity();
  Vector u = problem.q;
  problem.W.multiply_add(r, 1.0, u);
  double sum = 0.0;
  for (Index c = 0; c < problem.contacts(); ++c) {
    RoundContact contact(problem, c);
    contact.is_borne = false;
    const double error = error_of(contact, r, u, 1.0);
    sum += error * error;
  }
  return relative(std::sqrt(sum), std::max({problem.q.norm(), r.norm(), u.norm()}));
}

InfeasibilityProof certify_infeasible(const Problem& problem, const Vector& y) {
  InfeasibilityProof proof;
  if (y.size() != problem.size() || !y.allFinite()) return proof;
  if (problem.disagreement > 0.0) return proof;  // q is not what the joints leave
  PreciseSum q_y;
  for (Index i = 0; i < y.size(); ++i) {
    if (i % problem.dimension == 0 ? y[i] < 0.0 : y[i] != 0.0) return proof;
    if (y[i] != 0.0) q_y.add(problem.q[i], y[i]);
  }
  const double gap = -q_y.value() - q_y.rounding();
  if (!(gap > 0.0)) return proof;

  CertifyWork work;
  find_traces(problem, work);
  multiply(problem, Vector::Zero(problem.size()), work);
  find_speeds(problem, work);
  Vector slope(y.size()), rounding(y.size());
  for (Index i = 0; i < y.size(); ++i) {
    PreciseSum sum;
    problem.W.for_each_in_column(i, [&](Index row, double value) {
      if (y[row] != 0.0) sum.add(value, y[row]);
    });
    slope[i] = sum.value();
    rounding[i] = sum.rounding();
  }
  return refute(problem, y, gap, slope, rounding, work);
}

}  // namespace stiction::cone
