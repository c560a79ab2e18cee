#include "stiction/contact/force_system.h"

#include <algorithm>

namespace stiction {

bool ForceSystem::analyse(const ForceSet& set) {
  found_.clear();
  std::size_t places = 0;
  for (const ForceSet::Bundle& bundle : set.bundles) {
    found_.push_back({bundle.node_begin, bundle.node_end, places});
    const auto nodes = static_cast<std::size_t>(bundle.node_end - bundle.node_begin);
    places += nodes * nodes;
  }
  if (nodes_ == set.node_count() && width_ == set.width && found_ == bundles_ && list_ == set.nodes) return false;
  nodes_ = set.node_count();
  width_ = set.width;
  bundles_.swap(found_);
  list_ = set.nodes;
  edges_.clear();
  for (const Bundle& bundle : bundles_)
    for (int a = bundle.node_begin; a < bundle.node_end; ++a)
      for (int b = bundle.node_begin; b < bundle.node_end; ++b)
        if (list_[a] < list_[b]) edges_.emplace_back(list_[a], list_[b]);
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  lu_.analyse(nodes_, width_, edges_);
  places_.clear();
  for (const Bundle& bundle : bundles_)
    for (int a = bundle.node_begin; a < bundle.node_end; ++a)
      for (int b = bundle.node_begin; b < bundle.node_end; ++b) places_.push_back(lu_.place(list_[a], list_[b]));
  diagonal_.clear();
  for (int node = 0; node < nodes_; ++node) diagonal_.push_back(lu_.place(node, node));
  return true;
}

void ForceSystem::begin(double softness) {
  lu_.clear();
  for (const std::size_t place : diagonal_)
    for (int i = 0; i < width_; ++i) lu_.at(place)[i * width_ + i] = softness;
}

void ForceSystem::end_term(double weight) {
  const int end = static_cast<int>(parts_.size());
  terms_.push_back({term_begin_, end, weight});
  term_begin_ = end;
}

void ForceSystem::read_part(const ForceSet& set, const std::vector<double>& scale, const Bundle& bundle,
                            const Part& part) {
  const auto rows = set.columns.columns(part.component);
  const auto values = set.columns.values(part.component);
  int begin = -width_, at = 0;  // of the node of the last entry: its first number, and its place in u_
  for (std::size_t p = 0; p < rows.size(); ++p) {
    if (rows[p] < begin || rows[p] >= begin + width_) {
      const int node = rows[p] / width_;
      begin = node * width_;
      at = 0;
      for (int a = bundle.node_begin; list_[a] != node; ++a) at += width_;
    }
    u_[at + rows[p] - begin] += part.factor * scale[rows[p]] * values[p];
  }
}

void ForceSystem::end_bundle(const ForceSet& set, const std::vector<double>& scale, int index) {
  const Bundle& bundle = bundles_[index];
  const int nodes = bundle.node_end - bundle.node_begin, size = nodes * width_;
  if (!terms_.empty()) sum_.assign(static_cast<std::size_t>(size * size), 0.0);
  for (const Term& term : terms_) {
    u_.assign(static_cast<std::size_t>(size), 0.0);
    for (int a = term.begin; a < term.end; ++a) read_part(set, scale, bundle, parts_[a]);
    const double* const u = u_.data();
    for (int i = 0; i < size; ++i) {
      const double factor = term.weight * u[i];
      if (factor == 0.0) continue;
      double* const row = sum_.data() + static_cast<std::ptrdiff_t>(i) * size;
      for (int j = 0; j < size; ++j) row[j] += factor * u[j];
    }
  }
  std::size_t pair = bundle.places;
  for (int a = 0; a < nodes && !terms_.empty(); ++a)
    for (int b = 0; b < nodes; ++b) {
      double* block = lu_.at(places_[pair++]);
      for (int i = 0; i < width_; ++i)
        for (int j = 0; j < width_; ++j) *block++ += sum_[(a * width_ + i) * size + b * width_ + j];
    }
  terms_.clear();
  parts_.clear();
  term_begin_ = 0;
}

}  // namespace stiction
