#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stiction/linalg/rows.h"
#include "stiction/model/body_structure.h"

namespace stiction {

/// A row of a list; without a list a row of zeros.
struct RowOf {
  const linalg::Rows* rows = nullptr;
  int row = 0;
};

/// Rows of a Jacobian in blocks of a few rows, each block on one or two bodies: J_a on the velocities of the first
/// body, J_b on those of the second, every row `width` numbers long, zeros after the last velocity of a body and on a
/// side that no force moves. One array for each of these; where a block stands and what it is on depends on no value.
///
/// Rows on the bodies of a compound, and rows on a body with more velocities than fit, are kept aside with their
/// columns (wide()); their J_a and J_b are zeros. clear() keeps the storage.
class JacobianBlocks {
 public:
  static constexpr int most_rows = 6;  ///< Of one joint or drive.

  /// Three numbers a row where all bodies move in the plane, else six.
  void reset(const BodyStructure& structure);
  void clear();

  /// A block of these rows: a contact's.
  void add(const BodyStructure& structure, const BodyPair& pair, std::span<const RowOf> rows);
  /// A row of the last block where that is of the same owner and bodies and has place, else of a new one.
  void add_row(const BodyStructure& structure, const BodyPair& pair, std::int64_t owner, const RowOf& row);

  [[nodiscard]] int size() const { return static_cast<int>(body_a_.size()); }
  [[nodiscard]] int rows() const { return static_cast<int>(wide_of_.size()); }
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int first_row(int block) const { return starts_[block]; }
  [[nodiscard]] int rows(int block) const { return starts_[block + 1] - starts_[block]; }
  [[nodiscard]] std::span<const int> body_a() const { return body_a_; }
  [[nodiscard]] std::span<const int> body_b() const { return body_b_; }
  [[nodiscard]] bool is_several(int block) const { return several_[block] != 0; }
  [[nodiscard]] BodyPair bodies(int block) const { return {body_a_[block], body_b_[block], is_several(block)}; }
  /// Of all rows, width() numbers each, and from one row on.
  [[nodiscard]] std::span<const double> J_a() const { return J_a_; }
  [[nodiscard]] std::span<const double> J_b() const { return J_b_; }
  [[nodiscard]] const double* J_a(int row) const { return J_a_.data() + static_cast<std::ptrdiff_t>(row) * width_; }
  [[nodiscard]] const double* J_b(int row) const { return J_b_.data() + static_cast<std::ptrdiff_t>(row) * width_; }
  [[nodiscard]] bool is_wide(int row) const { return wide_of_[row] >= 0; }
  /// The rows kept aside, and the place of one among them.
  [[nodiscard]] const linalg::Rows& wide() const { return wide_; }
  [[nodiscard]] int wide_of(int row) const { return wide_of_[row]; }

  /// Ends a row of a list with the entries of this one that are not zero, those of the first body first: what the
  /// solvers that know no bodies read.
  void append_to(const BodyStructure& structure, int block, int row, linalg::Rows& rows) const;

 private:
  void begin(const BodyStructure& structure, const BodyPair& pair, std::int64_t owner);
  void push(const BodyStructure& structure, const RowOf& row);

  int width_ = 6;
  std::vector<int> starts_ = {0}, body_a_, body_b_, wide_of_;
  std::vector<char> several_;
  std::vector<double> J_a_, J_b_;
  linalg::Rows wide_;
  bool fits_ = true;  ///< The rows of the last block.
  std::int64_t owner_ = 0;
};

}  // namespace stiction
