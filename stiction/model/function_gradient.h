#pragma once

#include <vector>

#include "stiction/model/multibody.h"

namespace stiction {

/// Value and derivatives of a user's function of the bodies' poses.
struct FunctionGradient {
  double value = 0.0;
  Vector gradient;    ///< With respect to v.
  double rate = 0.0;  ///< With respect to time: what kinematic bodies do.
};

/// `poses` are those at (t, q); they come back as they were. Differences of fourth order along advance(), exact to
/// about 1e-11 for lengths near a metre, unless the function has its own gradient.
void differentiate(const Model& model, const FunctionConstraint& function, std::vector<Pose>& poses,
                   FunctionGradient& result);

}  // namespace stiction
