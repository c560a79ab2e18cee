#include "stiction/linalg/graph_lu.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

#include "stiction/base/phase_times.h"

namespace stiction::linalg {

namespace {

/// C -= A B
template <int W>
[[gnu::always_inline]] inline void subtract_product(const double* __restrict a, const double* __restrict b,
                                                    double* __restrict c) {
  for (int i = 0; i < W; ++i) {
    double sum[W];
    for (int j = 0; j < W; ++j) sum[j] = c[i * W + j];
    for (int p = 0; p < W; ++p)
      for (int j = 0; j < W; ++j) sum[j] -= a[i * W + p] * b[p * W + j];
    for (int j = 0; j < W; ++j) c[i * W + j] = sum[j];
  }
}

/// A = L U in place, L with ones on its diagonal; the diagonal of U is kept as its reciprocals.
template <int W>
[[gnu::always_inline]] inline bool factorise_block(double* a) {
  bool is_regular = true;
  for (int p = 0; p < W; ++p) {
    const double pivot = a[p * W + p];
    is_regular &= std::abs(pivot) > 0.0 && std::isfinite(pivot);
    const double inverse = 1.0 / pivot;
    a[p * W + p] = inverse;
    for (int i = p + 1; i < W; ++i) {
      const double factor = a[i * W + p] *= inverse;
      for (int j = p + 1; j < W; ++j) a[i * W + j] -= factor * a[p * W + j];
    }
  }
  return is_regular;
}

/// X = X U^-1
template <int W>
[[gnu::always_inline]] inline void divide_by_upper(const double* __restrict lu, double* __restrict x) {
  for (int i = 0; i < W; ++i) {
    double* row = x + i * W;
    for (int p = 0; p < W; ++p) {
      row[p] *= lu[p * W + p];
      for (int j = p + 1; j < W; ++j) row[j] -= row[p] * lu[p * W + j];
    }
  }
}

/// X = L^-1 X
template <int W>
[[gnu::always_inline]] inline void divide_by_lower(const double* __restrict lu, double* __restrict x) {
  for (int p = 0; p < W; ++p)
    for (int i = p + 1; i < W; ++i) {
      const double factor = lu[i * W + p];
      for (int j = 0; j < W; ++j) x[i * W + j] -= factor * x[p * W + j];
    }
}

/// y -= A x
template <int W>
inline void subtract_block_product(const double* __restrict a, const double* __restrict x, double* __restrict y) {
  for (int i = 0; i < W; ++i) {
    double sum = 0.0;
    for (int p = 0; p < W; ++p) sum += a[i * W + p] * x[p];
    y[i] -= sum;
  }
}

/// B = A'
template <int W>
[[gnu::always_inline]] inline void transpose(const double* __restrict a, double* __restrict b) {
  for (int i = 0; i < W; ++i)
    for (int j = 0; j < W; ++j) b[i * W + j] = a[j * W + i];
}

struct Factors {
  int nodes;
  const int *starts, *later, *targets;
  double *values, *lower, *upper;
};

/// Of a symmetric matrix the upper blocks are not read: each is that below the diagonal, transposed, when its turn
/// comes, so that one product of two is left.
template <int W, bool is_symmetric>
[[gnu::always_inline]] inline bool factorise_all(const Factors& f) {
  constexpr int size = W * W;
  const int* targets = f.targets;
  bool is_regular = true;
  for (int k = 0; k < f.nodes; ++k) {
    double* const pivot = f.values + static_cast<std::size_t>(k) * size;
    is_regular &= factorise_block<W>(pivot);
    const int first = f.starts[k], end = f.starts[k + 1];
    for (int a = first; a < end; ++a) {
      double* const l_a = f.lower + static_cast<std::size_t>(a) * size;
      double* const u_a = f.upper + static_cast<std::size_t>(a) * size;
      if (is_symmetric) transpose<W>(l_a, u_a);
      divide_by_upper<W>(pivot, l_a);
      divide_by_lower<W>(pivot, u_a);
    }
    for (int b = first; b < end; ++b) {
      const double* const l_b = f.lower + static_cast<std::size_t>(b) * size;
      const double* const u_b = f.upper + static_cast<std::size_t>(b) * size;
      subtract_product<W>(l_b, u_b, f.values + static_cast<std::size_t>(f.later[b]) * size);
      for (int a = b + 1; a < end; ++a) {
        const auto target = static_cast<std::size_t>(*targets++) * size;
        subtract_product<W>(f.lower + static_cast<std::size_t>(a) * size, u_b, f.lower + target);
        if (!is_symmetric) subtract_product<W>(l_b, f.upper + static_cast<std::size_t>(a) * size, f.upper + target);
      }
    }
  }
  return is_regular;
}

// Bodies in space are most of the work: once more for wider registers. The sums and their order are the same, and
// without fused products so are the bits.
#if defined(__x86_64__) && defined(__linux__)
#define STICTION_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define STICTION_WIDE
#endif

STICTION_WIDE bool factorise_bodies(const Factors& f) {
  return factorise_all<6, false>(f);
}

STICTION_WIDE bool factorise_symmetric_bodies(const Factors& f) {
  return factorise_all<6, true>(f);
}

template <int W>
void solve_all(int nodes, const int* starts, const int* later, const double* values, std::size_t lower_at,
               std::size_t upper_at, double* x) {
  constexpr int size = W * W;
  const double* const lower = values + lower_at;
  const double* const upper = values + upper_at;
  for (int k = 0; k < nodes; ++k) {
    const double* const pivot = values + static_cast<std::size_t>(k) * size;
    double* const x_k = x + static_cast<std::size_t>(k) * W;
    for (int p = 0; p < W; ++p)
      for (int i = p + 1; i < W; ++i) x_k[i] -= pivot[i * W + p] * x_k[p];
    for (int a = starts[k]; a < starts[k + 1]; ++a)
      subtract_block_product<W>(lower + static_cast<std::size_t>(a) * size, x_k,
                                x + static_cast<std::size_t>(later[a]) * W);
  }
  for (int k = nodes - 1; k >= 0; --k) {
    const double* const pivot = values + static_cast<std::size_t>(k) * size;
    double* const x_k = x + static_cast<std::size_t>(k) * W;
    for (int a = starts[k]; a < starts[k + 1]; ++a)
      subtract_block_product<W>(upper + static_cast<std::size_t>(a) * size, x + static_cast<std::size_t>(later[a]) * W,
                                x_k);
    for (int p = W - 1; p >= 0; --p) {
      for (int j = p + 1; j < W; ++j) x_k[p] -= pivot[p * W + j] * x_k[j];
      x_k[p] *= pivot[p * W + p];
    }
  }
}

/// Calls a function with the width as a constant.
template <typename Function>
auto with_width(int width, const Function& function) {
  switch (width) {
    case 1:
      return function(std::integral_constant<int, 1>());
    case 2:
      return function(std::integral_constant<int, 2>());
    case 3:
      return function(std::integral_constant<int, 3>());
    case 4:
      return function(std::integral_constant<int, 4>());
    case 5:
      return function(std::integral_constant<int, 5>());
    default:
      return function(std::integral_constant<int, 6>());
  }
}

}  // namespace

void GraphLu::order(Edges edges) {
  order_.resize(static_cast<std::size_t>(nodes_));
  step_of_.resize(static_cast<std::size_t>(nodes_));
  std::vector<Eigen::Triplet<double, int>> entries;
  entries.reserve(static_cast<std::size_t>(nodes_) + 2 * edges.size());
  for (int i = 0; i < nodes_; ++i) entries.emplace_back(i, i, 1.0);
  for (const auto& [a, b] : edges) {
    entries.emplace_back(a, b, 1.0);
    entries.emplace_back(b, a, 1.0);
  }
  Eigen::SparseMatrix<double> pattern(nodes_, nodes_);
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::AMDOrdering<int>::PermutationType permutation;
  Eigen::AMDOrdering<int> find;
  find(pattern, permutation);
  for (int k = 0; k < nodes_; ++k) order_[k] = permutation.indices()[k];
  for (int k = 0; k < nodes_; ++k) step_of_[order_[k]] = k;
}

void GraphLu::find_fill() {
  std::vector<std::vector<int>> columns(static_cast<std::size_t>(nodes_)), children(columns.size());
  std::vector<std::vector<int>> neighbours(columns.size());
  for (const auto& [a, b] : edges_) {
    const int first = std::min(step_of_[a], step_of_[b]), second = std::max(step_of_[a], step_of_[b]);
    neighbours[first].push_back(second);
  }
  std::vector<int> mark(columns.size(), -1);
  starts_.assign(1, 0);
  later_.clear();
  for (int k = 0; k < nodes_; ++k) {
    std::vector<int>& column = columns[k];
    const auto add = [&](int step) {
      if (step <= k || mark[step] == k) return;
      mark[step] = k;
      column.push_back(step);
    };
    for (const int step : neighbours[k]) add(step);
    for (const int child : children[k])
      for (const int step : columns[child]) add(step);
    std::sort(column.begin(), column.end());
    if (!column.empty()) children[column.front()].push_back(k);
    later_.insert(later_.end(), column.begin(), column.end());
    starts_.push_back(static_cast<int>(later_.size()));
  }
  targets_.clear();
  products_ = 0;
  for (int k = 0; k < nodes_; ++k)
    for (int b = starts_[k]; b < starts_[k + 1]; ++b) {
      int place = starts_[later_[b]];
      for (int a = b + 1; a < starts_[k + 1]; ++a) {
        while (later_[place] != later_[a]) ++place;
        targets_.push_back(place);
      }
      products_ += 3 + 2 * (starts_[k + 1] - b - 1);
    }
}

void GraphLu::analyse(int nodes, int width, Edges edges) {
  const bool is_known =
      nodes == nodes_ && width == width_ && std::equal(edges.begin(), edges.end(), edges_.begin(), edges_.end());
  if (is_known) return;
  nodes_ = nodes;
  width_ = width;
  edges_.assign(edges.begin(), edges.end());
  order(edges);
  find_fill();
  const auto blocks = static_cast<std::size_t>(nodes_) + 2 * later_.size();
  values_.assign(blocks * static_cast<std::size_t>(width * width), 0.0);
  work_.assign(static_cast<std::size_t>(nodes_ * width), 0.0);
}

std::size_t GraphLu::place(int row_node, int column_node) const {
  const auto size = static_cast<std::size_t>(width_ * width_);
  const int row = step_of_[row_node], column = step_of_[column_node];
  if (row == column) return static_cast<std::size_t>(row) * size;
  const int first = std::min(row, column), second = std::max(row, column);
  const auto begin = later_.begin() + starts_[first], end = later_.begin() + starts_[first + 1];
  auto at = static_cast<std::size_t>(std::lower_bound(begin, end, second) - later_.begin());
  at += static_cast<std::size_t>(nodes_) + (row < column ? later_.size() : 0);
  return at * size;
}

void GraphLu::clear() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

bool GraphLu::factorise(bool is_symmetric) {
  count_factorisation();
  const auto size = static_cast<std::size_t>(width_ * width_);
  double* const lower = values_.data() + static_cast<std::size_t>(nodes_) * size;
  const Factors factors{
      nodes_, starts_.data(), later_.data(), targets_.data(), values_.data(), lower, lower + later_.size() * size};
  if (width_ == 6) return is_symmetric ? factorise_symmetric_bodies(factors) : factorise_bodies(factors);
  return with_width(width_, [&](auto width) {
    return is_symmetric ? factorise_all<width, true>(factors) : factorise_all<width, false>(factors);
  });
}

void GraphLu::solve(double* x) const {
  const auto size = static_cast<std::size_t>(width_ * width_);
  const std::size_t lower = static_cast<std::size_t>(nodes_) * size, upper = lower + later_.size() * size;
  for (int k = 0; k < nodes_; ++k)
    std::copy_n(x + static_cast<std::ptrdiff_t>(order_[k]) * width_, width_,
                work_.data() + static_cast<std::ptrdiff_t>(k) * width_);
  with_width(width_, [&](auto width) {
    solve_all<width>(nodes_, starts_.data(), later_.data(), values_.data(), lower, upper, work_.data());
  });
  for (int k = 0; k < nodes_; ++k)
    std::copy_n(work_.data() + static_cast<std::ptrdiff_t>(k) * width_, width_,
                x + static_cast<std::ptrdiff_t>(order_[k]) * width_);
}

}  // namespace stiction::linalg
