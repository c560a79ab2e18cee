#include "stiction/record/test/killed_run.h"

#include <gtest/gtest.h>

#include <array>

namespace stiction {
namespace {

// accept_record does this a hundred times, and opens the files with h5py too.
TEST(KilledRun, TheFileHoldsABeginningOfTheRun) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "stiction_killed";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  Random random(8);
  std::array<std::uint64_t, 2> steps{};  // by whose thread writes
  for (int i = 0; i < 10; ++i) {
    const test::KilledRun killed = test::kill_a_run(folder, i, random);
    EXPECT_EQ(killed.defect, "") << "run " << i;
    steps[static_cast<std::size_t>(i % 2)] += killed.steps;
  }
  for (const std::uint64_t written : steps) EXPECT_GT(written, 0u) << "all were killed before anything was written";
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace stiction
