#pragma once

#include <string>
#include <vector>

#include "stiction/cone/certificate.h"
#include "stiction/cone/factor_parts.h"
#include "stiction/cone/held_motion.h"

namespace stiction::cone {

/// `certify` and `certify_infeasible` of condense(form), from the factors: W is never formed, and no code is shared
/// with any solver. r is laid out as `condense` says. Both residuals are those of certificate.h, with
///
///     tr W_ii          by impulses along the rows of contact i, with joints held;
///     u                q + J'w, w the velocities that r adds, joints held, right up to their own rounding. So what is
///                      hidden of u is only that, where a condensed W hides eps |W_ij r_j|;
///     neighbours       contacts that share a block of M, or a mechanism: bodies that joints hang together.
///
/// What joints move by all the same, relative to what they take away, counts in contact_residual. A row whose joints
/// leave it less than 1e-13 of its mobility has that much.
class FactorJudge {
 public:
  /// The form must outlive this, and be without defect. Empty on success, otherwise what is wrong, in the words of
  /// `condense`.
  [[nodiscard]] std::string prepare(const FactorForm& form);

  /// The condensed problem but for its W, which is empty.
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const std::vector<FactorPart>& parts() const { return parts_; }
  /// V of each contact of the condensed problem.
  [[nodiscard]] const std::vector<double>& speeds() const { return work_.speed; }

  [[nodiscard]] Certificate certify(const Vector& r);
  /// y must be zero where a contact is borne.
  [[nodiscard]] InfeasibilityProof certify_infeasible(const Vector& y);

 private:
  std::string find_mobilities();
  void find_free();
  void find_hubs();
  void find_speeds();
  void find_contradiction();
  void find_velocities(const Vector& r);
  /// u = J'v, and what is hidden of it where v is unsure.
  void multiply(const Vector& v, const Vector& unsure, Vector& u, Vector& hidden) const;

  const FactorForm* form_ = nullptr;
  std::vector<FactorPart> parts_;
  HeldMotion motion_;
  Problem problem_;
  SparseMatrix J_;
  Vector middles_, offsets_, compliance_, mobility_, unsure_q_;
  std::vector<std::vector<Index>> hubs_;  ///< Of each part.
  Index most_hubs_ = 0;
  double unheld_ = 0.0, unheld_at_r_ = 0.0;  ///< What joints move by all the same, without and with r.
  CertifyWork work_;
};

}  // namespace stiction::cone
