#include "stiction/model/joint_loops.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stiction/model/null_space.h"

namespace stiction {
namespace {

/// What is left of the mechanism while leaves are taken off.
class Pruning {
 public:
  explicit Pruning(const Multibody& system) : model_(system.model()) {
    system.find_all_joints(0.0, system.initial_positions(), set_);
    system.mass(0.0, system.initial_positions(), mass_);
    const std::size_t joints = model_.joints().size() + model_.user_constraints().size();
    rows_.resize(joints);
    bodies_.resize(joints);
    for (int i = 0; i < set_.size(); ++i) rows_[set_.joint[i]].push_back(i);
    for (std::size_t j = 0; j < joints; ++j) find_bodies(j);
    take_leaves();
  }

  [[nodiscard]] std::vector<JointLoop> loops();

 private:
  /// A user's own constraint may know any body.
  void find_bodies(std::size_t joint) {
    if (rows_[joint].empty()) return;
    std::vector<int>& bodies = bodies_[joint];
    if (joint < model_.joints().size()) {
      const Joint& at = model_.joints()[joint];
      for (const int body : {at.body, at.partner, at.carrier})
        if (body >= 0 && model_.body({body}).movable()) bodies.push_back(body);
    } else {
      for (std::size_t body = 0; body < model_.bodies().size(); ++body)
        if (model_.bodies()[body].movable()) bodies.push_back(static_cast<int>(body));
    }
    std::sort(bodies.begin(), bodies.end());
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  }

  [[nodiscard]] bool is_independent(std::size_t joint, const Body& body) const {
    std::vector<int> columns;
    for (const int column : body.columns)
      if (column >= 0) columns.push_back(column);
    const auto size = static_cast<Eigen::Index>(columns.size());
    Vector mobility(size), row(size);
    for (Eigen::Index c = 0; c < size; ++c) mobility[c] = 1.0 / std::sqrt(mass_.coeff(columns[c], columns[c]));
    NullSpace space(mobility);
    for (const int i : rows_[joint]) {
      row.setZero();
      const auto at = set_.nu.columns(i);
      for (std::size_t p = 0; p < at.size(); ++p) {
        const auto it = std::find(columns.begin(), columns.end(), at[p]);
        if (it != columns.end()) row[it - columns.begin()] = set_.nu.values(i)[p];
      }
      if (!(space.violation(row) > 1e-3) || !space.hold(row)) return false;
    }
    return true;
  }

  void take_leaves() {
    std::vector<std::vector<std::size_t>> holders(model_.bodies().size());
    for (std::size_t j = 0; j < bodies_.size(); ++j)
      for (const int body : bodies_[j]) holders[body].push_back(j);
    std::vector<int> leaves;
    for (std::size_t body = 0; body < holders.size(); ++body)
      if (holders[body].size() == 1) leaves.push_back(static_cast<int>(body));
    while (!leaves.empty()) {
      const int leaf = leaves.back();
      leaves.pop_back();
      if (holders[leaf].size() != 1) continue;
      const std::size_t joint = holders[leaf].front();
      if (!is_independent(joint, model_.body({leaf}))) continue;
      for (const int body : bodies_[joint]) {
        std::erase(holders[body], joint);
        if (holders[body].size() == 1) leaves.push_back(body);
      }
      bodies_[joint].clear();
    }
  }

  const Model& model_;
  JointSet set_;
  SparseMatrix mass_;
  std::vector<std::vector<int>> rows_, bodies_;  ///< Of each joint; no bodies where it is taken off.
};

std::vector<JointLoop> Pruning::loops() {
  std::vector<int> group(model_.bodies().size());
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&](int body) {
    while (group[body] != body) body = group[body] = group[group[body]];
    return body;
  };
  for (const std::vector<int>& bodies : bodies_)
    for (const int body : bodies) group[root(body)] = root(bodies.front());
  std::vector<JointLoop> found;
  std::vector<int> place(group.size(), -1);
  for (std::size_t j = 0; j < bodies_.size(); ++j) {
    if (bodies_[j].empty()) continue;
    int& at = place[root(bodies_[j].front())];
    if (at < 0) {
      at = static_cast<int>(found.size());
      found.emplace_back();
    }
    JointLoop& loop = found[at];
    loop.rows.insert(loop.rows.end(), rows_[j].begin(), rows_[j].end());
    for (const int body : bodies_[j])
      for (const int column : model_.body({body}).columns)
        if (column >= 0) loop.columns.push_back(column);
  }
  for (JointLoop& loop : found) {
    std::sort(loop.columns.begin(), loop.columns.end());
    loop.columns.erase(std::unique(loop.columns.begin(), loop.columns.end()), loop.columns.end());
  }
  return found;
}

}  // namespace

std::vector<JointLoop> find_joint_loops(const Multibody& system) {
  const Model& model = system.model();
  if (model.joints().empty() && model.user_constraints().empty()) return {};
  return Pruning(system).loops();
}

}  // namespace stiction
