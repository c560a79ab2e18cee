#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace stiction::cone {

/// One island of contact on its bodies: find velocities w and impulses r with
///
///     M (w - v) = k + J'r,     u = J w + b + compliance r,     r and u under the laws of their units.
///
/// Velocities come in nodes, mostly bodies, of `width` numbers each; what a node has less is zero, with ones in M. M
/// has a block for each node and two for each coupled pair, not necessarily symmetric; its symmetric part is positive
/// definite. Rows come in units, each on a few nodes, mostly two.
///
/// A contact has a normal, its first row, and groups of friction rows: r_n >= 0 complementary to u_n >= 0, and each
/// group in the ball |r_g| <= mu r_n + hf, opposite to u_g where it slides. Sliding, rolling and spinning are groups of
/// one contact; a soft finger is one group of three rows. Without a normal the radius is hf. Rows of an ellipse are
/// scaled so that it is a ball.
///
/// A joint has u = 0. A bounded row has lower <= r <= upper, u >= 0 at lower and u <= 0 at upper.
struct BodyProblem {
  enum class Kind : std::uint8_t { contact, joint, bounded };

  struct Group {
    int first = 0, size = 0;  ///< Rows of the unit.
    double mu = 0.0, hf = 0.0;
  };
  struct Unit {
    Kind kind = Kind::contact;
    bool has_normal = true;
    int rows = 0, first_row = 0;       ///< At most six.
    int touches = 0, first_touch = 0;  ///< Nodes, in `touched`.
    int groups = 0, first_group = 0;
    std::size_t jacobian = 0;  ///< Where its J starts: node after node, row after row.
    double speed = 1.0;        ///< Its errors are measured against this, m/s or rad/s.
  };
  static constexpr int most_rows = 6;   ///< Of a unit,
  static constexpr int most_group = 4;  ///< and of a group.

  int width = 6, nodes = 0;
  std::vector<double> M;                     ///< A block a node, row after row.
  std::vector<std::pair<int, int>> coupled;  ///< The smaller node first, sorted.
  std::vector<double> upper, lower;          ///< Blocks (first, second) and (second, first) of the coupled.
  std::vector<double> v, k;
  std::vector<Unit> units;
  std::vector<int> touched;
  std::vector<Group> groups;
  std::vector<double> J;
  std::vector<double> b, compliance, least,
      most;  ///< One a row. Contacts have no compliance; bounds are those of bounded rows.

  [[nodiscard]] int rows() const { return static_cast<int>(b.size()); }
  [[nodiscard]] int velocities() const { return nodes * width; }
  /// Storage is kept.
  void clear();
};

}  // namespace stiction::cone
