#include "problems/generator/stored_problems.h"

#include <algorithm>
#include <cmath>

#include "problems/generator/small_problems.h"

namespace stiction::families {

namespace {

using lcp::Index;
using lcp::SparseMatrix;
using lcp::Vector;
using Triplets = std::vector<Eigen::Triplet<double>>;

lcp::StoredProblem make_sparse(std::string name, const Triplets& triplets, const Vector& q, std::string source,
                               std::string must) {
  SparseMatrix M(q.size(), q.size());
  M.setFromTriplets(triplets.begin(), triplets.end());
  lcp::StoredProblem stored;
  stored.problem = {.name = std::move(name), .M = std::move(M), .q = q};
  stored.source = std::move(source);
  stored.must = std::move(must);
  return stored;
}

Triplets tridiagonal(Index n, double below, double diagonal, double above) {
  Triplets triplets;
  for (Index i = 0; i < n; ++i) {
    if (i > 0) triplets.emplace_back(i, i - 1, below);
    triplets.emplace_back(i, i, diagonal);
    if (i + 1 < n) triplets.emplace_back(i, i + 1, above);
  }
  return triplets;
}

/// w = -u'' - f with u = z + obstacle on a string of unit length, zero at its ends.
lcp::StoredProblem make_string(Index n) {
  const double h = 1.0 / static_cast<double>(n + 1);
  const auto obstacle = [&](Index i) {
    const double x = static_cast<double>(i + 1) * h - 0.5;
    return i < 0 || i >= n ? 0.0 : 0.25 - 2.0 * x * x;
  };
  Vector q(n);
  for (Index i = 0; i < n; ++i) q[i] = 2.0 * obstacle(i) - obstacle(i - 1) - obstacle(i + 1);
  return make_sparse("string_over_obstacle_" + std::to_string(n), tridiagonal(n, -1.0, 2.0, -1.0), q,
                     "a stretched string over the parabola 1/4 - 2 x^2 (the obstacle problem in one dimension)",
                     "one solution: on the parabola in the middle, straight beside it");
}

/// A square membrane, five-point Laplacian, pressed down on a pyramid.
lcp::StoredProblem make_membrane(Index side) {
  const Index n = side * side;
  const auto height = [&](Index i, Index j) {
    if (i < 0 || j < 0 || i >= side || j >= side) return 0.0;
    const Index from_edge = std::min(std::min(i, side - 1 - i), std::min(j, side - 1 - j));
    return 0.125 * static_cast<double>(from_edge) - 0.25;
  };
  Triplets triplets;
  Vector q(n);
  for (Index j = 0; j < side; ++j)
    for (Index i = 0; i < side; ++i) {
      const Index row = i + side * j;
      triplets.emplace_back(row, row, 4.0);
      if (i > 0) triplets.emplace_back(row, row - 1, -1.0);
      if (i + 1 < side) triplets.emplace_back(row, row + 1, -1.0);
      if (j > 0) triplets.emplace_back(row, row - side, -1.0);
      if (j + 1 < side) triplets.emplace_back(row, row + side, -1.0);
      q[row] = 4.0 * height(i, j) - height(i - 1, j) - height(i + 1, j) - height(i, j - 1) - height(i, j + 1) + 0.03125;
    }
  return make_sparse("membrane_over_pyramid_" + std::to_string(side), triplets, q,
                     "the obstacle problem on a square, five-point Laplacian",
                     "one solution, symmetric like the pyramid");
}

/// Reynolds' equation of a journal bearing with cavitation: pressure z >= 0, film thickness 1 + e cos.
lcp::StoredProblem make_bearing(Index n) {
  // The cosine by its recurrence, so that every platform has the same bits.
  const double step = 2.0 / static_cast<double>(n + 1);
  const auto film = [&](double t) {  // t in [0, 2]: a parabola in place of 1 + e cos(pi t)
    return 1.0 + 0.8 * (2.0 * (t - 1.0) * (t - 1.0) - 1.0);
  };
  Triplets triplets;
  Vector q(n);
  for (Index i = 0; i < n; ++i) {
    const double t = static_cast<double>(i + 1) * step;
    const double left = film(t - 0.5 * step), right = film(t + 0.5 * step);
    const double a = left * left * left, b = right * right * right;
    if (i > 0) triplets.emplace_back(i, i - 1, -a);
    triplets.emplace_back(i, i, a + b);
    if (i + 1 < n) triplets.emplace_back(i, i + 1, -b);
    q[i] = step * (right - left);
  }
  return make_sparse(
      "journal_bearing_" + std::to_string(n), triplets, q,
      "Reynolds' equation of a journal bearing with cavitation (Cottle, Pang and Stone, 1992, section 1.2)",
      "one solution: pressure on the converging side, none where the film would be torn");
}

}  // namespace

StoredFile make_stored_murty() {
  StoredFile file{.name = "murty_exponential.json", .problems = {}};
  for (int n = 4; n <= 16; n += 2) {
    lcp::StoredProblem stored;
    stored.problem = make_murty(n);
    stored.source =
        "Murty, Computational complexity of complementary pivot methods, Mathematical Programming Study 7, 1978";
    stored.must = "z = 2^n e_1; Lemke with the cover vector of ones needs 2^n - 1 pivots, another cover far fewer";
    Vector z = Vector::Zero(n);
    z[0] = std::ldexp(1.0, n);
    stored.basic_solutions = {z};
    file.problems.push_back(std::move(stored));
  }
  return file;
}

StoredFile make_stored_sparse() {
  StoredFile file{.name = "sparse.json", .problems = {}};
  file.problems.push_back(make_sparse("tridiagonal_100", tridiagonal(100, -1.0, 4.0, -1.0), Vector::Constant(100, -1.0),
                                      "Geiger and Kanzow, On the resolution of monotone complementarity problems, 1996",
                                      "one solution, all positive: a linear system"));
  file.problems.push_back(
      make_sparse("nonsymmetric_tridiagonal_100", tridiagonal(100, 1.0, 4.0, -2.0), Vector::Constant(100, -1.0),
                  "Ahn, Iterative methods for linear complementarity problems, 1983", "one solution"));
  file.problems.push_back(make_string(99));
  file.problems.push_back(make_membrane(12));
  file.problems.push_back(make_bearing(60));
  return file;
}

std::vector<StoredFile> make_stored_files() {
  return {make_stored_murty(), make_stored_sparse(),    make_stored_rest(), make_stored_stacks(),
          make_stored_walls(), make_stored_paradoxes(), make_stored_hard()};
}

}  // namespace stiction::families
