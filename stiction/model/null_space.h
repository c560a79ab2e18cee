#pragma once

#include "stiction/linalg/matrix.h"

namespace stiction {

/// The motions that rows held so far allow, as an orthonormal basis in velocities that are scaled by the root of their
/// mass. Shrinks by one dimension with every independent row.
class NullSpace {
 public:
  /// All motions; `mobility` is 1/sqrt(mass) of each velocity.
  explicit NullSpace(const linalg::Vector& mobility)
      : mobility_(mobility), Z_(linalg::DenseMatrix::Identity(mobility.size(), mobility.size())) {}

  /// How fast the motion that a row opposes most violates it when no velocity is above 1 m/s or rad/s; 0 where all
  /// motions left obey it to rounding.
  [[nodiscard]] double violation(const linalg::Vector& row) const;
  /// Keeps the motions that obey the row. False where all did.
  bool hold(const linalg::Vector& row);
  [[nodiscard]] linalg::Index dimension() const { return Z_.cols(); }
  /// The motion with these coordinates.
  [[nodiscard]] linalg::Vector motion(const linalg::Vector& coordinates) const {
    return mobility_.cwiseProduct(Z_ * coordinates);
  }

 private:
  [[nodiscard]] linalg::Vector coordinates(const linalg::Vector& row) const;

  linalg::Vector mobility_;
  linalg::DenseMatrix Z_;
};

}  // namespace stiction
