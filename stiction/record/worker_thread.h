#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace stiction {

/// A thread that does one thing after the other, in the order they were given to it. Where the system has no thread to
/// give, they are done at once by whoever gives them.
class WorkerThread {
 public:
  /// So many may wait; who gives one more waits too.
  explicit WorkerThread(std::size_t most_waiting);
  /// Lets what is under way come to its end; what has not begun is dropped.
  ~WorkerThread();
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;

  /// Must not throw.
  void give(std::function<void()> task);
  /// Returns when all that was given is done.
  void wait();

 private:
  void work();

  const std::size_t most_waiting_;
  std::mutex mutex_;  ///< Of what follows.
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool is_busy_ = false, is_ending_ = false;
  std::thread thread_;
};

}  // namespace stiction
