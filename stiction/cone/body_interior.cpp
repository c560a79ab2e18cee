#include "stiction/cone/body_interior.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "stiction/base/phase_times.h"

namespace stiction::cone {

namespace {

using Kind = BodyProblem::Kind;

double dot(const double* a, const double* b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// x = A^-1 x for the columns of a small matrix, A n by n, x n by m, by elimination with pivots.
void solve_small(int n, double* a, int m, double* x) {
  for (int p = 0; p < n; ++p) {
    int best = p;
    for (int i = p + 1; i < n; ++i)
      if (std::abs(a[i * n + p]) > std::abs(a[best * n + p])) best = i;
    if (best != p) {
      for (int j = 0; j < n; ++j) std::swap(a[p * n + j], a[best * n + j]);
      for (int j = 0; j < m; ++j) std::swap(x[p * m + j], x[best * m + j]);
    }
    const double d = 1.0 / a[p * n + p];
    for (int i = p + 1; i < n; ++i) {
      const double f = a[i * n + p] * d;
      for (int j = p + 1; j < n; ++j) a[i * n + j] -= f * a[p * n + j];
      for (int j = 0; j < m; ++j) x[i * m + j] -= f * x[p * m + j];
    }
  }
  for (int p = n - 1; p >= 0; --p)
    for (int j = 0; j < m; ++j) {
      for (int k = p + 1; k < n; ++k) x[p * m + j] -= a[p * n + k] * x[k * m + j];
      x[p * m + j] /= a[p * n + p];
    }
}

/// The longest share of (d0, d) that keeps (x0, x) in |x| <= x0.
double longest(double x0, const double* x, double d0, const double* d, int n) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double length = std::sqrt(dot(x, x, n));
  const double a = d0 * d0 - dot(d, d, n), b = x0 * d0 - dot(x, d, n), c = (x0 - length) * (x0 + length);
  double best = infinity;
  if (d0 < 0.0) best = -x0 / d0;
  const double square = b * b - a * c;
  if (a == 0.0) {
    if (b < 0.0) best = std::min(best, -0.5 * c / b);
  } else if (square >= 0.0) {
    const double q = -(b + (b >= 0.0 ? 1.0 : -1.0) * std::sqrt(square));
    for (const double root : {q / a, q != 0.0 ? c / q : infinity})
      if (root > 0.0) best = std::min(best, root);
  }
  return best;
}

/// The larger root of lambda^2 - (tau / radius) lambda = |u|^2.
double central_lambda(double barrier, double radius, double speed) {
  const double half = 0.5 * barrier / radius;
  return half + std::sqrt(half * half + speed * speed);
}

}  // namespace

void BodyInterior::find_speeds(BodySpace& space) {
  space.find_velocities(r_.data(), w_.data());
  space.find_speeds(r_.data(), w_.data(), u_.data());
}

void BodyInterior::start(BodySpace& space, double warmth, const BodyState& state) {
  const BodyProblem& p = *problem_;
  const auto rows = static_cast<std::size_t>(p.rows());
  r_ = state.r;
  w_ = state.w;
  u_ = state.u;
  for (auto* list : {&dr_, &du_, &soft_du_, &row_corrections_}) list->assign(rows, 0.0);
  dw_.assign(w_.size(), 0.0);
  for (auto* list : {&slack_, &slack2_, &dslack_, &dslack2_, &slack_corrections_, &slack2_corrections_})
    list->assign(p.units.size(), 0.0);
  lambda_.assign(p.groups.size(), 0.0);
  dlambda_ = lambda_corrections_ = lambda_;
  double cold = 0.0;
  int count = 0;
  for (const Unit& unit : p.units) {
    if (unit.kind != Kind::contact) continue;
    cold += space.rho(unit.first_row) * unit.speed * unit.speed;
    ++count;
  }
  const double barrier = count == 0 ? 1e-6 : warmth * cold / count;
  products_ = 0;
  for (std::size_t i = 0; i < p.units.size(); ++i) {
    const Unit& unit = p.units[i];
    const int row = unit.first_row;
    const double rho = space.rho(row);
    if (unit.kind == Kind::bounded) {
      const double low = p.least[row], high = p.most[row], width = std::sqrt(barrier * rho);
      double inside = std::min(width, 0.1 * (high - low));
      if (!std::isfinite(inside)) inside = width;
      r_[row] = std::clamp(warmth < 1.0 ? r_[row] : 0.0, low + inside, high - inside);
      if (std::isfinite(low)) slack_[i] = barrier / (r_[row] - low), ++products_;
      if (std::isfinite(high)) slack2_[i] = barrier / (high - r_[row]), ++products_;
      continue;
    }
    if (unit.kind == Kind::joint) continue;
    double normal = 0.0;
    if (unit.has_normal) {
      const double z = warmth < 1.0 ? r_[row] - rho * u_[row] : 0.0, root = std::sqrt(z * z + 4.0 * barrier * rho);
      normal = z > 0.0 ? 0.5 * (z + root) : 2.0 * barrier * rho / (root - z);
      slack_[i] = barrier / normal;
      r_[row] = normal;
      ++products_;
    }
    for (int g = 0; g < unit.groups; ++g) {
      const Group& group = p.groups[unit.first_group + g];
      double* s = r_.data() + row + group.first;
      const double radius = group.mu * normal + group.hf, length = std::sqrt(dot(s, s, group.size));
      const double share = warmth < 1.0 ? std::min(1.0, 0.9 * radius / std::max(length, 1e-300)) : 0.0;
      for (int k = 0; k < group.size; ++k) s[k] *= share;
      ++products_;
    }
  }
  find_speeds(space);
  for (const Unit& unit : p.units)
    for (int g = 0; g < unit.groups; ++g) {
      const Group& group = p.groups[unit.first_group + g];
      const double* u = u_.data() + unit.first_row + group.first;
      const double radius = group.mu * (unit.has_normal ? r_[unit.first_row] : 0.0) + group.hf;
      lambda_[unit.first_group + g] = central_lambda(barrier, radius, std::sqrt(dot(u, u, group.size)));
    }
}

/// The mean product after a share of the last direction.
double BodyInterior::barrier_after(double share) const {
  const BodyProblem& p = *problem_;
  double sum = 0.0;
  for (std::size_t i = 0; i < p.units.size(); ++i) {
    const Unit& unit = p.units[i];
    const int row = unit.first_row;
    const double r = r_[row] + share * dr_[row];
    if (unit.kind == Kind::bounded) {
      if (std::isfinite(p.least[row])) sum += (r - p.least[row]) * (slack_[i] + share * dslack_[i]);
      if (std::isfinite(p.most[row])) sum += (p.most[row] - r) * (slack2_[i] + share * dslack2_[i]);
      continue;
    }
    if (unit.kind == Kind::joint) continue;
    if (unit.has_normal) sum += r * (slack_[i] + share * dslack_[i]);
    for (int g = 0; g < unit.groups; ++g) {
      const Group& group = p.groups[unit.first_group + g];
      const int at = unit.first_group + g;
      sum += (group.mu * (unit.has_normal ? r : 0.0) + group.hf) * (lambda_[at] + share * dlambda_[at]);
      for (int k = row + group.first; k < row + group.first + group.size; ++k)
        sum += (r_[k] + share * dr_[k]) * (u_[k] + share * du_[k]);
    }
  }
  return products_ > 0 ? sum / products_ : 0.0;
}

/// Of A dr_g = ... - slope (du_g + soft dr_g): A = lambda I - s u'/radius + soft slope, slope = radius I - s s'/radius.
void BodyInterior::friction_matrix(const Unit& unit, const Group& group, double lambda, double* A,
                                   double* slope) const {
  const int n = group.size, at = unit.first_row + group.first;
  const double* s = r_.data() + at;
  const double* u = u_.data() + at;
  const double bound = radius(unit, group), soft = softness(at), square = dot(s, s, n), length = std::sqrt(square);
  // Along s no difference of large numbers.
  const double along = (bound - length) * (bound + length) / bound - bound;
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) {
      const double unit_entry = a == b ? 1.0 : 0.0;
      slope[a * n + b] = bound * unit_entry + (square > 0.0 ? along * (s[a] * s[b] / square) : 0.0);
      A[a * n + b] = lambda * unit_entry - s[a] * u[b] / bound + soft * slope[a * n + b];
    }
}

