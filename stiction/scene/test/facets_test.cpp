// Cones with more and more facets against the circular one.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/scene/test/cone_trials.h"
#include "stiction/scene/test/slope_trials.h"

namespace stiction::scene::test {
namespace {

// 1996, section 4: a ball lands, rolls and hits another. With long steps; the rest is in `make accept`.
TEST(Facets, TendToTheCircularCone) {
  const FacetStudy study = study_facets("papers/two_balls_landing", 0.005, 0.8);
  ASSERT_TRUE(study.certified);
  EXPECT_GT(study.fixed.front(), 1e-3);
  EXPECT_LT(study.fixed.back(), study.fixed.front() / 20.0);
  for (const double distance : study.turned) EXPECT_LT(distance, 1e-9);
}

// Halfway between two facets friction is cos(pi/k) too small: g (sin - mu cos(pi/k) cos) down a slope of 30 degrees.
TEST(Facets, AreTooWeakBetweenTwoByTheCosine) {
  constexpr double mu_over_tan = 0.9;
  const struct {
    int facets;
    const char* box;
  } trials[] = {{8, "box_22_5"}, {4, "box_45"}};
  for (const auto& [facets, name] : trials) {
    const SlopeRun run = run_slope("slope_headings", mu_over_tan, 0.01, 0.2,
                                   {"/simulation/cone=" + std::to_string(facets), "/simulation/turn_facets=false"});
    ASSERT_TRUE(run.certified) << run.why;
    const double loss = 1.0 - std::cos(std::numbers::pi / facets);
    for (const SlopeBox& box : run.boxes) {
      if (box.name == name) {
        EXPECT_NEAR(box.acceleration_error, mu_over_tan * loss / (1.0 - mu_over_tan), 1e-7) << name;
      } else if (box.name == "box_0") {
        EXPECT_NEAR(box.acceleration_error, 0.0, 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace stiction::scene::test
