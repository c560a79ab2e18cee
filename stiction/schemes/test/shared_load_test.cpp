// Contacts that share a load have the impulses of least length, whatever the solver found, in every scheme.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/model/model_builder.h"
#include "stiction/model/multibody.h"
#include "stiction/schemes/time_stepper.h"

namespace stiction {
namespace {

constexpr double g = 9.81, h = 1e-3;

constexpr Scheme all_schemes[] = {Scheme::stewart_trinkle, Scheme::anitescu_potra, Scheme::implicit_euler,
                                  Scheme::trapezoidal, Scheme::moreau_midpoint};

struct LoadedRun {
  Multibody system;
  TimeStepper stepper;
  State state;
  StepReport report;

  LoadedRun(Model model, Scheme scheme) : system(std::move(model)), stepper(system, preset(scheme)) {
    state.q = system.initial_positions();
    state.v = state.v_alpha = system.initial_velocities();
  }
  void steps(int count) {
    for (int k = 0; k < count; ++k) {
      ASSERT_TRUE(stepper.step(state, h, report));
      ASSERT_TRUE(report.certified(1e-8));
    }
  }
};

Vec3 impulse_of(const ContactRecord& contact) {
  const ContactPoint& at = contact.geometry;
  return contact.c_n * at.normal + contact.c_t1 * at.t1 + contact.c_t2 * at.t2;
}

TEST(SharedLoad, ABoxStandsOnItsFourCorners) {
  for (const Scheme scheme : all_schemes) {
    ModelBuilder builder;
    builder.add_ground(HalfSpace{}, {.mu = 0.5});
    builder.add_body({.mass = 2.0, .shape = Box{0.4, 0.6, 0.2}, .position = {0.0, 0.0, 0.1}});
    LoadedRun run(builder.build().value(), scheme);
    run.steps(20);
    ASSERT_EQ(run.report.contacts.size(), 4U);
    for (const ContactRecord& contact : run.report.contacts)
      EXPECT_NEAR((impulse_of(contact) - Vec3(0.0, 0.0, 2.0 * g * h / 4.0)).norm(), 0.0, 1e-11) << to_string(scheme);
  }
}

// Pulled sideways by gravity from (3, 0, -9.81), held by friction: the lower corners press more, by m a z/(2 L) where z
// is the height of the middle and L the distance of the corners along x, and all hold the same pull, which is
// shorter than any other share.
TEST(SharedLoad, ABoxHeldByFrictionPullsEvenly) {
  constexpr double pull = 3.0, height = 0.1, length = 0.4;
  for (const Scheme scheme : all_schemes) {
    ModelBuilder builder;
    builder.set_gravity({pull, 0.0, -g});
    builder.add_ground(HalfSpace{}, {.mu = 0.8});
    builder.add_body({.mass = 1.0, .shape = Box{length, 0.6, 0.2}, .position = {0.0, 0.0, height}});
    LoadedRun run(builder.build().value(), scheme);
    run.steps(5);
    ASSERT_EQ(run.report.contacts.size(), 4U);
    for (const ContactRecord& contact : run.report.contacts) {
      const double side = contact.geometry.point.x() > 0.0 ? 1.0 : -1.0;
      const Vec3 expected(-pull * h / 4.0, 0.0, g * h / 4.0 + side * pull * h * height / (2.0 * length));
      EXPECT_NEAR((impulse_of(contact) - expected).norm(), 0.0, 1e-10) << to_string(scheme);
    }
  }
}

// What is recorded must not change the motion: the solver starts from its own impulses.
TEST(SharedLoad, StartsOfTheNextStepStayAsGood) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.5});
  for (int i = 0; i < 4; ++i)
    builder.add_body({.mass = 1.0, .shape = Box{0.4, 0.4, 0.2}, .position = {0.01 * i, 0.0, 0.1 + 0.2 * i}});
  LoadedRun run(builder.build().value(), Scheme::stewart_trinkle);
  run.steps(5);
  const long pivots = run.stepper.counts().pivots;
  run.steps(50);
  EXPECT_EQ(run.stepper.counts().pivots, pivots);
}

// Dropped flat with Poisson's law: what comes back is shared as evenly as what was compressed.
TEST(SharedLoad, ABoxDroppedFlatBouncesEvenly) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.5, .restitution = 0.5});
  builder.add_body(
      {.mass = 1.0, .shape = Box{0.4, 0.6, 0.2}, .position = {0.0, 0.0, 0.1}, .velocity = {0.0, 0.0, -2.0}});
  LoadedRun run(builder.build().value(), Scheme::anitescu_potra);
  run.steps(1);
  ASSERT_EQ(run.report.contacts.size(), 4U);
  for (const ContactRecord& contact : run.report.contacts) EXPECT_NEAR(contact.c_n, 2.0 * 1.5 / 4.0, 2e-2);
  const double first = run.report.contacts[0].c_n;
  for (const ContactRecord& contact : run.report.contacts) EXPECT_NEAR(contact.c_n, first, 1e-11);
  EXPECT_NEAR(run.state.v.segment(3, 3).norm(), 0.0, 1e-11);
}

}  // namespace
}  // namespace stiction
