#include "apps/served_runs.h"

#include <chrono>
#include <system_error>
#include <utility>

#include "stiction/record/page_data.h"
#include "stiction/record/run_reader.h"

namespace stiction::apps {

namespace {

namespace fs = std::filesystem;

constexpr auto longest_silence = std::chrono::minutes(1);

}  // namespace

ServedRuns::ServedRuns(std::vector<std::string> paths, bool is_live) : is_live_(is_live) {
  for (std::string& path : paths) files_.push_back({std::move(path), {}, std::nullopt});
}

std::optional<Error> ServedRuns::refresh(File& file) const {
  std::error_code code;
  const fs::file_time_type changed = fs::last_write_time(file.path, code);
  if (file.run && !code && changed == file.changed) {
    const bool is_silent = fs::file_time_type::clock::now() - changed > longest_silence;
    if (!is_live_ && is_silent && file.run->status == "running") file.run->status = "interrupted";
    return std::nullopt;
  }
  Result<RecordedRun> read = read_run(file.path);
  if (!read) return Error{read.error()};
  const bool is_first = !file.run;
  file.run = std::move(read).value();
  file.changed = changed;
  return is_first && !code ? refresh(file) : std::nullopt;
}

Result<std::string> ServedRuns::data(std::uint64_t from) {
  const std::scoped_lock lock(mutex_);
  std::vector<PageRun> pages;
  for (File& file : files_) {
    if (auto error = refresh(file)) return *error;
    pages.push_back({&*file.run, label_of(*file.run), from});
  }
  return make_page_data(pages);
}

}  // namespace stiction::apps