/// D of every unit into the matrix: dr = g - D J dw.
void BodyInterior::find_blocks(BodyMatrix& matrix) {
  const BodyProblem& p = *problem_;
  matrix.begin();
  D_.clear();
  D_at_.clear();
  for (std::size_t i = 0; i < p.units.size(); ++i) {
    const Unit& unit = p.units[i];
    const int row = unit.first_row, rows = unit.rows;
    D_at_.push_back(D_.size());
    D_.resize(D_.size() + static_cast<std::size_t>(rows * rows), 0.0);
    double* D = D_.data() + D_at_.back();
    if (unit.kind == Kind::joint) {
      for (int k = 0; k < rows; ++k) D[k * rows + k] = 1.0 / softness(row + k);
    } else if (unit.kind == Kind::bounded) {
      double stiff = softness(row);
      if (std::isfinite(p.least[row])) stiff += slack_[i] / (r_[row] - p.least[row]);
      if (std::isfinite(p.most[row])) stiff += slack2_[i] / (p.most[row] - r_[row]);
      D[0] = 1.0 / stiff;
    } else {
      if (unit.has_normal) D[0] = r_[row] / (slack_[i] + r_[row] * softness(row));
      for (int g = 0; g < unit.groups; ++g) {
        const Group& group = p.groups[unit.first_group + g];
        const int n = group.size, first = group.first;
        const double lambda = lambda_[unit.first_group + g], over = lambda / radius(unit, group);
        double A[16], slope[16], B[20];
        friction_matrix(unit, group, lambda, A, slope);
        for (int a = 0; a < n; ++a) {
          for (int b = 0; b < n; ++b) B[a * (n + 1) + b] = slope[a * n + b];
          B[a * (n + 1) + n] = -group.mu * (u_[row + first + a] - over * r_[row + first + a]);
        }
        solve_small(n, A, n + 1, B);
        for (int a = 0; a < n; ++a) {
          for (int b = 0; b < n; ++b) D[(first + a) * rows + first + b] = B[a * (n + 1) + b];
          if (unit.has_normal) D[(first + a) * rows] = B[a * (n + 1) + n] * D[0];
        }
      }
    }
    matrix.add(static_cast<int>(i), D);
  }
}

