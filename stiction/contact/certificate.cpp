#include "stiction/contact/certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double largest(const Vector& v) {
  return v.size() == 0 ? 0.0 : v.lpNorm<Eigen::Infinity>();
}

/// What mass resists along a row; infinite inertia (an empty row) gives zero.
double effective_mass(const StepProblem& problem, const linalg::Rows& rows, int row) {
  const double mobility = rows.mobility(row, problem.M);
  return mobility > 0.0 ? 1.0 / mobility : 0.0;
}

double row_size(const linalg::Rows& rows, int row) {
  double size = 0.0;
  for (const double value : rows.values(row)) size = std::max(size, std::abs(value));
  return size;
}

/// Over the larger of a scale and the smallest normal number: 0/0 is 0.
double relative(double value, double scale) {
  return value == 0.0 ? 0.0 : value / std::max(scale, std::numeric_limits<double>::min());
}

/// The speed that a row of nu asks for: a drive cannot cause more than its softness and its bounds let it.
double row_scale(const StepProblem& problem, int i) {
  const StepProblem::RowLaw law = problem.row_law(i);
  const double mass = effective_mass(problem, problem.nu, i);
  const double wanted = std::abs(problem.b_nu[i]) / (1.0 + law.compliance * mass);
  if (law.is_joint() || !(mass > 0.0)) return wanted;
  return std::min(wanted, std::max(-law.lower, law.upper) / mass);
}

/// Where a drive's impulse goes if it gives way to what is left of its law: outside of the bounds it is at one.
double moved_impulse(const StepProblem& problem, const StepSolution& solution, int i, double mass) {
  const double c = solution.c_nu[i];
  return c - mass * problem.row_speed(i, solution.v, c);
}

/// Largest speed that takes part: before, after, and what the applied impulse would give each coordinate by itself.
double speed_scale(const StepProblem& problem, const StepSolution& solution) {
  double scale = std::max(largest(problem.v), largest(solution.v));
  for (int i = 0; i < problem.velocities(); ++i)
    scale = std::max(scale, std::abs(problem.k[i] / problem.M.coeff(i, i)));
  for (int i = 0; i < problem.joints(); ++i) scale = std::max(scale, row_scale(problem, i));
  return scale;
}

/// product = M v
void multiply(const SparseMatrix& M, const Vector& v, Vector& product) {
  product.setZero(v.size());
  for (int j = 0; j < M.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(M, j); it; ++it) product[it.row()] += it.value() * v[j];
}

void certify_momentum(const StepProblem& problem, const StepSolution& solution, StepCertifyWork& work,
                      StepCertificate& certificate) {
  Vector& impulse = work.impulse;
  impulse.setZero(problem.velocities());
  double scale = largest(problem.k);
  for (const Vector* v : {&problem.v, &solution.v}) {
    multiply(problem.M, *v, work.product);
    scale = std::max(scale, largest(work.product));
  }
  const auto add = [&](const linalg::Rows& rows, int row, double value) {
    rows.add_to(row, value, impulse);
    scale = std::max(scale, std::abs(value) * row_size(rows, row));
  };
  for (int i = 0; i < problem.joints(); ++i) add(problem.nu, i, solution.c_nu[i]);
  for (int j = 0; j < problem.size(); ++j) {
    add(problem.n, j, solution.c_n[j]);
    add(problem.t1, j, solution.c_t1[j]);
    add(problem.t2, j, solution.c_t2[j]);
  }
  impulse += problem.k;
  impulse -= work.change;
  certificate.momentum_defect = relative(largest(impulse), scale);
}

void certify_energy(const StepProblem& problem, const StepSolution& solution, StepCertifyWork& work,
                    StepCertificate& certificate) {
  Vector& v_alpha = work.v_alpha;
  v_alpha = problem.alpha * solution.v + (1.0 - problem.alpha) * problem.v;
  const double left = v_alpha.dot(work.change) - v_alpha.dot(problem.k);
  double right = 0.0;
  double scale = std::max(std::abs(v_alpha.dot(work.change)), std::abs(v_alpha.dot(problem.k)));
  for (const Vector* v : {&problem.v, &solution.v}) {
    multiply(problem.M, *v, work.product);
    scale = std::max(scale, std::abs(v->dot(work.product)));
  }
  // What the applied impulse alone would do: the measure of a step in which nothing moves.
  for (int i = 0; i < problem.velocities(); ++i)
    scale = std::max(scale, problem.k[i] * problem.k[i] / problem.M.coeff(i, i));
  const auto subtract = [&](double term) {
    right -= term;
    scale = std::max(scale, std::abs(term));
  };
  for (int i = 0; i < problem.joints(); ++i) {
    const double c = solution.c_nu[i];
    const StepProblem::RowLaw law = problem.row_law(i);
    subtract(c * problem.b_nu[i]);
    subtract(law.compliance * c * c);
    if (law.is_joint()) continue;
    const double moved = moved_impulse(problem, solution, i, effective_mass(problem, problem.nu, i));
    if (moved <= law.lower) subtract(-law.lower * problem.row_speed(i, solution.v, c));
    if (moved >= law.upper) subtract(-law.upper * problem.row_speed(i, solution.v, c));
  }
  for (int j = 0; j < problem.size(); ++j) {
    subtract(solution.lambda[j] * problem.radius(j, solution.c_n));
    subtract(solution.c_n[j] * problem.b_n[j]);
    subtract(solution.c_t1[j] * problem.b_t1[j] + solution.c_t2[j] * problem.b_t2[j]);
  }
  certificate.energy_defect = relative(std::abs(left - right), scale);
}

