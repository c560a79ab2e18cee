#include "stiction/cone/certificate.h"

#include <algorithm>
#include <cmath>

namespace stiction::cone {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// sum += value, and what that loses is added to `low` (Knuth).
void add(double value, double& sum, double& low) {
  const double next = sum + value, part = next - sum;
  low += (sum - (next - part)) + (value - part);
  sum = next;
}

double norm(double x, double y) {
  const double square = x * x + y * y;
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : std::hypot(x, y);
}

double norm(const double x[3]) {
  return norm(x[0], norm(x[1], x[2]));
}

/// One contact in the metric in which its cone is round: forces over the shares, speeds times them.
struct RoundContact {
  Index first;
  int dimension;
  double mu;
  bool is_borne;
  double share[3] = {1.0, 1.0, 1.0};

  RoundContact(const Problem& problem, Index contact)
      : first(contact * problem.dimension),
        dimension(problem.dimension),
        mu(problem.friction(contact)),
        is_borne(problem.is_borne(contact)) {
    if (problem.mu2.size() == 0) return;
    for (int t = 1; t < dimension; ++t) share[t] = problem.share(contact, t);
  }

  /// Forces along a tangent without friction are left out; they are returned, as a squared error.
  double read_force(const Vector& r, double force[3]) const {
    double error = 0.0;
    for (int k = 0; k < 3; ++k) {
      force[k] = k < dimension && share[k] > 0.0 ? r[first + k] / share[k] : 0.0;
      if (k < dimension && !(share[k] > 0.0)) error += r[first + k] * r[first + k];
    }
    return error;
  }
  void read_speed(const Vector& u, double speed[3]) const {
    for (int k = 0; k < 3; ++k) speed[k] = k < dimension ? share[k] * u[first + k] : 0.0;
  }
};

/// e = f - P_K(f - rho w). Each state by its own formula, in which f is never taken from itself:
///
///     f - rho w in K: e = rho w;   in the polar cone: e = f;   otherwise, with a = rho w_n, b = rho w_T, t = |f_T -
///     b|, e_n = (a + mu (g + s)) / (1 + mu^2),   e_T = (1 + k) b - k f_T,   k = (g + s - mu e_n) / t,
///
/// where g = mu f_n - |f_T| is how far f is inside and s = |f_T| - t = (2 f_T.b - b.b) / (|f_T| + t).
void find_error(double mu, const double f[3], const double w[3], double rho, double e[3]) {
  const double a = rho * w[0], b1 = rho * w[1], b2 = rho * w[2];
  const double y_n = f[0] - a, t = norm(f[1] - b1, f[2] - b2);
  if (y_n >= 0.0 && t <= mu * y_n) {
    e[0] = a;
    e[1] = b1;
    e[2] = b2;
  } else if (mu * t <= -y_n) {
    std::copy_n(f, 3, e);
  } else {
    const double friction = norm(f[1], f[2]);
    const double s = (b1 * (2.0 * f[1] - b1) + b2 * (2.0 * f[2] - b2)) / (friction + t);
    const double off = mu * f[0] - friction + s;
    e[0] = (a + mu * off) / (1.0 + mu * mu);
    const double k = (off - mu * e[0]) / t;
    e[1] = (1.0 + k) * b1 - k * f[1];
    e[2] = (1.0 + k) * b2 - k * f[2];
  }
}

/// The same for the disc |f_T| <= mu f_n of friction that is borne, with k + 1 = mu f_n / t.
void find_borne_error(double mu, const double f[3], const double w[3], double rho, double e[3]) {
  const double b1 = rho * w[1], b2 = rho * w[2], radius = mu * std::max(0.0, f[0]);
  const double t = norm(f[1] - b1, f[2] - b2);
  e[0] = std::min(0.0, f[0]);
  e[1] = b1;
  e[2] = b2;
  if (t <= radius) return;
  const double friction = norm(f[1], f[2]);
  const double s = (b1 * (2.0 * f[1] - b1) + b2 * (2.0 * f[2] - b2)) / (friction + t);
  const double k = (radius - friction + s) / t;
  e[1] = (1.0 + k) * b1 - k * f[1];
  e[2] = (1.0 + k) * b2 - k * f[2];
}

/// The size of e_i(rho).
double error_of(const RoundContact& contact, const Vector& r, const Vector& u, double rho) {
  double force[3], speed[3], e[3];
  const double outside = contact.read_force(r, force);
  contact.read_speed(u, speed);
  speed[0] += contact.mu * norm(speed[1], speed[2]);
  (contact.is_borne ? find_borne_error : find_error)(contact.mu, force, speed, rho, e);
  return outside > 0.0 ? norm(norm(e), std::sqrt(outside)) : norm(e);
}

/// NaN and 1/0 must not pass.
double relative(double error, double scale) {
  const double value = error == 0.0 ? 0.0 : error / scale;
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
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
  std::vector<double>& floor = work.trace;  // no longer needed
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
  Certificate certificate;
  if (r.size() != problem.size() || !r.allFinite() || problem.is_contradictory()) return certificate;
  find_traces(problem, work);
  multiply(problem, r, work);
  double trace = 0.0;
  for (const double own : work.trace) trace += own;
  const double rho = trace > 0.0 ? static_cast<double>(problem.size()) / trace : 1.0;

  double sum = 0.0, worst = 0.0;
  bool has_radii = false;
  work.low.resize(problem.contacts());      // |e_i| with what is not seen, over rho_i
  work.radius.setZero(problem.contacts());  // and the error of a radius, as a speed
  for (Index c = 0; c < problem.contacts(); ++c) {
    const RoundContact contact(problem, c);
    const double error = error_of(contact, r, work.u, rho);
    sum += error * error;
    double force[3], terms[3];
    contact.read_force(r, force);
    contact.read_speed(work.terms, terms);
    const double rho_i = problem.dimension / work.trace[c];
    if (contact.is_borne) {
      work.radius[c] = std::abs(work.u[contact.first]) + eps * (std::abs(force[0]) / rho_i + terms[0]);
      has_radii = true;
      force[0] = terms[0] = 0.0;
    }
    work.low[c] = (error_of(contact, r, work.u, rho_i) + eps * norm(force)) / rho_i + eps * norm(terms);
    // A contact between bodies that nothing moves has no rho.
    if (!(work.trace[c] > 0.0)) work.low[c] = std::numeric_limits<double>::infinity();
  }
  find_speeds(problem, work);
  certificate.contact_residual = 0.0;
  for (Index c = 0; c < problem.contacts(); ++c) {
    const double own = std::max(work.speed[c], std::abs(problem.q[c * problem.dimension]));
    const double error = std::max(relative(work.low[c], work.speed[c]), relative(work.radius[c], own));
    certificate.contact_residual = std::max(certificate.contact_residual, error);
    if (error > worst || certificate.worst < 0) {
      worst = error;
      certificate.worst = c;
    }
  }
  double size = r.norm();
  if (has_radii) {
    size = 0.0;
    for (Index i = 0; i < r.size(); ++i)
      if (i % problem.dimension != 0 || !problem.is_borne(i / problem.dimension)) size = norm(size, r[i]);
  }
  certificate.residual = relative(std::sqrt(sum), std::max(size, rho * problem.free_speeds().norm()));
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

namespace {

/// A sum of products in twice the precision, and what may be wrong with it.
struct LongSum {
  double high = 0.0, low = 0.0, terms = 0.0;
  int count = 0;

  void add_product(double a, double b) {
    const double product = a * b;
    low += std::fma(a, b, -product);
    add(product, high, low);
    terms += std::abs(product);
    ++count;
  }
  [[nodiscard]] double value() const { return high + low; }
  /// Ogita, Rump and Oishi 2005, Proposition 5.5, with room; and products that are too small to have a rounding.
  [[nodiscard]] double rounding() const {
    return eps * std::abs(value()) + eps * eps * count * count * terms + count * std::numeric_limits<double>::min();
  }
};

/// |P_K(x)| of the round cone.
double projected_length(double mu, const double x[3]) {
  const double t = norm(x[1], x[2]);
  if (x[0] >= 0.0 && t <= mu * x[0]) return norm(x);
  if (mu * t <= -x[0]) return 0.0;
  return (x[0] + mu * t) / std::sqrt(1.0 + mu * mu);
}

}  // namespace

InfeasibilityProof certify_infeasible(const Problem& problem, const Vector& y) {
  InfeasibilityProof proof;
  if (y.size() != problem.size() || !y.allFinite()) return proof;
  LongSum q_y;
  for (Index i = 0; i < y.size(); ++i) {
    if (i % problem.dimension == 0 ? y[i] < 0.0 : y[i] != 0.0) return proof;
    if (y[i] != 0.0) q_y.add_product(problem.q[i], y[i]);
  }
  const double gap = -q_y.value() - q_y.rounding();
  if (!(gap > 0.0)) return proof;

  CertifyWork work;
  find_traces(problem, work);
  const std::vector<double> trace = work.trace;
  multiply(problem, Vector::Zero(problem.size()), work);
  find_speeds(problem, work);
  double distance = 0.0, reach = 0.0;
  for (Index c = 0; c < problem.contacts(); ++c) {
    const Index first = c * problem.dimension;
    double slope[3] = {0.0, 0.0, 0.0}, all[3] = {0.0, 0.0, 0.0}, rounding = 0.0;
    for (int k = 0; k < problem.dimension; ++k) {
      LongSum sum;
      problem.W.for_each_in_column(first + k, [&](Index i, double value) {
        if (y[i] != 0.0) sum.add_product(value, y[i]);
      });
      all[k] = sum.value();
      // r_T = 0 along a tangent without friction. An elliptic cone lies in the round one of its larger axis.
      if (k == 0 || problem.share(c, k) > 0.0) slope[k] = sum.value();
      rounding += sum.rounding();
    }
    const double mu = problem.friction(c), length = projected_length(mu, slope) + rounding;
    distance = norm(distance, length);
    const bool is_borne = problem.is_borne(c);
    const double speed = is_borne ? std::max(work.speed[c], std::abs(problem.q[first])) : work.speed[c];
    const double force = (is_borne ? std::sqrt(2.0) : 1.0) * problem.dimension / trace[c] * speed;
    reach += 2.0 * std::sqrt(1.0 + mu * mu) * y[first] * speed;
    reach += (length * (1.0 / eps + 1.0) + norm(all) + rounding) * force;
  }
  proof.bound = gap / distance;
  if (!std::isfinite(proof.bound) && distance > 0.0) proof.bound = 0.0;
  if (reach > 0.0 && std::isfinite(reach)) proof.least_tolerance = gap / reach;
  return proof;
}

}  // namespace stiction::cone
