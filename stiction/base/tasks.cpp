#include "stiction/base/tasks.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace stiction {

void run_tasks(int count, int threads, const std::function<void(int)>& task) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int workers = std::min(threads > 0 ? threads : cores, count);
  std::atomic<int> next = 0;
  const auto work = [&] {
    for (int i = next++; i < count; i = next++) task(i);
  };
  std::vector<std::jthread> others;
  for (int i = 1; i < workers; ++i) others.emplace_back(work);
  work();
}

}  // namespace stiction
