// Our broad phase beside ODE's, Bullet's and FCL's: boxes in a room that all move a little at every step.
//
// usage: broad_phase_bench [--most N]
//   --most N  the largest number of bodies (100000)

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "bench/cpu_seconds.h"
#include "bench/geometry_peers.h"
#include "stiction/geometry/broad_phase.h"
#include "stiction/geometry/test/random_poses.h"

namespace {

using namespace stiction;

/// Boxes of 0.5 to 1 m, each with 8 m^3 of room, moving 1 cm a step each in its own direction.
struct Room {
  explicit Room(int count) {
    Random random(5);
    const double side = 2.0 * std::cbrt(static_cast<double>(count));
    for (int i = 0; i < count; ++i) {
      half.emplace_back(Vec3::Constant(0.25) + 0.25 * (random_vector(random, 0.5) + Vec3::Constant(0.5)));
      places.push_back(random_vector(random, 0.5 * side));
      steps.emplace_back(0.01 * random_direction(random));
    }
  }
  void move() {
    for (std::size_t i = 0; i < places.size(); ++i) places[i] += steps[i];
  }
  std::vector<Vec3> half, places, steps;
};

struct Measured {
  double milliseconds = 0.0, worst = 0.0;  ///< Mean and largest.
  long pairs = 0;
};

template <class Update>
Measured measure(Room room, Update&& update) {
  constexpr int warm = 3, rounds = 24;
  Measured result;
  for (int i = 0; i < warm + rounds; ++i) {
    room.move();
    const double start = bench::cpu_seconds();
    result.pairs = update(room);
    const double took = 1e3 * (bench::cpu_seconds() - start);
    if (i < warm) continue;
    result.milliseconds += took / rounds;
    result.worst = std::max(result.worst, took);
  }
  return result;
}

Measured measure_ours(const Room& room) {
  BroadPhase broad_phase;
  std::vector<Bounds> boxes(room.places.size());
  std::vector<IndexPair> pairs;
  return measure(room, [&](const Room& now) {
    for (std::size_t i = 0; i < boxes.size(); ++i)
      boxes[i] = {now.places[i] - now.half[i], now.places[i] + now.half[i]};
    broad_phase.find_pairs(boxes, 0.0, [](int, int) { return true; }, pairs);
    return static_cast<long>(pairs.size());
  });
}

}  // namespace

int main(int argc, char** argv) {
  int most = 100000;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string_view(argv[i]) == "--most") most = std::max(1, std::atoi(argv[i + 1]));
  }
  std::printf(
      "Processor time of a step, mean and worst of 24, and pairs found (Bullet gives those of its enlarged "
      "boxes).\n\n");
  std::printf(
      "| bodies | ours | ODE (sweep and prune) | Bullet (dynamic trees) | FCL (dynamic tree) "
      "|\n|---|---|---|---|---|\n");
  for (const int count : {1000, 10000, 100000}) {
    if (count > most) break;
    const Room room(count);
    const Measured ours = measure_ours(room);
    std::printf("| %d | %.3f ms, %.3f ms, %ld |", count, ours.milliseconds, ours.worst, ours.pairs);
    for (const auto& peer : {bench::broad_ode(), bench::broad_bullet(), bench::broad_fcl()}) {
      if (peer == nullptr) {
        std::printf(" |");
        continue;
      }
      peer->prepare(room.half, room.places);
      const Measured theirs = measure(room, [&](const Room& now) { return peer->update(now.places); });
      std::printf(" %.3f ms, %.3f ms, %ld |", theirs.milliseconds, theirs.worst, theirs.pairs);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  return 0;
}
