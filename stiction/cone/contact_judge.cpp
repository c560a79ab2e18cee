#include "stiction/cone/contact_judge.h"

#include <algorithm>
#include <limits>

namespace stiction::cone {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

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

/// |P_K(x)| of the round cone.
double projected_length(double mu, const double x[3]) {
  const double t = norm(x[1], x[2]);
  if (x[0] >= 0.0 && t <= mu * x[0]) return norm(x);
  if (mu * t <= -x[0]) return 0.0;
  return (x[0] + mu * t) / std::sqrt(1.0 + mu * mu);
}

}  // namespace

double relative(double error, double scale) {
  const double value = error == 0.0 ? 0.0 : error / scale;
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

double error_of(const RoundContact& contact, const Vector& r, const Vector& u, double rho) {
  double force[3], speed[3], e[3];
  const double outside = contact.read_force(r, force);
  contact.read_speed(u, speed);
  speed[0] += contact.mu * norm(speed[1], speed[2]);
  (contact.is_borne ? find_borne_error : find_error)(contact.mu, force, speed, rho, e);
  return outside > 0.0 ? norm(norm(e), std::sqrt(outside)) : norm(e);
}

Certificate judge(const Problem& problem, const Vector& r, CertifyWork& work) {
  Certificate certificate;
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

InfeasibilityProof refute(const Problem& problem, const Vector& y, double gap, const Vector& slope,
                          const Vector& rounding, const CertifyWork& work) {
  InfeasibilityProof proof;
  double distance = 0.0, reach = 0.0;
  for (Index c = 0; c < problem.contacts(); ++c) {
    const Index first = c * problem.dimension;
    double on_cone[3] = {0.0, 0.0, 0.0}, all[3] = {0.0, 0.0, 0.0}, unsure = 0.0;
    for (int k = 0; k < problem.dimension; ++k) {
      all[k] = slope[first + k];
      // r_T = 0 along a tangent without friction. An elliptic cone lies in the round one of its larger axis.
      if (k == 0 || problem.share(c, k) > 0.0) on_cone[k] = all[k];
      unsure += rounding[first + k];
    }
    const double mu = problem.friction(c), length = projected_length(mu, on_cone) + unsure;
    distance = norm(distance, length);
    const bool is_borne = problem.is_borne(c);
    const double speed = is_borne ? std::max(work.speed[c], std::abs(problem.q[first])) : work.speed[c];
    const double force = (is_borne ? std::sqrt(2.0) : 1.0) * problem.dimension / work.trace[c] * speed;
    reach += 2.0 * std::sqrt(1.0 + mu * mu) * y[first] * speed;
    reach += (length * (1.0 / eps + 1.0) + norm(all) + unsure) * force;
  }
  proof.bound = gap / distance;
  if (!std::isfinite(proof.bound) && distance > 0.0) proof.bound = 0.0;
  if (reach > 0.0 && std::isfinite(reach)) proof.least_tolerance = gap / reach;
  return proof;
}

}  // namespace stiction::cone
