#pragma once

#include <string>
#include <string_view>

#include "stiction/base/result.h"
#include "stiction/cone/problem.h"

namespace stiction::cone {

/// Internal. Words apart by blanks, with comments from # to the end of a line, read one after the other, with messages
/// that begin with file and line. What returns false has left a defect().
class WordReader {
 public:
  WordReader(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  /// Empty at the end.
  std::string_view next();

  bool fail(const std::string& message);
  /// That `word` is not what was expected.
  bool expect(std::string_view word, const std::string& what);
  bool read_word(std::string_view word);
  bool read_index(const std::string& what, Index low, Index high, Index& value);
  bool read_value(const std::string& what, double& value);
  /// As read_value, but infinities too.
  bool read_bound(const std::string& what, double& value);
  bool read_vector(const std::string& what, Index size, Vector& vector);
  /// What may end a file, where `word` is the next one: `expect` and a status, or nothing. `else_what` is what could
  /// have been there besides, after a comma.
  bool read_end(std::string_view word, lcp::Status& status, const std::string& else_what = {});

  [[nodiscard]] Error defect() const { return {defect_}; }
  [[nodiscard]] std::string file() const { return std::string(file_); }
  /// The file's name without folder and ending.
  [[nodiscard]] std::string stem() const;

 private:
  std::string_view text_, file_;
  std::size_t at_ = 0, line_ = 1;
  std::string defect_;
};

}  // namespace stiction::cone
