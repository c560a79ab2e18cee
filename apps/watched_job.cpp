#include "apps/watched_job.h"

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace stiction::apps {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto poll_interval = 50ms;
constexpr auto tick_interval = 200ms;
/// How long a job may take to notice `stop`. Solves shorter than this are finished and reported.
constexpr auto grace = 500ms;

std::atomic<bool> was_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set in a signal handler");

void on_signal(int /*signal*/) {
  was_interrupted = true;
}

struct Shared {
  std::mutex mutex;
  std::condition_variable done_changed;
  bool done = false;
  std::atomic<bool> stop = false;
};

}  // namespace

/// The first Ctrl-C ends the job and reports; the second, being the default again, ends the process.
void catch_signals() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

JobOutcome run_watched(std::function<void(const std::atomic<bool>& stop)> job,
                       const std::function<void(double seconds)>& tick, std::optional<double> max_wall_seconds) {
  catch_signals();
  const auto shared = std::make_shared<Shared>();
  const auto start = Clock::now();
  std::thread thread([shared, job = std::move(job)] {
    job(shared->stop);
    const std::scoped_lock lock(shared->mutex);
    shared->done = true;
    shared->done_changed.notify_all();
  });

  JobOutcome outcome;
  auto next_tick = start + tick_interval;
  std::unique_lock lock(shared->mutex);
  while (!shared->done_changed.wait_for(lock, poll_interval, [&] { return shared->done; })) {
    const auto now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - start).count();
    if (was_interrupted) outcome.end = JobEnd::interrupted;
    if (max_wall_seconds && seconds >= *max_wall_seconds) outcome.end = JobEnd::out_of_time;
    if (outcome.end != JobEnd::finished) {
      shared->stop = true;
      outcome.is_still_running = !shared->done_changed.wait_for(lock, grace, [&] { return shared->done; });
      break;
    }
    if (now >= next_tick) {
      next_tick = now + tick_interval;
      lock.unlock();
      tick(seconds);
      lock.lock();
    }
  }
  lock.unlock();
  if (outcome.is_still_running)
    thread.detach();
  else
    thread.join();
  return outcome;
}

void leave_process(int code) {
  std::fflush(stdout);
  std::fflush(stderr);
  std::_Exit(code);
}

}  // namespace stiction::apps
