// Table 10.1 of Potra, Anitescu, Gavrea and Trinkle 2006 by a study of the scene, as far as h = 2^-8 (the finer steps
// take longer than a test should).

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "stiction/study/study_table.h"

namespace stiction {
namespace {

TEST(Table2006, ErrorsAreThePrintedOnes) {
  struct Printed {
    double E, Theta1, Theta2;
  };
  constexpr std::array<Printed, 4> printed{{{2.38e-3, 1.27e-3, 3.18e-3},
                                            {6.14e-4, 3.14e-4, 8.29e-4},
                                            {1.54e-4, 7.82e-5, 2.14e-4},
                                            {3.95e-5, 1.95e-5, 5.48e-5}}};
  const auto read = read_scene("scenes/papers/double_pendulum_wall.json");
  ASSERT_TRUE(read) << read.error();
  const Scene& scene = read.value();
  const std::atomic<bool> stop = false;
  std::atomic<long> steps = 0;
  StudyRuns runs;
  for (int k = 5; k <= 8; ++k) runs.rows.push_back(run_for_study(scene, std::ldexp(1.0, -k), 0.0, stop, steps));
  runs.reference = run_for_study(scene, std::ldexp(1.0, -12), 0.0, stop, steps);
  const StudyTable table = make_table(scene, runs);

  EXPECT_TRUE(table.is_asymptotic()) << table.reason;
  EXPECT_NEAR(table.position.order.value_or(0.0), 2.0, 0.1);
  for (std::size_t i = 0; i < printed.size(); ++i) {
    const StudyRow& row = table.rows[i];
    EXPECT_NEAR(row.position_error.value_or(0.0), printed[i].E, 0.05 * printed[i].E) << row.run.h;
    EXPECT_FALSE(row.other_event) << *row.other_event;
    EXPECT_EQ(row.run.events.size(), 5u) << "the same five impacts";
    // The paper's Theta is the square of the length less one.
    const auto Theta = [&](std::size_t joint) { return std::pow(1.0 + row.run.joint_errors[joint], 2) - 1.0; };
    EXPECT_NEAR(std::abs(Theta(0)), printed[i].Theta1, 0.05 * printed[i].Theta1) << row.run.h;
    EXPECT_NEAR(std::abs(Theta(1)), printed[i].Theta2, 0.05 * printed[i].Theta2) << row.run.h;
    if (i == 0) continue;
    EXPECT_GT(table.position.ratios[i].value_or(0.0), 3.6);
    EXPECT_LT(table.position.ratios[i].value_or(9.0), 4.4);
  }
}

}  // namespace
}  // namespace stiction
