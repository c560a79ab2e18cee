#include "apps/failed_steps.h"

#include <fmt/core.h>

#include <string>
#include <system_error>

#include "apps/log.h"
#include "stiction/cone/problem_file.h"

namespace stiction::apps {

namespace {

/// The contacts of an island by name, the first few of them.
std::string name_contacts(const Simulator& simulator, const StepProblem& problem, std::span<const int> contacts) {
  constexpr std::size_t most = 4;
  std::string text;
  for (std::size_t i = 0; i < contacts.size() && i < most; ++i)
    text += (i == 0 ? "" : ", ") + simulator.system().contact_name(problem.contacts[contacts[i]].id);
  return contacts.size() > most ? fmt::format("{} and {} more", text, contacts.size() - most) : text;
}

}  // namespace

std::optional<Error> FailedSteps::write(Simulator& simulator) {
  std::error_code code;
  std::filesystem::create_directories(folder_, code);
  if (code)
    return Error{fmt::format("--dump-failed {}: cannot be made a folder: {}", folder_.string(), code.message())};
  const StepProblem& problem = simulator.last_problem();
  islands_.split(problem);
  for (int island = 0; island < islands_.size(); ++island) {
    if (islands_.contacts(island).empty()) continue;
    const std::string name = fmt::format("step_{:06}_island_{}", simulator.certificate().steps, island);
    const std::string contacts = name_contacts(simulator, problem, islands_.contacts(island));
    const cone::Problem& form = cone_.condense(problem, islands_, island);
    if (form.contacts() == 0) {
      log(LogLevel::warning, fmt::format("{} ({}): has no form with cones alone, and is not written", name, contacts));
      continue;
    }
    const std::filesystem::path file = folder_ / (name + ".fcp");
    if (std::filesystem::exists(file, code))
      return Error{fmt::format("{}: is there already, and nothing is overwritten; empty the folder", file.string())};
    if (auto error = cone::write_problem(file, form)) return error;
    log(LogLevel::warning, fmt::format("not certified: {} written, contacts {}", file.string(), contacts));
  }
  return std::nullopt;
}

}  // namespace stiction::apps
