#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "stiction/contact/cone_options.h"
#include "stiction/contact/contact_memory.h"
#include "stiction/contact/islands.h"
#include "stiction/contact/step_problem.h"
#include "stiction/lcp/lemke.h"
#include "stiction/linalg/triplets.h"

namespace stiction {

/// Solves one island at a time by facets: the answer is that of a polyhedral problem, which Lemke's method or a basis
/// alone has solved and certified. Where facets may turn, the directions come from
///
///  - the last step, with its basis;
///  - what was found on the true cone (RoundSolver): with facets turned to that, it is an answer of the polyhedral
///    problem too, and its basis is known;
///  - turns by the secant of what turning does, where that is no answer.
///
/// Owns its workspace and depends on nothing that it solved before.
class IslandSolver {
 public:
  explicit IslandSolver(const PolyhedralOptions& options) : options_(options) {}

  /// Reads the island's facets from the solution, and writes its part of the solution and of `next`. False: unsolved.
  /// `on_bodies`: what was found on the true cone, an answer or not. `once`: one path for the facets as they are, no
  /// turning and no proof.
  bool solve(const StepProblem& problem, const Islands& islands, int island, const ContactMemory& memory,
             const StepSolution& on_bodies, bool once, StepSolution& solution, ContactMemory& next);

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
    const StepSolution* on_bodies = nullptr;
    std::span<const int> velocities, joints, contacts;
    bool turns = false;      ///< Has facets that may turn.
    bool suggested = false;  ///< They have been turned to what was found on the true cone.
  };

  struct Misfit {
    double off = 0.0;     ///< By which friction should be turned, radians.
    double found = 0.0;   ///< The angle that it has.
    double gain = 0.0;    ///< By which turning it turns the sliding the other way.
    double inside = 0.0;  ///< Angle from the nearest facet: between two of them friction is cos(inside) too small.
  };

  /// What the law of a contact says of its friction.
  struct Friction {
    enum class State : std::uint8_t { free, sticking, sliding };
    State state = State::free;  ///< Free: neither normal impulse nor friction, or no friction to speak of.
    double radius = 0.0, s1 = 0.0, s2 = 0.0, u1 = 0.0, u2 = 0.0;  ///< In the metric in which the cone is round.
  };

  void begin(const StepProblem& problem, const Islands& islands, int island, const ContactMemory& memory,
             const StepSolution& on_bodies);
  bool settle(StepSolution& solution);
  bool find_first(lcp::Lemke& lemke, StepSolution& solution);
  bool solve_turned(StepSolution& solution);
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
  bool suggest_found(StepSolution& solution);
  [[nodiscard]] lcp::Place find_place(int row) const;
  [[nodiscard]] bool is_closed(int j) const;
  [[nodiscard]] Friction find_friction(int j) const;
  void suggest_contact(int first, bool closed, const Friction& found, Facets& facets);

  PolyhedralOptions options_;
  Task task_;
  lcp::Lemke lemke_;
  lcp::Lemke trial_{{.reuse_basis = true, .prove_infeasible = false, .most_tries = 0}};
  lcp::Lemke once_{{.reuse_basis = true, .prove_infeasible = false, .most_tries = 1}};
  lcp::Problem lcp_;
  lcp::Solution answer_;
  linalg::Triplets triplets_;
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
