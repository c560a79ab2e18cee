#include "stiction/cone/interior_point.h"

#include <algorithm>
#include <cmath>

namespace stiction::cone {

void InteriorPoint::load(const ScaledProblem& problem) {
  contacts_.resize(static_cast<std::size_t>(problem.contacts()));
  int size = 0;
  for (int c = 0; c < problem.contacts(); ++c) {
    const Index i = 3 * static_cast<Index>(c);
    Contact& contact = contacts_[c];
    contact.dim = problem.is_own(i + 2) ? 3 : problem.is_own(i + 1) ? 2 : 1;
    contact.first = size;
    contact.rubs = contact.dim > 1;
    contact.stretch = contact.rubs ? problem.mu(c) : 1.0;
    size += contact.dim;
  }
  x_.setZero(size);
  y_.setZero(size);
  for (const Contact& contact : contacts_) x_[contact.first] = y_[contact.first] = options_.start;
  dx_.resize(size);
  dy_.resize(size);
  c_.resize(size);
  defect_.resize(size);
  rhs_.resize(size);
}

/// W^ x + q^ + g e_0 - y.
void InteriorPoint::find_defect(const ScaledProblem& problem, double smoothing) {
  to_force(s_);
  problem.velocity(s_, u_);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    Contact& contact = contacts_[c];
    const Index i = 3 * static_cast<Index>(c), at = contact.first;
    contact.g = 0.0;
    if (held_ != nullptr)
      contact.g = contact.rubs ? (*held_)[static_cast<Index>(c)] : 0.0;
    else if (contact.rubs)
      contact.g = std::hypot(std::hypot(y_[at + 1], contact.dim == 3 ? y_[at + 2] : 0.0), smoothing);
    defect_[at] = u_[i] / contact.stretch + contact.g - y_[at];
    for (int k = 1; k < contact.dim; ++k) defect_[at + k] = u_[i + k] - y_[at + k];
  }
}

bool InteriorPoint::scale() {
  for (Contact& contact : contacts_) {
    if (!contact.scaling.set(contact.dim, x_.data() + contact.first, y_.data() + contact.first)) return false;
    contact.scaling.apply(x_.data() + contact.first, contact.lambda);
  }
  return true;
}

/// W^ + E G^2, E = I - e_0 (0, y_T / g)', or E = I where g is held.
void InteriorPoint::fill_system(const ScaledProblem& problem) {
  system_.begin(static_cast<int>(x_.size()), 9 * problem.blocks());
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& row = contacts_[c];
    for (const auto* block = problem.begin(static_cast<int>(c)); block != problem.end(static_cast<int>(c)); ++block) {
      const Contact& column = contacts_[static_cast<std::size_t>(block->column)];
      for (int a = 0; a < row.dim; ++a)
        for (int b = 0; b < column.dim; ++b)
          system_.add(row.first + a, column.first + b,
                      block->a[3 * a + b] / ((a == 0 ? row.stretch : 1.0) * (b == 0 ? column.stretch : 1.0)));
    }
    for (int b = 0; b < row.dim; ++b) {
      double first = row.scaling.squared(0, b);
      for (int k = 1; k < row.dim; ++k) {
        first -= slope(row, k) * row.scaling.squared(k, b);
        system_.add(row.first + k, row.first + b, row.scaling.squared(k, b));
      }
      system_.add(row.first, row.first + b, first);
    }
  }
}

