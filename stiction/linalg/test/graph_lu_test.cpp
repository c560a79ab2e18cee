#include "stiction/linalg/graph_lu.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <set>
#include <tuple>

#include "stiction/base/random.h"
#include "stiction/base/test/allocation_counter.h"
#include "stiction/base/test/allocation_hooks.h"
#include "stiction/linalg/matrix.h"

namespace stiction::linalg {
namespace {

using EdgeList = std::vector<std::pair<int, int>>;

/// Each pair with the probability given: few edges fall apart into several graphs.
EdgeList random_edges(Random& random, int nodes, double share) {
  EdgeList edges;
  for (int a = 0; a < nodes; ++a)
    for (int b = a + 1; b < nodes; ++b)
      if (random.uniform(0.0, 1.0) < share) edges.emplace_back(a, b);
  return edges;
}

/// Blocks of a graph with a symmetric part that is positive definite, and any skew one.
DenseMatrix random_matrix(Random& random, int nodes, int width, const EdgeList& edges) {
  const int size = nodes * width;
  DenseMatrix A = DenseMatrix::Zero(size, size);
  const auto fill = [&](int a, int b) {
    for (int i = 0; i < width; ++i)
      for (int j = 0; j < width; ++j) A(a * width + i, b * width + j) = random.uniform(-1.0, 1.0);
  };
  for (int node = 0; node < nodes; ++node) fill(node, node);
  for (const auto& [a, b] : edges) {
    fill(a, b);
    fill(b, a);
  }
  // Dominant by rows and columns of the symmetric part alone.
  for (int i = 0; i < size; ++i) {
    double sum = 0.1;
    for (int j = 0; j < size; ++j) sum += 0.5 * std::abs(A(i, j) + A(j, i));
    A(i, i) = sum;
  }
  const DenseMatrix skew = 3.0 * (A - A.transpose());
  return A + skew;
}

void put(const DenseMatrix& A, int nodes, int width, const EdgeList& edges, GraphLu& lu) {
  lu.clear();
  const auto put_block = [&](int a, int b) {
    double* block = lu.at(lu.place(a, b));
    for (int i = 0; i < width; ++i)
      for (int j = 0; j < width; ++j) *block++ = A(a * width + i, b * width + j);
  };
  for (int node = 0; node < nodes; ++node) put_block(node, node);
  for (const auto& [a, b] : edges) {
    put_block(a, b);
    put_block(b, a);
  }
}

/// The relative distance to the answer of a dense factorisation.
double error_of(const DenseMatrix& A, const GraphLu& lu, Random& random) {
  Vector b(A.rows());
  for (Index i = 0; i < b.size(); ++i) b[i] = random.uniform(-1.0, 1.0);
  const Vector expected = A.partialPivLu().solve(b);
  Vector x = b;
  lu.solve(x.data());
  return (x - expected).norm() / expected.norm();
}

TEST(GraphLu, SymmetricMatricesNeedNoUpperBlocks) {
  Random random(4);
  for (int width = 1; width <= GraphLu::most_width; ++width)
    for (const double share : {0.0, 0.1, 0.3, 1.0})
      for (const int nodes : {1, 2, 7, 30}) {
        const EdgeList edges = random_edges(random, nodes, share);
        const DenseMatrix any = random_matrix(random, nodes, width, edges);
        const DenseMatrix A = 0.5 * (any + any.transpose());
        GraphLu lu;
        lu.analyse(nodes, width, edges);
        put(A, nodes, width, edges, lu);
        ASSERT_TRUE(lu.factorise());
        Vector x = Vector::LinSpaced(A.rows(), -1.0, 2.0), y = x;
        lu.solve(x.data());
        put(A, nodes, width, edges, lu);
        ASSERT_TRUE(lu.factorise(true));
        EXPECT_LE(error_of(A, lu, random), 1e-11);
        lu.solve(y.data());
        EXPECT_LE((x - y).norm(), 1e-12 * x.norm());
      }
}

TEST(GraphLu, AgreesWithDenseFactorsOnAnyGraph) {
  Random random(3);
  for (int width = 1; width <= GraphLu::most_width; ++width)
    for (const double share : {0.0, 0.02, 0.1, 0.3, 1.0})
      for (const int nodes : {1, 2, 7, 30}) {
        const EdgeList edges = random_edges(random, nodes, share);
        const DenseMatrix A = random_matrix(random, nodes, width, edges);
        GraphLu lu;
        lu.analyse(nodes, width, edges);
        EXPECT_EQ(lu.nodes(), nodes);
        put(A, nodes, width, edges, lu);
        ASSERT_TRUE(lu.factorise());
        EXPECT_LE(error_of(A, lu, random), 1e-12) << width << " " << share << " " << nodes;
      }
}

// A chain has no fill whatever the order of its nodes: three products for each edge.
TEST(GraphLu, AChainTakesLinearTime) {
  constexpr int nodes = 200;
  Random random(5);
  std::vector<int> names(nodes);
  for (int i = 0; i < nodes; ++i) names[i] = i;
  for (int i = nodes - 1; i > 0; --i) std::swap(names[i], names[random.integer(0, i)]);
  std::set<std::pair<int, int>> sorted;
  for (int i = 0; i + 1 < nodes; ++i) sorted.insert(std::minmax({names[i], names[i + 1]}));
  const EdgeList edges(sorted.begin(), sorted.end());
  GraphLu lu;
  lu.analyse(nodes, 3, edges);
  EXPECT_EQ(lu.products(), 3 * (nodes - 1));
  const DenseMatrix A = random_matrix(random, nodes, 3, edges);
  put(A, nodes, 3, edges, lu);
  ASSERT_TRUE(lu.factorise());
  EXPECT_LE(error_of(A, lu, random), 1e-12);
}

TEST(GraphLu, KeepsItsAnalysisForTheSameGraph) {
  Random random(7);
  constexpr int nodes = 20, width = 6;
  const EdgeList edges = random_edges(random, nodes, 0.2), others = random_edges(random, nodes, 0.2);
  GraphLu lu;
  lu.analyse(nodes, width, edges);
  const std::size_t place = lu.place(edges.back().first, edges.back().second);
  for (int turn = 0; turn < 3; ++turn) {
    const DenseMatrix A = random_matrix(random, nodes, width, edges);
    Vector b = Vector::Ones(A.rows());
    const AllocationCounter counter;
    lu.analyse(nodes, width, edges);
    EXPECT_EQ(lu.place(edges.back().first, edges.back().second), place);
    put(A, nodes, width, edges, lu);
    ASSERT_TRUE(lu.factorise());
    lu.solve(b.data());
    EXPECT_EQ(AllocationCounter::works() ? counter.count() : 0, 0);
    EXPECT_LE(error_of(A, lu, random), 1e-12);
  }
  // And makes another for another graph, more nodes, or another width.
  for (const auto& [more, list, wide] :
       {std::tuple(nodes, others, width), std::tuple(nodes + 3, others, width), std::tuple(nodes + 3, others, 3)}) {
    const DenseMatrix A = random_matrix(random, more, wide, list);
    lu.analyse(more, wide, list);
    put(A, more, wide, list, lu);
    ASSERT_TRUE(lu.factorise());
    EXPECT_LE(error_of(A, lu, random), 1e-12);
  }
}

TEST(GraphLu, SaysThatAPivotVanishes) {
  for (int width = 1; width <= GraphLu::most_width; ++width) {
    GraphLu lu;
    const EdgeList edges = {{0, 1}};
    lu.analyse(3, width, edges);
    const DenseMatrix A = DenseMatrix::Identity(3 * width, 3 * width);
    put(A, 3, width, edges, lu);
    EXPECT_TRUE(lu.factorise());
    for (const int zero : {0, width, 3 * width - 1}) {
      DenseMatrix B = A;
      B(zero, zero) = 0.0;
      put(B, 3, width, edges, lu);
      EXPECT_FALSE(lu.factorise()) << width << " " << zero;
    }
    put(A, 3, width, edges, lu);
    EXPECT_TRUE(lu.factorise());
  }
}

// Nodes that are eliminated can leave nothing of another's pivot: [1 1; 1 1].
TEST(GraphLu, SaysThatASchurComplementVanishes) {
  GraphLu lu;
  const EdgeList edges = {{0, 1}};
  lu.analyse(2, 1, edges);
  put(DenseMatrix::Ones(2, 2), 2, 1, edges, lu);
  EXPECT_FALSE(lu.factorise());
}

}  // namespace
}  // namespace stiction::linalg
