// Our narrow phase beside ODE, Bullet and FCL on the same pairs of shapes, in one run: overlapping a little, apart a
// little (where only ours gives contacts), and far apart.
//
// usage: geometry_bench [--pairs N] [--seconds S] [--only KIND]
//   --pairs N    pairs of each kind (1000)
//   --seconds S  time for each measurement (0.3)
//   --only KIND  pairs of this kind alone (sphere, box, hull of 12, hull of 60)

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "bench/cpu_seconds.h"
#include "bench/geometry_peers.h"
#include "stiction/geometry/contact_points.h"
#include "stiction/geometry/test/pair_oracle.h"

namespace {

using namespace stiction;
using bench::PlacedPair;

constexpr double margin = 0.01;

Shape solid(std::string_view kind, Random& random) {
  if (kind == "sphere") return Sphere{0.3};
  if (kind == "box" || kind == "box below")
    return Box{random.uniform(0.3, 0.7), random.uniform(0.3, 0.7), random.uniform(0.3, 0.7)};
  return centered(oracle::random_hull(random, kind == "hull of 12" ? 12 : 60, 0.4));
}

/// Anywhere, or one on top of the other with any yaw, as in a stack.
std::pair<Pose, Pose> random_places(bool stacked, Random& random) {
  if (!stacked) return {random_pose(random, 0.5), random_pose(random, 0.5)};
  const auto yaw = [&] { return exponential(random.uniform(-3.0, 3.0) * Vec3::UnitZ()); };
  const Vec3 aside(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0.5);
  return {{aside, yaw()}, {Vec3::Zero(), yaw()}};
}

/// In random positions, moved along the line of centres until the gap is what is wanted.
std::vector<PlacedPair> make_pairs(std::string_view first, std::string_view second, double gap, int count) {
  Random random(3);
  std::vector<PlacedPair> pairs;
  while (static_cast<int>(pairs.size()) < count) {
    const Shape a = solid(first, random), b = solid(second, random);
    auto [pose_a, pose_b] = random_places(second == "box below", random);
    const Vec3 line =
        second == "box below" ? Vec3(Vec3::UnitZ()) : Vec3((pose_a.position - pose_b.position).normalized());
    const Vec3 start = pose_a.position - line.dot(pose_a.position - pose_b.position) * line;
    double low = 0.0, high = 2.0;
    for (int i = 0; i < 40; ++i) {
      const double middle = 0.5 * (low + high);
      pose_a.position = start + middle * line;
      std::vector<SurfaceContact> contacts;
      find_contact_points(a, pose_a, b, pose_b, 10.0, contacts);
      double least = 10.0;
      for (const auto& contact : contacts) least = std::min(least, contact.gap);
      (least < gap ? low : high) = middle;
    }
    pairs.push_back({a, b, pose_a, pose_b});
  }
  return pairs;
}

struct Measured {
  double nanoseconds = 0.0;
  double contacts = 0.0;  ///< A pair.
};

Measured measure(const std::function<long()>& collide, std::size_t pairs, double seconds) {
  // As often as takes a millisecond, since processor time comes in ticks.
  int rounds = 1;
  double best = 1e9, spent = 0.0;
  long found = collide();
  while (spent < seconds) {
    const double start = bench::cpu_seconds();
    for (int i = 0; i < rounds; ++i) found = collide();
    const double took = bench::cpu_seconds() - start;
    spent += took;
    if (took < 1e-3) {
      rounds *= 2;
      continue;
    }
    best = std::min(best, took / rounds);
  }
  const auto count = static_cast<double>(pairs);
  return {1e9 * best / count, static_cast<double>(found) / count};
}

void compare(const char* first, const char* second, int count, double seconds) {
  struct Place {
    const char* what;
    double gap;
  };
  for (const Place& place : {Place{"1 mm deep", -1e-3}, Place{"1 mm apart", 1e-3}, Place{"0.3 m apart", 0.3}}) {
    const std::vector<PlacedPair> pairs = make_pairs(first, second, place.gap, count);
    std::vector<SurfaceContact> contacts;
    const Measured ours = measure(
        [&] {
          long sum = 0;
          for (const PlacedPair& pair : pairs) {
            contacts.clear();
            find_contact_points(pair.a, pair.pose_a, pair.b, pair.pose_b, margin, contacts);
            sum += static_cast<long>(contacts.size());
          }
          return sum;
        },
        pairs.size(), seconds);
    std::printf("| %s, %s | %s | %.0f ns, %.1f |", first, second, place.what, ours.nanoseconds, ours.contacts);
    for (const auto& peer : {bench::narrow_ode(), bench::narrow_bullet(), bench::narrow_fcl()}) {
      if (peer == nullptr || !peer->prepare(pairs)) {
        std::printf(" |");
        continue;
      }
      const Measured theirs = measure([&] { return peer->collide(); }, pairs.size(), seconds);
      std::printf(" %.0f ns, %.1f |", theirs.nanoseconds, theirs.contacts);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  int count = 1000;
  double seconds = 0.3;
  std::string_view only;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view key = argv[i];
    if (key == "--pairs") count = std::max(1, std::atoi(argv[i + 1]));
    if (key == "--seconds") seconds = std::atof(argv[i + 1]);
    if (key == "--only") only = argv[i + 1];
  }
  std::printf("Processor time and contact points of one pair, best of several rounds over %d pairs.\n\n", count);
  std::printf("| pair | place | ours | ODE | Bullet | FCL |\n|---|---|---|---|---|---|\n");
  for (const auto& [first, second] :
       {std::pair("sphere", "box"), std::pair("box", "box"), std::pair("box", "box below"),
        std::pair("hull of 12", "hull of 12"), std::pair("hull of 60", "hull of 60")}) {
    if (only.empty() || only == first) compare(first, second, count, seconds);
  }
  return 0;
}
