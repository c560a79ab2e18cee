#include "stiction/cone/factor_bodies.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "stiction/cone/disjoint_sets.h"

namespace stiction::cone {

namespace {

constexpr double least_speed = 1e-12;  // m/s: nothing is measured finer
constexpr double joint_share = 0.1;    // joints are held ten times tighter than contacts

bool is_empty(const SparseMatrix& A, Index column) {
  for (SparseMatrix::InnerIterator it(A, column); it; ++it)
    if (it.value() != 0.0) return false;
  return true;
}

}  // namespace

void FactorBodies::find_atoms() {
  atoms_.clear();
  if (!form_->bodies.empty()) {
    for (Index first = 0; const int size : form_->bodies) {
      atoms_.emplace_back(static_cast<std::size_t>(size));
      std::iota(atoms_.back().begin(), atoms_.back().end(), first);
      first += size;
    }
    return;
  }
  const SparseMatrix& M = form_->M;
  DisjointSets sets = join_entries(M);
  std::vector<std::size_t> place(static_cast<std::size_t>(M.rows()));
  for (Index i = 0; i < M.rows(); ++i) {
    if (sets.root(i) == i) {
      place[i] = atoms_.size();
      atoms_.emplace_back();
    }
    atoms_[place[sets.root(i)]].push_back(i);
  }
}

void FactorBodies::find_nodes() {
  const auto fits_plane = [](const std::vector<Index>& atom) { return atom.size() <= 3; };
  posed_.width = form_->dimension == 2 && std::all_of(atoms_.begin(), atoms_.end(), fits_plane) ? 3 : 6;
  // The contacts and rows that act on each velocity.
  std::vector<std::vector<Index>> acting(static_cast<std::size_t>(form_->velocities()));
  for (Index j = 0; j < form_->H.cols(); ++j)
    for (SparseMatrix::InnerIterator it(form_->H, j); it; ++it)
      if (it.value() != 0.0) acting[it.row()].push_back(j / form_->dimension);
  for (Index j = 0; j < form_->G.cols(); ++j)
    for (SparseMatrix::InnerIterator it(form_->G, j); it; ++it)
      if (it.value() != 0.0) acting[it.row()].push_back(form_->contacts() + j);
  std::vector<int> last_node(static_cast<std::size_t>(form_->contacts() + form_->rows()), -1);
  node_of_.assign(acting.size(), 0);
  slot_of_.assign(acting.size(), 0);
  posed_.nodes = 0;
  int used = posed_.width;  // of the last node
  for (const std::vector<Index>& atom : atoms_) {
    const bool is_small = static_cast<int>(atom.size()) <= posed_.width - used;
    const bool is_linked = is_small && std::any_of(atom.begin(), atom.end(), [&](Index i) {
                             return std::any_of(acting[i].begin(), acting[i].end(),
                                                [&](Index which) { return last_node[which] == posed_.nodes - 1; });
                           });
    if (!is_linked) used = posed_.width;
    for (const Index i : atom) {
      if (used == posed_.width) {
        ++posed_.nodes;
        used = 0;
      }
      node_of_[i] = posed_.nodes - 1;
      slot_of_[i] = used++;
      for (const Index which : acting[i]) last_node[which] = posed_.nodes - 1;
    }
  }
}

void FactorBodies::pose_masses() {
  const int width = posed_.width;
  const auto size = static_cast<std::size_t>(width * width);
  const auto count = static_cast<std::size_t>(posed_.nodes);
  posed_.M.assign(count * size, 0.0);
  posed_.v.assign(count * static_cast<std::size_t>(width), 0.0);
  posed_.k = posed_.v;
  const auto each_entry = [&](const auto& function) {
    for (Index j = 0; j < form_->M.cols(); ++j)
      for (SparseMatrix::InnerIterator it(form_->M, j); it; ++it)
        if (it.value() != 0.0) function(it.row(), j, it.value() / form_->alpha);
  };
  each_entry([&](Index i, Index j, double) {
    const auto [low, high] = std::minmax(node_of_[i], node_of_[j]);
    if (low != high) posed_.coupled.emplace_back(low, high);
  });
  std::sort(posed_.coupled.begin(), posed_.coupled.end());
  posed_.coupled.erase(std::unique(posed_.coupled.begin(), posed_.coupled.end()), posed_.coupled.end());
  posed_.upper.assign(posed_.coupled.size() * size, 0.0);
  posed_.lower = posed_.upper;
  each_entry([&](Index i, Index j, double value) {
    const int a = node_of_[i], b = node_of_[j];
    const auto within = static_cast<std::size_t>(slot_of_[i] * width + slot_of_[j]);
    if (a == b) {
      posed_.M[static_cast<std::size_t>(a) * size + within] += value;
      return;
    }
    const auto pair =
        std::lower_bound(posed_.coupled.begin(), posed_.coupled.end(), std::pair(std::min(a, b), std::max(a, b)));
    const auto at = static_cast<std::size_t>(pair - posed_.coupled.begin());
    (a < b ? posed_.upper : posed_.lower)[at * size + within] += value;
  });
  std::vector<char> is_used(posed_.v.size(), 0);
  for (Index i = 0; i < form_->velocities(); ++i) {
    const auto at = static_cast<std::size_t>(node_of_[i] * width + slot_of_[i]);
    is_used[at] = 1;
    posed_.k[at] = form_->f[i];
    if (form_->v0.size() != 0) posed_.v[at] = form_->v0[i];
  }
  for (std::size_t at = 0; at < is_used.size(); ++at)
    if (is_used[at] == 0) {
      const std::size_t node = at / static_cast<std::size_t>(width), slot = at % static_cast<std::size_t>(width);
      posed_.M[node * size + slot * static_cast<std::size_t>(width) + slot] = 1.0;
    }
}

std::vector<int> FactorBodies::touched_by(const std::vector<Row>& rows) const {
  std::vector<int> touched;
  for (const Row& row : rows)
    for (SparseMatrix::InnerIterator it(*row.from, row.column); it; ++it)
      if (it.value() != 0.0) touched.push_back(node_of_[it.row()]);
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  return touched;
}

void FactorBodies::add_unit(BodyProblem::Kind kind, const std::vector<Row>& rows) {
  const std::vector<int> touched = touched_by(rows);
  BodyProblem::Unit unit;
  unit.kind = kind;
  unit.has_normal = false;
  unit.rows = static_cast<int>(rows.size());
  unit.first_row = posed_.rows();
  unit.touches = static_cast<int>(touched.size());
  unit.first_touch = static_cast<int>(posed_.touched.size());
  unit.first_group = static_cast<int>(posed_.groups.size());
  unit.jacobian = posed_.J.size();
  posed_.touched.insert(posed_.touched.end(), touched.begin(), touched.end());
  posed_.J.resize(posed_.J.size() + touched.size() * rows.size() * static_cast<std::size_t>(posed_.width), 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (SparseMatrix::InnerIterator it(*rows[i].from, rows[i].column); it; ++it) {
      if (it.value() == 0.0) continue;
      const auto touch = static_cast<std::size_t>(std::lower_bound(touched.begin(), touched.end(), node_of_[it.row()]) -
                                                  touched.begin());
      const std::size_t at = (touch * rows.size() + i) * static_cast<std::size_t>(posed_.width);
      posed_.J[unit.jacobian + at + static_cast<std::size_t>(slot_of_[it.row()])] += rows[i].scale * it.value();
    }
    posed_.b.push_back(rows[i].scale * rows[i].b);
    posed_.compliance.push_back(0.0);
    posed_.least.push_back(0.0);
    posed_.most.push_back(0.0);
    sources_.push_back(rows[i].source);
  }
  posed_.units.push_back(unit);
}

/// The rows of a part's friction, along axes that can move and have a width, and their group.
void FactorBodies::add_friction(Index part, std::vector<Row>& rows, std::vector<BodyProblem::Group>& groups) const {
  const FactorPart& own = parts_[part];
  const double larger = laws_.friction(part);
  BodyProblem::Group group{.first = static_cast<int>(rows.size()), .size = 0, .mu = larger, .hf = 0.0};
  if (!own.bears) {
    group.mu = own.carrier >= 0 ? larger * own.mu : 0.0;
    group.hf = larger * own.hf;
  }
  if (!(group.mu > 0.0 || group.hf > 0.0)) return;
  for (int axis = 1; axis < form_->dimension; ++axis) {
    const Index column = own.contact * form_->dimension + axis;
    const double share = laws_.share(part, axis);
    if (!(share > 0.0) || is_empty(form_->H, column)) continue;
    rows.push_back({.from = &form_->H,
                    .column = column,
                    .scale = share,
                    .b = form_->b[column],
                    .source = {.at = part * form_->dimension + axis, .scale = share}});
    ++group.size;
  }
  if (group.size > 0) groups.push_back(group);
}

bool FactorBodies::add_contact(Index part) {
  const FactorPart& own = parts_[part];
  std::vector<Row> rows;
  std::vector<BodyProblem::Group> groups;
  double speed = speeds_[part];
  if (own.bears) {
    const Index column = own.contact * form_->dimension;
    if (is_empty(form_->H, column)) return false;
    rows.push_back(
        {.from = &form_->H, .column = column, .b = form_->b[column], .source = {.at = part * form_->dimension}});
  }
  if (own.rubs) add_friction(part, rows, groups);
  for (const Index borne : borne_[part]) {
    add_friction(borne, rows, groups);
    speed = std::max(speed, speeds_[borne]);
  }
  if (rows.empty()) return true;
  if (static_cast<int>(rows.size()) > BodyProblem::most_rows) return false;
  add_unit(BodyProblem::Kind::contact, rows);
  BodyProblem::Unit& unit = posed_.units.back();
  unit.has_normal = own.bears;
  unit.groups = static_cast<int>(groups.size());
  unit.speed = std::max(speed, least_speed);
  posed_.groups.insert(posed_.groups.end(), groups.begin(), groups.end());
  for (int t = 0; t < unit.touches; ++t) {
    double& around = around_[posed_.touched[unit.first_touch + t]];
    around = std::max(around, speed);
  }
  return true;
}

bool FactorBodies::add_bounded(Index part) {
  const FactorPart& own = parts_[part];
  if (is_empty(form_->G, own.row)) return false;
  const Index at = part * form_->dimension + axis_of_row(own);
  add_unit(BodyProblem::Kind::bounded, {{.from = &form_->G,
                                         .column = own.row,
                                         .b = form_->d[own.row],
                                         .source = {.at = at, .scale = own.sign, .shift = own.sign * own.shift}}});
  posed_.units.back().speed = std::max(speeds_[part], least_speed);
  posed_.least.back() = form_->lower[own.row];
  posed_.most.back() = form_->upper[own.row];
  if (form_->compliance.size() != 0) posed_.compliance.back() = form_->compliance[own.row];
  return true;
}

void FactorBodies::add_joints() {
  const double fastest = *std::max_element(speeds_.begin(), speeds_.end());
  std::vector<Row> rows;
  std::vector<int> touched;
  const auto finish = [&] {
    if (rows.empty()) return;
    add_unit(BodyProblem::Kind::joint, rows);
    BodyProblem::Unit& unit = posed_.units.back();
    double speed = 0.0;
    for (int t = 0; t < unit.touches; ++t) speed = std::max(speed, around_[posed_.touched[unit.first_touch + t]]);
    unit.speed = std::max(joint_share * (speed > 0.0 ? speed : fastest), least_speed);
    if (form_->compliance.size() != 0)
      for (int i = 0; i < unit.rows; ++i)
        posed_.compliance[unit.first_row + i] = form_->compliance[rows[static_cast<std::size_t>(i)].column];
    rows.clear();
  };
  for (Index row = 0; row < form_->rows(); ++row) {
    if (!is_joint(*form_, row) || is_empty(form_->G, row)) continue;
    const Row next{.from = &form_->G, .column = row, .b = form_->d[row], .source = {}};
    std::vector<int> own = touched_by({next});
    if (own != touched || static_cast<int>(rows.size()) == BodyProblem::most_rows) finish();
    touched = std::move(own);
    rows.push_back(next);
  }
  finish();
}

bool FactorBodies::pose_units() {
  const auto size = static_cast<Index>(parts_.size());
  borne_.assign(parts_.size(), {});
  around_.assign(static_cast<std::size_t>(posed_.nodes), 0.0);
  for (Index p = 0; p < size; ++p)
    if (parts_[p].carrier >= 0) borne_[parts_[p].carrier].push_back(p);
  for (Index p = 0; p < size; ++p) {
    const FactorPart& part = parts_[p];
    if (part.carrier >= 0) continue;
    if (!(part.row >= 0 ? add_bounded(p) : add_contact(p))) return false;
  }
  add_joints();
  return true;
}

bool FactorBodies::pose(const FactorForm& form, const std::vector<double>& speeds) {
  form_ = &form;
  parts_ = find_parts(form);
  speeds_ = speeds;
  laws_ = {.dimension = form.dimension};
  set_friction(form, parts_, laws_);
  posed_.clear();
  sources_.clear();
  find_atoms();
  find_nodes();
  pose_masses();
  return pose_units();
}

Vector FactorBodies::lay_out(const std::vector<double>& impulses) const {
  const int dimension = form_->dimension;
  Vector r = Vector::Zero(static_cast<Index>(parts_.size()) * dimension);
  for (std::size_t i = 0; i < sources_.size(); ++i)
    if (sources_[i].at >= 0) r[sources_[i].at] = sources_[i].scale * impulses[i] - sources_[i].shift;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const FactorPart& part = parts_[p];
    if (part.bears) continue;
    const double carried = part.carrier >= 0 ? part.mu * r[part.carrier * dimension] : 0.0;
    r[static_cast<Index>(p) * dimension] = carried + part.hf;
  }
  return r;
}

}  // namespace stiction::cone
