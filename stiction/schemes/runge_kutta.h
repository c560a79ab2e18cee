#pragma once

#include <array>

#include "stiction/linalg/matrix.h"

namespace stiction {

/// dy/dt = f(t, y).
class VectorField {
 public:
  virtual ~VectorField() = default;
  /// False where there is no f.
  virtual bool evaluate(double t, const linalg::Vector& y, linalg::Vector& dy) = 0;
};

/// The embedded pair of Dormand and Prince (1980), orders 5 and 4; the result is that of order 5. The seventh stage,
/// which is the first of the next step, is left to the caller, who may correct the result before it.
class DormandPrince {
 public:
  /// One step from y, where dy = f(t, y), into y_new. False where the field could not be evaluated.
  bool advance(VectorField& field, double t, const linalg::Vector& y, const linalg::Vector& dy, double h,
               linalg::Vector& y_new);
  /// The largest error of a component among the first `count`, over tolerance (1 + |y|), with dy_new = f(t + h, y_new).
  [[nodiscard]] double error(const linalg::Vector& y, const linalg::Vector& dy_new, double h, linalg::Index count,
                             double tolerance) const;
  /// By which a step should be changed for its error to be a little below 1.
  [[nodiscard]] static double factor(double error);

 private:
  std::array<linalg::Vector, 6> k_;
  linalg::Vector y_stage_;
};

}  // namespace stiction
