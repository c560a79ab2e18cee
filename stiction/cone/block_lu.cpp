#include "stiction/cone/block_lu.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/phase_times.h"

namespace stiction::cone {

namespace {

// Of all pairs of contacts: with more fill than this, dense elimination is faster.
constexpr double nearly_full = 0.5;

/// c -= a b. The product is finished before c is touched, so that the compiler need not think that they overlap.
template <int width>
inline void subtract_product(const double* a, const double* b, double* c) {
  double product[width * width];
  for (int i = 0; i < width; ++i)
    for (int j = 0; j < width; ++j) {
      double sum = a[width * i] * b[j];
      for (int k = 1; k < width; ++k) sum += a[width * i + k] * b[width * k + j];
      product[width * i + j] = sum;
    }
  for (int k = 0; k < width * width; ++k) c[k] -= product[k];
}

/// y -= a x.
template <int width>
void subtract_image(const double* a, const double* x, double* y) {
  for (int i = 0; i < width; ++i) {
    double sum = a[width * i] * x[0];
    for (int k = 1; k < width; ++k) sum += a[width * i + k] * x[k];
    y[i] -= sum;
  }
}

/// In place; the determinant, or 0 where there is no inverse in finite numbers.
template <int width>
double invert(double* a);

template <>
double invert<2>(double* a) {
  const double determinant = a[0] * a[3] - a[1] * a[2], factor = 1.0 / determinant;
  if (!std::isfinite(determinant) || !std::isfinite(factor)) return 0.0;
  const double inverse[4] = {a[3], -a[1], -a[2], a[0]};
  bool finite = true;
  for (int i = 0; i < 4; ++i) {
    a[i] = factor * inverse[i];
    finite = finite && std::isfinite(a[i]);
  }
  return finite ? determinant : 0.0;
}

template <>
double invert<3>(double* a) {
  const double c0 = a[4] * a[8] - a[5] * a[7], c1 = a[5] * a[6] - a[3] * a[8], c2 = a[3] * a[7] - a[4] * a[6];
  const double determinant = a[0] * c0 + a[1] * c1 + a[2] * c2, factor = 1.0 / determinant;
  if (!std::isfinite(determinant) || !std::isfinite(factor)) return 0.0;
  const double inverse[9] = {c0, a[2] * a[7] - a[1] * a[8], a[1] * a[5] - a[2] * a[4],
                             c1, a[0] * a[8] - a[2] * a[6], a[2] * a[3] - a[0] * a[5],
                             c2, a[1] * a[6] - a[0] * a[7], a[0] * a[4] - a[1] * a[3]};
  bool finite = true;
  for (int i = 0; i < 9; ++i) {
    a[i] = factor * inverse[i];
    finite = finite && std::isfinite(a[i]);
  }
  return finite ? determinant : 0.0;
}

}  // namespace

/// Least degree first, in the graph of what is left.
void BlockLu::order(const ScaledProblem& problem) {
  graph_.assign(static_cast<std::size_t>(contacts_), {});
  for (int c = 0; c < contacts_; ++c)
    for (auto block = problem.begin(c); block != problem.end(c); ++block)
      if (block.column() != c) {
        graph_[c].push_back(block.column());
        graph_[block.column()].push_back(c);  // W may lack one of the two
      }
  for (auto& neighbours : graph_) {
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
  }
  steps_.clear();
  later_.clear();
  step_of_.assign(static_cast<std::size_t>(contacts_), -1);
  std::vector<int> merged;
  for (int k = 0; k < contacts_; ++k) {
    int best = -1;
    for (int c = 0; c < contacts_; ++c)
      if (step_of_[c] < 0 && (best < 0 || graph_[c].size() < graph_[best].size())) best = c;
    step_of_[best] = k;
    const std::vector<int>& neighbours = graph_[best];
    steps_.push_back({best, static_cast<int>(later_.size()), static_cast<int>(neighbours.size())});
    later_.insert(later_.end(), neighbours.begin(), neighbours.end());
    for (const int n : neighbours) {
      merged.clear();
      std::set_union(graph_[n].begin(), graph_[n].end(), neighbours.begin(), neighbours.end(),
                     std::back_inserter(merged));
      merged.erase(std::remove_if(merged.begin(), merged.end(), [&](int c) { return c == n || c == best; }),
                   merged.end());
      graph_[n].swap(merged);
    }
  }
  for (int& contact : later_) contact = step_of_[contact];
  for (const Step& step : steps_) std::sort(later_.begin() + step.first, later_.begin() + step.first + step.count);
}

bool BlockLu::is_known(const ScaledProblem& problem) const {
  if (contacts_ != problem.contacts() || width_ != problem.width() || columns_.size() != problem.blocks()) return false;
  std::size_t p = 0;
  for (int c = 0; c < contacts_; ++c) {
    if (starts_[c + 1] - starts_[c] != problem.end(c) - problem.begin(c)) return false;
    for (auto block = problem.begin(c); block != problem.end(c); ++block)
      if (columns_[p++] != block.column()) return false;
  }
  return true;
}

bool BlockLu::analyse(const ScaledProblem& problem) {
  if (!is_known(problem)) sparse_ = find_structure(problem);
  return sparse_;
}

bool BlockLu::find_structure(const ScaledProblem& problem) {
  contacts_ = problem.contacts();
  width_ = problem.width();
  starts_.assign(1, 0);
  columns_.clear();
  for (int c = 0; c < contacts_; ++c) {
    for (auto block = problem.begin(c); block != problem.end(c); ++block) columns_.push_back(block.column());
    starts_.push_back(static_cast<int>(columns_.size()));
  }
  const double all = 0.5 * contacts_ * contacts_;
  if (static_cast<double>(problem.blocks()) > nearly_full * 2.0 * all) return false;
  order(problem);
  if (static_cast<double>(later_.size()) > nearly_full * all) return false;
  const auto size = static_cast<std::size_t>(width_ * width_);
  entries_.assign(size * columns_.size(), 0.0);
  factors_.assign(size * (steps_.size() + 2 * later_.size()), 0.0);
  home_.clear();
  for (int row = 0; row < contacts_; ++row)
    for (int p = starts_[row]; p < starts_[row + 1]; ++p) {
      const int i = step_of_[row], j = step_of_[columns_[p]];
      if (i == j) {
        home_.push_back(static_cast<std::size_t>(i));
        continue;
      }
      const Step& step = steps_[std::min(i, j)];
      const auto begin = later_.begin() + step.first;
      const auto at =
          static_cast<std::size_t>(std::lower_bound(begin, begin + step.count, std::max(i, j)) - later_.begin());
      home_.push_back(steps_.size() + at + (i > j ? later_.size() : 0));
    }
  return true;
}

void BlockLu::begin() {
  std::fill(entries_.begin(), entries_.end(), 0.0);
}

template <int width>
bool BlockLu::factorise_blocks() {
  constexpr int size = width * width;
  std::fill(factors_.begin(), factors_.end(), 0.0);
  for (std::size_t p = 0; p < home_.size(); ++p)
    for (int k = 0; k < size; ++k) factors_[size * home_[p] + k] += entries_[size * p + k];
  double* const diagonal = factors_.data();
  double* const upper = diagonal + size * steps_.size();
  double* const lower = upper + size * later_.size();
  sign_ = 1;
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const Step& step = steps_[k];
    double* const pivot = diagonal + size * k;
    const double determinant = invert<width>(pivot);
    if (determinant == 0.0) {
      sign_ = 0;
      return false;
    }
    if (determinant < 0.0) sign_ = -sign_;
    // L = A D^-1, then the pairs of neighbours.
    for (int a = step.first; a < step.first + step.count; ++a) {
      double product[size] = {};
      subtract_product<width>(lower + size * a, pivot, product);
      for (int i = 0; i < size; ++i) lower[size * a + i] = -product[i];
    }
    for (int a = step.first; a < step.first + step.count; ++a) {
      const Step& other = steps_[later_[a]];
      double left[size], right[size];  // of all pairs with a
      std::copy_n(lower + size * a, size, left);
      std::copy_n(upper + size * a, size, right);
      subtract_product<width>(left, right, diagonal + size * later_[a]);
      int at = other.first;
      for (int b = a + 1; b < step.first + step.count; ++b) {
        while (later_[at] != later_[b]) ++at;
        subtract_product<width>(left, upper + size * b, upper + size * at);
        subtract_product<width>(lower + size * b, right, lower + size * at);
      }
    }
  }
  return true;
}

