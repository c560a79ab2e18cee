#pragma once

#include "stiction/lcp/problem.h"
#include "stiction/lcp/solver.h"

namespace stiction::lcp {

/// A dense copy of a problem in the equilibrated units of the certificate: z^ = z/C, w^ = R w, M^ = R M C, q^ = R q.
/// Signs and complementarity are the same in both units, so the solutions are too; P, P0 and sufficient matrices stay
/// what they are. Tolerances of dense methods are meant in these units, where the entries of M are near one.
struct ScaledProblem {
  DenseMatrix M;
  Vector q, lower, upper, row_scale, column_scale;

  /// A second load of the same size allocates nothing.
  void load(const Problem& problem);

  [[nodiscard]] Index size() const { return q.size(); }
  [[nodiscard]] bool has_lower(Index i) const { return lower[i] != -infinity; }
  [[nodiscard]] bool has_upper(Index i) const { return upper[i] != infinity; }
  [[nodiscard]] bool is_free(Index i) const { return !has_lower(i) && !has_upper(i); }
  [[nodiscard]] bool is_fixed(Index i) const { return lower[i] == upper[i]; }
  /// The value of a variable that rests: its bound, or zero for a free one.
  [[nodiscard]] double resting_value(Index i, Place place) const;

  /// w = M z + q.
  void residual(const Vector& z, Vector& w) const;
  /// max(max|z|, max|q|), one when both vanish: the certificate's divisor.
  [[nodiscard]] double magnitude(const Vector& z) const;
  /// The certificate's residual, in plain double precision.
  [[nodiscard]] double natural_residual(const Vector& z, const Vector& w) const;
  /// To the user's units; what is outside its bounds by rounding is put on them.
  void unscale(const Problem& problem, const Vector& z, Vector& result) const;
};

/// Where each variable of a solution stands; between its bounds with w_i pushing it against one counts as on that
/// bound.
void guess_places(const ScaledProblem& problem, const Vector& z, const Vector& w, std::vector<Place>& places);

}  // namespace stiction::lcp
