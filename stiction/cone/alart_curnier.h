#pragma once

#include <vector>

#include "stiction/cone/block_lu.h"
#include "stiction/cone/block_system.h"
#include "stiction/cone/solver.h"

namespace stiction::cone {

/// Newton's method on the equations of Alart and Curnier 1991,
///
///     F_n = s_n - max(0, s_n - rho u_n),   F_T = s_T - projection of s_T - rho u_T on the disc of mu max(0, s_n - rho
///     u_n),
///
/// with a line search on |F|. Contacts that F holds open leave the linear system. Redundant contacts make it singular,
/// so W + eps I stands for W in the matrix alone, eps = 1e-6 min(1, |F| / sqrt(n)): the answer is not changed by it.
/// Quadratic near an answer; from far away it may cycle.
class AlartCurnier final : public Solver {
 public:
  struct Options {
    int most = 60;        ///< Iterations.
    int most_uphill = 2;  ///< Steps in a row that may make |F| larger: states may have to change on the way.
    int patience = 0;     ///< Give up where |F| has not fallen to 0.7 in so many iterations. 0: never.
    double rho = 1.0;     ///< In units of the scaled problem.
    double shift = 1e-6;  ///< eps above.
  };

  AlartCurnier() = default;
  explicit AlartCurnier(const Options& options) : options_(options) {}
  [[nodiscard]] std::string_view name() const override { return "newton"; }
  int improve(const ScaledProblem& problem, double target, Vector& s) override;
  /// As improve(), where u = W s + q and the residual of s are known.
  int improve_from(const ScaledProblem& problem, double target, const Vector& u, double residual, Vector& s);

  /// The problem with u + softness (s - centre) for u, from s, until |F| is at most `target` sqrt(n). True then; s is
  /// changed in any case. What a proximal point method asks for.
  bool solve_softly(const ScaledProblem& problem, double softness, const Vector& centre, double target, Vector& s,
                    int& iterations);

 private:
  enum class State : char { open, sticking, sliding };

  void find_velocity(const ScaledProblem& problem, const Vector& s, Vector& u) const;
  /// F at s; returns its norm.
  double evaluate(const ScaledProblem& problem, const Vector& s, const Vector& u, Vector& F) const;
  bool find_direction(const ScaledProblem& problem, double shift);
  void find_laws(const ScaledProblem& problem);
  /// By blocks, where W has few of them. False where that does not work.
  bool find_direction_by_blocks(const ScaledProblem& problem, double shift);
  template <int width>
  void fill_blocks(const ScaledProblem& problem, double shift);
  void fill_system(const ScaledProblem& problem, double shift);
  /// Whether |F| has hardly fallen since the last look, some iterations ago.
  bool stalls(int iteration, double norm);
  double search_line(const ScaledProblem& problem, double norm, bool may_climb);

  Options options_ = {};
  BlockLu blocks_;
  BlockSystem system_;
  Vector s_, u_, F_, step_, trial_, trial_u_, trial_F_, rhs_, full_, full_u_, full_F_;
  std::vector<State> states_;
  struct Law {
    double A[9], B[9];  ///< dF = A ds + B du.
  };
  std::vector<Law> laws_;
  std::vector<int> place_;  ///< First unknown of each contact in the system; -1: open.
  int uphill_ = 0;
  double milestone_ = 0.0;
  double softness_ = 0.0;
  Vector centre_;
};

}  // namespace stiction::cone
