#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "stiction/base/result.h"
#include "stiction/linalg/pose.h"

namespace stiction {

/// A table with commas (RFC 4180), written row by row as NAME.part and renamed when it is whole. Numbers are written
/// with as many digits as it takes to read the same bits back.
class CsvFile {
 public:
  [[nodiscard]] static Result<CsvFile> create(std::filesystem::path path, std::span<const std::string_view> columns);

  CsvFile& add(double value);
  CsvFile& add(long value);
  CsvFile& add(std::string_view text);
  CsvFile& add(const Vec3& vector);
  void end_row();

  /// Why rows can no longer be written; what is added after that is dropped.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  /// Closes the file and gives it its name. After an error it stays NAME.part, and the error is returned.
  [[nodiscard]] std::optional<Error> finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  CsvFile() = default;
  void separate();
  void fail(int code);

  std::filesystem::path path_, part_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string row_;
  bool begins_row_ = true;
  std::optional<Error> error_;
};

}  // namespace stiction
