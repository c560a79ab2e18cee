#include "problems/generator/small_problems.h"

#include <cmath>
#include <string>

#include "stiction/base/random.h"

namespace stiction::families {

namespace {

using lcp::DenseMatrix;
using lcp::Index;
using lcp::Vector;

DenseMatrix random_integers(Random& random, Index rows, Index columns, int low, int high) {
  DenseMatrix matrix(rows, columns);
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i) matrix(i, j) = random.integer(low, high);
  return matrix;
}

DenseMatrix random_numbers(Random& random, Index rows, Index columns) {
  DenseMatrix matrix(rows, columns);
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i) matrix(i, j) = random.uniform(-1.0, 1.0);
  return matrix;
}

/// B'B, summed in a fixed order.
DenseMatrix gram(const DenseMatrix& B) {
  DenseMatrix product = DenseMatrix::Zero(B.cols(), B.cols());
  for (Index i = 0; i < B.cols(); ++i)
    for (Index j = 0; j < B.cols(); ++j)
      for (Index k = 0; k < B.rows(); ++k) product(i, j) += B(k, i) * B(k, j);
  return product;
}

DenseMatrix random_part(Random& random, bool integers, Index rows, Index columns) {
  return integers ? random_integers(random, rows, columns, -2, 2) : random_numbers(random, rows, columns);
}

DenseMatrix random_skew(Random& random, bool integers, Index n) {
  const DenseMatrix part = random_part(random, integers, n, n);
  return part - part.transpose();
}

DenseMatrix make_p(Random& random, bool integers, Index n) {
  const int kind = random.integer(0, 2);
  DenseMatrix M = random_part(random, integers, n, n);
  if (kind == 0) {  // dominant positive diagonal
    for (Index i = 0; i < n; ++i) {
      M(i, i) = 1.0;
      for (Index j = 0; j < n; ++j)
        if (j != i) M(i, i) += std::abs(M(i, j));
    }
    return M;
  }
  if (kind == 1) {  // positive definite, not symmetric
    M = gram(M);
    M += random_skew(random, integers, n);
    M.diagonal().array() += 1.0;
    return M;
  }
  // Triangular with a positive diagonal, rows and columns in another order: hidden from the eye, still P.
  for (Index i = 0; i < n; ++i) {
    M(i, i) = 1.0 + std::abs(M(i, i));
    for (Index j = i + 1; j < n; ++j) M(i, j) = 0.0;
  }
  for (Index i = n - 1; i > 0; --i) {
    const Index other = random.integer(0, static_cast<int>(i));
    M.row(i).swap(M.row(other));
    M.col(i).swap(M.col(other));
  }
  return M;
}

DenseMatrix make_matrix(SmallClass small_class, Random& random, bool integers, Index n) {
  const Index rank = random.integer(1, static_cast<int>(n));
  switch (small_class) {
    case SmallClass::p:
      return make_p(random, integers, n);
    case SmallClass::positive_semidefinite:
      return gram(random_part(random, integers, rank, n));
    case SmallClass::copositive: {
      DenseMatrix M = gram(random_part(random, integers, rank, n));
      M += random_part(random, integers, n, n).cwiseAbs();
      if (random.integer(0, 1) == 0) M += random_skew(random, integers, n);
      return M;
    }
    case SmallClass::none:
      break;
  }
  return random_part(random, integers, n, n);
}

Vector multiply(const DenseMatrix& M, const Vector& z) {
  Vector product = Vector::Zero(M.rows());
  for (Index i = 0; i < M.rows(); ++i)
    for (Index j = 0; j < M.cols(); ++j) product[i] += M(i, j) * z[j];
  return product;
}

}  // namespace

std::string_view to_string(SmallClass small_class) {
  switch (small_class) {
    case SmallClass::p:
      return "P";
    case SmallClass::positive_semidefinite:
      return "positive semidefinite";
    case SmallClass::copositive:
      return "copositive";
    case SmallClass::none:
      break;
  }
  return "none";
}

lcp::Problem make_small(SmallClass small_class, std::uint64_t seed) {
  Random seeds(seed * 4 + static_cast<std::uint64_t>(small_class));
  Random random(seeds.bits());
  const Index n = random.integer(1, 8);
  const bool integers = random.integer(0, 2) != 0;
  const DenseMatrix M = make_matrix(small_class, random, integers, n);
  Vector q = integers ? Vector(random_integers(random, n, 1, -3, 3)) : Vector(random_numbers(random, n, 1));
  if (random.integer(0, 2) == 0) {  // q = w - M z with z'w = 0: solvable, degenerate where both are zero
    Vector z = Vector::Zero(n), w = Vector::Zero(n);
    for (Index i = 0; i < n; ++i) {
      const double size = integers ? random.integer(0, 2) : random.uniform();
      (random.integer(0, 1) == 0 ? z : w)[i] = size;
    }
    q = w - multiply(M, z);
  }
  std::string name = "small_";
  name += small_class == SmallClass::positive_semidefinite ? "psd" : to_string(small_class);
  return {.name = name + "_" + std::to_string(seed), .M = M, .q = q};
}

lcp::Problem make_murty(int size) {
  DenseMatrix M = DenseMatrix::Identity(size, size);
  Vector q(size);
  double sum = 0.0;
  for (Index i = 0; i < size; ++i) {
    M.row(i).head(i).setConstant(2.0);
    sum += std::ldexp(1.0, size - static_cast<int>(i));
    q[i] = -sum;
  }
  return {.name = "murty_exponential_" + std::to_string(size), .M = std::move(M), .q = q};
}

}  // namespace stiction::families
