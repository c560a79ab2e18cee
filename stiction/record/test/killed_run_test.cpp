#include "stiction/record/test/killed_run.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

// accept_record does this a hundred times, and opens the files with h5py too.
TEST(KilledRun, TheFileHoldsABeginningOfTheRun) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "stiction_killed";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  Random random(8);
  std::uint64_t steps = 0;
  for (int i = 0; i < 10; ++i) {
    const test::KilledRun killed = test::kill_a_run(folder / (std::to_string(i) + ".h5"), random);
    EXPECT_EQ(killed.defect, "") << "run " << i;
    steps += killed.steps;
  }
  EXPECT_GT(steps, 0u) << "all were killed before anything was written";
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace stiction
