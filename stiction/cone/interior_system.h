#pragma once

#include <vector>

#include "stiction/cone/block_lu.h"
#include "stiction/cone/block_system.h"
#include "stiction/cone/scaled_problem.h"
#include "stiction/cone/second_order_cone.h"

namespace stiction::cone {

/// What methods inside the cone share: with x = (mu s_n, s_T) and y = (u_n / mu + g, u_T), contact after contact, the
/// linearised
///
///     W^ x + q^ + g e_0 - y = 0,   x o y = given,
///
/// in Nesterov and Todd's scaling. g and its slope are the owner's.
class InteriorSystem {
 public:
  struct Contact {
    int dim = 3, first = 0;
    double stretch = 1.0;  ///< mu, or 1 without friction.
    bool rubs = true;
    double g = 0.0;
    double slope[3] = {0.0, 0.0, 0.0};  ///< What g does when a component of y moves.
    soc::Scaling scaling;
    double lambda[3] = {0.0, 0.0, 0.0};  ///< G x = G^-1 y.
  };

  void load(const ScaledProblem& problem);
  [[nodiscard]] int size() const { return size_; }
  std::vector<Contact>& contacts() { return contacts_; }
  [[nodiscard]] const std::vector<Contact>& contacts() const { return contacts_; }

  void to_force(const Vector& x, Vector& s) const;
  /// W^ x + q^ + g e_0 - y, given u = W s + q.
  void find_defect(const Vector& u, const Vector& y, Vector& defect) const;
  /// At (x, y). False where one of them is not inside.
  bool scale(const Vector& x, const Vector& y);
  /// W^ + E G^2 with E = I - e_0 slope'.
  void factorise(const ScaledProblem& problem);
  [[nodiscard]] int determinant_sign() const {
    return by_blocks_ ? blocks_.determinant_sign() : system_.determinant_sign();
  }
  /// dx and dy with W^ dx - E dy = -defect and lambda o (G dx + G^-1 dy) = right.
  bool solve(const Vector& right, const Vector& defect, Vector& dx, Vector& dy);

 private:
  void fill_blocks(const ScaledProblem& problem);
  void fill_system(const ScaledProblem& problem);
  bool solve_system(Vector& b);

  int size_ = 0;
  std::vector<Contact> contacts_;
  bool has_blocks_ = false;  ///< The pattern is sparse enough for them.
  bool by_blocks_ = false;   ///< The factors are theirs.
  BlockLu blocks_;
  BlockSystem system_;
  const ScaledProblem* problem_ = nullptr;
  Vector c_, padded_;
};

}  // namespace stiction::cone
