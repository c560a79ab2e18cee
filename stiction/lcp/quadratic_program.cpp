#include "stiction/lcp/quadratic_program.h"

#include <Eigen/Cholesky>

#include "stiction/lcp/minimum_norm.h"
#include "stiction/lcp/principal_pivoting.h"

namespace stiction::lcp {

namespace {

std::string find_defect(const LeastConstraint& principle) {
  const Index m = principle.f.size(), n = principle.d.size();
  const auto sized = [](const DenseMatrix& A) { return std::to_string(A.rows()) + " by " + std::to_string(A.cols()); };
  if (principle.M.rows() != m || principle.M.cols() != m)
    return "M is " + sized(principle.M) + " but f has " + std::to_string(m) + " entries; M must be square of that size";
  if (principle.G.rows() != m || principle.G.cols() != n)
    return "G is " + sized(principle.G) + "; it needs a row for each of the " + std::to_string(m) +
           " entries of f and a column for each of the " + std::to_string(n) + " entries of d";
  if (principle.equalities < 0 || principle.equalities > n)
    return "equalities is " + std::to_string(principle.equalities) + "; it counts columns of G, of which there are " +
           std::to_string(n);
  if (!principle.M.allFinite() || !principle.f.allFinite() || !principle.G.allFinite() || !principle.d.allFinite())
    return "M, f, G or d holds a number that is not finite";
  if (m > 0 &&
      (principle.M - principle.M.transpose()).cwiseAbs().maxCoeff() > 1e-12 * principle.M.cwiseAbs().maxCoeff())
    return "M is not symmetric; a mass matrix must be";
  return {};
}

void free_equalities(const LeastConstraint& principle, Index first, Vector& lower) {
  lower.segment(first, principle.equalities).setConstant(-infinity);
}

}  // namespace

Problem to_problem(const QuadraticProgram& program) {
  return {"quadratic programme", program.A, program.b, program.lower, program.upper};
}

double objective(const QuadraticProgram& program, const Vector& lambda) {
  return 0.5 * lambda.dot(program.A * lambda) + lambda.dot(program.b);
}

Result<QuadraticProgram> to_quadratic_program(const LeastConstraint& principle) {
  if (std::string defect = find_defect(principle); !defect.empty()) return Error{"least constraint: " + defect};
  const Eigen::LLT<DenseMatrix> cholesky(principle.M);
  if (cholesky.info() != Eigen::Success)
    return Error{"least constraint: M is not positive definite; every direction of x needs mass"};
  const DenseMatrix B = cholesky.matrixL().solve(principle.G);
  const Vector c = cholesky.matrixL().solve(principle.f);
  const Index n = principle.d.size();
  QuadraticProgram program{B.transpose() * B, B.transpose() * c + principle.d, Vector::Zero(n),
                           Vector::Constant(n, infinity)};
  free_equalities(principle, 0, program.lower);
  return program;
}

Problem to_mixed_problem(const LeastConstraint& principle) {
  const Index m = principle.f.size(), n = principle.d.size();
  DenseMatrix A = DenseMatrix::Zero(m + n, m + n);
  A.topLeftCorner(m, m) = principle.M;
  A.topRightCorner(m, n) = -principle.G;
  A.bottomLeftCorner(n, m) = principle.G.transpose();
  Problem problem{"least constraint", A, Vector(m + n), Vector::Zero(m + n), Vector::Constant(m + n, infinity)};
  problem.q << -principle.f, principle.d;
  problem.lower.head(m).setConstant(-infinity);
  free_equalities(principle, m, problem.lower);
  return problem;
}

double objective(const LeastConstraint& principle, const Vector& x) {
  const Vector deviation = x - principle.M.llt().solve(principle.f);
  return 0.5 * deviation.dot(principle.M * deviation);
}

Result<LeastConstraintAnswer> solve(const LeastConstraint& principle, Multiplier choice) {
  Result<QuadraticProgram> program = to_quadratic_program(principle);
  if (!program.ok()) return Error{program.error()};
  const Problem problem = to_problem(program.value());
  PrincipalPivoting solver;
  Solution solution;
  solver.solve(problem, solution);

  LeastConstraintAnswer answer;
  answer.status = solution.status;
  answer.certificate = solution.certificate;
  if (solution.status != Status::solved) return answer;
  answer.lambda = solution.z;
  if (choice != Multiplier::any) {
    const MultiplierSet set = multiplier_set(problem, solution.z, principle.G);
    answer.lambda = choice == Multiplier::minimum_norm ? minimum_norm(set) : independent_columns(set);
    answer.certificate = certify(problem, answer.lambda);
    if (!answer.certificate.certified(solver.tolerance)) answer.status = Status::iteration_limit;
  }
  answer.x = principle.M.llt().solve(principle.f + principle.G * answer.lambda);
  answer.w = principle.G.transpose() * answer.x + principle.d;
  return answer;
}

}  // namespace stiction::lcp
