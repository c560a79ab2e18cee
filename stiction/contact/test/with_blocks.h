#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "stiction/contact/step_problem.h"

namespace stiction {

/// Bodies of so many velocities each.
inline BodyStructure bodies_of_size(int velocities, int size) {
  BodyStructure structure;
  for (int i = 0; i * size < velocities; ++i) {
    structure.starts.push_back((i + 1) * size);
    structure.compound.push_back(i);
  }
  return structure;
}

/// The bodies that rows touch, in the order they come; more than two: several.
inline BodyPair bodies_of_rows(const BodyStructure& structure, const std::vector<RowOf>& rows) {
  std::vector<int> found;
  for (const RowOf& row : rows)
    for (const int column : row.rows->columns(row.row)) {
      const auto after = std::upper_bound(structure.starts.begin(), structure.starts.end(), column);
      const int body = static_cast<int>(after - structure.starts.begin()) - 1;
      if (std::find(found.begin(), found.end(), body) == found.end()) found.push_back(body);
    }
  if (found.size() > 2) return {found[0], -1, true};
  return {found.empty() ? -1 : found[0], found.size() < 2 ? -1 : found[1]};
}

/// A problem made by hand, of M and rows, once more as blocks. Its rows are on the bodies of the blocks `like`, or else
/// on those that they touch.
inline StepProblem with_blocks(const StepProblem& problem, const BodyStructure& structure,
                               const StepBlocks* like = nullptr) {
  StepProblem copy = problem;
  std::vector<BodyPair> named;
  for (int block = 0; like != nullptr && block < like->rows.size(); ++block)
    named.insert(named.end(), static_cast<std::size_t>(like->rows.rows(block)), like->rows.bodies(block));
  copy.set_bodies(structure);
  copy.take_masses();
  for (int i = 0; i < problem.joints(); ++i) {
    const BodyPair pair = like != nullptr ? named[i] : bodies_of_rows(structure, {{&problem.nu, i}});
    if (i < static_cast<int>(problem.row_laws.size()))
      copy.add_drive(pair, i, {&problem.nu, i}, problem.b_nu[i], problem.row_laws[i]);
    else
      copy.add_joint(pair, i, {&problem.nu, i}, problem.b_nu[i]);
  }
  for (int j = 0; j < problem.size(); ++j) {
    const BodyPair pair = like != nullptr
                              ? like->contacts.bodies(j)
                              : bodies_of_rows(structure, {{&problem.n, j}, {&problem.t1, j}, {&problem.t2, j}});
    copy.add_contact(problem.contacts[j], pair, {&problem.n, j}, {&problem.t1, j}, {&problem.t2, j},
                     {problem.b_n[j], problem.b_t1[j], problem.b_t2[j]});
  }
  return copy;
}

/// A row of blocks over all velocities.
inline Vector dense_row(const BodyStructure& structure, const JacobianBlocks& blocks, int block, int row) {
  Vector dense = Vector::Zero(structure.velocities());
  if (blocks.is_wide(row)) blocks.wide().add_to(blocks.wide_of(row), 1.0, dense);
  const auto add = [&](int body, const double* J) {
    if (body < 0) return;
    for (int i = 0; i < std::min(structure.velocities(body), blocks.width()); ++i)
      dense[structure.starts[body] + i] += J[i];
  };
  add(blocks.body_a()[block], blocks.J_a(row));
  add(blocks.body_b()[block], blocks.J_b(row));
  return dense;
}

/// M from its blocks.
inline linalg::DenseMatrix dense_mass(const BodyStructure& structure, const BodyMasses& masses) {
  linalg::DenseMatrix M = linalg::DenseMatrix::Zero(structure.velocities(), structure.velocities());
  const auto start = [&](int body) { return structure.starts[body]; };
  const auto size = [&](int body) { return structure.velocities(body); };
  for (int i = 0; i < masses.size(); ++i) M.block(start(i), start(i), size(i), size(i)) = masses.block(i);
  for (std::size_t i = 0; i < masses.coupled().size(); ++i) {
    const auto& [a, b] = masses.coupled()[i];
    M.block(start(a), start(b), size(a), size(b)) = masses.upper(static_cast<int>(i));
    M.block(start(b), start(a), size(b), size(a)) = masses.lower(static_cast<int>(i));
  }
  return M;
}

/// Which part of the blocks does not say the same as M and the rows, to the last bit; empty where all do.
inline std::string difference_of_blocks(const StepProblem& problem) {
  const BodyStructure& structure = problem.blocks.structure;
  const auto dense = [&](const linalg::Rows& rows, int row) {
    Vector result = Vector::Zero(problem.velocities());
    rows.add_to(row, 1.0, result);
    return result;
  };
  if (problem.has_blocks() && structure.velocities() != problem.velocities()) return "velocities";
  if (problem.has_blocks() && dense_mass(structure, problem.blocks.masses) != linalg::DenseMatrix(problem.M))
    return "M";
  const JacobianBlocks &contacts = problem.blocks.contacts, &rows = problem.blocks.rows;
  if (contacts.size() != problem.size() || contacts.rows() != 3 * problem.size()) return "number of contacts";
  for (int j = 0; j < problem.size(); ++j) {
    const int first = contacts.first_row(j);
    if (dense_row(structure, contacts, j, first) != dense(problem.n, j)) return "n";
    if (dense_row(structure, contacts, j, first + 1) != dense(problem.t1, j)) return "t1";
    if (dense_row(structure, contacts, j, first + 2) != dense(problem.t2, j)) return "t2";
  }
  if (rows.rows() != problem.joints()) return "number of joint rows";
  for (int block = 0; block < rows.size(); ++block)
    for (int row = rows.first_row(block); row < rows.first_row(block) + rows.rows(block); ++row)
      if (dense_row(structure, rows, block, row) != dense(problem.nu, row)) return "nu";
  return "";
}

}  // namespace stiction
