#pragma once

#include <vector>

#include "stiction/schemes/active_rows.h"
#include "stiction/schemes/constrained_motion.h"

namespace stiction {

/// Brings positions and velocities onto the joints and active contacts by the shortest way as mass measures it, so that
/// the error of the integration does not add up there (1982, (4.1b)-(4.2)).
class Projection {
 public:
  explicit Projection(const System& system) : system_(system), rows_(system) {}

  /// False where an active contact is not there any more; lost() is its id.
  bool project(double t, const ActiveSet& active, Vector& q, Vector& v);
  [[nodiscard]] std::uint64_t lost() const { return rows_.lost(); }
  /// Where it ended.
  [[nodiscard]] const ActiveRows& rows() const { return rows_; }

 private:
  [[nodiscard]] double largest_error() const;
  bool project_position(double t, const ActiveSet& active, Vector& q);

  const System& system_;
  ActiveRows rows_;
  ConstrainedMotion motion_;
  SparseMatrix M_;
  Vector change_, moved_;
  std::vector<double> error_;
};

}  // namespace stiction
