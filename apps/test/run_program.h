#pragma once

#include <csignal>
#include <string>
#include <vector>

namespace stiction::apps {

/// How a run of the program ended, and what it said.
struct ProgramRun {
  int code = -1;  ///< The exit code; -1 where it ended by a signal.
  std::string out, err;
};

/// Runs build/.../stiction with these arguments and waits for it. When `interrupt_after` is not empty, the program gets
/// the signal as soon as its standard error holds that text.
[[nodiscard]] ProgramRun run_program(const std::vector<std::string>& arguments, const std::string& interrupt_after = {},
                                     int signal = SIGINT);

}  // namespace stiction::apps
