#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "stiction/geometry/shape.h"

/// Other libraries' narrow and broad phases behind one interface, each there where its headers were found.
namespace stiction::bench {

struct PlacedPair {
  Shape a, b;
  Pose pose_a, pose_b;
};

class NarrowPeer {
 public:
  virtual ~NarrowPeer() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  /// Makes its own shapes; called once, not timed. False where it does not know them.
  virtual bool prepare(std::span<const PlacedPair> pairs) = 0;
  /// The number of contact points over all pairs.
  virtual long collide() = 0;
};

class BroadPeer {
 public:
  virtual ~BroadPeer() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  virtual void prepare(std::span<const Vec3> half_extents, std::span<const Vec3> places) = 0;
  /// Moves all boxes and gives the number of pairs that overlap.
  virtual long update(std::span<const Vec3> places) = 0;
};

[[nodiscard]] std::unique_ptr<NarrowPeer> narrow_ode();
[[nodiscard]] std::unique_ptr<NarrowPeer> narrow_bullet();
[[nodiscard]] std::unique_ptr<BroadPeer> broad_ode();
[[nodiscard]] std::unique_ptr<BroadPeer> broad_bullet();

}  // namespace stiction::bench
