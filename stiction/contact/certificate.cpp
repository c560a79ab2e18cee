#include "stiction/contact/certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/phase_times.h"
#include "stiction/contact/judge_products.h"

namespace stiction {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double largest(const Vector& v) {
  return v.size() == 0 ? 0.0 : v.lpNorm<Eigen::Infinity>();
}

/// NaN must not pass: max would drop it.
void raise(double& largest, double value) {
  largest = std::isfinite(value) ? std::max(largest, value) : infinity;
}

using judge::Mobilities;

/// What mass resists along a row of this mobility; infinite inertia (an empty row) gives zero.
double effective_mass(double mobility) {
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

/// The left side of a row of nu: zero for a joint that holds.
double row_speed(const StepProblem& problem, int i, const Vector& v_plus, double c) {
  return judge::speed(problem, problem.nu, i, v_plus) + problem.b_nu[i] + problem.row_law(i).compliance * c;
}

/// The speed that a row of nu asks for: a drive cannot cause more than its softness and its bounds let it.
double row_scale(const StepProblem& problem, const Mobilities& mobilities, int i) {
  const StepProblem::RowLaw law = problem.row_law(i);
  const double mass = effective_mass(mobilities.nu[i]);
  const double wanted = std::abs(problem.b_nu[i]) / (1.0 + law.compliance * mass);
  if (law.is_joint() || !(mass > 0.0)) return wanted;
  return std::min(wanted, std::max(-law.lower, law.upper) / mass);
}

/// Where a drive's impulse goes if it gives way to what is left of its law: outside of the bounds it is at one.
double moved_impulse(const StepProblem& problem, const StepSolution& solution, int i, double mass) {
  const double c = solution.c_nu[i];
  return c - mass * row_speed(problem, i, solution.v, c);
}

/// Largest speed that takes part: before, after, and what the applied impulse would give each coordinate by itself.
double speed_scale(const StepProblem& problem, const StepSolution& solution, const Mobilities& mobilities) {
  double scale = std::max(largest(problem.v), largest(solution.v));
  for (int i = 0; i < problem.velocities(); ++i)
    scale = std::max(scale, std::abs(problem.k[i] / mobilities.diagonal[i]));
  for (int i = 0; i < problem.joints(); ++i) scale = std::max(scale, row_scale(problem, mobilities, i));
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
    const auto columns = rows.columns(row);
    const auto values = rows.values(row);
    for (std::size_t p = 0; p < columns.size(); ++p) impulse[columns[p]] += value * values[p];
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
  // And of each velocity against what happens around it: what is nothing beside a ship is much for a gram. Rounding of
  // the momenta themselves and of what joints transmit (at a lever of 1e6 m) is allowed; that of contacts is not, or
  // large impulses against each other would hide what carries a body.
  constexpr double rounding = 8.0 * std::numeric_limits<double>::epsilon();
  work.product.setZero(problem.velocities());
  for (int j = 0; j < problem.M.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(problem.M, j); it; ++it)
      work.product[it.row()] += std::abs(it.value()) * (std::abs(problem.v[j]) + std::abs(solution.v[j]));
  for (int i = 0; i < problem.joints(); ++i) {
    const auto columns = problem.nu.columns(i);
    const auto values = problem.nu.values(i);
    for (std::size_t p = 0; p < columns.size(); ++p) work.product[columns[p]] += std::abs(values[p] * solution.c_nu[i]);
  }
  for (int i = 0; i < problem.velocities(); ++i) {
    const double defect = std::abs(impulse[i]) - rounding * (work.product[i] + std::abs(problem.k[i]));
    raise(certificate.contact_residual,
          relative(std::max(0.0, defect) / work.mobilities.diagonal[i], work.local_speed.velocity(i)));
  }
}

/// Of two blocks with one set the most that friction in it can take, with the first of them.
double friction_loss(const StepProblem& problem, const StepSolution& solution, int j) {
  const double own = solution.lambda[j] * problem.radius(j, solution.c_n);
  const int partner = problem.contacts[j].partner;
  if (partner < 0) return own;
  return partner < j ? 0.0 : std::hypot(own, solution.lambda[partner] * problem.radius(partner, solution.c_n));
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
  // What the applied impulse alone would do, of all bodies as the energies are: the measure of a step in which nothing
  // moves. No answer has a say in it.
  double applied = 0.0;
  for (int i = 0; i < problem.velocities(); ++i) applied += problem.k[i] * problem.k[i] / work.mobilities.diagonal[i];
  scale = std::max(scale, applied);
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
    const double moved = moved_impulse(problem, solution, i, effective_mass(work.mobilities.nu[i]));
    if (moved <= law.lower) subtract(-law.lower * row_speed(problem, i, solution.v, c));
    if (moved >= law.upper) subtract(-law.upper * row_speed(problem, i, solution.v, c));
  }
  for (int j = 0; j < problem.size(); ++j) {
    subtract(friction_loss(problem, solution, j));
    subtract(solution.c_n[j] * problem.b_n[j]);
    subtract(solution.c_t1[j] * problem.b_t1[j] + solution.c_t2[j] * problem.b_t2[j]);
  }
  certificate.energy_defect = relative(std::abs(left - right), scale);
}

/// By how much a joint moves, or a drive breaks its law: c = c - w cut off at the bounds, with the row's mass.
double row_error(const StepProblem& problem, const StepSolution& solution, const Mobilities& mobilities, int i) {
  const double c = solution.c_nu[i];
  const StepProblem::RowLaw law = problem.row_law(i);
  if (law.is_joint()) return std::abs(row_speed(problem, i, solution.v, c));
  const double mass = effective_mass(mobilities.nu[i]);
  if (!(mass > 0.0)) return std::max({0.0, law.lower - c, c - law.upper});
  // c - (c - mass w) would lose w where c is large.
  const double moved = moved_impulse(problem, solution, i, mass);
  if (moved > law.lower && moved < law.upper) return std::abs(row_speed(problem, i, solution.v, c));
  return std::abs(c - (moved <= law.lower ? law.lower : law.upper)) / mass;
}

/// The laws of one contact; errors are returned in units of speed.
struct ContactError {
  double law = 0.0, local = 0.0, cone = 0.0, angle = 0.0, loss = 0.0;
};

/// Which cone a contact is judged by.
enum class Judge : std::uint8_t {
  own,    ///< The one that the problem asks for,
  found,  ///< the one that the answer was found for.
};

/// |r - P_K(r - rho u~)| / rho with u~ = u + mu |u_T| n, in units of speed, for the cone |r_T| <= mu r_n. With
/// x = r - rho u~ outside of K and of its polar cone the projection is x - d (-mu, a), a = x_T / |x_T|, and the
/// difference is rho u~ + d (-mu, a): neither it nor d, through |x_T| - |r_T|, is a difference of large numbers.
double natural_error(double mu, const Eigen::Vector3d& r, const Eigen::Vector3d& u, double rho) {
  const double slip = std::hypot(u[1], u[2]);
  const Eigen::Vector3d lifted(u[0] + mu * slip, u[1], u[2]);
  const Eigen::Vector3d x = r - rho * lifted;
  const double x_t = std::hypot(x[1], x[2]), r_t = std::hypot(r[1], r[2]);
  if (mu * x_t <= -x[0]) return r.norm() / rho;
  const double sum = x_t + r_t;
  const double grown = sum > 0.0 ? rho * (rho * slip * slip - 2.0 * (r[1] * u[1] + r[2] * u[2])) / sum : 0.0;
  const double room = (mu * r[0] - r_t) - mu * rho * lifted[0] - grown;
  if (room >= 0.0) return lifted.norm();
  const double d = -room / (1.0 + mu * mu), share = x_t > 0.0 ? d / (x_t * rho) : 0.0;
  return std::hypot(lifted[0] - mu * d / rho, lifted[1] + share * x[1], lifted[2] + share * x[2]);
}

/// Two directions of a block and two of its partner, in the units of the block; zero where there is none.
using Directions = Eigen::Vector4d;

/// Friction in a ball: the part of the block's own impulse that the projection of `friction - mass * slip` on the ball
/// moves, in units of speed (Alart and Curnier 1991). In the metric in which the set is round.
double ball_error(const Directions& friction, const Directions& slip, double radius, double mass) {
  if (!(mass > 0.0)) return friction.head<2>().norm();
  const Directions moved = friction - mass * slip;
  const double length = moved.norm(), room = std::max(0.0, radius), sum = length + friction.norm();
  // By how much the moved impulse is longer than the radius, and friction less its projection: no difference of large
  // numbers but that of friction and radius.
  const double grown = sum > 0.0 ? mass * (mass * slip.squaredNorm() - 2.0 * friction.dot(slip)) / sum : 0.0;
  const double beyond = grown + (friction.norm() - room);
  if (beyond <= 0.0) return slip.head<2>().norm();
  const double share = room / length;
  return ((beyond / length) * friction + share * mass * slip).head<2>().norm() / mass;
}

/// Whether an answer's facets are those of the cone that the contact asks for.
bool has_own_facets(const StepProblem::Contact& contact, const Facets& facets) {
  return !facets.round && facets.count == contact.facets && (contact.turns || facets.turn == 0.0);
}

/// Friction of one block in the metric in which its set is round. Of a polyhedral cone that is the sum of its facets'
/// impulses, against -lambda, the fastest that they go with.
struct Rub {
  Eigen::Vector2d friction, slip;
  double radius = 0.0;
};

/// Whether friction is judged by facets; in one direction the two facets are the cone.
bool by_facets(const StepProblem& problem, const StepSolution& solution, int j, Judge judge) {
  const StepProblem::Contact& contact = problem.contacts[j];
  return judge == Judge::own ? contact.facets > 0 && contact.tangents == 2 : !solution.facets[j].round;
}

Eigen::Vector2d slip_of(const StepProblem& problem, const StepSolution& solution, int j) {
  const double slip1 = judge::speed(problem, problem.t1, j, solution.v) + problem.b_t1[j];
  if (problem.contacts[j].tangents < 2) return {slip1, 0.0};
  return {slip1, judge::speed(problem, problem.t2, j, solution.v) + problem.b_t2[j]};
}

/// In the true cone's metric, whatever it is judged by.
Rub true_rub(const StepProblem& problem, const StepSolution& solution, int j) {
  const double ratio = problem.contacts[j].ratio();
  const Eigen::Vector2d slip = slip_of(problem, solution, j);
  const double scaled2 = ratio > 0.0 ? solution.c_t2[j] / ratio : solution.c_t2[j];
  return {{solution.c_t1[j], scaled2}, {slip.x(), ratio * slip.y()}, problem.radius(j, solution.c_n)};
}

Rub find_rub(const StepProblem& problem, const StepSolution& solution, int j, Judge judge) {
  if (!by_facets(problem, solution, j, judge)) return true_rub(problem, solution, j);
  double total = 0.0;
  for (int i = solution.beta_start[j]; i < solution.beta_start[j + 1]; ++i) total += solution.beta[i];
  return {{total, 0.0}, {-solution.lambda[j], 0.0}, problem.radius(j, solution.c_n)};
}

/// With the partner's in the units in which the set of both is a ball of this block's radius, and with zeros where a
/// radius is none: then each stands for itself.
void join_partner(const Rub& own, const Rub& other, Directions& friction, Directions& slip) {
  friction << own.friction, 0.0, 0.0;
  slip << own.slip, 0.0, 0.0;
  if (!(own.radius > 0.0) || !(other.radius > 0.0)) return;
  const double unit = other.radius / own.radius;
  friction.tail<2>() = other.friction / unit;
  slip.tail<2>() = other.slip * unit;
}

/// Friction of a polyhedral cone: of facets, and of their sum, which is the tangential impulse.
double facets_error(const StepProblem& problem, const StepSolution& solution, int j, double mass) {
  const auto as_speed = [mass](double impulse) { return mass > 0.0 ? impulse / mass : impulse; };
  const Facets& facets = solution.facets[j];
  const Eigen::Vector2d slip = slip_of(problem, solution, j);
  double error = 0.0;
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  for (int i = 0; i < facets.count; ++i) {
    double d1 = 0.0, d2 = 0.0;
    facets.direction(i, problem.contacts[j].ratio(), d1, d2);
    const double beta = solution.beta[solution.beta_start[j] + i];
    const double sigma = solution.lambda[j] + d1 * slip.x() + d2 * slip.y();
    error = std::max(error, std::abs(std::min(as_speed(beta), sigma)));
    sum += beta * Eigen::Vector2d(d1, d2);
  }
  return std::max(error, as_speed((sum - Eigen::Vector2d(solution.c_t1[j], solution.c_t2[j])).norm()));
}

/// Friction by the law it is judged by, in units of speed.
double friction_error(const StepProblem& problem, const StepSolution& solution, int j, Judge judge, double mass,
                      const Rub& true_own) {
  const StepProblem::Contact& contact = problem.contacts[j];
  const bool has_facets = by_facets(problem, solution, j, judge);
  if (judge == Judge::own && has_facets && !has_own_facets(contact, solution.facets[j])) return infinity;
  const Rub own = has_facets ? find_rub(problem, solution, j, judge) : true_own;
  const double lambda = solution.lambda[j];
  const double error = has_facets ? facets_error(problem, solution, j, mass) : std::abs(lambda - own.slip.norm());
  if (contact.partner < 0 && has_facets) {
    const double room = own.radius - own.friction.x();
    return std::max(error, std::abs(std::min(lambda, mass > 0.0 ? room / mass : room)));
  }
  Directions friction, slip;
  join_partner(own, contact.partner < 0 ? Rub{} : find_rub(problem, solution, contact.partner, judge), friction, slip);
  return std::max({error, ball_error(friction, slip, own.radius, mass), has_facets ? -lambda : 0.0});
}

/// The true cone with a normal impulse of its own and nothing else: the one that natural_error knows.
bool is_plain_cone(const StepProblem& problem, const StepSolution& solution, int j, Judge judge) {
  const StepProblem::Contact& contact = problem.contacts[j];
  const bool is_round = judge == Judge::own ? contact.facets == 0 || contact.tangents < 2 : solution.facets[j].round;
  return is_round && problem.has_normal(j) && contact.hf == 0.0 && contact.tangents > 0 && contact.ratio() > 0.0 &&
         contact.partner < 0;
}

/// alpha times the mean of row M^-1 row' over the rows of a contact, in the metric in which its cone is round: 1 / rho.
double mean_mobility(const StepProblem& problem, const Mobilities& mobilities, int j) {
  const StepProblem::Contact& contact = problem.contacts[j];
  double sum = mobilities.n[j] + mobilities.t1[j];
  if (contact.tangents == 2) sum += contact.ratio() * contact.ratio() * mobilities.t2[j];
  return problem.alpha * sum / (1 + contact.tangents);
}

ContactError contact_error(const StepProblem& problem, const StepSolution& solution, const Mobilities& mobilities,
                           int j, Judge judge, double speed) {
  ContactError error;
  const StepProblem::Contact& contact = problem.contacts[j];
  const double normal_mass = effective_mass(mobilities.n[j]);
  const auto as_speed = [](double impulse, double mass) { return mass > 0.0 ? impulse / mass : impulse; };
  const double w_n = judge::speed(problem, problem.n, j, solution.v) + problem.b_n[j];
  if (problem.has_normal(j))
    error.law = std::abs(std::min(as_speed(solution.c_n[j], normal_mass), w_n));
  else
    error.law = std::abs(solution.c_n[j]);
  error.local = error.law;
  if (contact.tangents == 0) {
    error.cone = as_speed(std::abs(solution.c_t1[j]) + std::abs(solution.c_t2[j]), normal_mass);
    error.local = std::max(error.law, error.cone);
    return error;
  }
  const double mass = effective_mass(mobilities.t1[j]);
  const Rub rub = true_rub(problem, solution, j);
  error.law = std::max(error.law, friction_error(problem, solution, j, judge, mass, rub));
  error.local = error.law;
  if (const double mobility = mean_mobility(problem, mobilities, j);
      mobility > 0.0 && is_plain_cone(problem, solution, j, judge))
    error.local = natural_error(contact.mu, {solution.c_n[j], rub.friction.x(), rub.friction.y()},
                                {w_n, rub.slip.x(), rub.slip.y()}, 1.0 / mobility);
  Directions all_friction, all_slip;
  join_partner(rub, contact.partner < 0 ? Rub{} : true_rub(problem, solution, contact.partner), all_friction, all_slip);
  const double slip = all_slip.norm(), friction = all_friction.norm();
  error.cone = as_speed(std::max(0.0, friction - rub.radius), mass);
  // What creeps below rounding has no direction.
  if (slip > 1e-9 * speed && as_speed(friction, mass) > 1e-9 * speed) {
    const double against = -all_slip.dot(all_friction) / slip;
    error.angle = std::acos(std::clamp(against / friction, -1.0, 1.0));
    error.loss = std::max(0.0, 1.0 - against / rub.radius);
  }
  return error;
}

void certify_laws(const StepProblem& problem, const StepSolution& solution, Judge judge, StepCertifyWork& work,
                  StepCertificate& certificate) {
  work.mobilities.find(problem);
  const Mobilities& mobilities = work.mobilities;
  double scale = speed_scale(problem, solution, mobilities);
  for (int j = 0; j < problem.size(); ++j) {
    const double mass = effective_mass(mobilities.n[j]);
    if (mass > 0.0) scale = std::max(scale, std::abs(solution.c_n[j]) / mass);
  }
  work.local_speed.find(problem, mobilities, solution.v);
  for (int i = 0; i < problem.joints(); ++i) {
    const double error = row_error(problem, solution, work.mobilities, i);
    raise(certificate.equality_residual, relative(error, scale * std::max(1.0, row_size(problem.nu, i))));
    raise(certificate.contact_residual, relative(error, work.local_speed.row(i)));
  }
  double worst = 0.0;
  for (int j = 0; j < problem.size(); ++j) {
    const ContactError error = contact_error(problem, solution, mobilities, j, judge, scale);
    const double law = relative(error.law, scale), local = relative(error.local, work.local_speed.contact(j));
    if (!(std::max(law, local) <= worst) || !certificate.has_worst) {
      worst = std::max(law, local);
      certificate.worst_contact = problem.contacts[j].id;
      certificate.has_worst = true;
    }
    raise(certificate.residual, law);
    raise(certificate.contact_residual, local);
    raise(certificate.cone_violation, relative(error.cone, scale));
    certificate.misalignment = std::max(certificate.misalignment, error.angle);
    certificate.friction_loss = std::max(certificate.friction_loss, error.loss);
  }
}

StepCertificate certify_by(const StepProblem& problem, const StepSolution& solution, Judge judge,
                           StepCertifyWork& work) {
  const PhaseScope scope(Phase::certify);
  StepCertificate certificate;
  const bool fits = solution.v.size() == problem.v.size() && solution.v.allFinite() &&
                    static_cast<int>(solution.c_nu.size()) == problem.joints() &&
                    static_cast<int>(solution.c_n.size()) == problem.size();
  if (!fits) {
    certificate.residual = certificate.contact_residual = certificate.momentum_defect = infinity;
    return certificate;
  }
  certify_laws(problem, solution, judge, work, certificate);
  work.v_alpha = solution.v - problem.v;
  multiply(problem.M, work.v_alpha, work.change);
  certify_momentum(problem, solution, work, certificate);
  certify_energy(problem, solution, work, certificate);
  if (!std::isfinite(certificate.momentum_defect)) certificate.momentum_defect = infinity;
  if (!std::isfinite(certificate.energy_defect)) certificate.energy_defect = infinity;
  return certificate;
}

}  // namespace

