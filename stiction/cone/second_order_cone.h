#pragma once

namespace stiction::soc {

/// The Jordan algebra of the cone { x_0 >= |x_T| } in one, two or three dimensions (Faraut and Koranyi 1994; Lobo,
/// Vandenberghe, Boyd and Lebret 1998).

/// x_0^2 - |x_T|^2, without cancellation near the rim.
[[nodiscard]] double determinant(int dim, const double* x);
/// z = x o y = (x'y, x_0 y_T + y_0 x_T).
void multiply(int dim, const double* x, const double* y, double* z);
/// z with x o z = y.
void divide(int dim, const double* x, const double* y, double* z);

/// Nesterov and Todd's scaling (1997) of a pair inside the cone: symmetric G with G x = G^-1 y.
struct Scaling {
  int dim = 3;
  double beta = 1.0;
  double w[3] = {1.0, 0.0, 0.0};

  /// False where x or y is not inside, to rounding.
  bool set(int dimension, const double* x, const double* y);
  void apply(const double* x, double* z) const;          ///< z = G x
  void apply_inverse(const double* x, double* z) const;  ///< z = G^-1 x
  [[nodiscard]] double squared(int i, int j) const;      ///< An entry of G^2.
};

}  // namespace stiction::soc
