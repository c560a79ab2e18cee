#include "stiction/record/worker_thread.h"

#include <gtest/gtest.h>

#include <atomic>
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

TEST(WorkerThread, WhoGivesTooMuchWaits) {
  std::atomic<int> begun = 0;
  std::atomic<bool> may_go = false;
  WorkerThread worker(2);
  const auto task = [&] {
    ++begun;
    while (!may_go) std::this_thread::yield();
  };
  worker.give(task);
  while (begun == 0) std::this_thread::yield();
  worker.give(task);
  worker.give(task);
  std::atomic<bool> is_given = false;
  std::thread giver([&] {
    worker.give(task);
    is_given = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_FALSE(is_given) << "one under way and two waiting are all there is room for";
  may_go = true;
  giver.join();
  worker.wait();
  EXPECT_EQ(begun, 4);
}

TEST(WorkerThread, EndsWithWhatIsUnderWay) {
  std::atomic<int> begun = 0, ended = 0;
  {
    WorkerThread worker(10);
    for (int i = 0; i < 10; ++i) {
      worker.give([&] {
        ++begun;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        ++ended;
      });
    }
    while (begun == 0) std::this_thread::yield();
  }
  EXPECT_EQ(begun, ended) << "nothing is left half done";
  EXPECT_LT(ended, 10) << "and nobody waits for the rest";
}

}  // namespace
}  // namespace stiction
