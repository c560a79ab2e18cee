#include "stiction/lcp/minimum_norm.h"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <vector>

#include "stiction/base/assert.h"
#include "stiction/lcp/scaled_problem.h"

namespace stiction::lcp {

namespace {

using Indices = std::vector<Index>;

/// One inequality sign * x_variable >= sign * bound.
struct Side {
  Index variable;  ///< In the list of free-to-move variables.
  double sign, bound;
};

DenseMatrix columns_of(const DenseMatrix& C, const Indices& columns) {
  return C(Eigen::all, columns);
}

/// An orthonormal basis of the null space of C.
DenseMatrix null_space(const DenseMatrix& C, double tolerance) {
  if (C.rows() == 0) return DenseMatrix::Identity(C.cols(), C.cols());
  // Jacobi's method finds small singular values to full relative accuracy; a square factor first keeps it cheap.
  const Eigen::JacobiSVD<DenseMatrix, Eigen::FullPivHouseholderQRPreconditioner> svd(C, Eigen::ComputeFullV);
  const Vector& values = svd.singularValues();
  Index rank = 0;
  while (rank < values.size() && values[rank] > tolerance * values[0]) ++rank;
  return svd.matrixV().rightCols(C.cols() - rank);
}

Indices movable(const MultiplierSet& set) {
  Indices list;
  for (Index i = 0; i < set.start.size(); ++i)
    if (set.lower[i] < set.upper[i]) list.push_back(i);
  return list;
}

void check(const MultiplierSet& set) {
  const Index n = set.start.size();
  STICTION_ASSERT(set.C.cols() == n && set.lower.size() == n && set.upper.size() == n,
                  "C, start, lower and upper of a MultiplierSet disagree in size");
}

}  // namespace

MultiplierSet multiplier_set(const Problem& problem, const Vector& z, DenseMatrix C, double w_tolerance) {
  const Index n = problem.size();
  STICTION_ASSERT(z.size() == n && C.cols() == n, "multiplier_set: z and the columns of C must match the problem");
  ScaledProblem scaled;
  scaled.load(problem);
  const Vector z_scaled = z.cwiseQuotient(scaled.column_scale);
  Vector w(n);
  scaled.residual(z_scaled, w);
  const double slack = w_tolerance * scaled.magnitude(z_scaled);
  MultiplierSet set{std::move(C), z, Vector(n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    const bool moves = std::abs(w[i]) <= slack;
    set.lower[i] = moves ? problem.lower_bound(i) : z[i];
    set.upper[i] = moves ? problem.upper_bound(i) : z[i];
  }
  return set;
}

Vector nonnegative_least_squares(const DenseMatrix& A, const Vector& b) {
  const Index n = A.cols();
  Vector x = Vector::Zero(n), gradient = A.transpose() * b;
  const double negligible = 1e-14 * (A.cwiseAbs().sum() + 1.0) * b.cwiseAbs().maxCoeff();
  Indices passive;
  std::vector<char> is_passive(static_cast<std::size_t>(n), 0), refused(static_cast<std::size_t>(n), 0);
  const auto solve_passive = [&] {
    return Vector(Eigen::ColPivHouseholderQR<DenseMatrix>(columns_of(A, passive)).solve(b));
  };
  // Each round lowers the residual, so no passive set comes twice; rounding is the only reason for the limit.
  for (Index round = 0; round < 10 * n + 10; ++round) {
    Index enters = -1;
    for (Index j = 0; j < n; ++j)
      if (!is_passive[j] && !refused[j] && gradient[j] > negligible && (enters < 0 || gradient[j] > gradient[enters]))
        enters = j;
    if (enters < 0) break;
    passive.push_back(enters);
    Vector s = solve_passive();
    if (!(s[s.size() - 1] > 0.0)) {  // its gradient was rounding (Lawson and Hanson 1974, chapter 23)
      passive.pop_back();
      refused[enters] = 1;
      continue;
    }
    is_passive[enters] = 1;
    while (s.size() > 0 && s.minCoeff() <= 0.0) {
      double step = infinity;
      Index stops = -1;
      for (Index k = 0; k < s.size(); ++k) {
        const double reach = s[k] <= 0.0 ? x[passive[k]] / (x[passive[k]] - s[k]) : infinity;
        if (stops >= 0 && reach >= step) continue;
        step = reach;
        stops = k;
      }
      Indices kept;
      for (Index k = 0; k < s.size(); ++k) {
        double& value = x[passive[k]];
        value += step * (s[k] - value);
        const bool leaves = k == stops || value <= 0.0;
        if (leaves) value = 0.0;
        is_passive[passive[k]] = !leaves;
        if (!leaves) kept.push_back(passive[k]);
      }
      passive = std::move(kept);
      s = passive.empty() ? Vector() : solve_passive();
    }
    for (Index k = 0; k < s.size(); ++k) x[passive[k]] = std::max(s[k], 0.0);
    gradient = A.transpose() * (b - A * x);
    std::fill(refused.begin(), refused.end(), char{0});
  }
  return x;
}

Vector minimum_norm(const MultiplierSet& set) {
  check(set);
  const Indices list = movable(set);
  Vector result = set.start;
  const Vector start = set.start(list);
  const double size = start.norm();
  if (size == 0.0) return result;
  const DenseMatrix N = null_space(columns_of(set.C, list), set.rank_tolerance);
  if (N.cols() == 0) return result;
  const Vector row_part = start - N * (N.transpose() * start);

  std::vector<Side> sides;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const auto variable = static_cast<Index>(k);
    if (set.lower[list[k]] > -infinity) sides.push_back({variable, 1.0, set.lower[list[k]]});
    if (set.upper[list[k]] < infinity) sides.push_back({variable, -1.0, set.upper[list[k]]});
  }
  // E t >= f in units of |start|, where |t| <= 1: then the last residual of the least squares lies in [-1, -1/2].
  const auto count = static_cast<Index>(sides.size());
  DenseMatrix least_squares(N.cols() + 1, count);
  for (Index s = 0; s < count; ++s) {
    const Side& side = sides[s];
    least_squares.col(s).head(N.cols()) = side.sign * N.row(side.variable).transpose();
    least_squares(N.cols(), s) = side.sign * (side.bound - row_part[side.variable]) / size;
  }
  const Vector unit = Vector::Unit(N.cols() + 1, N.cols());
  const Vector u = nonnegative_least_squares(least_squares, unit);
  const Vector r = least_squares * u - unit;
  Vector t = -size * r.head(N.cols()) / r[N.cols()];

  // Once more on the active sides alone, to the last digit: t of least norm with E_A t = f_A.
  Indices active;
  for (Index s = 0; s < count; ++s)
    if (u[s] > 0.0) active.push_back(s);
  if (!active.empty()) {
    const DenseMatrix E = least_squares.topRows(N.cols())(Eigen::all, active).transpose();
    const Vector f = size * least_squares.row(N.cols())(active).transpose();
    const Vector exact = Eigen::CompleteOrthogonalDecomposition<DenseMatrix>(E).solve(f);
    if ((exact - t).norm() <= 1e-6 * size) t = exact;
  }
  const Vector x = row_part + N * t;
  for (std::size_t k = 0; k < list.size(); ++k)
    result[list[k]] = std::clamp(x[static_cast<Index>(k)], set.lower[list[k]], set.upper[list[k]]);
  for (const Index s : active) result[list[sides[s].variable]] = sides[s].bound;
  return result;
}

Vector independent_columns(const MultiplierSet& set) {
  check(set);
  Vector x = set.start;
  Indices inside;
  const auto at_rest = [&](Index i) {
    const bool free = set.lower[i] == -infinity && set.upper[i] == infinity;
    return x[i] == set.lower[i] || x[i] == set.upper[i] || (free && x[i] == 0.0);
  };
  while (true) {
    inside.clear();
    for (Index i = 0; i < x.size(); ++i)
      if (!at_rest(i)) inside.push_back(i);
    if (inside.empty()) return x;
    const DenseMatrix columns = columns_of(set.C, inside);
    Eigen::ColPivHouseholderQR<DenseMatrix> qr(columns);
    qr.setThreshold(set.rank_tolerance);
    const Index rank = qr.rank(), count = columns.cols();
    if (rank == count) {  // take off the drift of the steps
      const Vector correction = qr.solve(set.C * (set.start - x));
      for (Index k = 0; k < count; ++k)
        x[inside[k]] = std::clamp(x[inside[k]] + correction[k], set.lower[inside[k]], set.upper[inside[k]]);
      return x;
    }
    // v: the first dependent column as a combination of the independent ones.
    Vector v = Vector::Zero(count);
    v.head(rank) =
        -qr.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solve(qr.matrixR().col(rank).head(rank));
    v[rank] = 1.0;
    v = qr.colsPermutation() * v;

    double step = infinity, target = 0.0;
    Index stops = -1;
    const auto consider = [&](Index i, double value, double speed) {
      if (!std::isfinite(value) || std::abs((value - x[i]) / speed) >= std::abs(step)) return;
      step = (value - x[i]) / speed;
      target = value;
      stops = i;
    };
    for (Index k = 0; k < count; ++k) {
      const Index i = inside[k];
      if (std::abs(v[k]) <= 1e-12 * v.cwiseAbs().maxCoeff()) continue;
      const bool free = set.lower[i] == -infinity && set.upper[i] == infinity;
      consider(i, free ? 0.0 : set.lower[i], v[k]);
      consider(i, set.upper[i], v[k]);
    }
    for (Index k = 0; k < count; ++k)
      x[inside[k]] = std::clamp(x[inside[k]] + step * v[k], set.lower[inside[k]], set.upper[inside[k]]);
    x[stops] = target;
  }
}

}  // namespace stiction::lcp
