// Rows of motors, servos and friction in joints that a step assembles, against a second, slow way to them: coordinates
// from the bodies' placements by hand, gradients by differences, and the force law itself at the end of the step.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "stiction/base/random.h"
#include "stiction/contact/test/with_blocks.h"
#include "stiction/model/model_builder.h"
#include "stiction/schemes/step_work.h"
#include "stiction/schemes/test/step_twin.h"

namespace stiction {
namespace {

constexpr double h = 0.01, t = 0.3;

struct Law {
  std::function<double(const twin::Placement&)> x;  ///< The coordinate.
  double stiffness = 0.0, damping = 0.0;            ///< Infinite damping: friction or a motor.
  double target = 0.0, target_rate = 0.0;           ///< At t.
  double largest = 0.0;
};

/// The turn of body a relative to b about an axis of b, from where they were at the start.
double turn(const twin::Placement& start, const twin::Placement& now, int a, int b, const Vec3& axis) {
  const Mat3 before = start[b].linear().transpose() * start[a].linear();
  const Mat3 after = now[b].linear().transpose() * now[a].linear();
  const Vec3 along = start[b].linear().transpose() * axis, across = along.unitOrthogonal();
  const Vec3 moved = after * before.transpose() * across;
  return std::atan2(along.dot(across.cross(moved)), across.dot(moved));
}

double slide(const twin::Placement& start, const twin::Placement& now, int a, int b, const Vec3& axis,
             const Vec3& anchor) {
  const Vec3 x_a = now[a] * (start[a].inverse() * anchor), x_b = now[b] * (start[b].inverse() * anchor);
  return (now[b].linear() * (start[b].linear().transpose() * axis)).dot(x_a - x_b);
}

/// The base moved by v for 0.2 s, the arm turned and the ram slid from it: a position in which the joints hold.
Vector moved(const Multibody& system, const twin::Placement& start, const Vector& v, const Vec3& axis,
             const Vec3& anchor, double turned, double slid) {
  Vector q = system.initial_positions(), there;
  system.advance(q, v, 0.2, there);
  const auto write = [&](const Eigen::Isometry3d& pose, int first) {
    const Quat o(pose.linear());
    q.segment<7>(first) << pose.translation(), o.w(), o.x(), o.y(), o.z();
  };
  Eigen::Isometry3d base = Eigen::Isometry3d::Identity();
  base.translation() = there.head<3>();
  base.linear() = Quat(there[3], there[4], there[5], there[6]).toRotationMatrix();
  const Eigen::Isometry3d shift = base * start[0].inverse();
  const Eigen::Isometry3d turning =
      Eigen::Translation3d(anchor) * Eigen::AngleAxisd(turned, axis) * Eigen::Translation3d(-anchor);
  write(base, 0);
  write(shift * turning * start[1], 7);
  write(shift * Eigen::Translation3d(slid * axis) * start[2], 14);
  return q;
}

TEST(DriveTwin, RowsAndLawsAreThoseOfTheModel) {
  ModelBuilder builder;
  const Mat3 inertia = Vec3(0.3, 0.4, 0.5).asDiagonal();
  const BodyId base = builder.add_body({.mass = 2.0, .inertia = inertia, .position = {0.1, 0.2, 0.3}});
  const BodyId arm = builder.add_body({.mass = 1.0, .inertia = inertia, .position = {1.0, 0.1, -0.2}});
  const BodyId ram = builder.add_body({.mass = 1.5, .inertia = inertia, .position = {0.3, 1.1, 0.4}});
  const Vec3 axis = Vec3(1.0, 2.0, -2.0) / 3.0, anchor(0.4, 0.2, 0.1);
  builder.add_joint(
      {.kind = JointKind::revolute,
       .body = arm,
       .partner = base,
       .anchor = anchor,
       .axis = axis,
       .turn = {.friction = 0.7,
                .servo = ServoDef{.position = 0.4, .stiffness = 50.0, .damping = 3.0, .max_force = 20.0}}});
  builder.add_joint({.kind = JointKind::prismatic,
                     .body = ram,
                     .partner = base,
                     .anchor = anchor,
                     .axis = axis,
                     .slide = {.motor = MotorDef{.velocity = 1.5, .max_force = 8.0}}});
  const Multibody system(builder.build().value());
  twin::Placement start;
  for (const Body& body : system.model().bodies()) {
    Eigen::Isometry3d& pose = start.emplace_back(Eigen::Isometry3d::Identity());
    pose.translation() = body.pose.position;
    pose.linear() = body.pose.orientation.toRotationMatrix();
  }
  const double infinite = std::numeric_limits<double>::infinity();
  const auto angle = [&](const twin::Placement& now) { return turn(start, now, 1, 0, axis); };
  const auto way = [&](const twin::Placement& now) { return slide(start, now, 2, 0, axis, anchor); };
  const std::vector<Law> laws{
      {angle, 0.0, infinite, 0.0, 0.0, 0.7}, {angle, 50.0, 3.0, 0.4, 0.0, 20.0}, {way, 0.0, infinite, 0.0, 1.5, 8.0}};

  Random random(3);
  const SchemeOptions options = preset(Scheme::anitescu_potra);
  StepWork work(system, options);
  for (int trial = 0; trial < 20; ++trial) {
    Vector v(system.velocities()), q;
    for (double& x : v) x = random.uniform(-1.0, 1.0);
    const double turned = random.uniform(-2.0, 2.0), slid = random.uniform(-0.5, 0.5);
    q = moved(system, start, v, axis, anchor, turned, slid);
    work.linearise(t, q, q, v, h, 0.0);
    work.look(t, q, 1.0);
    work.begin_constraints();
    work.add_drives();
    const StepProblem& problem = work.problem();
    ASSERT_EQ(problem.joints(), 3);
    EXPECT_EQ(difference_of_blocks(problem), "");
    const twin::Neighbourhood near(system.model(), t, q, Vector::Zero(v.size()), 0.0);
    EXPECT_NEAR(angle(near.here()), turned, 1e-12);
    EXPECT_NEAR(way(near.here()), slid, 1e-12);
    for (int i = 0; i < 3; ++i) {
      const Law& law = laws[i];
      twin::Difference rows;
      rows.compare(near.gradient(law.x), problem.nu, i, "row");
      EXPECT_LE(rows.worst, 1e-8) << trial << " " << i;
      EXPECT_NEAR(problem.row_law(i).upper, h * law.largest, 1e-12);
      EXPECT_NEAR(problem.row_law(i).lower, -h * law.largest, 1e-12);
      // Some velocity at the end of the step, and the impulse that the law gives then.
      const double speed = random.uniform(-2.0, 2.0);
      const double compliance = problem.row_law(i).compliance;
      if (std::isinf(law.damping)) {
        EXPECT_EQ(compliance, 0.0);
        EXPECT_NEAR(speed + problem.b_nu[i], speed - law.target_rate, 1e-12);
        continue;
      }
      const double x_end = law.x(near.here()) + h * speed, target_end = law.target + h * law.target_rate;
      const double force = -law.stiffness * (x_end - target_end) - law.damping * (speed - law.target_rate);
      ASSERT_GT(compliance, 0.0);
      EXPECT_NEAR(-(speed + problem.b_nu[i]) / compliance, h * force, 1e-8);
    }
  }
}

}  // namespace
}  // namespace stiction
