// The full-size checks of the geometry: every pair of solids against an oracle, degenerate shapes, and the scenes that
// others fail. Prints one section of Markdown; exit code 1 when a promise is broken.
//
// usage: accept_geometry [--count PERCENT]
//   --count PERCENT  this part of the full counts of pairs (100), and of the scenes' lengths

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "bench/check_options.h"
#include "bench/geometry_peers.h"
#include "stiction/geometry/test/pair_oracle.h"
#include "stiction/geometry/test/shape_extremes.h"
#include "stiction/scene/test/scene_runs.h"

namespace {

using namespace stiction;

constexpr int full_count = 100000;
/// Of how many pairs one is looked at by brute force over directions, which takes a thousand times as long.
constexpr int brute_force_every = 50;

const char* verdict(bool good) {
  return good ? "ok" : "**failed**";
}

struct PairErrors {
  double gap = 0.0, place = 0.0, other_place = 0.0, bad_normal = 0.0, missed_apart = 0.0, missed_deep = 0.0;
  int deep = 0, missing = 0;
  double seconds = 0.0;
  int asked_fcl = 0;
  double unlike = 0.0;  ///< FCL's distances.

  [[nodiscard]] bool good() const {
    return missing == 0 && gap <= 1e-9 && place <= 1e-9 && other_place <= 1e-6 && missed_apart <= 1e-9 &&
           unlike <= 1e-9 && bad_normal <= 1e-9 && missed_deep <= 1e-6;
  }
};

/// Hulls take longer to make than to judge, so they come from a store.
class Solids {
 public:
  Shape pick(const std::string& kind, Random& random) {
    if (kind != "hull") return oracle::random_solid(kind, random);
    while (hulls_.size() < 2000) hulls_.push_back(oracle::random_solid(kind, own_));
    return hulls_[static_cast<std::size_t>(random.integer(0, static_cast<int>(hulls_.size()) - 1))];
  }

