#pragma once

#include <vector>

#include "stiction/contact/force_set.h"

namespace stiction {

/// Impulses of a set that momentum leaves no choice: where the columns of all that acts on one body are independent on
/// that body alone, its momentum gives all of these impulses. They are taken away, and what is left on the bodies
/// around it may be determined in its turn. Linear time; a heap of balls that slide and roll is determined wholly, a
/// box on four corners not at all. Storage is kept.
class DeterminedForces {
 public:
  /// True when any are.
  bool find(const ForceSet& set);
  [[nodiscard]] bool is_determined(int bundle) const { return is_gone_[bundle] != 0; }
  /// The set without these, on the nodes that still have impulses.
  const ForceSet& rest(const ForceSet& set, ForceSet& rest);

 private:
  void list_by_node(const ForceSet& set);
  [[nodiscard]] bool are_independent(const ForceSet& set, int node);
  void take_away(const ForceSet& set, int node);
  void copy_bundle(const ForceSet& set, int bundle, ForceSet& rest);

  std::vector<char> is_gone_;       ///< By bundle.
  std::vector<int> starts_, list_;  ///< The bundles of each node.
  std::vector<int> left_;           ///< Components that still act on each node.
  std::vector<int> open_;           ///< Nodes to be looked at.
  std::vector<int> number_;         ///< Of the nodes in the rest; -1: none.
};

}  // namespace stiction