void BodyInterior::find_corrections(bool any) {
  const BodyProblem& p = *problem_;
  const double times = any ? 1.0 : 0.0;
  for (std::size_t i = 0; i < p.units.size(); ++i) {
    const Unit& unit = p.units[i];
    const int row = unit.first_row;
    slack_corrections_[i] = times * dr_[row] * dslack_[i];
    slack2_corrections_[i] = -times * dr_[row] * dslack2_[i];
    for (int g = 0; g < unit.groups; ++g) {
      const Group& group = p.groups[unit.first_group + g];
      const int at = row + group.first;
      const double wider = group.mu * (unit.has_normal ? dr_[row] : 0.0), faster = dlambda_[unit.first_group + g];
      lambda_corrections_[unit.first_group + g] =
          times * (wider * faster + dot(dr_.data() + at, soft_du_.data() + at, group.size));
      for (int k = at; k < at + group.size; ++k) row_corrections_[k] = times * (wider * soft_du_[k] + faster * dr_[k]);
    }
  }
}

/// g of every unit into dr_.
void BodyInterior::aim(double barrier) {
  const BodyProblem& p = *problem_;
  for (std::size_t i = 0; i < p.units.size(); ++i) {
    const Unit& unit = p.units[i];
    const int row = unit.first_row;
    const double* D = D_.data() + D_at_[i];
    if (unit.kind == Kind::joint) {
      for (int k = 0; k < unit.rows; ++k) dr_[row + k] = -u_[row + k] * D[k * unit.rows + k];
      continue;
    }
    if (unit.kind == Kind::bounded) {
      double pull = -u_[row];
      if (std::isfinite(p.least[row])) pull += (barrier - slack_corrections_[i]) / (r_[row] - p.least[row]);
      if (std::isfinite(p.most[row])) pull -= (barrier - slack2_corrections_[i]) / (p.most[row] - r_[row]);
      dr_[row] = pull * D[0];
      continue;
    }
    if (unit.has_normal)
      dr_[row] = (barrier - slack_corrections_[i] - r_[row] * u_[row]) / (slack_[i] + r_[row] * softness(row));
    for (int g = 0; g < unit.groups; ++g) {
      const Group& group = p.groups[unit.first_group + g];
      const int n = group.size, at = row + group.first;
      const double bound = radius(unit, group), lambda = lambda_[unit.first_group + g];
      const double* s = r_.data() + at;
      const double* u = u_.data() + at;
      const double rest = barrier - (bound * lambda + dot(s, u, n)) - lambda_corrections_[unit.first_group + g];
      const double wider = group.mu * (unit.has_normal ? dr_[row] : 0.0);
      double A[16], slope[16], x[4];
      friction_matrix(unit, group, lambda, A, slope);
      for (int a = 0; a < n; ++a)
        x[a] = -(bound * u[a] + lambda * s[a]) - row_corrections_[at + a] - s[a] / bound * rest -
               wider * (u[a] - lambda / bound * s[a]);
      solve_small(n, A, 1, x);
      std::copy_n(x, n, dr_.data() + at);
    }
  }
}

