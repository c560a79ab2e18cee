#pragma once

#include <utility>
#include <vector>

#include "stiction/cone/body_problem.h"
#include "stiction/linalg/graph_lu.h"

namespace stiction::cone {

/// M + J'D J on the nodes of a BodyProblem, D a block for each unit, and its LU factors. Where blocks stand depends on
/// what touches what, and is kept while that stays the same.
class BodyMatrix {
 public:
  void analyse(const BodyProblem& problem);
  /// Products of blocks in one factorisation.
  [[nodiscard]] long products() const { return lu_.products(); }

  /// M alone.
  void begin();
  /// Adds J'D J of a unit, D row after row.
  void add(int unit, const double* D);
  bool factorise() { return lu_.factorise(); }
  void solve(double* x) const { lu_.solve(x); }

 private:
  template <int W>
  void add_blocks(const BodyProblem::Unit& unit, const double* D, const std::size_t* places);

  const BodyProblem* problem_ = nullptr;
  linalg::GraphLu lu_;
  std::vector<std::pair<int, int>> edges_;
  std::vector<std::size_t> places_;  ///< Of the touches x touches blocks of every unit.
  std::vector<std::size_t> starts_;  ///< Of every unit in it.
};

}  // namespace stiction::cone
