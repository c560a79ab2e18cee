#pragma once

#include <vector>

namespace stiction {

class Multibody;

struct ImpliedRows {
  std::vector<char> is_implied;          ///< For each row of Multibody::find_all_joints.
  std::vector<std::vector<int>> groups;  ///< Rows that share a load: those of each loop with an implied row.
};

/// Which joint rows follow from the others wherever the mechanism can go: copies of joints, the second hinge of a door,
/// the rows that keep a planar linkage of bodies with six velocities in its plane. Of rows that say the same the first
/// ones are kept.
///
/// Decided once, at the start: there and at random places that the mechanism can reach, so that a start in a singular
/// position makes no row seem implied that holds something elsewhere. A row is implied if no motion that the others
/// allow, at 1 m/s or 1 rad/s, violates it faster than 1e-5 (times its lever where that is longer than a metre), ten
/// times what a scene's numbers may miss each other by; and if it is no further off at the places reached.
/// What is connected by loops over more than 600 velocities is left as it is.
[[nodiscard]] ImpliedRows find_implied_rows(const Multibody& system);

}  // namespace stiction