bool BlockLu::factorise() {
  count_factorisation();
  return width_ == 3 ? factorise_blocks<3>() : factorise_blocks<2>();
}

template <int width>
void BlockLu::substitute_blocks(Vector& x) const {
  constexpr int size = width * width;
  const double* const diagonal = factors_.data();
  const double* const upper = diagonal + size * steps_.size();
  const double* const lower = upper + size * later_.size();
  const auto at = [&](int step) { return x.data() + 3 * static_cast<Index>(steps_[step].contact); };
  for (int k = 0; k < contacts_; ++k)
    for (int a = steps_[k].first; a < steps_[k].first + steps_[k].count; ++a)
      subtract_image<width>(lower + size * a, at(k), at(later_[a]));
  for (int k = contacts_ - 1; k >= 0; --k) {
    double* const own = at(k);
    for (int a = steps_[k].first; a < steps_[k].first + steps_[k].count; ++a)
      subtract_image<width>(upper + size * a, at(later_[a]), own);
    double result[width] = {};
    subtract_image<width>(diagonal + size * static_cast<std::size_t>(k), own, result);
    for (int i = 0; i < width; ++i) own[i] = -result[i];
  }
}

void BlockLu::substitute(Vector& x) const {
  if (width_ == 3)
    substitute_blocks<3>(x);
  else
    substitute_blocks<2>(x);
}

