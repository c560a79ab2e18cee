#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "stiction/lcp/certificate.h"
#include "stiction/lcp/problem.h"

namespace stiction::lcp {

enum class Status : std::uint8_t {
  solved,           ///< The certificate holds. Nothing else is ever called solved.
  infeasible,       ///< No solution exists; `Solution::proof` was checked by certify_infeasible.
  ray,              ///< The method ended on a ray or stalled; that proves nothing.
  iteration_limit,  ///< The method ran out of iterations, or its answer did not certify.
  invalid,          ///< The problem is malformed, or not of the class or size this solver takes.
};

[[nodiscard]] std::string_view to_string(Status status);

/// Where each variable stands: on its lower bound, on its upper bound, or basic (between them, with w_i = 0).
enum class Place : std::uint8_t { lower, upper, basic };

/// What one method of several did.
struct Attempt {
  std::string_view method;
  int iterations = 0;
  double residual = infinity;  ///< Of the point that it left.
};

/// In and out. On entry `basis` and `z`, where they have the problem's size, are a suggestion (the last step's answer):
/// a solver may start there, and the reused basis alone is accepted if it certifies (1997, section 6).
struct Solution {
  Status status = Status::invalid;
  Vector z;
  std::vector<Place> basis;
  int iterations = 0;
  bool reused_basis = false;  ///< The suggested basis gave the answer by one linear solve.
  Vector proof;               ///< With `infeasible`: the y of certify_infeasible. Otherwise empty.
  Certificate certificate;
  std::vector<Attempt> attempts;  ///< The methods that were asked, in their order; of most solvers itself alone.
};

/// The interface of every solver. A solver owns its workspace, so keep the object: a second solve of the same size
/// allocates nothing. Not to be shared between threads.
class Solver {
 public:
  virtual ~Solver() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Runs the method, then certifies: a method's own word is never taken. `tolerance` is that of the certificate.
  void solve(const Problem& problem, Solution& solution);

  double tolerance = 1e-8;

 protected:
  /// Sets z, basis, iterations, and status (`solved` meaning: I think so).
  virtual void run(const Problem& problem, Solution& solution) = 0;

 private:
  CertifyWork certify_work_;
};

}  // namespace stiction::lcp
