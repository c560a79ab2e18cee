#include "bench/step/peers.h"

#include <chrono>

#include "bench/cpu_seconds.h"
#include "bench/step/judge.h"

namespace stiction::bench {

PeerRun run_world(PeerWorld& world, const Model& model, const Limits& limits) {
  PeerRun out;
  Judge judge(model);
  std::vector<Pose> poses;
  const auto start = std::chrono::steady_clock::now();
  const auto wall = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  for (int k = 1; k <= limits.steps && !is_interrupted(); ++k) {
    if (k > 2 && wall() > limits.seconds) break;
    const double before = cpu_seconds();
    world.step();
    out.times.ms.push_back(1e3 * (cpu_seconds() - before));
    world.find_poses(poses);
    judge.look(poses);
  }
  out.penetration = judge.penetration();
  out.drift = judge.drift();
  if (!judge.finite()) out.missing = "not a number";
  return out;
}

}  // namespace stiction::bench
