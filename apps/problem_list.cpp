#include "apps/problem_list.h"

#include <algorithm>
#include <system_error>

#include "stiction/base/file.h"

namespace stiction::apps {

namespace {

namespace fs = std::filesystem;

void add_folder(const fs::path& folder, ProblemList& list) {
  std::vector<fs::path> found;
  std::error_code code;
  auto entry = fs::recursive_directory_iterator(folder, code);
  for (; !code && entry != fs::recursive_directory_iterator(); entry.increment(code)) {
    std::error_code ignored;
    const bool is_problem = entry->path().extension() == ".json" || is_contact_problem(entry->path());
    if (is_problem && entry->is_regular_file(ignored)) found.push_back(entry->path());
  }
  if (code) list.errors.push_back(folder.string() + ": cannot be listed: " + code.message());
  if (!code && found.empty())
    list.errors.push_back(folder.string() + ": no *.json, *.fcp or *.hdf5 file below it, expected stored problems");
  std::sort(found.begin(), found.end());
  list.files.insert(list.files.end(), found.begin(), found.end());
}

}  // namespace

bool is_contact_problem(const std::filesystem::path& file) {
  return file.extension() == ".fcp" || is_fclib(file);
}

bool is_fclib(const std::filesystem::path& file) {
  return file.extension() == ".hdf5";
}

ProblemList list_problem_files(const std::vector<std::string>& inputs) {
  ProblemList list;
  for (const std::string& input : inputs) {
    const fs::path path(input);
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (status.type() == fs::file_type::not_found)
      list.errors.push_back(input + ": no such file or folder");
    else if (fs::is_directory(status))
      add_folder(path, list);
    else if (const auto error = find_unreadable(path))
      list.errors.push_back(error->message);
    else
      list.files.push_back(path);
  }
  return list;
}

}  // namespace stiction::apps
