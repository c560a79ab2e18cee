#include "stiction/record/worker_thread.h"

#include <system_error>
#include <utility>

namespace stiction {

WorkerThread::WorkerThread(std::size_t most_waiting) : most_waiting_(most_waiting) {
  try {
    thread_ = std::thread([this] { work(); });
  } catch (const std::system_error&) {
    thread_ = {};  // give() does without
  }
}

WorkerThread::~WorkerThread() {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
    tasks_.clear();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void WorkerThread::give(std::function<void()> task) {
  if (!thread_.joinable()) return task();
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return tasks_.size() < most_waiting_; });
    tasks_.push_back(std::move(task));
  }
  changed_.notify_all();
}

void WorkerThread::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return tasks_.empty() && !is_busy_; });
}

void WorkerThread::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return is_ending_ || !tasks_.empty(); });
    if (is_ending_) return;
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    is_busy_ = true;
    lock.unlock();
    changed_.notify_all();  // there is room for another
    task();
    task = nullptr;  // what it holds is gone before anybody is told
    lock.lock();
    is_busy_ = false;
    changed_.notify_all();
  }
}

}  // namespace stiction
