#include "stiction/cone/certificate.h"

#include <algorithm>
#include <cmath>

namespace stiction::cone {

void project_on_cone(double mu, double x[3]) {
  const double tangential = std::hypot(x[1], x[2]);
  if (x[0] >= 0.0 && tangential <= mu * x[0]) return;
  if (mu * tangential <= -x[0]) {
    x[0] = x[1] = x[2] = 0.0;
    return;
  }
  x[0] = (x[0] + mu * tangential) / (1.0 + mu * mu);
  const double factor = tangential > 0.0 ? mu * x[0] / tangential : 0.0;
  x[1] *= factor;
  x[2] *= factor;
}

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
  velocity[0] += mu * std::hypot(velocity[1], velocity[2]);
  double moved[3];
  for (int i = 0; i < 3; ++i) moved[i] = force[i] - rho * velocity[i];
  project_on_cone(mu, moved);
  for (int i = 0; i < 3; ++i) error += (force[i] - moved[i]) * (force[i] - moved[i]);
  return error;
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
  problem.W.multiply_add(r, 1.0, work.u);
  double trace = 0.0;
  for (Index i = 0; i < problem.size(); ++i) trace += problem.W.coefficient(i, i);
  const double rho = trace > 0.0 ? static_cast<double>(problem.size()) / trace : 1.0;

  double sum = 0.0, sum_unscaled = 0.0, worst = 0.0;
  for (Index c = 0; c < problem.contacts(); ++c) {
    const double error = squared_error(problem, r, work.u, c, rho);
    if (error > worst || certificate.worst < 0) {
      worst = error;
      certificate.worst = c;
    }
    sum += error;
    sum_unscaled += squared_error(problem, r, work.u, c, 1.0);
  }
  const auto relative = [](double error, double scale) {
    const double value = error == 0.0 ? 0.0 : error / scale;
    // NaN and 1/0 must not pass.
    return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
  };
  certificate.residual = relative(std::sqrt(sum), std::max(r.norm(), rho * problem.q.norm()));
  // What lies below the rounding of r was not seen: with r = 1e17 and u = -1 the error above is zero.
  const double unseen = problem.q.norm() > 0.0 ? std::numeric_limits<double>::epsilon() * r.norm() : 0.0;
  certificate.data_residual = relative(std::sqrt(sum) + unseen, rho * problem.q.norm());
  certificate.siconos_error = relative(std::sqrt(sum_unscaled), std::max({problem.q.norm(), r.norm(), work.u.norm()}));
  return certificate;
}

}  // namespace stiction::cone
