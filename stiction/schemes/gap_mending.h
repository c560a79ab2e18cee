#pragma once

#include <cstdint>
#include <vector>

#include "stiction/model/system.h"
#include "stiction/schemes/shortest_way.h"

namespace stiction {

/// Takes out of the positions what has added up in gaps that are held: by the shortest way as mass measures it, without
/// friction and without velocities. Joints stay as they are, and nothing else is driven into anything.
class GapMending {
 public:
  explicit GapMending(const System& system) : system_(system) {}

  /// Of contacts given by their ids, ordered, whose gaps are at most `deepest` wide or deep. True: q is changed, by a
  /// few times that at most, and no gap of these is more than a quarter of the band; gaps() has them.
  bool mend(double t, const std::vector<std::uint64_t>& held, const Vector& masses, double band, double deepest,
            Vector& q);
  [[nodiscard]] const GapSet& gaps() const { return after_; }

 private:
  [[nodiscard]] bool pose(const std::vector<std::uint64_t>& held);
  [[nodiscard]] bool is_closed(std::uint64_t id, double band) const;
  [[nodiscard]] bool is_better(const std::vector<std::uint64_t>& held, double band) const;

  const System& system_;
  ShortestWay shortest_way_;
  GapSet before_, after_;
  JointSet joints_, joints_after_;
  linalg::Rows rows_;
  std::vector<double> errors_;
  Vector change_, moved_;
};

}  // namespace stiction