 private:
  Random own_{17};
  std::vector<Shape> hulls_;
};

void compare_with_fcl(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double gap,
                      PairErrors& errors) {
  const auto theirs = bench::distance_by_fcl(a, pose_a, b, pose_b);
  if (!theirs) return;
  ++errors.asked_fcl;
  errors.unlike = std::max(errors.unlike, std::abs(gap - *theirs));
}

PairErrors measure(std::size_t i, std::size_t j, int count) {
  static Solids solids;
  Random random(1000003 * i + j);
  PairErrors errors;
  std::vector<SurfaceContact> contacts;
  for (int trial = 0; trial < count; ++trial) {
    const Shape a = solids.pick(oracle::solid_kinds()[i], random);
    const Shape b = solids.pick(oracle::solid_kinds()[j], random);
    const Pose pose_a = random_pose(random, 0.45), pose_b = random_pose(random, 0.45);
    contacts.clear();
    const auto start = std::chrono::steady_clock::now();
    find_contact_points(a, pose_a, b, pose_b, 10.0, contacts);
    errors.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const oracle::Verdict found =
        oracle::judge(contacts, a, pose_a, b, pose_b, trial % brute_force_every == 0 ? &random : nullptr);
    errors.place = std::max(errors.place, found.outside);
    errors.other_place = std::max(errors.other_place, found.farthest_outside);
    if (found.contacts == 0) {
      ++errors.missing;
    } else if (found.gap > 0.0) {
      errors.gap = std::max(errors.gap, std::abs(found.lower));
      errors.missed_apart = std::max(errors.missed_apart, found.missed);
      if (oracle::is_polytope(a) && oracle::is_polytope(b)) compare_with_fcl(a, pose_a, b, pose_b, found.gap, errors);
    } else {
      ++errors.deep;
      errors.bad_normal = std::max(errors.bad_normal, std::abs(found.lower));
      errors.missed_deep = std::max(errors.missed_deep, found.missed);
    }
  }
  return errors;
}

void print(const std::string& pair, const PairErrors& errors, int count) {
  std::printf("| %s | %d | %.1e | %.1e | %.1e | %.1e | ", pair.c_str(), errors.deep, errors.gap, errors.place,
              errors.other_place, std::max(0.0, errors.missed_apart));
  if (errors.asked_fcl > 0) std::printf("%.1e ", errors.unlike);
  std::printf("| %.1e | %.1e | %.2e | %s |\n", errors.bad_normal, std::max(0.0, errors.missed_deep),
              count / errors.seconds, verdict(errors.good()));
  std::fflush(stdout);
}

bool check_pairs(int percent) {
  const int count = std::max(1, full_count / 100 * percent);
  std::printf(
      "### Pairs of solids\n\n%d random pairs of each, sizes 0.2 to 1 m, apart and to half their sizes deep. Gap: what "
      "the separation along the normal says less. Place: how far one of the nearest points is outside its shape (both "
      "columns zero prove a gap of shapes that are apart); other places: those of all contacts. Normal: what is left "
      "of "
      "the overlap after a move by the depth along it. Missed: how much more some other direction separates, of one "
      "pair in %d. FCL: how far its distances are from ours, of all polytopes that are apart.\n\n",
      count, brute_force_every);
  std::printf(
      "| pair | deep | gap | place | other places | missed apart | FCL | normal | missed deep | pairs per second | "
      "verdict |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  bool all = true;
  for (std::size_t i = 0; i < oracle::solid_kinds().size(); ++i) {
    for (std::size_t j = i; j < oracle::solid_kinds().size(); ++j) {
      std::fprintf(stderr, "%s, %s\n", oracle::solid_kinds()[i].c_str(), oracle::solid_kinds()[j].c_str());
      const PairErrors errors = measure(i, j, count);
      all &= errors.good();
      print(oracle::solid_kinds()[i] + ", " + oracle::solid_kinds()[j], errors, count);
    }
  }
  std::printf("\n");
  return all;
}

bool check_extremes(int percent) {
  const int count = std::max(1, 20000 / 100 * percent);
  Random random(7);
  int broken = 0;
  for (int trial = 0; trial < count; ++trial) broken += oracle::extreme_pair_is_sane(random) ? 0 : 1;
  std::printf(
      "### Degenerate shapes\n\n%d pairs of needles and plates of 10,000 : 1, slivers, sizes 1e-6 to 1e6 m, in one "
      "place, "
      "along each other or anywhere: %d with a number that is not finite or a normal that is not of unit length. "
      "%s\n\n",
      count, broken, verdict(broken == 0));
  return broken == 0;
}

/// The farthest that any body has come from where it began, m.
double drift_of(scene::test::SceneRun& run) {
  double farthest = 0.0;
  for (const Body& body : run->model().bodies()) {
    if (body.motion != Motion::movable) continue;
    const Pose now = run->pose(run.body(body.name));
    farthest = std::max(farthest, (now.position - body.pose.position).norm());
  }
  return farthest;
}

struct SceneCheck {
  const char* scene;
  double h, end;
};

bool check_scenes(int percent) {
  using scene::test::load;
  using scene::test::SceneRun;
  constexpr SceneCheck checks[] = {
      {"stacks/ten_cubes", 0.01, 5.0},         {"stacks/ten_cubes", 0.001, 5.0},
      {"stacks/overhang_inside", 0.005, 2.0},  {"stacks/overhang_outside", 0.005, 2.0},
      {"stacks/collapsing_house", 0.002, 1.5}, {"stacks/dominoes", 0.002, 1.0},
      {"shapes/brick_over_tiles", 0.005, 1.0}, {"shapes/cube_down_stairs", 0.002, 2.0},
      {"shapes/rocks_in_tunnel", 0.002, 1.0},  {"shapes/peg_in_hole", 0.001, 0.3},
      {"shapes/round_solids", 0.005, 1.0},
  };
  std::printf(
      "### Scenes\n\n| scene | h | to | not certified | penetration | farthest from its start | wall s | verdict "
      "|\n|---|---|---|---|---|---|---|---|\n");
  bool all = true;
  for (const SceneCheck& check : checks) {
    std::fprintf(stderr, "%s\n", check.scene);
    const auto start = std::chrono::steady_clock::now();
    SceneRun run(load(check.scene), check.h);
    const double end = check.end * percent / 100.0;
    run.until(end);
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const bool must_stand = std::string_view(check.scene) == "stacks/ten_cubes";
    const double drift = drift_of(run);
    const bool good = run.certified() && run->certificate().max_penetration <= 1e-6 && (!must_stand || drift <= 1e-6);
    all &= good;
    std::printf("| %s | %g | %g s | %s | %.1e | %.1e | %.1f | %s |\n", check.scene, check.h, end,
                run.certified() ? "0" : run.why().c_str(), run->certificate().max_penetration, drift, wall,
                verdict(good));
    std::fflush(stdout);
  }
  std::printf("\n");
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<CheckOptions> options = read_check_options(argc, argv);
  if (!options) return 2;
  const int percent = std::min(100, options->whole_percent());
  std::printf("## Geometry\n\n");
  bool all = check_pairs(percent);
  all &= check_extremes(percent);
  all &= check_scenes(percent);
  stiction::test::GradeShares::print();
  return all ? 0 : 1;
}
