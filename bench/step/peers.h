#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/step/measured.h"
#include "bench/step/scene.h"
#include "stiction/model/model.h"

namespace stiction::bench {

/// Another engine, with its own default settings and sleeping turned off.
class Peer {
 public:
  Peer() = default;
  virtual ~Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;
  /// Which settings those are, for the table's head.
  [[nodiscard]] virtual std::string settings() const = 0;
  /// `model` is the scene's, to judge with.
  [[nodiscard]] virtual PeerRun run(const StepScene& scene, const Model& model, const Limits& limits) = 0;
};

/// Null where the engine is not there.
[[nodiscard]] std::unique_ptr<Peer> find_mujoco();
[[nodiscard]] std::unique_ptr<Peer> find_ode();
[[nodiscard]] std::unique_ptr<Peer> find_bullet();

/// A world of an engine that runs in this process.
class PeerWorld {
 public:
  PeerWorld() = default;
  virtual ~PeerWorld() = default;
  PeerWorld(const PeerWorld&) = delete;
  PeerWorld& operator=(const PeerWorld&) = delete;
  virtual void step() = 0;
  virtual void find_poses(std::vector<Pose>& poses) const = 0;
};

/// Steps a world, timing each step alone and judging what it leads to.
[[nodiscard]] PeerRun run_world(PeerWorld& world, const Model& model, const Limits& limits);

}  // namespace stiction::bench
