#include "stiction/contact/jacobian_blocks.h"

#include "stiction/base/assert.h"

namespace stiction {

void JacobianBlocks::reset(const BodyStructure& structure) {
  width_ = structure.planar ? 3 : 6;
  clear();
}

void JacobianBlocks::clear() {
  starts_.assign(1, 0);
  for (auto* list : {&body_a_, &body_b_, &wide_of_}) list->clear();
  several_.clear();
  J_a_.clear();
  J_b_.clear();
  wide_.clear();
}

void JacobianBlocks::begin(const BodyStructure& structure, const BodyPair& pair, std::int64_t owner) {
  const auto fits = [&](int body) { return body < 0 || structure.velocities(body) <= width_; };
  fits_ = !pair.several && fits(pair.a) && fits(pair.b);
  owner_ = owner;
  body_a_.push_back(pair.a);
  body_b_.push_back(pair.b);
  several_.push_back(pair.several ? 1 : 0);
  starts_.push_back(rows());
}

void JacobianBlocks::push(const BodyStructure& structure, const RowOf& row) {
  const std::size_t first = J_a_.size();
  J_a_.resize(first + static_cast<std::size_t>(width_), 0.0);
  J_b_.resize(first + static_cast<std::size_t>(width_), 0.0);
  ++starts_.back();
  if (!fits_ && row.rows != nullptr) {
    wide_of_.push_back(wide_.append(*row.rows, row.row));
    return;
  }
  wide_of_.push_back(-1);
  if (row.rows == nullptr) return;
  const int a = body_a_.back(), b = body_b_.back();
  const int start_a = a < 0 ? 0 : structure.starts[a], end_a = a < 0 ? 0 : structure.starts[a + 1];
  const int start_b = b < 0 ? 0 : structure.starts[b], end_b = b < 0 ? 0 : structure.starts[b + 1];
  const auto columns = row.rows->columns(row.row);
  const auto values = row.rows->values(row.row);
  for (std::size_t p = 0; p < columns.size(); ++p) {
    const int column = columns[p];
    if (column >= start_a && column < end_a) {
      J_a_[first + static_cast<std::size_t>(column - start_a)] += values[p];
    } else {
      STICTION_ASSERT(column >= start_b && column < end_b, "a row touches a body that its system does not name");
      J_b_[first + static_cast<std::size_t>(column - start_b)] += values[p];
    }
  }
}

void JacobianBlocks::add(const BodyStructure& structure, const BodyPair& pair, std::span<const RowOf> rows) {
  begin(structure, pair, 0);
  for (const RowOf& row : rows) push(structure, row);
}

void JacobianBlocks::add_row(const BodyStructure& structure, const BodyPair& pair, std::int64_t owner,
                             const RowOf& row) {
  const int last = size() - 1;
  if (last < 0 || owner_ != owner || bodies(last) != pair || rows(last) == most_rows) begin(structure, pair, owner);
  push(structure, row);
}

void JacobianBlocks::append_to(const BodyStructure& structure, int block, int row, linalg::Rows& rows) const {
  if (is_wide(row)) {
    rows.append(wide_, wide_of_[row]);
    return;
  }
  const auto add_side = [&](int body, const double* J) {
    if (body < 0) return;
    const int start = structure.starts[body], size = structure.velocities(body);
    if (size > width_) return;  // a row of zeros on a body that does not fit
    for (int i = 0; i < size; ++i) rows.push(start + i, J[i]);
  };
  add_side(body_a_[block], J_a(row));
  add_side(body_b_[block], J_b(row));
  rows.end_row();
}

}  // namespace stiction
