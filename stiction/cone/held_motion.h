#pragma once

#include <Eigen/SparseLU>
#include <Eigen/SparseQR>
#include <memory>
#include <string>
#include <vector>

#include "stiction/cone/factor_form.h"

namespace stiction::cone {

/// Internal, of certificates alone. How the bodies of a factor form move under given impulses p while their joints
/// hold:
///
///     M y = f + p + G c,     v_alpha = v0 + alpha y,     G'v_alpha + d + compliance c = 0,     c on joints alone.
///
/// M falls into blocks that nothing couples, and alpha G'M^-1 G + compliance into mechanisms: each is factorised by
/// itself, and stays sparse. Joints may say the same twice. y and c are mended twice, from defects summed in twice the
/// precision, so that v_alpha is right up to its own rounding.
class HeldMotion {
 public:
  /// The form must outlive this, and be without defect. Empty on success, otherwise what is wrong.
  [[nodiscard]] std::string prepare(const FactorForm& form);

  /// Where joints contradict each other with p = 0: y of certify_contradiction in the mechanism where they do so most,
  /// by the measure of `condense`. Otherwise empty.
  [[nodiscard]] const Vector& contradiction() const { return contradiction_; }

  /// v_alpha under p = J r, J by columns, and by how much its numbers may be off. Gives back what joints move by all
  /// the same, over the speeds around them, of the worst joint: more than rounding where they cannot hold. That is
  /// |d_j| + |G_j|'(|v0| + |v_alpha|); at least 1 % of the most in the mechanism, and 1e-6 of what f, p and c alone
  /// would move.
  [[nodiscard]] double find_free(const SparseMatrix& J, const Vector& r, Vector& v, Vector& unsure);
  /// The same of p alone: without f, v0 and d.
  [[nodiscard]] double find_response(const SparseMatrix& J, const Vector& r, Vector& w, Vector& unsure);

  /// What an impulse of one along column j of J moves along itself, with joints held and without.
  struct Mobility {
    double held = 0.0, alone = 0.0;
  };
  [[nodiscard]] Mobility find_mobility(const SparseMatrix& J, Index j);

  /// The block of M of a velocity or, where joints join several, the first of these.
  [[nodiscard]] Index hub(Index velocity) const { return hub_of_[block_of_[velocity]]; }
  [[nodiscard]] Index hubs() const { return static_cast<Index>(hub_of_.size()); }

 private:
  struct Mechanism {
    std::vector<Index> joints;  ///< Columns of G_.
    Vector scale;               ///< D of find_scale: D R D is what is factorised.
    Eigen::SparseQR<SparseMatrix, Eigen::COLAMDOrdering<int>> factors;
  };
  using RowMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

  void find_blocks();
  std::string factorise_blocks();
  void find_joints();
  std::string factorise_mechanisms();
  void find_contradiction();
  void mend_contradiction(const Mechanism& mechanism, Vector& y);
  double find(const SparseMatrix& J, const Vector& r, bool is_loaded, Vector& v, Vector& unsure);
  double find_unheld(const Vector& left, const Vector& speed, const Vector& moved) const;
  /// x = M^-1 x in one block.
  void divide(Index block, Vector& x) const;
  /// c = R^+ s in one mechanism; c may be s.
  void hold(const Mechanism& mechanism, const Vector& s, Vector& c) const;

  const FactorForm* form_ = nullptr;
  std::vector<Index> block_of_, local_, starts_, list_, hub_of_;
  std::vector<std::unique_ptr<Eigen::SparseLU<SparseMatrix>>> blocks_;
  std::vector<Index> rows_;     ///< Of G, that are joints.
  SparseMatrix G_;              ///< Their columns.
  RowMatrix by_velocity_, MG_;  ///< G_ and M^-1 G_.
  std::vector<std::unique_ptr<Mechanism>> mechanisms_;
  std::vector<Index> mechanism_at_;  ///< Of each hub; -1: none.
  Vector contradiction_;
  Vector x_, s_, c_, held_;
};

}  // namespace stiction::cone