bool InteriorPoint::find_direction(double centre, bool corrects) {
  for (const Contact& contact : contacts_) {
    double right[3], square[3], scaled_x[3], scaled_y[3], second[3] = {0.0, 0.0, 0.0};
    soc::multiply(contact.dim, contact.lambda, contact.lambda, square);
    if (corrects) {
      contact.scaling.apply(dx_.data() + contact.first, scaled_x);
      contact.scaling.apply_inverse(dy_.data() + contact.first, scaled_y);
      soc::multiply(contact.dim, scaled_x, scaled_y, second);
    }
    for (int k = 0; k < contact.dim; ++k) right[k] = (k == 0 ? centre : 0.0) - square[k] - second[k];
    double quotient[3];
    soc::divide(contact.dim, contact.lambda, right, quotient);
    contact.scaling.apply(quotient, c_.data() + contact.first);
  }
  for (const Contact& contact : contacts_) {
    const int at = contact.first;
    double first = c_[at];
    for (int k = 1; k < contact.dim; ++k) {
      first -= slope(contact, k) * c_[at + k];
      rhs_[at + k] = c_[at + k] - defect_[at + k];
    }
    rhs_[at] = first - defect_[at];
  }
  if (!system_.solve(rhs_)) return false;
  dx_ = rhs_;
  for (const Contact& contact : contacts_)
    for (int a = 0; a < contact.dim; ++a) {
      double sum = c_[contact.first + a];
      for (int b = 0; b < contact.dim; ++b) sum -= contact.scaling.squared(a, b) * dx_[contact.first + b];
      dy_[contact.first + a] = sum;
    }
  return dy_.allFinite();
}

double InteriorPoint::longest_step() const {
  double t = 1e3;
  for (const Contact& contact : contacts_) {
    t = soc::longest_step(contact.dim, x_.data() + contact.first, dx_.data() + contact.first, t);
    t = soc::longest_step(contact.dim, y_.data() + contact.first, dy_.data() + contact.first, t);
  }
  return t;
}

double InteriorPoint::gap() const {
  return x_.dot(y_) / static_cast<double>(std::max<std::size_t>(1, contacts_.size()));
}

void InteriorPoint::to_force(Vector& s) const {
  s.setZero(3 * static_cast<Index>(contacts_.size()));
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& contact = contacts_[c];
    s[3 * static_cast<Index>(c)] = x_[contact.first] / contact.stretch;
    for (int k = 1; k < contact.dim; ++k) s[3 * static_cast<Index>(c) + k] = x_[contact.first + k];
  }
}

bool InteriorPoint::advance(const ScaledProblem& problem, double barrier) {
  if (!(barrier > 1e-18) || !scale()) return false;
  fill_system(problem);
  system_.factorise();
  if (!find_direction(0.0, false)) return false;
  const double reach = std::min(1.0, longest_step());
  const double centring = std::max(1e-8, std::pow(1.0 - reach, 3));
  if (!find_direction(centring * barrier, true)) return false;
  double step = longest_step();
  // A direction that hardly moves: go back to the middle first.
  if (step < 0.2) {
    if (!find_direction(0.5 * barrier, false)) return false;
    step = longest_step();
  }
  const double factor = std::clamp(1.0 - 0.1 * (1.0 - reach) - 0.005, 0.9, 0.995);
  const double length = std::min(1.0, factor * step);
  if (!(length > 1e-10)) return false;
  x_ += length * dx_;
  y_ += length * dy_;
  return true;
}

int InteriorPoint::improve(const ScaledProblem& problem, double target, Vector& s) {
  problem.velocity(s, u_);
  double best = problem.residual(s, u_);
  if (best <= target) return 0;
  held_ = nullptr;
  load(problem);
  for (int i = 0; i < options_.most; ++i) {
    const double barrier = gap();
    find_defect(problem, std::min(0.01, 0.1 * barrier));
    const double residual = problem.residual(s_, u_);
    if (residual < best) {
      best = residual;
      s = s_;
    }
    if (best <= target || !advance(problem, barrier)) return i;
  }
  return options_.most;
}

int InteriorPoint::solve_held(const ScaledProblem& problem, const Vector& g, double accuracy, Vector& s) {
  held_ = &g;
  load(problem);
  const double root = std::sqrt(static_cast<double>(std::max<Index>(1, x_.size())));
  int i = 0;
  for (; i < options_.most; ++i) {
    const double barrier = gap();
    find_defect(problem, 0.0);
    if ((barrier <= accuracy && defect_.norm() <= accuracy * root) || !advance(problem, barrier)) break;
  }
  to_force(s);
  held_ = nullptr;
  return i;
}

}  // namespace stiction::cone
