#pragma once

#include <memory>
#include <vector>

#include "stiction/contact/certificate.h"
#include "stiction/contact/islands.h"
#include "stiction/contact/step_problem.h"
#include "stiction/lcp/lemke.h"
#include "stiction/linalg/triplets.h"

namespace stiction {

struct PolyhedralOptions {
  int facets = 8;    ///< Even, at least 4.
  bool turn = true;  ///< Turn facets to the sliding found and solve again: the true cone where that settles.
  int most_turns = 40;
  double tolerance = 1e-8;  ///< Of the certificate.
};

/// Counts over the life of a solver.
struct SolveCounts {
  long problems = 0;  ///< Islands with constraints that were solved.
  long reused = 0;    ///< Of these, answered by the last basis with one linear solve (1997, section 6).
  long pivots = 0;
  long turns = 0;      ///< Further solves with turned facets.
  long unsettled = 0;  ///< Islands whose facets were still turning at the limit.
  int largest = 0;     ///< Most complementary unknowns in one island.
};

/// Solves step problems with polyhedral friction cones by Lemke's method, island by island, and remembers for each
/// contact (by id) its facets and its place in the basis as the next start.
class PolyhedralSolver {
 public:
  explicit PolyhedralSolver(const PolyhedralOptions& options) : options_(options) {}

  /// True when every island was solved; `certificate` is that of the whole answer in any case.
  bool solve(const StepProblem& problem, StepSolution& solution, StepCertificate& certificate);

  [[nodiscard]] const SolveCounts& counts() const { return counts_; }
  void forget();

 private:
  /// What the last solve knew of a contact.
  struct Memory {
    std::uint64_t id = 0;
    Facets facets;
    std::vector<lcp::Place> basis;  ///< c_n, facets, lambda.
  };

  /// How the facets of one contact have been turned in this solve.
  struct Turning {
    int turns = 0;
    double found = 0.0, off = 0.0;  ///< Angle of the friction last found, and of what it should be from it.
    bool slides = false;            ///< Its facets were just turned to its sliding.
  };

  void prepare(const StepProblem& problem, StepSolution& solution);
  bool solve_island(const StepProblem& problem, int island, StepSolution& solution);
  void assemble(const StepProblem& problem, int island, const StepSolution& solution);
  void suggest_basis(const StepProblem& problem, int island, const StepSolution& solution);
  void read_answer(const StepProblem& problem, int island, StepSolution& solution);
  bool turn_facets(const StepProblem& problem, int island, StepSolution& solution);
  void remember(const StepProblem& problem, int island, const StepSolution& solution);
  [[nodiscard]] const Memory* recall(std::uint64_t id) const;

  PolyhedralOptions options_;
  Islands islands_;
  lcp::Lemke lemke_;
  lcp::Problem lcp_;
  lcp::Solution answer_;
  linalg::Triplets triplets_;
  std::vector<int> contact_offset_;  ///< Of the island under work: first unknown of each contact.
  std::vector<Memory> memory_, next_memory_;
  std::vector<Turning> turning_;  ///< Per contact of the problem.
  SolveCounts counts_;
};

}  // namespace stiction
