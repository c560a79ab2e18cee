#include "stiction/record/worker_thread.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace stiction {
namespace {

TEST(WorkerThread, DoesAllInOrder) {
  std::vector<int> done;
  WorkerThread worker(3);
  for (int i = 0; i < 1000; ++i) worker.give([&done, i] { done.push_back(i); });
  worker.wait();
  ASSERT_EQ(done.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(done[static_cast<std::size_t>(i)], i);
}

// Whoever gives counts what was taken from it. That it never gets ahead is looked at from within the tasks, each of
// which lets it try.
TEST(WorkerThread, WhoGivesTooMuchWaits) {
  constexpr int most_waiting = 2, tasks = 300, turns = 20;
  std::atomic<int> given = 0, furthest_ahead = 0;
  WorkerThread worker(most_waiting);
  for (int i = 0; i < tasks; ++i) {
    worker.give([&, i] {
      // The last ones have fewer behind them.
      while (given < std::min(i + 1 + most_waiting, tasks)) std::this_thread::yield();
      for (int turn = 0; turn < turns; ++turn) std::this_thread::yield();
      furthest_ahead = std::max(furthest_ahead.load(), given - (i + 1));
    });
    ++given;
  }
  worker.wait();
  EXPECT_EQ(furthest_ahead, most_waiting) << "one under way and two waiting are all there is room for";
}

TEST(WorkerThread, EndsWithWhatIsUnderWay) {
  std::atomic<int> begun = 0, ended = 0;
  std::atomic<bool> are_dropped = false;
  {
    WorkerThread worker(10);
    worker.give([&] {
      ++begun;
      while (!are_dropped) std::this_thread::yield();
      ++ended;
    });
    while (begun == 0) std::this_thread::yield();
    // What waits holds this; the first goes on when all of it is gone.
    std::shared_ptr<void> held(nullptr, [&](void*) { are_dropped = true; });
    for (int i = 0; i < 9; ++i) worker.give([&, held] { ++begun; });
  }
  EXPECT_EQ(ended, 1) << "nothing is left half done";
  EXPECT_EQ(begun, 1) << "and nobody waits for the rest";
}

}  // namespace
}  // namespace stiction
