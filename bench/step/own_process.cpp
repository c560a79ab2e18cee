#include "bench/step/own_process.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <type_traits>

namespace stiction::bench {
namespace {

constexpr std::size_t most_steps = 100000;

/// An OwnRun without pointers, in memory that both processes see. `count` is written last.
struct Told {
  std::size_t count;
  PhaseTimes phases;
  SolveCounts counts;
  double residual, contact_residual, momentum, penetration, drift, contacts;
  std::array<char, 256> grades;
  std::array<char, 64> hash;
  std::array<char, 1024> failure;
  std::array<double, most_steps> ms, solve_ms;
};
static_assert(std::is_trivially_copyable_v<Told>);

template <std::size_t size>
void copy(const std::string& from, std::array<char, size>& to) {
  const std::size_t length = std::min(from.size(), size - 1);
  std::memcpy(to.data(), from.data(), length);
  to[length] = '\0';
}

void write(const OwnRun& run, Told& told) {
  told.phases = run.phases;
  told.counts = run.counts;
  told.residual = run.residual;
  told.contact_residual = run.contact_residual;
  told.momentum = run.momentum;
  told.penetration = run.penetration;
  told.drift = run.drift;
  told.contacts = run.contacts;
  copy(run.grades, told.grades);
  copy(run.hash, told.hash);
  copy(run.failure, told.failure);
  const std::size_t count = std::min(run.times.ms.size(), most_steps);
  const auto known = static_cast<std::ptrdiff_t>(told.count);
  std::copy_n(run.times.ms.begin() + known, count - told.count, told.ms.begin() + known);
  std::copy_n(run.solves.ms.begin() + known, count - told.count, told.solve_ms.begin() + known);
  told.count = count;
}

OwnRun read(const Told& told) {
  OwnRun run;
  run.times.ms.assign(told.ms.begin(), told.ms.begin() + static_cast<std::ptrdiff_t>(told.count));
  run.solves.ms.assign(told.solve_ms.begin(), told.solve_ms.begin() + static_cast<std::ptrdiff_t>(told.count));
  run.phases = told.phases;
  run.counts = told.counts;
  run.residual = told.residual;
  run.contact_residual = told.contact_residual;
  run.momentum = told.momentum;
  run.penetration = told.penetration;
  run.drift = told.drift;
  run.contacts = told.contacts;
  run.grades = told.grades.data();
  run.hash = told.hash.data();
  run.failure = told.failure.data();
  return run;
}

/// Processor time, which a busy machine does not spend for us.
void limit_processor(double seconds) {
  const auto whole = static_cast<rlim_t>(std::max(1.0, std::ceil(seconds)));
  const rlimit limit{whole, whole};
  setrlimit(RLIMIT_CPU, &limit);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
}

}  // namespace

OwnRun run_apart(const Limits& limits, const std::function<void(const Tell&)>& work) {
  if (!(limits.patience > 0.0)) {
    OwnRun last;
    work([&](const OwnRun& run) { last = run; });
    return last;
  }
  void* const memory = mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return {.failure = "there is no memory"};
  auto& told = *static_cast<Told*>(memory);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    static_cast<void>(std::signal(SIGINT, SIG_DFL));  // what was told by then is kept
    limit_processor(limits.patience);
    work([&](const OwnRun& run) { write(run, told); });
    _exit(0);
  }
  int status = 0;
  rusage used{};
  while (child > 0 && wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  OwnRun run = read(told);
  munmap(memory, sizeof(Told));
  if (child < 0 || !WIFSIGNALED(status)) return run;
  if (is_interrupted()) return run;
  if (WTERMSIG(status) != SIGKILL && WTERMSIG(status) != SIGXCPU) {
    run.failure = "the process was ended by signal " + std::to_string(WTERMSIG(status));
    return run;
  }
  const double spent = 1e3 * (static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                              1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec));
  run.gave_up_ms = spent;
  for (const double ms : run.times.ms) run.gave_up_ms -= ms;
  run.failure = "given up within step " + std::to_string(run.times.ms.size() + 1);
  return run;
}

}  // namespace stiction::bench
