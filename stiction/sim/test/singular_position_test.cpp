// Positions in which the constraints depend on each other, and the event-driven method.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "stiction/sim/simulator.h"

namespace stiction {
namespace {

/// Two four-bars in a row (IFToMM A02): upright rods of 1 m and 1 kg on the ground at x = 0, 1, 2, joined by two level
/// ones at their tops, which move with 1 m/s. Flat on the ground all five lie in a line.
Model two_four_bars() {
  ModelBuilder builder;
  builder.set_gravity({0.0, -9.81, 0.0});
  const auto rod = [&](const Vec3& position, const Vec3& velocity, double turning) {
    return builder.add_body({.mass = 1.0,
                             .inertia = Mat3(Mat3::Identity() / 12.0),
                             .position = position,
                             .velocity = velocity,
                             .angular_velocity = {0.0, 0.0, turning},
                             .freedom = Freedom::planar()});
  };
  const auto hinge = [&](BodyId a, BodyId b, const Vec3& anchor) {
    builder.add_joint({.kind = JointKind::revolute, .body = a, .partner = b, .anchor = anchor});
  };
  BodyId top = world;
  for (int i = 0; i <= 2; ++i) {
    const BodyId upright = rod({1.0 * i, 0.5, 0.0}, {0.5, 0.0, 0.0}, -1.0);
    hinge(upright, world, {1.0 * i, 0.0, 0.0});
    if (i > 0) hinge(upright, top, {1.0 * i, 1.0, 0.0});
    if (i == 2) break;
    top = rod({i + 0.5, 1.0, 0.0}, {1.0, 0.0, 0.0}, 0.0);
    hinge(top, upright, {1.0 * i, 1.0, 0.0});
  }
  return builder.build().value();
}

// Until it lies flat the linkage is one pendulum. There the method either passes with
// its energy or ends and says why; it does not lose energy and call that certified.
TEST(SingularPosition, IsPassedWithAllEnergyOrNamed) {
  SimulationOptions options{.h = 0.01, .end = 10.0, .scheme = preset(Scheme::lotstedt)};
  Simulator run(two_four_bars(), options);
  const double before = run.kinetic_energy() + run.potential_energy();
  const auto steps = run.run_until(options.end);
  const double lost = before - run.kinetic_energy() - run.potential_energy();
  EXPECT_LE(std::abs(lost), 1e-5 * before) << "at " << run.time() << " s: " << (steps.ok() ? "done" : steps.error());
  if (!steps.ok()) {
    EXPECT_NE(steps.error().find("singular"), std::string::npos) << steps.error();
    EXPECT_GT(run.time(), 0.3);
  }
}

// y = 0 and y + z (x - 1) = 0 hold z = 0 too, but not where x = 1, which a particle passes at 1 m/s after a second.
TEST(SingularPosition, ChangesOfTheRankAreCounted) {
  ModelBuilder builder;
  builder.set_gravity({0.0, 0.0, 0.0});
  builder.add_body({.mass = 1.0, .velocity = {1.0, 0.0, 0.0}, .freedom = Freedom::particle()});
  builder.add_constraint({.value = [](const std::vector<Pose>& at) { return at[0].position.y(); }});
  builder.add_constraint({.value = [](const std::vector<Pose>& at) {
    const Vec3& x = at[0].position;
    return x.y() + x.z() * (x.x() - 1.0);
  }});
  Simulator run(builder.build().value(), {.h = 0.125, .end = 2.0, .scheme = preset(Scheme::lotstedt)});
  int changes = 0;
  for (int i = 1; i <= 16; ++i) {
    ASSERT_TRUE(run.step()) << run.why();
    changes += run.report().rank_changes;
    EXPECT_TRUE(i >= 8 || changes == 0) << i;
  }
  EXPECT_EQ(changes, 2) << "to rank 1 where x = 1, and back";
  EXPECT_EQ(run.certificate().rank_changes, 2);
  EXPECT_NEAR(run.certificate().rank_change_time, 1.0, 0.126);
  EXPECT_NEAR(run.pose({0}).position.x(), 2.0, 1e-12);
}

}  // namespace
}  // namespace stiction
