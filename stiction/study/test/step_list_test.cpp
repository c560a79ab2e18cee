#include "stiction/study/step_list.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stiction {
namespace {

using Steps = std::vector<double>;

TEST(StepList, NumbersFromLargeToSmall) {
  EXPECT_EQ(parse_steps("0.005,0.02,0.01").value(), (Steps{0.02, 0.01, 0.005}));
  EXPECT_EQ(parse_steps(" 1e-3 , 2^-5").value(), (Steps{0.03125, 1e-3}));
  EXPECT_EQ(parse_steps("0.1").value(), Steps{0.1});
}

TEST(StepList, PowersAndRangesOfThem) {
  EXPECT_EQ(parse_steps("2^-5..2^-8").value(), (Steps{1.0 / 32, 1.0 / 64, 1.0 / 128, 1.0 / 256}));
  EXPECT_EQ(parse_steps("2^-8..2^-5").value(), parse_steps("2^-5..2^-8").value());
  EXPECT_EQ(parse_steps("10^-1..10^-3").value(), (Steps{0.1, std::pow(10, -2), std::pow(10, -3)}));
  EXPECT_EQ(parse_steps("2^-5..2^-7,2^-9").value(), (Steps{1.0 / 32, 1.0 / 64, 1.0 / 128, 1.0 / 512}));
  EXPECT_EQ(parse_step("2^-20").value(), std::ldexp(1.0, -20));
}

TEST(StepList, RefusesWhatIsNoStep) {
  for (const char* text : {"",
                           ",",
                           "0.1,",
                           ",0.1",
                           "a",
                           "0.1 0.2",
                           "0",
                           "-0.1",
                           "nan",
                           "inf",
                           "1e-13",
                           "1e7",
                           "2^",
                           "^2",
                           "2^0.5",
                           "-2^-3",
                           "2^-5..",
                           "..2^-5",
                           "2^-5..3^-7",
                           "0.1..0.2",
                           "2^-5...2^-7",
                           "1^-3..1^-5",
                           "2^-1..2^-300",
                           "2^99999999999",
                           "2^-2147483648..2^2147483647",
                           "0x1"}) {
    const auto steps = parse_steps(text);
    ASSERT_FALSE(steps) << text;
    EXPECT_NE(steps.error().find("expected"), std::string::npos) << steps.error();
  }
}

TEST(StepList, RefusesDuplicatesHoweverTheyAreWritten) {
  const auto twice = parse_steps("0.25,2^-1..2^-3");
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error(), "the step 0.25 is given twice, expected each once");
}

TEST(StepList, CountsStepsThatDivideTheRun) {
  EXPECT_EQ(count_steps(0.1, 1.0).value(), 10);
  EXPECT_EQ(count_steps(0.3, 0.3).value(), 1);
  EXPECT_EQ(count_steps(std::ldexp(1.0, -11), 2.5).value(), 5120);
  EXPECT_EQ(count_steps(1e-3, 2.42).value(), 2420);
  EXPECT_EQ(count_steps(1.0 / 3.0, 1.0).value(), 3);
}

TEST(StepList, SaysWhichStepsWouldDivide) {
  const auto bad = count_steps(0.3, 1.0);
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().find("0.25 or 0.3333333333333333 would"), std::string::npos) << bad.error();
  EXPECT_FALSE(count_steps(2.0, 1.0));
  EXPECT_FALSE(count_steps(1e-10, 1.0));
  EXPECT_FALSE(count_steps(0.0, 1.0));
}

}  // namespace
}  // namespace stiction
