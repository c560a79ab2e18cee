#include "stiction/contact/determined_forces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace stiction {

namespace {

// Of a column's length, what must be left of it across from the others. Those that are nearer to dependent are left to
// the projection, which gives the same where there is no choice.
constexpr double independent = 1e-4;

int components(const ForceSet::Bundle& bundle) {
  return bundle.end - bundle.first;
}

}  // namespace

void DeterminedForces::list_by_node(const ForceSet& set) {
  const auto nodes = static_cast<std::size_t>(set.node_count());
  starts_.assign(nodes + 1, 0);
  left_.assign(nodes, 0);
  for (const int node : set.nodes) ++starts_[node + 1];
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  list_.resize(set.nodes.size());
  for (std::size_t b = 0; b < set.bundles.size(); ++b)
    for (int a = set.bundles[b].node_begin; a < set.bundles[b].node_end; ++a) {
      list_[starts_[set.nodes[a]]++] = static_cast<int>(b);
      left_[set.nodes[a]] += components(set.bundles[b]);
    }
  for (std::size_t node = nodes; node > 0; --node) starts_[node] = starts_[node - 1];
  starts_[0] = 0;
}

/// Gram and Schmidt on the parts of the columns on one body, in units of its masses.
bool DeterminedForces::are_independent(const ForceSet& set, int node) {
  using Column = std::array<double, 6>;
  std::array<Column, 6> columns{};
  int count = 0;
  const int begin = node * set.width, end = begin + set.width;
  const auto dot = [](const Column& a, const Column& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  for (int p = starts_[node]; p < starts_[node + 1]; ++p) {
    const ForceSet::Bundle& bundle = set.bundles[list_[p]];
    if (is_gone_[list_[p]] != 0) continue;
    for (int c = bundle.first; c < bundle.end; ++c) {
      Column& column = columns[count];
      const auto rows = set.columns.columns(c);
      const auto values = set.columns.values(c);
      for (std::size_t e = 0; e < rows.size(); ++e)
        if (rows[e] >= begin && rows[e] < end) column[rows[e] - begin] += values[e] / std::sqrt(set.mass[rows[e]]);
      const double length = std::sqrt(dot(column, column));
      for (int k = 0; k < count; ++k) {
        const double along = dot(columns[k], column);
        for (std::size_t i = 0; i < column.size(); ++i) column[i] -= along * columns[k][i];
      }
      const double across = std::sqrt(dot(column, column));
      if (!(across > independent * length)) return false;
      for (double& value : column) value /= across;
      ++count;
    }
  }
  return true;
}

void DeterminedForces::take_away(const ForceSet& set, int node) {
  for (int p = starts_[node]; p < starts_[node + 1]; ++p) {
    const ForceSet::Bundle& bundle = set.bundles[list_[p]];
    if (is_gone_[list_[p]] != 0) continue;
    is_gone_[list_[p]] = 1;
    for (int a = bundle.node_begin; a < bundle.node_end; ++a) {
      const int other = set.nodes[a];
      left_[other] -= components(bundle);
      if (other != node && left_[other] > 0 && left_[other] <= set.width) open_.push_back(other);
    }
  }
}

bool DeterminedForces::find(const ForceSet& set) {
  is_gone_.assign(set.bundles.size(), 0);
  list_by_node(set);
  open_.clear();
  for (int node = 0; node < set.node_count(); ++node)
    if (left_[node] > 0 && left_[node] <= set.width) open_.push_back(node);
  bool any = false;
  for (std::size_t next = 0; next < open_.size(); ++next) {
    const int node = open_[next];
    if (left_[node] == 0 || !are_independent(set, node)) continue;
    take_away(set, node);
    any = true;
  }
  return any;
}

/// Its columns, on the nodes of the rest.
void DeterminedForces::copy_bundle(const ForceSet& set, int index, ForceSet& rest) {
  const ForceSet::Bundle& bundle = set.bundles[index];
  const int first = rest.size();
  for (int c = bundle.first; c < bundle.end; ++c) {
    const auto rows = set.columns.columns(c);
    const auto values = set.columns.values(c);
    for (std::size_t e = 0; e < rows.size(); ++e) {
      const int node = rows[e] / set.width;
      if (number_[node] < 0) {
        number_[node] = rest.node_count();
        rest.load.resize(rest.load.size() + static_cast<std::size_t>(set.width), 0.0);
        const auto mass = set.mass.begin() + node * set.width;
        rest.mass.insert(rest.mass.end(), mass, mass + set.width);
      }
      const int row = rows[e] + (number_[node] - node) * set.width;
      rest.columns.push(row, values[e]);
      rest.load[row] += values[e] * set.found[c];
    }
    rest.columns.end_row();
    rest.found.push_back(set.found[c]);
  }
  rest.end_bundle(first);
}

const ForceSet& DeterminedForces::rest(const ForceSet& set, ForceSet& rest) {
  rest.clear();
  rest.width = set.width;
  number_.assign(static_cast<std::size_t>(set.node_count()), -1);
  const int groups = static_cast<int>(set.groups.size());
  std::size_t sliding = 0;  // in the order of their groups
  for (int g = 0; g < groups; ++g) {
    ForceSet::Group group = set.groups[g];
    const int moved = rest.size() - set.bundles[g].first;
    const bool stays = is_gone_[g] == 0 && components(set.bundles[g]) > 0;
    for (; sliding < set.slidings.size() && set.slidings[sliding].normal == group.normal; ++sliding) {
      if (!stays) continue;
      rest.slidings.push_back(set.slidings[sliding]);
      rest.slidings.back().normal += moved;
    }
    if (!stays) continue;
    const auto frictions = static_cast<int>(rest.frictions.size());
    for (int k = group.friction_begin; k < group.friction_end; ++k) {
      rest.frictions.push_back(set.frictions[k]);
      rest.frictions.back().first += moved;
    }
    group.friction_begin = frictions;
    group.friction_end = static_cast<int>(rest.frictions.size());
    if (group.normal >= 0) {
      group.normal += moved;
      ++rest.closed;
    }
    rest.groups.push_back(group);
    copy_bundle(set, g, rest);
  }
  for (std::size_t i = 0; i < set.bounded.size(); ++i) {
    const int bundle = groups + static_cast<int>(i);
    if (is_gone_[bundle] != 0) continue;
    rest.bounded.push_back(set.bounded[i]);
    rest.bounded.back().component = rest.size();
    copy_bundle(set, bundle, rest);
  }
  return rest;
}

}  // namespace stiction
