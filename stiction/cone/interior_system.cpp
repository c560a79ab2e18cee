#include "stiction/cone/interior_system.h"

namespace stiction::cone {

namespace {

// Up to so many contacts dense elimination is cheaper, whatever the pattern.
constexpr int few_contacts = 12;

}  // namespace

void InteriorSystem::load(const ScaledProblem& problem) {
  contacts_.resize(static_cast<std::size_t>(problem.contacts()));
  size_ = 0;
  for (int c = 0; c < problem.contacts(); ++c) {
    const Index i = 3 * static_cast<Index>(c);
    Contact& contact = contacts_[c];
    contact.dim = problem.is_own(i + 2) ? 3 : problem.is_own(i + 1) ? 2 : 1;
    contact.first = size_;
    contact.rubs = contact.dim > 1;
    contact.stretch = contact.rubs ? problem.mu(c) : 1.0;
    contact.g = 0.0;
    for (double& slope : contact.slope) slope = 0.0;
    size_ += contact.dim;
  }
  has_blocks_ = problem.contacts() > few_contacts && blocks_.analyse(problem);
}

void InteriorSystem::to_force(const Vector& x, Vector& s) const {
  s.setZero(3 * static_cast<Index>(contacts_.size()));
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& contact = contacts_[c];
    s[3 * static_cast<Index>(c)] = x[contact.first] / contact.stretch;
    for (int k = 1; k < contact.dim; ++k) s[3 * static_cast<Index>(c) + k] = x[contact.first + k];
  }
}

void InteriorSystem::find_defect(const Vector& u, const Vector& y, Vector& defect) const {
  defect.resize(size_);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& contact = contacts_[c];
    const Index i = 3 * static_cast<Index>(c), at = contact.first;
    defect[at] = u[i] / contact.stretch + contact.g - y[at];
    for (int k = 1; k < contact.dim; ++k) defect[at + k] = u[i + k] - y[at + k];
  }
}

bool InteriorSystem::scale(const Vector& x, const Vector& y) {
  for (Contact& contact : contacts_) {
    if (!contact.scaling.set(contact.dim, x.data() + contact.first, y.data() + contact.first)) return false;
    contact.scaling.apply(x.data() + contact.first, contact.lambda);
  }
  return true;
}

void InteriorSystem::factorise(const ScaledProblem& problem) {
  problem_ = &problem;
  by_blocks_ = false;
  if (has_blocks_) {
    fill_blocks(problem);
    by_blocks_ = blocks_.factorise();
  }
  if (by_blocks_) return;
  fill_system(problem);
  system_.factorise();
}

void InteriorSystem::fill_blocks(const ScaledProblem& problem) {
  const int width = problem.width();
  blocks_.begin();
  std::size_t place = 0;
  for (int c = 0; c < problem.contacts(); ++c) {
    const Contact& row = contacts_[c];
    for (auto block = problem.begin(c); block != problem.end(c); ++block, ++place) {
      const Contact& column = contacts_[block.column()];
      double* const to = blocks_.block(place);
      for (int a = 0; a < row.dim; ++a)
        for (int b = 0; b < column.dim; ++b)
          to[width * a + b] = block.a[width * a + b] / ((a == 0 ? row.stretch : 1.0) * (b == 0 ? column.stretch : 1.0));
      if (block.column() != c) continue;
      for (int b = 0; b < row.dim; ++b) {
        to[b] += row.scaling.squared(0, b);
        for (int k = 1; k < row.dim; ++k) {
          to[b] -= row.slope[k] * row.scaling.squared(k, b);
          to[width * k + b] += row.scaling.squared(k, b);
        }
      }
      for (int k = row.dim; k < width; ++k) to[(width + 1) * k] = 1.0;
    }
  }
}

void InteriorSystem::fill_system(const ScaledProblem& problem) {
  const int width = problem.width();
  system_.begin(size_, 9 * problem.blocks());
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& row = contacts_[c];
    for (auto block = problem.begin(static_cast<int>(c)); block != problem.end(static_cast<int>(c)); ++block) {
      const Contact& column = contacts_[static_cast<std::size_t>(block.column())];
      for (int a = 0; a < row.dim; ++a)
        for (int b = 0; b < column.dim; ++b)
          system_.add(row.first + a, column.first + b,
                      block.a[width * a + b] / ((a == 0 ? row.stretch : 1.0) * (b == 0 ? column.stretch : 1.0)));
    }
    for (int b = 0; b < row.dim; ++b) {
      double first = row.scaling.squared(0, b);
      for (int k = 1; k < row.dim; ++k) {
        first -= row.slope[k] * row.scaling.squared(k, b);
        system_.add(row.first + k, row.first + b, row.scaling.squared(k, b));
      }
      system_.add(row.first, row.first + b, first);
    }
  }
}

bool InteriorSystem::solve_system(Vector& b) {
  if (by_blocks_) {
    padded_.setZero(3 * static_cast<Index>(contacts_.size()));
    for (std::size_t c = 0; c < contacts_.size(); ++c)
      padded_.segment(3 * static_cast<Index>(c), contacts_[c].dim) = b.segment(contacts_[c].first, contacts_[c].dim);
    if (blocks_.solve(padded_)) {
      for (std::size_t c = 0; c < contacts_.size(); ++c)
        b.segment(contacts_[c].first, contacts_[c].dim) = padded_.segment(3 * static_cast<Index>(c), contacts_[c].dim);
      return true;
    }
    by_blocks_ = false;
    fill_system(*problem_);
    system_.factorise();
  }
  return system_.solve(b);
}

bool InteriorSystem::solve(const Vector& right, const Vector& defect, Vector& dx, Vector& dy) {
  c_.resize(size_);
  dx.resize(size_);
  dy.resize(size_);
  for (const Contact& contact : contacts_) {
    const int at = contact.first;
    double quotient[3];
    soc::divide(contact.dim, contact.lambda, right.data() + at, quotient);
    contact.scaling.apply(quotient, c_.data() + at);
    double first = c_[at];
    for (int k = 1; k < contact.dim; ++k) {
      first -= contact.slope[k] * c_[at + k];
      dx[at + k] = c_[at + k] - defect[at + k];
    }
    dx[at] = first - defect[at];
  }
  if (!solve_system(dx)) return false;
  for (const Contact& contact : contacts_)
    for (int a = 0; a < contact.dim; ++a) {
      double sum = c_[contact.first + a];
      for (int b = 0; b < contact.dim; ++b) sum -= contact.scaling.squared(a, b) * dx[contact.first + b];
      dy[contact.first + a] = sum;
    }
  return dy.allFinite();
}

}  // namespace stiction::cone
