// The full-size check of run.h5: 100 runs killed at random moments, each file opened by our reader and by h5py; and
// 1,000 bodies for 10 s at 100 frames a second, whose record must stay below 100 MB and cost less than a tenth of the
// time, and of the processor time of all threads. Prints one section of Markdown; exit code 1 when a promise is broken.
//
// usage: accept_record [--count PERCENT]
//   --count PERCENT  this part of the kills and of the 10 s (100)

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>

#include "bench/check_options.h"
#include "stiction/record/test/killed_run.h"
#include "stiction/sim/test/grade_shares.h"

namespace {

using namespace stiction;
namespace fs = std::filesystem;

/// How many of the files h5py opens and reads to the end; -1 where Debian's Python has no h5py.
int count_by_h5py(const fs::path& folder, int files) {
  const std::string python = "/usr/bin/python3 -c \"import h5py\" 2>/dev/null";
  if (std::system(python.c_str()) != 0) return -1;  // NOLINT(cert-env33-c): a fixed command
  int good = 0;
  for (int i = 0; i < files; ++i) {
    const std::string read = "/usr/bin/python3 -c \"import h5py; f = h5py.File('" +
                             (folder / (std::to_string(i) + ".h5")).string() +
                             "'); f.visititems(lambda n, o: o[()] if hasattr(o, 'shape') else None)\"";
    if (std::system(read.c_str()) == 0) ++good;  // NOLINT(cert-env33-c): names of our own
  }
  return good;
}

bool check_kills(const fs::path& folder, int count) {
  Random random(1);
  int good = 0;
  std::uint64_t steps = 0;
  for (int i = 0; i < count; ++i) {
    const test::KilledRun killed = test::kill_a_run(folder, i, random);
    if (killed.defect.empty())
      ++good;
    else
      std::fprintf(stderr, "run %d: %s\n", i, killed.defect.c_str());
    steps += killed.steps;
  }
  const int by_h5py = count_by_h5py(folder, count);
  std::printf(
      "%d runs, half of which write after every step and half in a thread of its own as often as that can, killed at "
      "random moments: our reader opens %d and finds the beginning of "
      "the run, bit for bit (%.0f steps on average); ",
      count, good, static_cast<double>(steps) / count);
  if (by_h5py < 0)
    std::printf("h5py is not installed.\n\n");
  else
    std::printf("h5py opens and reads %d.\n\n", by_h5py);
  return good == count && (by_h5py < 0 || by_h5py == count);
}

/// Balls on a floor, each with a spin of its own: they slide, and roll in the end.
Model make_thousand() {
  Random random(1);
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.05});
  const auto any = [&](double most) { return random.uniform(-most, most); };
  for (int i = 0; i < 1000; ++i) {
    const int column = i % 32, row = i / 32;
    const double x = 20.0 * column, y = 20.0 * row;
    builder.add_body({.mass = 1.0,
                      .shape = Sphere{.radius = 0.1},
                      .position = {x, y, 0.1},
                      .velocity = {any(1.0), any(1.0), 0.0},
                      .angular_velocity = {any(9.0), any(9.0), any(9.0)}});
  }
  return builder.build().value();
}

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

bool check_thousand(const fs::path& folder, Scheme scheme, double end) {
  using Clock = std::chrono::steady_clock;
  Simulator simulator(make_thousand(), {.h = 0.01, .end = end, .scheme = preset(scheme)});
  const fs::path path = folder / "thousand.h5";
  RunWriter writer = RunWriter::create(path, test::small_heading, simulator).value();
  Clock::duration recording{};
  double processor = 0.0;  // of this thread, for the record
  const double all_before = seconds_of(CLOCK_PROCESS_CPUTIME_ID), own_before = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  const auto begin = Clock::now();
  const auto record = [&](const auto& work) {
    const auto start = Clock::now();
    const double before = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    work();
    processor += seconds_of(CLOCK_THREAD_CPUTIME_ID) - before;
    recording += Clock::now() - start;
  };
  record([&] { writer.add_frame(simulator); });
  const auto done = simulator.run_until(end, [&] {
    record([&] {
      writer.add_step(simulator);
      writer.add_frame(simulator);
      writer.end_step();
    });
    return !writer.error();
  });
  record([&] { (void)writer.finish("done", "{}"); });
  const double whole = std::chrono::duration<double>(Clock::now() - begin).count();
  const double share = std::chrono::duration<double>(recording).count() / whole;
  const double all = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - all_before;
  const double own = seconds_of(CLOCK_THREAD_CPUTIME_ID) - own_before;
  const double megabytes = static_cast<double>(fs::file_size(path)) / 1e6;
  // What is not the run's own thread is the record's.
  const double all_share = (all - own + processor) / all;
  constexpr double most = 0.1;
  const bool good = done.ok() && !writer.error() && share < most && all_share < most &&
                    megabytes < 100.0 * std::min(1.0, end / 10.0 + 0.02);
  std::printf(
      "1,000 balls that slide and roll, %s, %.3g s at 100 frames a second: %.1f MB, %.1f s, of which %.1f %% for the "
      "record; of the %.1f s of processor time of all threads it takes %.1f %% (both at most %.0f %%), of that of the "
      "run's thread %.1f %%: %s.\n\n",
      std::string(to_string(scheme)).c_str(), end, megabytes, whole, 100.0 * share, all, 100.0 * all_share,
      100.0 * most, 100.0 * processor / own, good ? "ok" : "**failed**");
  test::GradeShares::add(simulator.certificate());
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<CheckOptions> options = read_check_options(argc, argv);
  if (!options) return 2;
  const int percent = std::min(100, options->whole_percent());
  const fs::path folder = fs::temp_directory_path() / ("accept_record_" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::printf("## The record\n\n");
  std::fflush(stdout);
  const bool kills = check_kills(folder, percent);
  bool thousand = true;
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::trapezoidal})
    thousand = check_thousand(folder, scheme, 0.1 * percent) && thousand;
  stiction::test::GradeShares::print();
  fs::remove_all(folder);
  return kills && thousand ? 0 : 1;
}
