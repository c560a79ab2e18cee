#include "stiction/cone/certificate.h"

#include <algorithm>
#include <cmath>

namespace stiction::cone {

namespace {

/// The square of the natural map's error of one contact.
double squared_error(const Problem& problem, const Vector& r, const Vector& u, Index contact, double rho) {
  const Index first = contact * problem.dimension;
  const double mu = problem.friction(contact);
  double force[3] = {r[first], 0.0, 0.0}, velocity[3] = {u[first], 0.0, 0.0};
  double error = 0.0;
  for (int t = 1; t < problem.dimension; ++t) {
    const double share = problem.share(contact, t);
    if (share > 0.0) {
      force[t] = r[first + t] / share;
      velocity[t] = u[first + t] * share;
    } else {
      error += r[first + t] * r[first + t];
    }
  }
  velocity[0] += mu * length(velocity[1], velocity[2]);
  double moved[3];
  for (int i = 0; i < 3; ++i) moved[i] = force[i] - rho * velocity[i];
  project_on_cone(mu, moved);
  for (int i = 0; i < 3; ++i) error += (force[i] - moved[i]) * (force[i] - moved[i]);
  return error;
}

/// NaN and 1/0 must not pass.
double relative(double error, double scale) {
  const double value = error == 0.0 ? 0.0 : error / scale;
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

}  // namespace

Certificate certify(const Problem& problem, const Vector& r) {
  CertifyWork work;
  return certify(problem, r, work);
}

Certificate certify(const Problem& problem, const Vector& r, CertifyWork& work) {
  Certificate certificate;
  if (r.size() != problem.size() || !r.allFinite()) return certificate;
  work.u = problem.q;
  double trace = 0.0;
  for (Index j = 0; j < problem.size(); ++j)
    problem.W.for_each_in_column(j, [&, force = r[j]](Index i, double value) {
      work.u[i] += value * force;
      if (i == j) trace += value;
    });
  const double rho = trace > 0.0 ? static_cast<double>(problem.size()) / trace : 1.0;

  double sum = 0.0, worst = 0.0;
  for (Index c = 0; c < problem.contacts(); ++c) {
    const double error = squared_error(problem, r, work.u, c, rho);
    if (error > worst || certificate.worst < 0) {
      worst = error;
      certificate.worst = c;
    }
    sum += error;
  }
  const double error = std::sqrt(sum), force = r.norm(), data = rho * problem.q.norm();
  certificate.residual = relative(error, std::max(force, data));
  // What lies below the rounding of r was not seen: with r = 1e17 and u = -1 the error above is zero.
  const double unseen = data > 0.0 ? std::numeric_limits<double>::epsilon() * force : 0.0;
  certificate.data_residual = relative(error + unseen, data);
  return certificate;
}

double siconos_error(const Problem& problem, const Vector& r) {
  if (r.size() != problem.size() || !r.allFinite()) return std::numeric_limits<double>::infinity();
  Vector u = problem.q;
  problem.W.multiply_add(r, 1.0, u);
  double sum = 0.0;
  for (Index c = 0; c < problem.contacts(); ++c) sum += squared_error(problem, r, u, c, 1.0);
  return relative(std::sqrt(sum), std::max({problem.q.norm(), r.norm(), u.norm()}));
}

}  // namespace stiction::cone
