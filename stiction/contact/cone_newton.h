#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stiction/contact/islands.h"
#include "stiction/contact/step_problem.h"
#include "stiction/lcp/solver.h"
#include "stiction/linalg/sparse_lu.h"

namespace stiction {

/// Newton's method on the true, elliptic friction cone of one island, started from an answer nearby (DESIGN.md, section
/// 4). With s = (c_t1, c_t2/ratio), u = (slip1, ratio slip2), ratio = mu2/mu the cone is round, and the laws of a
/// contact are the equations of Alart and Curnier (1991),
///
///     c_n = max(0, c_n - rho_n w_n),      s = projection of s - rho_t u on the disc of radius mu c_n + hf,
///
/// which are linear in every state but sliding. A contact's state may change from one iteration to the next; nothing
/// promises that it settles, so what is found here is an answer of the true cone if the certificate says so, and
/// otherwise suggests which way facets should be turned.
class ConeNewton {
 public:
  enum class State : std::uint8_t {
    free,      ///< Neither normal impulse nor friction, or no friction to speak of.
    sticking,  ///< s inside the disc.
    sliding,   ///< s on its rim, opposite to u.
  };
  struct Contact {
    bool closed = false;  ///< Has a normal impulse.
    State state = State::free;
    double c_n = 0.0, s1 = 0.0, s2 = 0.0;
    double w_n = 0.0, u1 = 0.0, u2 = 0.0;  ///< Of the velocities found.
  };

  /// `tolerance`: of the certificate that will judge the answer.
  explicit ConeNewton(double tolerance) : tolerance_(tolerance) {}

  /// Starts from the velocities and impulses of `start`. True when the laws hold to rounding or, where no point near a
  /// balanced start is better, to half of what the certificate asks for. `is_balanced`: the start's velocities are
  /// those that its impulses cause, so that it may be the answer itself.
  bool solve(const StepProblem& problem, const Islands& islands, int island, const StepSolution& start,
             bool is_balanced = false);

  /// The answer, after solve: the island's velocities and impulses, as one of the true cone.
  void write(const StepProblem& problem, StepSolution& solution) const;

  /// The island's contacts in their order, after solve.
  [[nodiscard]] const std::vector<Contact>& contacts() const { return contacts_; }
  /// Of the island's rows of nu, likewise: at a bound, or between them.
  [[nodiscard]] const std::vector<lcp::Place>& row_places() const { return row_places_; }

 private:
  /// What does not change from one iteration to the next.
  struct Scale {
    double ratio = 1.0, rho_n = 0.0, rho_t = 0.0;  ///< rho: mass along the row; 0 where nothing moves.
    int carrier = 0;                               ///< Of the contacts, the one whose normal impulse bounds friction.
    int normal = -1, friction = -1;  ///< The unknowns' places in the linear system of this iteration; -1: zero.
  };

  /// Where an iteration was.
  struct Point {
    std::vector<Contact> contacts;
    std::vector<double> row_impulses;
    Vector v;
  };

  void load(const StepProblem& problem, const StepSolution& start);
  void find_slip(const StepProblem& problem, const Vector& v, std::vector<Contact>& contacts) const;
  void soften(std::vector<Contact>& contacts) const;
  double find_states(const StepProblem& problem, std::vector<Contact>& contacts);
  double find_contact_states(const StepProblem& problem, std::vector<Contact>& contacts) const;
  [[nodiscard]] double next_proximal(int iteration, int raised_at) const;
  double find_row_places(const StepProblem& problem);
  void pose_row(const StepProblem& problem, const Islands& islands, int i);
  bool step(const StepProblem& problem, const Islands& islands);
  void pose(const StepProblem& problem, const Islands& islands);
  void pose_contact(const StepProblem& problem, const Islands& islands, int c);
  void add(int row, int column, double value) {
    if (value != 0.0) entries_.push_back({row, column, value});
  }
  void hold(int row, double last, double compliance);
  void factorise(int size);
  void add_row(const StepProblem& problem, const Islands& islands, const linalg::Rows& rows, int row, int equation,
               double factor);
  void add_column(const Islands& islands, const linalg::Rows& rows, int row, int unknown, double factor);
  void blend(double share);
  void keep(Point& point) const;
  void return_to(const Point& point);
  // From a point near an answer, in cone_approach.cpp.
  bool approach(const StepProblem& problem, const Islands& islands, const StepSolution& start, double speed);
  bool solve_soft(const StepProblem& problem, const Islands& islands, double enough);
  double measure(const StepProblem& problem, bool soft);
  [[nodiscard]] double wasted_energy(const StepProblem& problem) const;
  [[nodiscard]] bool is_enough(const StepProblem& problem, double speed);

  double tolerance_;
  std::span<const int> velocities_, joints_, list_;
  std::vector<Contact> contacts_, last_states_;
  Point before_;
  std::vector<Scale> scales_;
  std::vector<double> root_;  ///< M_ii^(-1/2) of the island's velocities: the units in which M has a unit diagonal.
  std::vector<double> joint_root_;
  std::vector<double> row_impulses_;
  std::vector<lcp::Place> row_places_;
  Vector v_;  ///< Of the whole problem; only the island's entries mean something.
  struct Entry {
    int row, column;
    double value;
  };
  std::vector<Entry> entries_;  ///< Of the linear system, in any order; those at one place add up.
  std::vector<int> starts_, order_, rows_;
  std::vector<double> sums_;
  std::vector<double> rhs_, residual_;
  linalg::SparseLu lu_;
  double proximal_ = 0.0;  ///< Compliance of this iteration,
  bool is_soft_ = false;   ///< part of the laws themselves, about these impulses:
  Point center_, best_;
};

}  // namespace stiction
