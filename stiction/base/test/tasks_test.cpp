#include "stiction/base/tasks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <vector>

namespace stiction {
namespace {

TEST(Tasks, EachIsDoneOnceWhateverTheNumberOfThreads) {
  for (const int threads : {0, 1, 2, 7, 100}) {
    std::vector<int> calls(50, 0);
    run_tasks(50, threads, [&](int i) { ++calls[i]; });
    EXPECT_EQ(calls, std::vector<int>(50, 1)) << threads << " threads";
  }
}

TEST(Tasks, OneThreadKeepsTheOrder) {
  std::vector<int> order, expected(20);
  std::iota(expected.begin(), expected.end(), 0);
  run_tasks(20, 1, [&](int i) { order.push_back(i); });
  EXPECT_EQ(order, expected);
}

TEST(Tasks, TwoThreadsWorkAtTheSameTime) {
  std::atomic<int> inside = 0;
  // Each waits for the other: done one after the other this would never end.
  run_tasks(2, 2, [&](int) {
    ++inside;
    while (inside < 2) {
    }
  });
  EXPECT_EQ(inside, 2);
}

TEST(Tasks, NothingToDoIsDone) {
  run_tasks(0, 4, [](int) { FAIL(); });
}

}  // namespace
}  // namespace stiction