/// rest_ = b - A x_; the largest part of a row that it is, relative to the row's terms: infinite where one is no
/// number.
template <int width>
double BlockLu::find_rest(const Vector& b) {
  rest_ = b;
  double worst = 0.0;
  for (int row = 0; row < contacts_; ++row) {
    double* const rest = rest_.data() + 3 * static_cast<Index>(row);
    double size[3] = {std::abs(rest[0]), std::abs(rest[1]), std::abs(rest[2])};
    for (int p = starts_[row]; p < starts_[row + 1]; ++p) {
      const double *a = &entries_[static_cast<std::size_t>(width * width) * static_cast<std::size_t>(p)],
                   *x = x_.data() + 3 * static_cast<Index>(columns_[p]);
      for (int i = 0; i < width; ++i)
        for (int j = 0; j < width; ++j) {
          const double term = a[width * i + j] * x[j];
          rest[i] -= term;
          size[i] += std::abs(term);
        }
    }
    for (int i = 0; i < width; ++i) {
      const double part = std::abs(rest[i]) / size[i];
      if (rest[i] == 0.0) continue;
      worst = std::isfinite(part) ? std::max(worst, part) : std::numeric_limits<double>::infinity();
    }
  }
  return worst;
}

bool BlockLu::solve(Vector& b) {
  constexpr double enough = 1e-12;
  constexpr int most = 3;
  if (sign_ == 0) return false;
  x_ = b;
  substitute(x_);
  for (int i = 0; i <= most; ++i) {
    const double worst = width_ == 3 ? find_rest<3>(b) : find_rest<2>(b);
    if (worst <= enough) {
      b = x_;
      return true;
    }
    if (!std::isfinite(worst) || i == most) return false;
    substitute(rest_);
    x_ += rest_;
  }
  return false;
}

}  // namespace stiction::cone
