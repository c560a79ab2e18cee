#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stiction::apps {

/// The files that a command line names, and what is wrong with it.
struct ProblemList {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> errors;
};

/// Whether a file holds a contact problem with the true cone, by its ending; others hold complementarity problems.
[[nodiscard]] bool is_contact_problem(const std::filesystem::path& file);
/// Of these, whether it is one of FCLIB's.
[[nodiscard]] bool is_fclib(const std::filesystem::path& file);

/// A file stands for itself (a pipe or a device is none), a folder for every *.json, *.fcp and *.hdf5 file below it,
/// sorted.
[[nodiscard]] ProblemList list_problem_files(const std::vector<std::string>& inputs);

}  // namespace stiction::apps
