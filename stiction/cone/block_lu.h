#pragma once

#include <vector>

#include "stiction/cone/scaled_problem.h"

namespace stiction::cone {

/// LU factors of a matrix with the blocks of W without a search for pivots: contacts are eliminated in
/// an order of few neighbours, found once for a pattern. Much faster than SparseLu where it holds, which refinement
/// decides: solve() says no where it does not.
class BlockLu {
 public:
  /// The order of elimination and the fill; nothing to do where the pattern is the last one's. False where factors
  /// would be nearly full: a dense matrix is cheaper then.
  bool analyse(const ScaledProblem& problem);

  /// All zero.
  void begin();
  /// The entries, row after row, of the block at this place: W's blocks in the order in which the problem has them, and
  /// as wide.
  double* block(std::size_t place) { return &entries_[static_cast<std::size_t>(width_ * width_) * place]; }

  /// False where a pivot is singular.
  bool factorise();
  [[nodiscard]] int determinant_sign() const { return sign_; }
  /// In place, three unknowns a contact, refined; in the plane the third is left as it is. False where that does not
  /// reach rounding.
  bool solve(Vector& b);

 private:
  struct Step {
    int contact;
    int first, count;  ///< Its neighbours that are eliminated later, in places_ and lower_, upper_.
  };
  [[nodiscard]] bool is_known(const ScaledProblem& problem) const;
  bool find_structure(const ScaledProblem& problem);
  void order(const ScaledProblem& problem);
  template <int width>
  bool factorise_blocks();
  template <int width>
  void substitute_blocks(Vector& x) const;
  void substitute(Vector& x) const;
  template <int width>
  double find_rest(const Vector& b);

  int contacts_ = 0, width_ = 3, sign_ = 0;
  bool sparse_ = false;
  std::vector<int> starts_, columns_;  ///< Of the blocks, by rows: as analysed.
  std::vector<double> entries_;
  std::vector<Step> steps_;
  std::vector<int> step_of_;       ///< Of a contact.
  std::vector<int> later_;         ///< Steps of the neighbours, rising.
  std::vector<std::size_t> home_;  ///< Where each block of the matrix starts in factors_.
  std::vector<double> factors_;    ///< Diagonal blocks by step (inverted in factorise), then upper, then lower ones.
  std::vector<std::vector<int>> graph_;
  Vector x_, rest_;
};

}  // namespace stiction::cone
