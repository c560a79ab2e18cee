#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/record/recorded_run.h"

namespace stiction::apps {

/// Stored runs, perhaps still growing, as the page's data. A file is read again only when it has changed.
class ServedRuns {
 public:
  /// Files run.h5. Where `is_live` is false, one that says "running" and was not written for a minute was killed.
  ServedRuns(std::vector<std::string> paths, bool is_live);

  /// For PageServer; may be called from several threads.
  [[nodiscard]] Result<std::string> data(std::uint64_t from);

 private:
  struct File {
    std::string path;
    std::filesystem::file_time_type changed;
    std::optional<RecordedRun> run;
  };

  [[nodiscard]] std::optional<Error> refresh(File& file) const;

  std::mutex mutex_;
  std::vector<File> files_;
  bool is_live_;
};

}  // namespace stiction::apps