bool StepCertificate::certified(double tolerance) const {
  constexpr double exact = 1e-10;
  return residual <= tolerance && contact_residual <= tolerance && cone_violation <= tolerance &&
         equality_residual <= exact && momentum_defect <= exact && energy_defect <= exact;
}

bool StepCertificate::is_loose() const {
  constexpr double rough = 1e-5;
  const double own = polyhedral ? own_residual : 0.0;
  return std::max({residual, contact_residual, cone_violation, equality_residual, momentum_defect, energy_defect,
                   own}) <= rough;
}

void StepCertificate::merge(const StepCertificate& other) {
  const auto worse = [](const StepCertificate& c) { return std::max(c.residual, c.contact_residual); };
  if (worse(other) > worse(*this) || !has_worst) {
    worst_contact = other.worst_contact;
    has_worst = other.has_worst;
  }
  residual = std::max(residual, other.residual);
  contact_residual = std::max(contact_residual, other.contact_residual);
  cone_violation = std::max(cone_violation, other.cone_violation);
  equality_residual = std::max(equality_residual, other.equality_residual);
  momentum_defect = std::max(momentum_defect, other.momentum_defect);
  energy_defect = std::max(energy_defect, other.energy_defect);
  misalignment = std::max(misalignment, other.misalignment);
  friction_loss = std::max(friction_loss, other.friction_loss);
  polyhedral |= other.polyhedral;
  if (other.own_residual > own_residual) {
    own_residual = other.own_residual;
    own_worst = other.own_worst;
  }
}

StepCertificate certify(const StepProblem& problem, const StepSolution& solution) {
  StepCertifyWork work;
  return certify(problem, solution, work);
}

StepCertificate certify(const StepProblem& problem, const StepSolution& solution, StepCertifyWork& work) {
  return certify_by(problem, solution, Judge::own, work);
}

StepCertificate certify_polyhedral(const StepProblem& problem, const StepSolution& solution, StepCertifyWork& work) {
  StepCertificate certificate = certify_by(problem, solution, Judge::found, work);
  certificate.polyhedral = true;
  return certificate;
}

}  // namespace stiction