/// What follows from dr_: speeds, slacks and lambda.
void BodyInterior::finish_direction(double barrier) {
  const BodyProblem& p = *problem_;
  for (std::size_t i = 0; i < p.units.size(); ++i) {
    const Unit& unit = p.units[i];
    const int row = unit.first_row;
    if (unit.kind == Kind::joint) continue;
    if (unit.kind == Kind::bounded) {
      const double dr = dr_[row], below = r_[row] - p.least[row], above = p.most[row] - r_[row];
      if (std::isfinite(below)) dslack_[i] = (barrier - slack_corrections_[i] - slack_[i] * dr) / below - slack_[i];
      if (std::isfinite(above)) dslack2_[i] = (barrier - slack2_corrections_[i] + slack2_[i] * dr) / above - slack2_[i];
      continue;
    }
    if (unit.has_normal) dslack_[i] = u_[row] - slack_[i] + soft_du_[row];
    for (int g = 0; g < unit.groups; ++g) {
      const Group& group = p.groups[unit.first_group + g];
      const int n = group.size, at = row + group.first, k = unit.first_group + g;
      const double bound = radius(unit, group), wider = group.mu * (unit.has_normal ? dr_[row] : 0.0);
      const double rest =
          barrier - (bound * lambda_[k] + dot(r_.data() + at, u_.data() + at, n)) - lambda_corrections_[k];
      dlambda_[k] = (rest - lambda_[k] * wider - dot(r_.data() + at, soft_du_.data() + at, n) -
                     dot(u_.data() + at, dr_.data() + at, n)) /
                    bound;
    }
  }
}

void BodyInterior::find_direction(BodySpace& space, const BodyMatrix& matrix, double barrier) {
  const BodyProblem& p = *problem_;
  aim(barrier);
  std::fill(dw_.begin(), dw_.end(), 0.0);
  space.add_impulses(dr_.data(), dw_.data());
  matrix.solve(dw_.data());
  for (std::size_t i = 0; i < p.units.size(); ++i) {
    const Unit& unit = p.units[i];
    const int row = unit.first_row, rows = unit.rows;
    const double* D = D_.data() + D_at_[i];
    double du[BodyProblem::most_rows];
    space.unit_speeds(unit, dw_.data(), du);
    for (int a = 0; a < rows; ++a)
      for (int b = 0; b < rows; ++b) dr_[row + a] -= D[a * rows + b] * du[b];
    for (int a = 0; a < rows; ++a) {
      du_[row + a] = du[a] + p.compliance[row + a] * dr_[row + a];
      soft_du_[row + a] = du[a] + softness(row + a) * dr_[row + a];
    }
  }
  finish_direction(barrier);
}

double BodyInterior::longest_step() const {
  const BodyProblem& p = *problem_;
  double longest_share = std::numeric_limits<double>::infinity();
  const auto keep = [&](double x, double dx) {
    if (dx < 0.0) longest_share = std::min(longest_share, -x / dx);
  };
  for (std::size_t i = 0; i < p.units.size(); ++i) {
    const Unit& unit = p.units[i];
    const int row = unit.first_row;
    if (unit.kind == Kind::joint) continue;
    if (unit.kind == Kind::bounded) {
      keep(r_[row] - p.least[row], dr_[row]);
      keep(p.most[row] - r_[row], -dr_[row]);
      keep(slack_[i], dslack_[i]);
      keep(slack2_[i], dslack2_[i]);
      continue;
    }
    if (unit.has_normal) {
      keep(r_[row], dr_[row]);
      keep(slack_[i], dslack_[i]);
    }
    for (int g = 0; g < unit.groups; ++g) {
      const Group& group = p.groups[unit.first_group + g];
      const int n = group.size, at = row + group.first, k = unit.first_group + g;
      const double wider = group.mu * (unit.has_normal ? dr_[row] : 0.0);
      longest_share = std::min(longest_share, longest(radius(unit, group), r_.data() + at, wider, dr_.data() + at, n));
      longest_share = std::min(longest_share, longest(lambda_[k], u_.data() + at, dlambda_[k], du_.data() + at, n));
    }
  }
  return longest_share;
}

