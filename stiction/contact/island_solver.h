#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "stiction/contact/cone_newton.h"
#include "stiction/contact/cone_options.h"
#include "stiction/contact/cone_start.h"
#include "stiction/contact/contact_memory.h"
#include "stiction/contact/equality_solver.h"
#include "stiction/contact/islands.h"
#include "stiction/contact/step_problem.h"
#include "stiction/lcp/lemke.h"
#include "stiction/linalg/triplets.h"

namespace stiction {

/// Solves one island at a time, from cheap to sure. On the true cone:
///
///  - Newton's method from the last step's impulses;
///  - Newton's method from the answer of the island's cone problem (stiction/cone), where there are so many contacts
///  that
///    Lemke's path would be long.
///
/// Otherwise the answer is that of a polyhedral problem, which Lemke's method or a basis alone has solved and
/// certified. Where facets may turn, the directions come from
///
///  - the last step, with its basis;
///  - Newton's method on the true cone, from the last step's impulses or from a polyhedral answer, if need be with many
///    facets: with facets turned to what it finds, its answer is one of the polyhedral problem too, and its basis is
///    known;
///  - the cone problem of the island (stiction/cone) as a start for Newton's method, where there are so many contacts
///    that Lemke's path would be long;
///  - turns by the secant of what turning does, where Newton's method does not converge.
///
/// Owns its workspace and depends on nothing that it solved before.
class IslandSolver {
 public:
  explicit IslandSolver(const PolyhedralOptions& options) : options_(options), newton_(options.tolerance) {}

  /// Reads the island's facets from the solution, and writes its part of the solution and of `next`. False: unsolved.
  /// `round`: answers of the true cone are welcome.
  bool solve(const StepProblem& problem, const Islands& islands, int island, const ContactMemory& memory, bool round,
             StepSolution& solution, ContactMemory& next);

  /// Since the last call.
  SolveCounts take_counts();

 private:
  /// How the facets of one contact have been turned in this solve.
  struct Turning {
    int turns = 0;
    double found = 0.0, off = 0.0;  ///< Angle of the friction last found, and of what it should be from it.
    bool slides = false;            ///< Its facets were just turned to its sliding.
  };

  struct Task {
    const StepProblem* problem = nullptr;
    const Islands* islands = nullptr;
    const ContactMemory* memory = nullptr;
    int island = 0;
    std::span<const int> velocities, joints, contacts;
    bool turns = false;  ///< Has facets that may turn.
    bool flat = false;   ///< Has a contact whose friction has one direction only: Newton's method knows no such cone.
    bool asked = false;  ///< Newton's method was asked on the true cone, and has no answer.
  };

  struct Misfit {
    double off = 0.0;     ///< By which friction should be turned, radians.
    double found = 0.0;   ///< The angle that it has.
    double gain = 0.0;    ///< By which turning it turns the sliding the other way.
    double inside = 0.0;  ///< Angle from the nearest facet: between two of them friction is cos(inside) too small.
  };

  void begin(const StepProblem& problem, const Islands& islands, int island, const ContactMemory& memory);
  bool solve_round(StepSolution& solution);
  bool settle(StepSolution& solution);
  bool find_first(StepSolution& solution);
  bool solve_turned(int turn, StepSolution& solution);
  bool run(lcp::Lemke& lemke);
  void place_unknowns(const StepSolution& solution);
  /// A contact's place in the island's list.
  [[nodiscard]] std::size_t local(int contact) const {
    return static_cast<std::size_t>(std::lower_bound(task_.contacts.begin(), task_.contacts.end(), contact) -
                                    task_.contacts.begin());
  }
  void assemble(const StepSolution& solution);
  void add_row(const linalg::Rows& rows, int row, int unknown, double scale);
  void read_answer(StepSolution& solution);
  void keep_best(const StepSolution& solution, double angle);
  bool return_to_best(StepSolution& solution);
  void remember(const StepSolution& solution, ContactMemory& next) const;

  // turn_facets.cpp
  [[nodiscard]] double speed_scale(const StepSolution& solution) const;
  [[nodiscard]] Misfit misfit(const StepSolution& solution, int j, double speed) const;
  [[nodiscard]] double worst_misalignment(const StepSolution& solution) const;
  void turn_facets(StepSolution& solution);
  void start_basis();
  void suggest_memory(const StepSolution& solution);
  void start_from_memory(StepSolution& solution) const;
  bool suggest_newton(const StepSolution& start, StepSolution& solution);
  void suggest_found(StepSolution& solution);
  bool suggest_from_cone(StepSolution& solution);
  [[nodiscard]] bool remembers_most() const;
  bool suggest_from_many_facets(int count, StepSolution& solution);
  void suggest_contact(int first, const ConeNewton::Contact& found, double radius, Facets& facets);

  PolyhedralOptions options_;
  Task task_;
  lcp::Lemke lemke_;
  lcp::Lemke trial_{{.reuse_basis = true, .prove_infeasible = false, .most_tries = 0}};
  lcp::Problem lcp_;
  lcp::Solution answer_;
  linalg::Triplets triplets_;
  ConeNewton newton_;
  EqualitySolver equality_;
  ConeStart cone_start_;
  StepSolution many_;        ///< An answer with many facets, as a start.
  std::vector<int> offset_;  ///< First unknown of each contact.
  int size_ = 0;             ///< Unknowns, velocities included.
  std::vector<Turning> turning_;
  std::vector<double> best_turn_;
  std::vector<lcp::Place> best_basis_;
  double best_angle_ = 0.0;
  bool pivoted_ = false;
  SolveCounts counts_;
};

}  // namespace stiction
