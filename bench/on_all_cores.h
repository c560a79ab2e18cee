#pragma once

#include <atomic>
#include <thread>
#include <vector>

/// Calls work(0) to work(count - 1), each once, on as many threads as there are cores, in this order as far as they
/// begin. What the calls share they guard themselves.
template <class Work>
void on_all_cores(long count, const Work& work) {
  std::atomic<long> next = 0;
  const auto take = [&] {
    for (long i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) threads.emplace_back(take);
  take();
  for (std::thread& thread : threads) thread.join();
}