void BodyInterior::move(double share) {
  for (std::size_t i = 0; i < r_.size(); ++i) r_[i] += share * dr_[i];
  for (std::size_t i = 0; i < slack_.size(); ++i) {
    slack_[i] += share * dslack_[i];
    slack2_[i] += share * dslack2_[i];
  }
  for (std::size_t i = 0; i < lambda_.size(); ++i) lambda_[i] += share * dlambda_[i];
}

void BodyInterior::propose(BodySpace& space) {
  const BodyProblem& p = *problem_;
  trial_.r = r_;
  for (std::size_t i = 0; i < p.units.size(); ++i) {
    const Unit& unit = p.units[i];
    const int row = unit.first_row;
    double* r = trial_.r.data() + row;
    if (unit.kind == Kind::bounded) {
      const double rho = space.rho(row);
      if (std::isfinite(p.least[row]) && r[0] - p.least[row] < rho * slack_[i]) r[0] = p.least[row];
      if (std::isfinite(p.most[row]) && p.most[row] - r[0] < rho * slack2_[i]) r[0] = p.most[row];
      continue;
    }
    if (unit.kind == Kind::joint) continue;
    if (unit.has_normal && r[0] < space.rho(row) * slack_[i]) r[0] = 0.0;
    for (int g = 0; g < unit.groups; ++g) {
      const Group& group = p.groups[unit.first_group + g];
      const int n = group.size;
      double* s = r + group.first;
      const double bound = group.mu * (unit.has_normal ? r[0] : 0.0) + group.hf, length = std::sqrt(dot(s, s, n));
      // It slides where it is nearer to the rim than to rest.
      const bool slides = bound - length < space.rho(row + group.first) * lambda_[unit.first_group + g];
      const double share = length > 0.0 && (slides || length > bound) ? bound / length : 1.0;
      for (int k = 0; k < n; ++k) s[k] *= share;
    }
  }
  trial_.find(space);
}

bool BodyInterior::solve(BodySpace& space, BodyMatrix& matrix, double tolerance, double warmth, BodyState& state) {
  iterations_ = 0;
  problem_ = &space.problem();
  space_ = &space;
  if (state.error <= tolerance) return true;
  start(space, warmth, state);
  std::fill(dr_.begin(), dr_.end(), 0.0);
  const double first = barrier_after(0.0);
  int shorts = 0, bad = 0;
  for (; iterations_ < options.most_iterations; ++iterations_) {
    const double barrier = barrier_after(0.0);
    propose(space);
    if (trial_.error < state.error) state = trial_;
    if (state.error <= tolerance) return true;
    if (!(barrier > options.least_barrier * first)) return false;
    count_iteration();
    find_blocks(matrix);
    if (!matrix.factorise()) return false;
    find_corrections(false);
    find_direction(space, matrix, 0.0);
    const double reach = std::min(1.0, longest_step());
    const double after = std::clamp(barrier_after(reach) / barrier, 0.0, 1.0);
    double centring = std::max(1e-6, after * after * after);
    if (bad > 0) centring = bad == 1 ? 0.5 : 0.9;
    find_corrections(bad == 0);
    find_direction(space, matrix, centring * barrier);
    const double longest_share = longest_step();
    if (!std::isfinite(dr_[0]) || std::isnan(longest_share)) return false;
    const double share = std::min(1.0, std::clamp(1.0 - after, 0.9, 0.995) * longest_share);
    move(share);
    find_speeds(space);
    // The speeds are those of the impulses to rounding: lambda must stay above them.
    for (const Unit& unit : problem_->units)
      for (int g = 0; g < unit.groups; ++g) {
        const Group& group = problem_->groups[unit.first_group + g];
        const double* u = u_.data() + unit.first_row + group.first;
        double& lambda = lambda_[unit.first_group + g];
        const double speed = std::sqrt(dot(u, u, group.size));
        lambda = std::max(lambda, central_lambda(1e-3 * barrier, radius(unit, group), speed));
      }
    shorts = share < options.short_step ? shorts + 1 : 0;
    if (shorts >= options.most_short) return false;
    bad = share < 0.2 ? std::min(bad + 1, 3) : std::max(0, bad - 1);
  }
  return false;
}

}  // namespace stiction::cone
