#pragma once

#include <span>
#include <vector>

#include "stiction/contact/jacobian_blocks.h"
#include "stiction/linalg/matrix.h"
#include "stiction/model/body_structure.h"

namespace stiction {

/// Which rows belong to islands that have more rows than they can tell apart, so that some of them depend on others:
/// four points below a brick, a brick on two bricks, a ball between two plates.
///
/// Two bounds of the rank, each found with vectors of twelve numbers at most:
///  - all rows together: what they can ask of a body is the span of their parts on it, and their rank is at most the
///    sum of these spans over the bodies of the island;
///  - rows in turn on the same two bodies, as those of a face pair are: the span of these.
/// An island with more rows than either is redundant. That is sufficient and not necessary: chains of single points
/// that close in themselves may depend on each other unseen. It costs a few hundred operations a row.
class Redundancy {
 public:
  /// One flag a row. Masses, one a velocity, weigh turning against moving.
  void find(const BodyStructure& structure, const linalg::Vector& masses, std::span<const RowOf> rows,
            std::vector<char>& is_redundant);

 private:
  /// Orthonormal vectors of so many numbers each.
  struct Span {
    std::vector<double> basis;
    int dimensions = 0;
    /// Takes a vector in, or what is left of it; false where that is next to nothing.
    bool widen(std::vector<double>& vector);
  };

  void begin(const BodyStructure& structure, const linalg::Vector& masses);
  int root(int body);
  void take_row(const BodyStructure& structure, std::span<const int> columns, std::span<const double> values);
  void take_in_turn(const std::vector<int>& bodies);

  linalg::Vector scale_;
  std::vector<int> body_of_, parent_, first_body_;
  std::vector<Span> spans_;                    ///< By body.
  std::vector<int> bodies_, last_bodies_;      ///< Of a row, and of the one before it,
  std::vector<double> part_, whole_;           ///< its part on one body, and all of it, body after body.
  Span in_turn_;                               ///< Of the rows up to this one on the same bodies.
  std::vector<int> rows_of_, ranks_of_;        ///< By root.
  std::vector<char> has_dependent_, depends_;  ///< By body: of some row on it, by root.
};

}  // namespace stiction
