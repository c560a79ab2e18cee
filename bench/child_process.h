#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

namespace stiction::bench {

/// Runs `work`, which fills `count` numbers, in a process of its own: a peer that aborts, prints or does not end does
/// neither here. Empty where it did not come back within so many seconds of processor time, or not at all.
inline std::vector<double> run_in_child(std::size_t count, unsigned seconds,
                                        const std::function<void(double* numbers)>& work) {
  const std::size_t bytes = std::max<std::size_t>(1, count) * sizeof(double);
  void* const shared = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return {};
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);  // NOLINT(cppcoreguidelines-pro-type-vararg): POSIX
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    // Processor time, which a busy machine does not spend for a peer; the alarm ends one that waits.
    const rlimit limit{seconds, seconds};
    setrlimit(RLIMIT_CPU, &limit);
    alarm(20 * seconds);
    work(static_cast<double*>(shared));
    _exit(0);
  }
  int status = -1;
  const bool came_back = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status);
  std::vector<double> numbers;
  if (came_back) numbers.assign(static_cast<double*>(shared), static_cast<double*>(shared) + count);
  munmap(shared, bytes);
  return numbers;
}

}  // namespace stiction::bench
