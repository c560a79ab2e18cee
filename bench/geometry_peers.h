#pragma once

#include <memory>
#include <optional>
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
  /// Those that are apart, with the distance and nearest points of each; 0 where it has no such call.
  virtual long measure_distances() { return 0; }
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
[[nodiscard]] std::unique_ptr<NarrowPeer> narrow_fcl();
[[nodiscard]] std::unique_ptr<BroadPeer> broad_fcl();

/// Of boxes and hulls that are apart. Nothing where FCL is not there or does not know the shapes.
[[nodiscard]] std::optional<double> distance_by_fcl(const Shape& a, const Pose& pose_a, const Shape& b,
                                                    const Pose& pose_b);

}  // namespace stiction::bench
