#include "stiction/contact/step_problem.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "stiction/base/assert.h"

namespace stiction {

void StepProblem::set_bodies(const BodyStructure& structure) {
  blocks.structure = structure;
  blocks.masses.reset(structure);
  blocks.contacts.reset(structure);
  blocks.rows.reset(structure);
  clear_constraints();
}

void StepProblem::take_masses() {
  if (has_blocks()) blocks.masses.take(blocks.structure, M);
}

void StepProblem::add_contact(const Contact& law, const BodyPair& bodies, const RowOf& along_n, const RowOf& along_t1,
                              const RowOf& along_t2, const Offsets& b) {
  contacts.push_back(law);
  b_n.push_back(b.n);
  b_t1.push_back(b.t1);
  b_t2.push_back(b.t2);
  const std::array<RowOf, 3> from{along_n, along_t1, along_t2};
  blocks.contacts.add(blocks.structure, bodies, from);
  const int block = blocks.contacts.size() - 1, first = blocks.contacts.first_row(block);
  blocks.contacts.append_to(blocks.structure, block, first, n);
  blocks.contacts.append_to(blocks.structure, block, first + 1, t1);
  blocks.contacts.append_to(blocks.structure, block, first + 2, t2);
}

void StepProblem::add_joint(const BodyPair& bodies, int owner, const RowOf& row, double b) {
  blocks.rows.add_row(blocks.structure, bodies, 2 * std::int64_t{owner}, row);
  blocks.rows.append_to(blocks.structure, blocks.rows.size() - 1, blocks.rows.rows() - 1, nu);
  b_nu.push_back(b);
}

void StepProblem::add_drive(const BodyPair& bodies, int owner, const RowOf& row, double b, const RowLaw& law) {
  row_laws.resize(static_cast<std::size_t>(nu.size()));
  row_laws.push_back(law);
  blocks.rows.add_row(blocks.structure, bodies, 2 * std::int64_t{owner} + 1, row);
  blocks.rows.append_to(blocks.structure, blocks.rows.size() - 1, blocks.rows.rows() - 1, nu);
  b_nu.push_back(b);
}

void StepProblem::clear_constraints() {
  blocks.contacts.clear();
  blocks.rows.clear();
  nu.clear();
  b_nu.clear();
  row_laws.clear();
  contacts.clear();
  n.clear();
  t1.clear();
  t2.clear();
  b_n.clear();
  b_t1.clear();
  b_t2.clear();
}

void StepProblem::add_row(const linalg::Rows& rows, int row, double b, const RowLaw& law) {
  STICTION_ASSERT(!has_blocks(), "a row that says nothing of its bodies, in a problem that is made of blocks");
  row_laws.resize(static_cast<std::size_t>(nu.size()));
  row_laws.push_back(law);
  nu.append(rows, row);
  b_nu.push_back(b);
}

bool StepProblem::has_pairs() const {
  return std::any_of(contacts.begin(), contacts.end(), [](const Contact& contact) { return contact.partner >= 0; });
}

double StepProblem::radius_left(int contact, const StepSolution& solution) const {
  const double whole = radius(contact, solution.c_n);
  const int partner = contacts[contact].partner;
  if (partner < 0) return whole;
  const double other = radius(partner, solution.c_n), ratio = contacts[partner].ratio();
  const double used = std::hypot(solution.c_t1[partner], ratio > 0.0 ? solution.c_t2[partner] / ratio : 0.0);
  const double share = other > 0.0 ? used / other : 0.0;
  return whole * std::sqrt(std::max(0.0, 1.0 - share * share));
}

double StepProblem::friction_loss(int contact, const StepSolution& solution) const {
  const double own = solution.lambda[contact] * radius(contact, solution.c_n);
  const int partner = contacts[contact].partner;
  if (partner < 0) return own;
  return contact < partner ? std::hypot(own, solution.lambda[partner] * radius(partner, solution.c_n)) : 0.0;
}

void Facets::direction(int i, double ratio, double& along1, double& along2) const {
  if (count == 2) {  // exact in the plane
    along1 = i == 0 ? 1.0 : -1.0;
    along2 = 0.0;
    return;
  }
  // Opposite facets are exact negatives: (13) of 1996 holds to the last bit.
  const int half = count / 2;
  const double sign = i < half ? 1.0 : -1.0;
  const double angle = turn + 2.0 * std::numbers::pi * (i % half) / count;
  along1 = sign * std::cos(angle);
  along2 = sign * ratio * std::sin(angle);
}

}  // namespace stiction
