#pragma once

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "stiction/base/random.h"
#include "stiction/record/run_reader.h"
#include "stiction/record/test/small_run.h"

namespace stiction::test {

/// Runs for ever and writes so often; 0: after every step, by the run's own thread.
[[noreturn]] inline void run_for_ever(const std::filesystem::path& path, double flush_seconds) {
  Simulator simulator(make_bouncing(), {.h = 1e-3, .end = 1e9, .scheme = preset(Scheme::anitescu_potra)});
  Result<RunWriter> created = RunWriter::create(path, small_heading, simulator, flush_seconds);
  if (!created) _exit(1);
  RunWriter writer = std::move(created).value();
  writer.add_frame(simulator);
  (void)record_until(simulator, writer, 1e9);
  _exit(1);
}

struct KilledRun {
  std::string defect;       ///< Empty: the file is as it must be.
  std::uint64_t steps = 0;  ///< In the file.
};

/// Kills a run at a random moment after its file NUMBER.h5 was there, while it writes as often as it can, and reads the
/// file: it must hold a beginning of the same run. Runs of even numbers write by their own thread, those of odd numbers
/// by the one beside it.
inline KilledRun kill_a_run(const std::filesystem::path& folder, int number, Random& random) {
  const std::filesystem::path path = folder / (std::to_string(number) + ".h5");
  constexpr double soon = 1e-3;
  const pid_t child = fork();
  if (child == 0) run_for_ever(path, number % 2 == 0 ? 0.0 : soon);
  if (child < 0) return {"no process can be made"};
  while (!std::filesystem::exists(path) && waitpid(child, nullptr, WNOHANG) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  // On a busy machine nothing may have been written by then: some wait until another file has the name.
  const auto file_of = [&] {
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0 ? status.st_ino : ino_t{0};
  };
  for (int changes = random.integer(0, 3); changes > 0; --changes)
    for (const ino_t before = file_of(); file_of() == before && waitpid(child, nullptr, WNOHANG) == 0;)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::microseconds(random.integer(0, 150'000)));
  kill(child, SIGKILL);
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status)) return {"it had ended by itself"};

  const Result<RecordedRun> read = read_run(path);
  if (!read) return {read.error()};
  const RecordedRun& run = read.value();
  if (run.status != "running") return {"it says that it ended"};
  Simulator again(make_bouncing(), {.h = 1e-3, .end = 1e9, .scheme = preset(Scheme::anitescu_potra)});
  std::uint64_t frame = 0;
  std::string defect;
  const auto compare = [&] {
    if (frame == run.frames()) return false;
    if (run.array("frames/time").values[frame] != again.time()) defect = "a frame has another time";
    for (std::uint64_t i = 0; i < 6; ++i)
      if (run.array("frames/position").values[6 * frame + i] !=
          again.pose({1 + static_cast<int>(i / 3)}).position[static_cast<int>(i % 3)])
        defect = "a frame is not that of the run";
    ++frame;
    return defect.empty();
  };
  if (compare()) (void)again.run_until(1e9, compare);
  if (!defect.empty()) return {defect};
  return {"", run.steps()};
}

}  // namespace stiction::test
