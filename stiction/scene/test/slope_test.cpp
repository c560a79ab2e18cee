// A box on a slope stays or slides as it must, at every heading against the directions of friction.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "stiction/scene/test/slope_trials.h"

namespace stiction::scene::test {
namespace {

class Slope : public testing::TestWithParam<const char*> {};

TEST_P(Slope, HoldsWithFrictionToSpare) {
  for (const double h : {0.01, 0.001}) {
    const SlopeRun run = run_slope(GetParam(), 1.02, h, 5.0);
    EXPECT_TRUE(run.certified) << run.why;
    EXPECT_LE(run.penetration, 1e-10);
    for (const SlopeBox& box : run.boxes) EXPECT_LT(box.travel, 1e-9) << box.name << " at h = " << h;
  }
}

TEST_P(Slope, LetsGoWithoutEnough) {
  const SlopeRun run = run_slope(GetParam(), 0.98, 0.01, 5.0);
  EXPECT_TRUE(run.certified) << run.why;
  EXPECT_LE(run.penetration, 1e-10);
  for (const SlopeBox& box : run.boxes) {
    EXPECT_NEAR(box.acceleration_error, 0.0, 1e-3) << box.name;
    EXPECT_LT(box.astray, 1e-3) << box.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Slope, testing::Values("slope_box", "slope_headings"));

// What facets that stay where they are do to a user: a box that must stay goes, and one that goes goes astray.
TEST(SlopeWarning, FacetsThatStayErr) {
  const SlopeRun must_stay = run_slope("slope_headings", 1.02, 0.01, 5.0, {"/simulation/turn_facets=false"});
  const SlopeRun must_slide = run_slope("slope_headings", 0.98, 0.01, 5.0, {"/simulation/turn_facets=false"});
  EXPECT_TRUE(must_stay.certified) << must_stay.why;
  EXPECT_TRUE(must_slide.certified) << must_slide.why;
  std::printf("8 facets that stay, slope of 30 degrees, 5 s:\n");
  for (std::size_t i = 0; i < must_stay.boxes.size(); ++i)
    std::printf("  %-9s mu 2 %% above tan 30: %.3g m astray; 2 %% below: acceleration %+.0f %%, %.1f degrees off\n",
                must_stay.boxes[i].name.c_str(), must_stay.boxes[i].travel,
                100.0 * must_slide.boxes[i].acceleration_error, must_slide.boxes[i].astray * 180.0 / std::numbers::pi);
  EXPECT_GT(must_stay.boxes[2].travel, 1.0);  // 22.5 degrees: 92 % of the friction is there
}

}  // namespace
}  // namespace stiction::scene::test
