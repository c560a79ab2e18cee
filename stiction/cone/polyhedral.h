#pragma once

#include <vector>

#include "stiction/cone/alart_curnier.h"
#include "stiction/cone/solver.h"
#include "stiction/lcp/lemke.h"
#include "stiction/linalg/triplets.h"

namespace stiction::cone {

/// Lemke's method on the cone with so many facets, which ends with an answer wherever the problem has one of the
/// guaranteed class (1997, Theorem 2.1); from there Newton's method to the true cone, and where that does not arrive,
/// facets turned to the sliding found and both again.
class Polyhedral final : public Solver {
 public:
  struct Options {
    int facets = 8;  ///< Even, at least 4.
    int most_turns = 6;
    int most_contacts = 400;  ///< Above, Lemke's paths are too long to be of use; nothing is tried.
  };

  Polyhedral() = default;
  explicit Polyhedral(const Options& options) : options_(options) {}
  [[nodiscard]] std::string_view name() const override { return "lemke"; }
  int improve(const ScaledProblem& problem, double target, Vector& s) override;

 private:
  struct Fan {
    int count = 0;      ///< Facets: 0 without friction, 2 in the plane.
    double turn = 0.0;  ///< Angle of the first.
    int first = 0;      ///< Its contact's first unknown: s_n, then the facets, then lambda.
    void direction(int i, double d[2]) const;
  };

  void place(const ScaledProblem& problem);
  void assemble(const ScaledProblem& problem);
  void read(const ScaledProblem& problem, Vector& s) const;
  /// True when some facet moved.
  bool turn(const ScaledProblem& problem, const Vector& s, const Vector& u);

  Options options_ = {};
  std::vector<Fan> fans_;
  lcp::Lemke lemke_{{.reuse_basis = true, .prove_infeasible = false, .most_tries = 4}};
  lcp::Problem lcp_;
  lcp::Solution answer_;
  linalg::Triplets triplets_;
  AlartCurnier newton_{{.most = 30}};
  Vector s_, u_, trial_;
};

}  // namespace stiction::cone
