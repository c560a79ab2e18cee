#include "stiction/cone/problem_file.h"

#include <charconv>
#include <cmath>
#include <new>
#include <vector>

#include "stiction/base/file.h"
#include "stiction/base/text.h"

namespace stiction::cone {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Words apart by blanks, with the line each stands on.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  /// Empty at the end.
  std::string_view next() {
    while (at_ < text_.size() && is_blank(text_[at_])) line_ += text_[at_++] == '\n' ? 1 : 0;
    const std::size_t start = at_;
    while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0, line_ = 1;
};

template <class T>
std::optional<T> parse_number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  T value{};
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (code != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

class Parser {
 public:
  Parser(std::string_view text, std::string_view file, const ReadLimits& limits)
      : words_(text), file_(file), limits_(limits), bytes_(text.size()) {}

  Result<Problem> parse() {
    if (!read_header() || !read_matrix() || !read_vector("q", size_, problem_.q) ||
        !read_vector("mu", contacts_, problem_.mu) || !read_tail())
      return Error{defect_};
    const std::string stem = std::filesystem::path(std::string(file_)).stem().string();
    problem_.name = one_line(stem);
    if (const std::string defect = find_defect(problem_); !defect.empty())
      return Error{std::string(file_) + ": " + defect};
    return std::move(problem_);
  }

 private:
  bool fail(const std::string& message) {
    defect_ = std::string(file_) + ":" + std::to_string(words_.line()) + ": " + message;
    return false;
  }

  bool expect(std::string_view word, const std::string& what) {
    const std::string found = word.empty() ? "the end of the file" : "\"" + one_line(word, 40) + "\"";
    return fail("found " + found + ", expected " + what);
  }

  bool read_index(const std::string& what, Index low, Index high, Index& value) {
    const std::string_view word = words_.next();
    const auto number = parse_number<long long>(word);
    if (!number || *number < low || *number > high)
      return expect(word, what + ", a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    value = static_cast<Index>(*number);
    return true;
  }

  bool read_value(const std::string& what, double& value) {
    const std::string_view word = words_.next();
    const auto number = parse_number<double>(word);
    if (!number || !std::isfinite(*number)) return expect(word, what + ", a finite number");
    value = *number;
    return true;
  }

  bool read_header() {
    if (const std::string_view word = words_.next(); word != "FCP1")
      return expect(word, "FCP1, the first word of a contact problem");
    Index dimension = 0;
    if (!read_index("the dimension", 2, 3, dimension) ||
        !read_index("the number of contacts", 1, limits_.contacts, contacts_) ||
        !read_index("the number of entries of W", 0, limits_.entries, entries_))
      return false;
    problem_.dimension = static_cast<int>(dimension);
    size_ = contacts_ * dimension;
    // Each number takes two bytes at least, so a short file cannot ask for much memory.
    const auto least = static_cast<std::uintmax_t>(2 * (3 * entries_ + size_ + contacts_));
    if (bytes_ < least) return fail("the file is too short for its header: numbers are missing");
    return true;
  }

  bool read_matrix() {
    std::vector<Eigen::Triplet<double>> triplets;
    triplets.reserve(static_cast<std::size_t>(entries_));
    for (Index i = 0; i < entries_; ++i) {
      Index row = 0, column = 0;
      double value = 0.0;
      if (!read_index("a row of W", 0, size_ - 1, row) || !read_index("a column of W", 0, size_ - 1, column) ||
          !read_value("an entry of W", value))
        return false;
      triplets.emplace_back(row, column, value);
    }
    SparseMatrix W(size_, size_);
    W.setFromTriplets(triplets.begin(), triplets.end());
    problem_.W = Matrix(std::move(W));
    return true;
  }

  bool read_vector(const std::string& what, Index size, Vector& vector) {
    vector.resize(size);
    for (Index i = 0; i < size; ++i)
      if (!read_value(what + "[" + std::to_string(i) + "]", vector[i])) return false;
    return true;
  }

  bool read_tail() {
    const std::string_view word = words_.next();
    if (word.empty()) return true;
    if (word != "mu2" || problem_.dimension != 3)
      return expect(word, "the end of the file" + std::string(problem_.dimension == 3 ? " or mu2" : ""));
    if (!read_vector("mu2", contacts_, problem_.mu2)) return false;
    const std::string_view rest = words_.next();
    return rest.empty() || expect(rest, "the end of the file");
  }

  Words words_;
  std::string_view file_;
  ReadLimits limits_;
  std::size_t bytes_;
  Index contacts_ = 0, entries_ = 0, size_ = 0;
  Problem problem_;
  std::string defect_;
};

}  // namespace

Result<Problem> parse_problem(std::string_view text, std::string_view file_name, const ReadLimits& limits) try {
  if (text.size() > limits.file_bytes)
    return Error{std::string(file_name) + ": larger than the limit of " + std::to_string(limits.file_bytes) + " bytes"};
  return Parser(text, file_name, limits).parse();
} catch (const std::bad_alloc&) {
  return Error{std::string(file_name) + ": not enough memory to read it"};
}

Result<Problem> read_problem(const std::filesystem::path& path, const ReadLimits& limits) {
  const Result<std::string> text = read_file(path, limits.file_bytes);
  if (!text) return Error{text.error()};
  return parse_problem(text.value(), path.string(), limits);
}

}  // namespace stiction::cone
