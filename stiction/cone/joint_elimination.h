#pragma once

#include <string>

#include "stiction/cone/factor_form.h"

namespace stiction::cone {

/// When rows of joints agree, for whoever eliminates them.
struct JointAgreement {
  double contradiction = 1e-8;  ///< Those that disagree by more than this part of what they ask for have no velocity,
  double cancellation = 1e-13;  ///< unless that is the rounding of speeds of which they ask for a difference.
  double rank = 1e-11;      ///< Pivots below this part of the largest are zero: rows that depend on each other do so to
                            ///< about 1e-15.
  double mobility = 1e-13;  ///< The least that joints leave of what an impulse moves along itself without them: what
                            ///< they hold altogether is left with rounding, of either sign.
};

/// D, powers of two, with a diagonal between 1/2 and 4 in D R D: masses may be unlike by more than `rank`. One where R
/// has none.
[[nodiscard]] Vector find_scale(const Vector& diagonal);

/// Internal. u = W r + V c + q with 0 = V2 r + R c + s. V2 by columns is V2' by rows.
struct Reduced {
  SparseMatrix W = {}, V = {}, V2_transposed = {}, R = {};
  Vector q = {}, s = {};
  Vector free = {}, free_s = {};  ///< The same without the middles of bounds.
  Vector terms = {};              ///< The sizes of what s was summed from.
  bool is_contradictory = false;  ///< Joints ask for what no c gives; it is the one of least squares then.
  double unheld = 0.0;  ///< What of V2 no R c can take up, over V2. Rounding where R = G'M^-1 G and V2 = G'M^-1 J.
};

/// Takes c away, mechanism by mechanism, so that W stays sparse: W -= V R^+ V2, q -= V R^+ s. R may be singular where
/// its rows say the same twice. Empty on success, otherwise which limit is passed.
[[nodiscard]] std::string eliminate_joints(Reduced& reduced, const CondenseLimits& limits);

[[nodiscard]] std::string too_many(const char* what, Index found, Index limit);

}  // namespace stiction::cone
