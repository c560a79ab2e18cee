#pragma once

#include "stiction/linalg/matrix.h"

namespace stiction {

/// A system at one time: small and copyable. v is the velocity at t, v_alpha that at which the last step's contact law
/// held.
struct State {
  double t = 0.0;
  linalg::Vector q, v, v_alpha;
};

}  // namespace stiction