/// By how much a joint moves, or a drive breaks its law: c = c - w cut off at the bounds, with the row's mass.
double row_error(const StepProblem& problem, const StepSolution& solution, int i) {
  const double c = solution.c_nu[i];
  const StepProblem::RowLaw law = problem.row_law(i);
  if (law.is_joint()) return std::abs(problem.row_speed(i, solution.v, c));
  const double mass = effective_mass(problem, problem.nu, i);
  if (!(mass > 0.0)) return std::max({0.0, law.lower - c, c - law.upper});
  return std::abs(c - std::clamp(moved_impulse(problem, solution, i, mass), law.lower, law.upper)) / mass;
}

/// The laws of one contact; errors are returned in units of speed.
struct ContactError {
  double law = 0.0, cone = 0.0, angle = 0.0, loss = 0.0;
};

/// Friction of the true cone: the part of its impulse that the projection of `friction - mass * slip` on the disc
/// moves, in units of speed (Alart and Curnier 1991), and lambda, which is the speed of sliding. Both in the round
/// metric.
double disc_error(const Eigen::Vector2d& friction, const Eigen::Vector2d& slip, double radius, double lambda,
                  double mass) {
  const double off = std::abs(lambda - slip.norm());
  if (!(mass > 0.0)) return std::max(off, friction.norm());
  const Eigen::Vector2d moved = friction - mass * slip;
  const double share =
      std::min(1.0, std::max(0.0, radius) / std::max(moved.norm(), std::numeric_limits<double>::min()));
  return std::max(off, (friction - share * moved).norm() / mass);
}

/// Friction of a polyhedral cone: of facets, of lambda, and of their sum.
double facets_error(const StepProblem& problem, const StepSolution& solution, int j, const Eigen::Vector2d& slip,
                    double mass) {
  const auto as_speed = [mass](double impulse) { return mass > 0.0 ? impulse / mass : impulse; };
  const Facets& facets = solution.facets[j];
  double error = 0.0, total = 0.0;
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  for (int i = 0; i < facets.count; ++i) {
    double d1 = 0.0, d2 = 0.0;
    facets.direction(i, problem.contacts[j].ratio(), d1, d2);
    const double beta = solution.beta[solution.beta_start[j] + i];
    const double sigma = solution.lambda[j] + d1 * slip.x() + d2 * slip.y();
    error = std::max(error, std::abs(std::min(as_speed(beta), sigma)));
    total += beta;
    sum += beta * Eigen::Vector2d(d1, d2);
  }
  const double room = problem.radius(j, solution.c_n) - total;
  error = std::max(error, std::abs(std::min(solution.lambda[j], as_speed(room))));
  // The tangential impulse is that of the facets.
  return std::max(error, as_speed((sum - Eigen::Vector2d(solution.c_t1[j], solution.c_t2[j])).norm()));
}

