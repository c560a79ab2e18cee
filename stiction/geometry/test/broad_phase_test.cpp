#include "stiction/geometry/broad_phase.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/geometry/contact_points.h"
#include "stiction/geometry/test/random_poses.h"

namespace stiction {
namespace {

const auto every_pair = [](int, int) { return true; };

std::vector<Shape> random_shapes(Random& random, int count) {
  std::vector<Shape> shapes;
  for (int i = 0; i < count; ++i) {
    switch (random.integer(0, 9)) {
      case 0:
        shapes.emplace_back(HalfSpace{random_direction(random), 0.0});
        break;
      case 1:
      case 2:
        shapes.emplace_back(Capsule{random.uniform(0.0, 0.2), random.uniform(0.1, 1.0), random_direction(random)});
        break;
      case 3:
      case 4:
        shapes.emplace_back(Box{random.uniform(0.1, 1.0), random.uniform(0.1, 1.0), random.uniform(0.1, 1.0)});
        break;
      default:
        shapes.emplace_back(Sphere{random.uniform(0.0, 0.4)});
    }
  }
  return shapes;
}

/// By looking at all.
std::vector<IndexPair> overlapping(const std::vector<Bounds>& boxes, double margin) {
  std::vector<IndexPair> pairs;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    for (int j = i + 1; j < static_cast<int>(boxes.size()); ++j) {
      bool apart = false;
      for (int axis = 0; axis < 3; ++axis) {
        apart = apart || boxes[i].low[axis] > boxes[j].high[axis] + margin ||
                boxes[j].low[axis] > boxes[i].high[axis] + margin;
      }
      if (!apart) pairs.push_back({i, j});
    }
  }
  return pairs;
}

TEST(BroadPhase, FindsThePairsOfBoxesThatOverlapInOrder) {
  Random random(1);
  BroadPhase broad_phase;
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Bounds> boxes;
    for (const Shape& shape : random_shapes(random, 40)) boxes.push_back(bounds(shape, random_pose(random, 3.0)));
    const double margin = trial % 2 == 0 ? 0.0 : 0.3;
    std::vector<IndexPair> found, expected;
    broad_phase.find_pairs(boxes, margin, [](int i, int j) { return (i + j) % 3 != 0; }, found);
    for (const IndexPair& pair : overlapping(boxes, margin)) {
      if ((pair.first + pair.second) % 3 != 0) expected.push_back(pair);
    }
    EXPECT_EQ(found, expected);
  }
}

/// Some stand, some crawl and some fly, so that few, many and none leave their fat boxes at once.
TEST(BroadPhase, KeepsUpWithWhatMoves) {
  Random random(3);
  BroadPhase broad_phase;
  constexpr int count = 120;
  const std::vector<Shape> shapes = random_shapes(random, count);
  std::vector<Pose> poses;
  std::vector<Vec3> steps;
  for (int i = 0; i < count; ++i) {
    poses.push_back(random_pose(random, 2.0));
    steps.push_back((i % 10 == 0 ? 0.3 : i % 3 == 0 ? 0.01 : 0.0) * random_direction(random));
  }
  std::vector<Bounds> boxes(count);
  std::vector<IndexPair> found;
  for (int step = 0; step < 100; ++step) {
    for (int i = 0; i < count; ++i) {
      poses[i].position += (step / 20) % 2 == 0 ? steps[i] : Vec3(-steps[i]);
      boxes[i] = bounds(shapes[i], poses[i]);
    }
    const double margin = step % 30 == 7 ? 0.2 : 0.01;
    broad_phase.find_pairs(boxes, margin, every_pair, found);
    ASSERT_EQ(found, overlapping(boxes, margin)) << step;
  }
}

TEST(BroadPhase, LosesNoContact) {
  Random random(2);
  BroadPhase broad_phase;
  constexpr double margin = 0.1;
  int contacts_seen = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<Shape> shapes = random_shapes(random, 30);
    std::vector<Pose> poses;
    std::vector<Bounds> boxes;
    for (const Shape& shape : shapes) {
      poses.push_back(random_pose(random, 1.5));
      boxes.push_back(bounds(shape, poses.back()));
    }
    std::vector<IndexPair> pairs;
    broad_phase.find_pairs(boxes, margin, every_pair, pairs);
    for (int i = 0; i < 30; ++i) {
      for (int j = i + 1; j < 30; ++j) {
        std::vector<SurfaceContact> contacts;
        find_contact_points(shapes[i], poses[i], shapes[j], poses[j], margin, contacts);
        if (contacts.empty()) continue;
        ++contacts_seen;
        EXPECT_TRUE(std::binary_search(pairs.begin(), pairs.end(), IndexPair{i, j}));
      }
    }
  }
  EXPECT_GT(contacts_seen, 1000);
}

TEST(BroadPhase, BoundsAreTight) {
  const Pose turned{Vec3(1.0, 2.0, 3.0), exponential(0.25 * std::acos(-1.0) * Vec3::UnitZ())};
  const Bounds box = bounds(Box{2.0, 2.0, 1.0}, turned);
  EXPECT_LE((box.high - Vec3(1.0 + std::sqrt(2.0), 2.0 + std::sqrt(2.0), 3.5)).norm(), 1e-15);
  const Bounds capsule = bounds(Capsule{0.1, 2.0, Vec3::UnitX()}, turned);
  EXPECT_LE((capsule.low - Vec3(0.9 - std::sqrt(0.5), 1.9 - std::sqrt(0.5), 2.9)).norm(), 1e-15);
}

TEST(BroadPhase, NotANumberMeetsEverythingRatherThanBreakingTheOrder) {
  const std::vector<Bounds> boxes = {bounds(Sphere{0.1}, {Vec3(5.0, 0.0, 0.0)}),
                                     bounds(Sphere{0.1}, {Vec3(NAN, 0.0, 0.0)}), bounds(Sphere{0.1}, {})};
  std::vector<IndexPair> pairs;
  BroadPhase().find_pairs(boxes, 0.0, every_pair, pairs);
  EXPECT_EQ(pairs, (std::vector<IndexPair>{{0, 1}, {1, 2}}));
}

}  // namespace
}  // namespace stiction
