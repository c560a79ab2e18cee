#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stiction/cone/certificate.h"
#include "stiction/cone/problem.h"
#include "stiction/cone/scaled_problem.h"
#include "stiction/lcp/solver.h"

namespace stiction::cone {

using lcp::Status;

/// What one method of a cascade did.
struct Attempt {
  std::string_view method;
  int iterations = 0;
  double residual = 0.0;  ///< After it, the larger of the certificate's two.
};

/// In and out. On entry `r`, where it has the problem's size, is a start (the last step's answer).
struct Solution {
  Status status = Status::invalid;
  Vector r;
  int iterations = 0;
  std::vector<Attempt> attempts;  ///< In their order; the last one gave the answer.
  Certificate certificate;
  /// With `infeasible`: the y of certify_infeasible or, of joints that contradict each other, Problem::contradiction;
  /// of factors whose joints hold what would have to give way, JointProof. Otherwise empty.
  Vector proof;
  double bound = 0.0;  ///< With `infeasible`: no answer has |r| below it, r with the forces of joints where they are
                       ///< part of the proof.
};

/// The interface of every solver. A solver owns its workspace, so keep the object: storage is reused. Not to be shared
/// between threads.
class Solver {
 public:
  virtual ~Solver() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Runs the method on the scaled problem, then certifies: a method's own word is never taken. Where the answer does
  /// not certify, a proof is looked for that none can: `infeasible` means that certify_infeasible has one.
  void solve(const Problem& problem, Solution& solution);

  /// Makes s better, until the residual is at most `target` if it can. Leaves the best point that it found; returns its
  /// iterations. For methods that call each other.
  virtual int improve(const ScaledProblem& problem, double target, Vector& s) = 0;

  /// The residual of the point that the last improve() left, in the scaled problem's numbers, where the method looked
  /// at it; otherwise no number. Once.
  [[nodiscard]] double take_residual() { return std::exchange(left_, std::numeric_limits<double>::quiet_NaN()); }

  double tolerance = 1e-8;
  bool prove_infeasible = true;

 protected:
  std::vector<Attempt> attempts_;                           ///< Of a solver that has several methods.
  double left_ = std::numeric_limits<double>::quiet_NaN();  ///< See take_residual().

 private:
  ScaledProblem scaled_;
  CertifyWork certify_work_;
  Vector s_;
};

}  // namespace stiction::cone
