#include "apps/run_folder.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace stiction::apps {

namespace {

namespace fs = std::filesystem;

/// A scene's name may hold any character that can be seen; a folder's should not.
std::string as_folder_name(std::string text) {
  constexpr std::size_t longest = 60;
  if (text.size() > longest) text.resize(longest);
  for (char& c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    if (!is_plain) c = '_';
  }
  return text;
}

/// The largest number that a folder's name here begins with; 0 where there is none.
long find_last_number(const fs::path& runs) {
  long last = 0;
  std::error_code code;
  for (fs::directory_iterator entry(runs, code), end; !code && entry != end; entry.increment(code)) {
    const std::string name = entry->path().filename().string();
    long number = 0;
    const auto [stop, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool is_run = failure == std::errc{} && stop != name.data() + name.size() && *stop == '-';
    if (is_run) last = std::max(last, number);
  }
  return last;
}

Result<fs::path> make_numbered(const fs::path& runs, const std::string& name) {
  constexpr int most_attempts = 1000;
  std::error_code code;
  fs::create_directories(runs, code);
  const long last = find_last_number(runs);
  // Another run may take the number in between: making the folder decides.
  for (int attempt = 1; !code && attempt <= most_attempts; ++attempt) {
    const fs::path folder = runs / fmt::format("{:04}-{}", last + attempt, as_folder_name(name));
    if (fs::create_directory(folder, code)) return folder;
  }
  return Error{fmt::format("{}: a folder for the run cannot be made there: {}; name another with --out", runs.string(),
                           code ? code.message() : "too many others are made at the same time")};
}

}  // namespace

Result<fs::path> make_run_folder(const std::optional<std::string>& out, const fs::path& runs, const std::string& name) {
  if (!out) return make_numbered(runs, name);
  std::error_code code;
  if (fs::exists(*out, code) && !fs::is_directory(*out, code))
    return Error{fmt::format("--out {}: is a file, expected a folder or a name that is free", *out)};
  if (fs::is_directory(*out, code) && !fs::is_empty(*out, code))
    return Error{
        fmt::format("--out {}: is not empty, and nothing is overwritten; name another folder, or empty it", *out)};
  fs::create_directories(*out, code);
  if (code) return Error{fmt::format("--out {}: cannot be made a folder: {}", *out, code.message())};
  return fs::path(*out);
}

}  // namespace stiction::apps
