// The theorems of Potra, Anitescu, Gavrea and Trinkle 2006 on single steps, with random systems.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stiction/schemes/test/random_scene.h"
#include "stiction/schemes/time_stepper.h"

namespace stiction {
namespace {

SchemeOptions rank_one_options() {
  SchemeOptions options = preset(Scheme::trapezoidal);
  options.jacobian = ForceJacobian::rank_one;
  options.locate_transitions = false;
  options.geometry = GeometryAt::start;  // as in the proofs
  return options;
}

/// Balls near walls with friction, joined by springs and dampers of any stiffness.
struct SpringScene {
  Multibody system;
  State state;
};

SpringScene random_springs(Random& random, bool at_rest) {
  ModelBuilder builder;
  builder.add_body({.name = "floor", .shape = HalfSpace{}, .material = {.mu = 0.4}, .fixed = true});
  std::vector<BodyId> bodies;
  std::vector<Vec3> places;
  const int count = random.integer(2, 5);
  for (int i = 0; i < count; ++i) {
    places.emplace_back(0.5 * i, random.uniform(-0.2, 0.2), random.uniform() < 0.5 ? 0.1 : random.uniform(0.2, 0.4));
    bodies.push_back(builder.add_body({.mass = std::pow(10.0, random.uniform(-1.0, 1.0)),
                                       .inertia = Mat3(Vec3(0.01, 0.02, 0.03).asDiagonal()),
                                       .shape = Sphere{0.1},
                                       .position = places.back(),
                                       .velocity = random_vector(random, 1.0),
                                       .angular_velocity = random_vector(random, 2.0)}));
  }
  for (int i = 0; i < count; ++i) {
    SpringDef spring{.body = bodies[i],
                     .anchor = Vec3(places[i] + random_vector(random, 0.1)),
                     .partner_anchor = Vec3(0, 0, 2),
                     .stiffness = std::pow(10.0, random.uniform(0.0, at_rest ? 9.0 : 4.0)),
                     .damping = random.uniform() < 0.5 ? 0.0 : std::pow(10.0, random.uniform(-1.0, 8.0))};
    if (i > 0) {
      spring.partner = bodies[i - 1];
      spring.partner_anchor = places[i - 1] + random_vector(random, 0.1);
    }
    if (!at_rest) spring.length = random.uniform(0.3, 0.8);
    builder.add_spring(spring);
  }
  Multibody system(builder.build().value());
  State state = start_of(system);
  return {std::move(system), state};
}

/// The springs' energy where their lengths are those of a step to first order: phi + (h/2) grad phi'(v+ + v), 2006,
/// Theorem 9.1. Differences along the step give grad phi'w.
double linear_spring_energy(const Multibody& system, const State& state, const Vector& way) {
  double sum = 0.0;
  for (const Spring& spring : system.model().springs()) {
    const auto length = [&](const Vector& q) {
      return (system.pose({spring.body}, 0.0, q).to_world(spring.anchor) -
              system.pose({spring.partner}, 0.0, q).to_world(spring.partner_anchor))
          .norm();
    };
    constexpr double step = 1e-3;
    const double scale = step / std::max(1e-9, way.lpNorm<Eigen::Infinity>());
    Vector ahead, back, far_ahead, far_back;
    system.advance(state.q, way, scale, ahead);
    system.advance(state.q, way, -scale, back);
    system.advance(state.q, way, 2.0 * scale, far_ahead);
    system.advance(state.q, way, -2.0 * scale, far_back);
    const double slope =
        (8.0 * (length(ahead) - length(back)) - (length(far_ahead) - length(far_back))) / (12.0 * scale);
    const double stretch = length(state.q) - spring.length + slope;
    sum += spring.stiffness * stretch * stretch;
  }
  return sum;
}

/// v -/+ (h/4) M^-1 (k2 + k2) with gravity as k2.
double shifted_energy(const Multibody& system, const Vector& v, double shift) {
  Vector shifted = v;
  for (const Body& body : system.model().bodies())
    for (int i = 0; i < 3; ++i)
      if (body.columns[i] >= 0) shifted[body.columns[i]] += shift * system.model().gravity()[i];
  return 2.0 * system.kinetic_energy(shifted);
}

TEST(PropertyTheta, Theorem91BoundsOneStep) {
  Random random(20060901);
  double worst = 0.0;
  for (int trial = 0; trial < 100; ++trial) {
    const SpringScene scene = random_springs(random, false);
    const double h = std::pow(10.0, random.uniform(-3.0, -1.0));
    TimeStepper stepper(scene.system, rank_one_options());
    State state = scene.state;
    StepReport report;
    ASSERT_TRUE(stepper.step(state, h, report)) << trial;
    if (!report.events.empty() || report.parts > 1) continue;  // an impact is another step
    EXPECT_EQ(report.jacobian, JacobianUse::rank_one);
    const Vector none = Vector::Zero(state.v.size()), way = 0.5 * h * (state.v + scene.state.v);
    const double after =
        shifted_energy(scene.system, state.v, -0.5 * h) + linear_spring_energy(scene.system, scene.state, way);
    const double before =
        shifted_energy(scene.system, scene.state.v, 0.5 * h) + linear_spring_energy(scene.system, scene.state, none);
    worst = std::max(worst, after / before - 1.0);
    EXPECT_LE(after, before * (1.0 + 1e-8)) << trial;
  }
  std::printf("Theorem 9.1: largest growth %.1e\n", worst);
}

TEST(PropertyTheta, Corollary92BoundsVelocitiesAtAnyStiffness) {
  Random random(20060902);
  int seen = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const SpringScene scene = random_springs(random, true);
    const double h = std::pow(10.0, random.uniform(-3.0, -1.0));
    TimeStepper stepper(scene.system, rank_one_options());
    State state = scene.state;
    StepReport report;
    ASSERT_TRUE(stepper.step(state, h, report)) << trial;
    if (!report.events.empty() || report.parts > 1) continue;
    ++seen;
    EXPECT_LE(shifted_energy(scene.system, state.v, -0.5 * h),
              shifted_energy(scene.system, scene.state.v, 0.5 * h) * (1.0 + 1e-8))
        << trial;
  }
  EXPECT_GT(seen, 25);
}

/// Theorem 8.1 without forces, where c = 0: the kinetic energy never grows, spinning bodies with joints, contacts and
/// friction included.
TEST(PropertyTheta, Theorem81KeepsKineticEnergyBounded) {
  Random random(20060801);
  for (int trial = 0; trial < 60; ++trial) {
    ModelBuilder builder;
    builder.set_gravity(Vec3::Zero());
    builder.add_body({.name = "floor", .shape = HalfSpace{}, .material = {.mu = 0.5}, .fixed = true});
    BodyId last = world;
    Vec3 place = Vec3::Zero();
    for (int i = 0; i < 3; ++i) {
      const Vec3 here(0.4 * i, 0.0, 0.1 + 0.02 * i);
      const BodyId body = builder.add_body({.mass = random.uniform(0.5, 2.0),
                                            .inertia = Mat3(Vec3(0.01, 0.02, 0.03).asDiagonal()),
                                            .shape = Sphere{0.1},
                                            .position = here,
                                            .velocity = random_vector(random, 1.0),
                                            .angular_velocity = random_vector(random, 5.0)});
      if (i > 0 && trial % 2 == 0)
        builder.add_joint(
            {.kind = JointKind::distance, .body = body, .partner = last, .anchor = here, .partner_anchor = place});
      last = body;
      place = here;
    }
    const Multibody system(builder.build().value());
    State state = start_of(system);
    SchemeOptions options = preset(Scheme::trapezoidal);
    options.initial_impact = true;
    options.impact = ImpactLaw::simplified;  // Poisson's may gain energy
    TimeStepper stepper(system, options);
    StepReport report;
    double energy = system.kinetic_energy(state.v);
    for (int step = 0; step < 50; ++step) {
      ASSERT_TRUE(stepper.step(state, 0.01, report)) << trial << " step " << step;
      const double now = system.kinetic_energy(state.v);
      EXPECT_LE(now, energy * (1.0 + 1e-11)) << trial << " step " << step;
      energy = now;
    }
  }
}

}  // namespace
}  // namespace stiction
