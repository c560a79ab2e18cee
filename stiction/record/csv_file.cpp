#include "stiction/record/csv_file.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>

namespace stiction {

namespace {

template <class Number>
void append(std::string& text, Number value) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text.append(digits.data(), end);
}

}  // namespace

Result<CsvFile> CsvFile::create(std::filesystem::path path, std::span<const std::string_view> columns) {
  CsvFile csv;
  csv.path_ = std::move(path);
  csv.part_ = csv.path_;
  csv.part_ += ".part";
  csv.file_.reset(std::fopen(csv.part_.c_str(), "wb"));
  if (!csv.file_) csv.fail(errno);
  for (const std::string_view column : columns) csv.add(column);
  csv.end_row();
  if (csv.error_) return *csv.error_;
  return csv;
}

CsvFile& CsvFile::add(double value) {
  separate();
  append(row_, value);
  return *this;
}

CsvFile& CsvFile::add(long value) {
  separate();
  append(row_, value);
  return *this;
}

CsvFile& CsvFile::add(std::string_view text) {
  separate();
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    row_ += text;
    return *this;
  }
  row_ += '"';
  for (const char c : text) row_.append(c == '"' ? 2 : 1, c);
  row_ += '"';
  return *this;
}

CsvFile& CsvFile::add(const Vec3& vector) {
  return add(vector.x()).add(vector.y()).add(vector.z());
}

void CsvFile::separate() {
  if (!begins_row_) row_ += ',';
  begins_row_ = false;
}

void CsvFile::end_row() {
  row_ += '\n';
  if (!error_ && std::fwrite(row_.data(), 1, row_.size(), file_.get()) != row_.size()) fail(errno);
  row_.clear();
  begins_row_ = true;
}

std::optional<Error> CsvFile::finish() {
  if (!error_ && std::fclose(file_.release()) != 0) fail(errno);
  if (!error_ && std::rename(part_.c_str(), path_.c_str()) != 0) fail(errno);
  return error_;
}

void CsvFile::fail(int code) {
  error_ = Error{path_.string() + ": cannot be written: " + std::generic_category().message(code)};
}

}  // namespace stiction
