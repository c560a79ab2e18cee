#pragma once

#include <span>
#include <utility>
#include <vector>

#include "stiction/contact/force_set.h"
#include "stiction/linalg/graph_lu.h"

namespace stiction {

/// The linear systems of ForceProjection, softness I + sum weight u u', each u a sum of columns of one bundle of a
/// ForceSet: blocks of bodies, whose order of elimination is kept as long as the bundles are on the same nodes. Storage
/// is kept.
class ForceSystem {
 public:
  struct Part {
    int component = 0;
    double factor = 0.0;
  };
  /// weight u u', u the sum of its parts.
  struct Term {
    int begin = 0, end = 0;  ///< Of parts_.
    double weight = 0.0;
  };

  /// False where the bundles are on the nodes that they were on in the last call.
  bool analyse(const ForceSet& set);
  void begin(double softness);
  /// The terms of one bundle, under construction until then; rows of A are scaled by `scale`.
  void add_part(int component, double factor) { parts_.push_back({component, factor}); }
  void end_term(double weight);
  void end_bundle(const ForceSet& set, const std::vector<double>& scale, int bundle);
  /// False where it is singular.
  bool factorise() { return lu_.factorise(true); }
  /// In place.
  void solve(std::vector<double>& x) const { lu_.solve(x.data()); }

 private:
  struct Bundle {
    int node_begin = 0, node_end = 0;
    std::size_t places = 0;  ///< Of the blocks of its pairs of nodes, in places_.

    friend bool operator==(const Bundle&, const Bundle&) = default;
  };
  void read_part(const ForceSet& set, const std::vector<double>& scale, const Bundle& bundle, const Part& part);

  int nodes_ = -1, width_ = 0;
  std::vector<int> list_, found_list_;
  std::vector<Bundle> bundles_, found_;
  std::vector<std::pair<int, int>> edges_;
  std::vector<std::size_t> places_, diagonal_;
  std::vector<Term> terms_;
  std::vector<Part> parts_;
  int term_begin_ = 0;
  std::vector<double> u_, sum_;
  linalg::GraphLu lu_;
};

}  // namespace stiction
