#include "apps/test/run_program.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace stiction::apps {

namespace {

struct Pipe {
  int read_end = -1, write_end = -1;
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) == 0) {
      read_end = ends[0];
      write_end = ends[1];
    }
  }
};

}  // namespace

ProgramRun run_program(const std::vector<std::string>& arguments, const std::string& interrupt_after, int signal) {
  std::vector<std::string> words{STICTION_EXECUTABLE};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  const Pipe out;
  const Pipe err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out.write_end, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write_end, STDERR_FILENO);
  for (const int end : {out.read_end, out.write_end, err.read_end, err.write_end})
    posix_spawn_file_actions_addclose(&actions, end);
  pid_t process = 0;
  ProgramRun run;
  const bool has_started = posix_spawn(&process, argv[0], &actions, nullptr, argv.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  ::close(out.write_end);
  ::close(err.write_end);

  std::array<pollfd, 2> open{{{out.read_end, POLLIN, 0}, {err.read_end, POLLIN, 0}}};
  bool is_interrupted = interrupt_after.empty();
  while (has_started && (open[0].fd >= 0 || open[1].fd >= 0) && ::poll(open.data(), open.size(), -1) >= 0) {
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (open[i].fd < 0 || open[i].revents == 0) continue;
      std::array<char, 4096> chunk;
      const ssize_t count = ::read(open[i].fd, chunk.data(), chunk.size());
      if (count > 0)
        (i == 0 ? run.out : run.err).append(chunk.data(), static_cast<std::size_t>(count));
      else
        open[i].fd = -1;
    }
    if (!is_interrupted && run.err.find(interrupt_after) != std::string::npos) {
      is_interrupted = true;
      ::kill(process, signal);
    }
  }
  ::close(out.read_end);
  ::close(err.read_end);
  int status = 0;
  if (has_started && ::waitpid(process, &status, 0) == process && WIFEXITED(status)) run.code = WEXITSTATUS(status);
  return run;
}

TEST(RunProgram, SeesBothStreamsAndTheCode) {
  const ProgramRun version = run_program({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(version.out.starts_with("stiction ")) << version.out;
  EXPECT_EQ(version.err, "");
  const ProgramRun nonsense = run_program({"nonsense"});
  EXPECT_EQ(nonsense.code, 2);
  EXPECT_EQ(nonsense.out, "");
  EXPECT_EQ(nonsense.err, "error: nonsense: no such command; there are: run, study, view, render, plot, solve\n");
}

}  // namespace stiction::apps