ContactError contact_error(const StepProblem& problem, const StepSolution& solution, int j, double speed) {
  ContactError error;
  const StepProblem::Contact& contact = problem.contacts[j];
  const double normal_mass = effective_mass(problem, problem.n, j);
  const auto as_speed = [](double impulse, double mass) { return mass > 0.0 ? impulse / mass : impulse; };
  const double w_n = problem.speed(problem.n, j, solution.v) + problem.b_n[j];
  if (problem.has_normal(j))
    error.law = std::abs(std::min(as_speed(solution.c_n[j], normal_mass), w_n));
  else
    error.law = std::abs(solution.c_n[j]);
  if (contact.tangents == 0) {
    error.cone = std::abs(solution.c_t1[j]) + std::abs(solution.c_t2[j]);
    return error;
  }
  const double mass = effective_mass(problem, problem.t1, j);
  const double ratio = contact.mu > 0.0 ? contact.mu2 / contact.mu : 1.0;
  const double slip1 = problem.speed(problem.t1, j, solution.v) + problem.b_t1[j];
  const double slip2 = contact.tangents == 2 ? problem.speed(problem.t2, j, solution.v) + problem.b_t2[j] : 0.0;
  const double radius = problem.radius(j, solution.c_n);
  const double scaled2 = ratio > 0.0 ? solution.c_t2[j] / ratio : solution.c_t2[j];
  const double friction_law = solution.facets[j].round ? disc_error({solution.c_t1[j], scaled2}, {slip1, ratio * slip2},
                                                                    radius, solution.lambda[j], mass)
                                                       : facets_error(problem, solution, j, {slip1, slip2}, mass);
  error.law = std::max(error.law, friction_law);
  error.cone = as_speed(std::max(0.0, std::hypot(solution.c_t1[j], scaled2) - radius), mass);
  const double slip = std::hypot(slip1, ratio * slip2), friction = std::hypot(solution.c_t1[j], scaled2);
  // What creeps below rounding has no direction.
  if (slip > 1e-9 * speed && as_speed(friction, mass) > 1e-9 * speed) {
    const double against = -(slip1 * solution.c_t1[j] + ratio * slip2 * scaled2) / slip;
    error.angle = std::acos(std::clamp(against / friction, -1.0, 1.0));
    error.loss = std::max(0.0, 1.0 - against / radius);
  }
  return error;
}

}  // namespace

bool StepCertificate::certified(double tolerance) const {
  constexpr double exact = 1e-10;
  return residual <= tolerance && cone_violation <= tolerance && equality_residual <= exact &&
         momentum_defect <= exact && energy_defect <= exact;
}

void StepCertificate::merge(const StepCertificate& other) {
  if (other.residual > residual || !has_worst) {
    worst_contact = other.worst_contact;
    has_worst = other.has_worst;
  }
  residual = std::max(residual, other.residual);
  cone_violation = std::max(cone_violation, other.cone_violation);
  equality_residual = std::max(equality_residual, other.equality_residual);
  momentum_defect = std::max(momentum_defect, other.momentum_defect);
  energy_defect = std::max(energy_defect, other.energy_defect);
  misalignment = std::max(misalignment, other.misalignment);
  friction_loss = std::max(friction_loss, other.friction_loss);
}

StepCertificate certify(const StepProblem& problem, const StepSolution& solution) {
  StepCertifyWork work;
  return certify(problem, solution, work);
}

StepCertificate certify(const StepProblem& problem, const StepSolution& solution, StepCertifyWork& work) {
  StepCertificate certificate;
  const bool fits = solution.v.size() == problem.v.size() && solution.v.allFinite() &&
                    static_cast<int>(solution.c_nu.size()) == problem.joints() &&
                    static_cast<int>(solution.c_n.size()) == problem.size();
  if (!fits) {
    certificate.residual = certificate.momentum_defect = infinity;
    return certificate;
  }
  double scale = speed_scale(problem, solution);
  for (int j = 0; j < problem.size(); ++j) {
    const double mass = effective_mass(problem, problem.n, j);
    if (mass > 0.0) scale = std::max(scale, std::abs(solution.c_n[j]) / mass);
  }
  for (int i = 0; i < problem.joints(); ++i) {
    const double error = relative(row_error(problem, solution, i), scale * std::max(1.0, row_size(problem.nu, i)));
    certificate.equality_residual = std::isfinite(error) ? std::max(certificate.equality_residual, error) : infinity;
  }
  for (int j = 0; j < problem.size(); ++j) {
    const ContactError error = contact_error(problem, solution, j, scale);
    const double law = relative(error.law, scale);
    if (law > certificate.residual || !certificate.has_worst) {
      certificate.worst_contact = problem.contacts[j].id;
      certificate.has_worst = true;
    }
    // NaN must not pass: max would drop it.
    certificate.residual = std::isfinite(law) ? std::max(certificate.residual, law) : infinity;
    certificate.cone_violation = std::max(certificate.cone_violation, relative(error.cone, scale));
    certificate.misalignment = std::max(certificate.misalignment, error.angle);
    certificate.friction_loss = std::max(certificate.friction_loss, error.loss);
  }
  work.v_alpha = solution.v - problem.v;
  multiply(problem.M, work.v_alpha, work.change);
  certify_momentum(problem, solution, work, certificate);
  certify_energy(problem, solution, work, certificate);
  if (!std::isfinite(certificate.momentum_defect)) certificate.momentum_defect = infinity;
  if (!std::isfinite(certificate.energy_defect)) certificate.energy_defect = infinity;
  if (!std::isfinite(certificate.equality_residual)) certificate.equality_residual = infinity;
  return certificate;
}

}  // namespace stiction
