#pragma once

#include "stiction/cone/factor_certificate.h"
#include "stiction/cone/factor_form.h"
#include "stiction/cone/solver.h"

namespace stiction::cone {

/// A proof by certify_contradiction that what joints hold would have to give way.
struct JointProof {
  Vector pushes, joints;  ///< Its y_r and y.
  InfeasibilityProof proof;

  /// As it is written: y_r in the order of r, then y.
  [[nodiscard]] Vector gather() const;
};

/// Looks for it where r is no answer. Candidates for y_r: the normal parts of r, which grow where nothing gives way,
/// and each contact by itself that closes, the fastest first. y takes the momentum of y_r up, by least squares; both
/// are tried as they are and rounded to 2^-20 of the largest, since those of walls that face each other are simple.
[[nodiscard]] JointProof find_joint_proof(const FactorForm& form, const FactorJudge& judge, const Vector& r);

/// Makes of `iteration_limit` what such a proof says, with the solution's own r. True where there is one.
bool refute_held(const FactorForm& form, const FactorJudge& judge, double tolerance, Solution& solution);

}  // namespace stiction::cone
