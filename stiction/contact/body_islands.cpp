#include "stiction/contact/body_islands.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/assert.h"

namespace stiction {

namespace {

using cone::BodyProblem;

// Share of the bodies' own speeds that counts where nothing else moves a contact.
constexpr double floor_share = 1e-4;
// Joints are held ten times tighter than contacts.
constexpr double joint_share = 0.1;

/// Whether a contact has friction at all.
bool has_friction(const StepProblem::Contact& contact) {
  return contact.tangents > 0 && (contact.mu > 0.0 || contact.hf > 0.0);
}

/// The contact whose unit takes this one along: that whose normal impulse bounds its friction, or the first of a pair
/// without any.
int bearer_of(const StepProblem& problem, int j) {
  const StepProblem::Contact& contact = problem.contacts[j];
  if (contact.normal < 0) return j;
  if (contact.normal != j) return contact.normal;
  return contact.partner >= 0 ? std::min(j, contact.partner) : j;
}

/// Directions of friction; along the second none where the ellipse has no width.
int directions_of(const StepProblem::Contact& contact) {
  if (!has_friction(contact)) return 0;
  return contact.tangents == 2 && contact.ratio() > 0.0 ? 2 : 1;
}

/// The radius of the second block of a pair over that of the first, whatever the normal impulse; zero where there is no
/// such number, or one of them has no friction.
double ratio_of_pair(const StepProblem::Contact& first, const StepProblem::Contact& second) {
  if (!has_friction(first) || !has_friction(second)) return 0.0;
  const double ratio = first.mu > 0.0 ? second.mu / first.mu : second.hf / first.hf;
  const bool is_one = std::abs(first.mu * ratio - second.mu) <= 1e-14 * second.mu &&
                      std::abs(first.hf * ratio - second.hf) <= 1e-14 * second.hf;
  return is_one ? ratio : 0.0;
}

}  // namespace

void BodyIslands::read_nodes(const StepProblem& problem) {
  const int n = problem.velocities();
  velocity_starts_.assign(1, 0);
  body_nodes_.clear();
  width_ = 6;
  const auto cut = [&](int first, int end) {
    for (int at = first; at < end; at += width_) velocity_starts_.push_back(std::min(end, at + width_));
  };
  if (problem.has_blocks()) {
    const BodyStructure& structure = problem.blocks.structure;
    if (structure.planar) width_ = 3;
    for (int body = 0; body < structure.size(); ++body) {
      body_nodes_.push_back(nodes());
      cut(structure.starts[body], structure.starts[body + 1]);
    }
    body_nodes_.push_back(nodes());
  } else {
    cut(0, n);
  }
  node_of_.resize(static_cast<std::size_t>(n));
  for (int node = 0; node < nodes(); ++node)
    for (int i = velocity_starts_[node]; i < velocity_starts_[node + 1]; ++i) node_of_[i] = node;
}

void BodyIslands::touch(int node, Unit& unit) {
  const auto first = touched_.begin() + unit.first_touch;
  if (std::find(first, touched_.end(), node) != touched_.end()) return;
  touched_.push_back(node);
  ++unit.touches;
}

void BodyIslands::touch_rows(const linalg::Rows& rows, int row, Unit& unit) {
  for (const int velocity : rows.columns(row)) touch(node_of_[velocity], unit);
}

void BodyIslands::touch_bodies(const StepProblem& problem, const BodyPair& bodies, Unit& unit) {
  for (const int body : {bodies.a, bodies.b}) {
    if (body < 0 || body >= problem.blocks.structure.size()) continue;
    for (int node = body_nodes_[body]; node < body_nodes_[body + 1]; ++node) touch(node, unit);
  }
}

void BodyIslands::read_units(const StepProblem& problem) {
  units_.clear();
  touched_.clear();
  const bool has_blocks = problem.has_blocks();
  borne_first_.assign(static_cast<std::size_t>(problem.size()), -1);
  borne_next_.assign(static_cast<std::size_t>(problem.size()), -1);
  for (int j = problem.size() - 1; j >= 0; --j) {
    const int bearer = bearer_of(problem, j);
    if (bearer == j || !has_friction(problem.contacts[j])) continue;
    borne_next_[j] = borne_first_[bearer];
    borne_first_[bearer] = j;
  }
  for (int j = 0; j < problem.size(); ++j) {
    if (bearer_of(problem, j) != j) continue;
    const bool has_rows = problem.has_normal(j) || has_friction(problem.contacts[j]) || borne_first_[j] >= 0;
    if (!has_rows) continue;
    Unit unit{.contact = j, .first_touch = static_cast<int>(touched_.size())};
    if (has_blocks && !problem.blocks.contacts.is_several(j))
      touch_bodies(problem, problem.blocks.contacts.bodies(j), unit);
    for (int member = j; member >= 0; member = member == j ? borne_first_[j] : borne_next_[member])
      for (const linalg::Rows* rows : {&problem.n, &problem.t1, &problem.t2}) touch_rows(*rows, member, unit);
    if (unit.touches > 0) units_.push_back(unit);
  }
  // Rows of one block that are all joints are one unit; others stand alone.
  const auto is_plain = [&](int row) { return problem.row_law(row).is_joint() && !problem.nu.is_zero(row); };
  for (int block = 0; has_blocks && block < problem.blocks.rows.size(); ++block) {
    const int first = problem.blocks.rows.first_row(block), end = first + problem.blocks.rows.rows(block);
    for (int row = first; row < end;) {
      Unit unit{.row = row, .rows = 1, .first_touch = static_cast<int>(touched_.size())};
      if (is_plain(row))
        while (row + unit.rows < end && is_plain(row + unit.rows)) ++unit.rows;
      row += unit.rows;
      if (problem.nu.is_zero(unit.row)) continue;
      if (!problem.blocks.rows.is_several(block)) touch_bodies(problem, problem.blocks.rows.bodies(block), unit);
      for (int i = 0; i < unit.rows; ++i) touch_rows(problem.nu, unit.row + i, unit);
      units_.push_back(unit);
    }
  }
  for (int row = has_blocks ? problem.blocks.rows.rows() : 0; row < problem.joints(); ++row) {
    Unit unit{.row = row, .rows = 1, .first_touch = static_cast<int>(touched_.size())};
    touch_rows(problem.nu, row, unit);
    if (unit.touches > 0) units_.push_back(unit);
  }
}

int BodyIslands::root(int node) {
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}

void BodyIslands::find_islands(const StepProblem& problem) {
  parent_.resize(static_cast<std::size_t>(nodes()));
  for (int i = 0; i < nodes(); ++i) parent_[i] = i;
  constrained_.assign(parent_.size(), 0);
  const auto join = [&](int a, int b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  };
  for (int i = 0; i < problem.M.outerSize(); ++i)
    for (SparseMatrix::InnerIterator it(problem.M, i); it; ++it)
      if (node_of_[it.row()] != node_of_[i] && it.value() != 0.0) join(node_of_[it.row()], node_of_[i]);
  for (const Unit& unit : units_)
    for (int t = 0; t < unit.touches; ++t) join(touched_[unit.first_touch], touched_[unit.first_touch + t]);
  for (const Unit& unit : units_) constrained_[root(touched_[unit.first_touch])] = 1;
  // Numbers of islands in the order of their lowest nodes; what is free is one more.
  island_of_.assign(parent_.size(), -1);
  int count = 0;
  bool any_free = false;
  for (int i = 0; i < nodes(); ++i) {
    const int top = root(i);
    if (!constrained_[top])
      any_free = true;
    else if (top == i)
      island_of_[i] = count++;
    else
      island_of_[i] = island_of_[top];
  }
  const int free_island = count;
  if (any_free) ++count;
  for (int& island : island_of_)
    if (island < 0) island = free_island;
  const auto fill = [count](std::vector<int>& starts, std::vector<int>& list, int size, const auto& island) {
    starts.assign(static_cast<std::size_t>(count) + 1, 0);
    list.resize(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) ++starts[island(i) + 1];
    for (int i = 0; i < count; ++i) starts[i + 1] += starts[i];
    for (int i = size - 1; i >= 0; --i) list[--starts[island(i) + 1]] = i;
    for (int i = 0; i < count; ++i) starts[i] = starts[i + 1];
    starts[count] = size;
  };
  fill(node_starts_, node_list_, nodes(), [&](int i) { return island_of_[i]; });
  for (Unit& unit : units_) unit.island = island_of_[touched_[unit.first_touch]];
  fill(unit_starts_, unit_list_, static_cast<int>(units_.size()), [&](int i) { return units_[i].island; });
  local_.resize(parent_.size());
  for (int island = 0; island < count; ++island)
    for (std::size_t i = 0; i < nodes(island).size(); ++i) local_[nodes(island)[i]] = static_cast<int>(i);
}

/// What the errors of each unit are measured against: how its bodies would move along it with nothing holding them, and
/// what their weight does in a step; of contacts the largest among those of the same bodies.
void BodyIslands::find_speeds(const StepProblem& problem) {
  const int n = problem.velocities();
  free_.resize(n);
  weight_.resize(n);
  for (int i = 0; i < n; ++i) {
    const double applied = problem.k[i] / problem.M.coeff(i, i);
    weight_[i] = std::abs(i < problem.weight.size() ? problem.weight[i] : applied);
    free_[i] = problem.v[i] + problem.alpha * applied;
  }
  const auto reach = [&](const linalg::Rows& rows, int row) {
    double sum = 0.0;
    const auto columns = rows.columns(row);
    const auto values = rows.values(row);
    for (std::size_t p = 0; p < columns.size(); ++p) {
      const int i = columns[p];
      sum += std::abs(values[p]) * (weight_[i] + floor_share * std::max(std::abs(problem.v[i]), std::abs(free_[i])));
    }
    return sum;
  };
  alone_.assign(units_.size(), 0.0);
  around_.assign(static_cast<std::size_t>(nodes()), 0.0);
  for (std::size_t at = 0; at < units_.size(); ++at) {
    const Unit& unit = units_[at];
    double& speed = alone_[at];
    const auto raise = [&](const linalg::Rows& rows, int row, double free) {
      speed = std::max(speed, std::abs(free) + reach(rows, row));
    };
    if (const int j = unit.contact; j >= 0) {
      raise(problem.n, j, std::min(0.0, problem.n.dot(j, free_) + problem.b_n[j]));
      if (problem.contacts[j].tangents > 0) raise(problem.t1, j, problem.t1.dot(j, free_) + problem.b_t1[j]);
      if (problem.contacts[j].tangents > 1) raise(problem.t2, j, problem.t2.dot(j, free_) + problem.b_t2[j]);
      if (!problem.has_normal(j)) continue;
      for (int t = 0; t < unit.touches; ++t) {
        double& around = around_[touched_[unit.first_touch + t]];
        around = std::max(around, speed);
      }
      continue;
    }
    for (int i = unit.row; i < unit.row + unit.rows; ++i) {
      const StepProblem::RowLaw law = problem.row_law(i);
      double wanted = std::abs(problem.b_nu[i]);
      if (!law.is_joint() || law.compliance > 0.0) {
        const double mobility = problem.nu.mobility(i, problem.M);
        wanted *= mobility / (mobility + law.compliance);
        if (!law.is_joint()) wanted = std::min(wanted, mobility * std::max(-law.lower, law.upper));
      }
      raise(problem.nu, i, std::abs(problem.nu.dot(i, free_)) + wanted);
    }
    speed *= joint_share;
  }
  for (std::size_t at = 0; at < units_.size(); ++at) {
    const Unit& unit = units_[at];
    if (unit.contact < 0 || !problem.has_normal(unit.contact)) continue;
    for (int t = 0; t < unit.touches; ++t) alone_[at] = std::max(alone_[at], around_[touched_[unit.first_touch + t]]);
  }
}

void BodyIslands::split(const StepProblem& problem) {
  read_nodes(problem);
  read_units(problem);
  find_islands(problem);
  find_speeds(problem);
}

void BodyIslands::pose_masses(const StepProblem& problem, int island, BodyProblem& posed) {
  const std::span<const int> list = nodes(island);
  const auto size = static_cast<std::size_t>(width_ * width_);
  posed.width = width_;
  posed.nodes = static_cast<int>(list.size());
  posed.M.assign(list.size() * size, 0.0);
  posed.v.assign(list.size() * static_cast<std::size_t>(width_), 0.0);
  posed.k = posed.v;
  const double over = 1.0 / problem.alpha;
  const auto each_entry = [&](const auto& function) {
    for (const int node : list)
      for (int i = velocity_starts_[node]; i < velocity_starts_[node + 1]; ++i)
        for (SparseMatrix::InnerIterator it(problem.M, i); it; ++it)
          if (it.value() != 0.0) function(static_cast<int>(it.row()), i, it.value() * over);
  };
  const auto slot = [&](int velocity) { return velocity - velocity_starts_[node_of_[velocity]]; };
  each_entry([&](int row, int column, double) {
    const int a = local_[node_of_[row]], b = local_[node_of_[column]];
    if (a != b) posed.coupled.emplace_back(std::min(a, b), std::max(a, b));
  });
  std::sort(posed.coupled.begin(), posed.coupled.end());
  posed.coupled.erase(std::unique(posed.coupled.begin(), posed.coupled.end()), posed.coupled.end());
  posed.upper.assign(posed.coupled.size() * size, 0.0);
  posed.lower = posed.upper;
  each_entry([&](int row, int column, double value) {
    const int a = local_[node_of_[row]], b = local_[node_of_[column]];
    const auto within = static_cast<std::size_t>(slot(row) * width_ + slot(column));
    if (a == b) {
      posed.M[static_cast<std::size_t>(a) * size + within] += value;
      return;
    }
    const auto pair =
        std::lower_bound(posed.coupled.begin(), posed.coupled.end(), std::pair(std::min(a, b), std::max(a, b)));
    const auto at = static_cast<std::size_t>(pair - posed.coupled.begin());
    (a < b ? posed.upper : posed.lower)[at * size + within] += value;
  });
  for (std::size_t node = 0; node < list.size(); ++node) {
    const int first = velocity_starts_[list[node]], count = velocities(list[node]);
    for (int i = 0; i < count; ++i) {
      posed.v[node * static_cast<std::size_t>(width_) + i] = problem.v[first + i];
      posed.k[node * static_cast<std::size_t>(width_) + i] = problem.k[first + i];
    }
    for (int i = count; i < width_; ++i) posed.M[node * size + static_cast<std::size_t>(i * width_ + i)] = 1.0;
  }
}

void BodyIslands::begin_unit(const Unit& unit, int rows, BodyProblem& posed) const {
  STICTION_ASSERT(rows <= BodyProblem::most_rows, "a unit has at most six rows");
  BodyProblem::Unit made;
  made.rows = rows;
  made.first_row = posed.rows();
  made.first_touch = static_cast<int>(posed.touched.size());
  made.touches = unit.touches;
  made.first_group = static_cast<int>(posed.groups.size());
  made.jacobian = posed.J.size();
  for (int t = 0; t < unit.touches; ++t) posed.touched.push_back(local_[touched_[unit.first_touch + t]]);
  posed.J.resize(posed.J.size() + static_cast<std::size_t>(unit.touches * rows * width_), 0.0);
  posed.units.push_back(made);
}

/// The next row of the last unit.
void BodyIslands::write_row(const linalg::Rows& rows, int row, double scale, double b, BodyProblem& posed) const {
  const BodyProblem::Unit& unit = posed.units.back();
  const int at = posed.rows() - unit.first_row;
  const auto columns = rows.columns(row);
  const auto values = rows.values(row);
  int touch = 0;
  for (std::size_t p = 0; p < columns.size(); ++p) {
    const int node = node_of_[columns[p]], local = local_[node];
    while (posed.touched[unit.first_touch + touch] != local) touch = touch + 1 < unit.touches ? touch + 1 : 0;
    const auto place =
        static_cast<std::size_t>((touch * unit.rows + at) * width_ + columns[p] - velocity_starts_[node]);
    posed.J[unit.jacobian + place] = scale * values[p];
  }
  posed.b.push_back(scale * b);
  posed.compliance.push_back(0.0);
  posed.least.push_back(0.0);
  posed.most.push_back(0.0);
}

void BodyIslands::pose_contact(const StepProblem& problem, const Unit& unit, BodyProblem& posed,
                               std::vector<Source>& sources) {
  using List = Source::List;
  const auto next = [&](int member) { return member == unit.contact ? borne_first_[member] : borne_next_[member]; };
  const bool has_normal = problem.has_normal(unit.contact);
  int rows = has_normal ? 1 : 0;
  for (int member = unit.contact; member >= 0; member = next(member)) rows += directions_of(problem.contacts[member]);
  begin_unit(unit, rows, posed);
  const std::size_t index = posed.units.size() - 1;
  posed.units[index].has_normal = has_normal;
  if (has_normal) {
    write_row(problem.n, unit.contact, 1.0, problem.b_n[unit.contact], posed);
    sources.push_back({List::n, unit.contact, 1.0});
  }
  const auto write_friction = [&](int member, double scale) {
    const StepProblem::Contact& contact = problem.contacts[member];
    write_row(problem.t1, member, scale, problem.b_t1[member], posed);
    sources.push_back({List::t1, member, scale});
    if (directions_of(contact) < 2) return;
    write_row(problem.t2, member, scale * contact.ratio(), problem.b_t2[member], posed);
    sources.push_back({List::t2, member, scale * contact.ratio()});
  };
  for (int member = unit.contact; member >= 0; member = next(member)) {
    const StepProblem::Contact& contact = problem.contacts[member];
    const int count = directions_of(contact), partner = contact.partner;
    const double ratio = partner < 0 ? 0.0
                                     : ratio_of_pair(problem.contacts[std::min(member, partner)],
                                                     problem.contacts[std::max(member, partner)]);
    if (count == 0 || (ratio > 0.0 && partner < member)) continue;
    posed.groups.push_back({posed.rows() - posed.units[index].first_row, count, contact.mu, contact.hf});
    ++posed.units[index].groups;
    write_friction(member, 1.0);
    if (!(ratio > 0.0)) continue;
    // One ball in the units of the first.
    posed.groups.back().size += directions_of(problem.contacts[partner]);
    write_friction(partner, ratio);
  }
}

void BodyIslands::pose_rows(const StepProblem& problem, const Unit& unit, BodyProblem& posed,
                            std::vector<Source>& sources) {
  begin_unit(unit, unit.rows, posed);
  posed.units.back().kind =
      problem.row_law(unit.row).is_joint() ? BodyProblem::Kind::joint : BodyProblem::Kind::bounded;
  posed.units.back().has_normal = false;
  for (int i = unit.row; i < unit.row + unit.rows; ++i) {
    const StepProblem::RowLaw law = problem.row_law(i);
    write_row(problem.nu, i, 1.0, problem.b_nu[i], posed);
    posed.compliance.back() = law.compliance;
    posed.least.back() = law.lower;
    posed.most.back() = law.upper;
    sources.push_back({Source::List::nu, i, 1.0});
  }
}

bool BodyIslands::has_contacts(int island) const {
  const std::span<const int> units = part(unit_starts_, unit_list_, island);
  return std::any_of(units.begin(), units.end(), [&](int unit) { return units_[unit].contact >= 0; });
}

void BodyIslands::pose(const StepProblem& problem, int island, BodyProblem& posed, std::vector<Source>& sources) {
  posed.clear();
  sources.clear();
  pose_masses(problem, island, posed);
  // m/s: below the first everything is at rest, for the certificate too; rows are measured no finer than the second.
  constexpr double least_speed = 1e-50, least_of_rows = 1e-12;
  for (const int at : part(unit_starts_, unit_list_, island)) {
    const Unit& unit = units_[at];
    if (unit.contact >= 0)
      pose_contact(problem, unit, posed, sources);
    else
      pose_rows(problem, unit, posed, sources);
    posed.units.back().speed = std::max(alone_[at], unit.contact >= 0 ? least_speed : least_of_rows);
  }
}

}  // namespace stiction
