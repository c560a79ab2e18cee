#include "stiction/cone/problem_file.h"

#include <new>
#include <utility>
#include <vector>

#include "stiction/base/file.h"
#include "stiction/cone/word_reader.h"

namespace stiction::cone {

namespace {

class Parser : private WordReader {
 public:
  Parser(std::string_view text, std::string_view file, const ReadLimits& limits)
      : WordReader(text, file), limits_(limits), bytes_(text.size()) {}

  Result<Problem> parse() {
    if (!read_header() || !read_matrix() || !read_vector("q", size_, problem_.q) ||
        !read_vector("mu", contacts_, problem_.mu) || !read_tail())
      return defect();
    problem_.name = stem();
    if (const std::string defect = find_defect(problem_); !defect.empty()) return Error{file() + ": " + defect};
    return std::move(problem_);
  }

 private:
  bool read_header() {
    if (const std::string_view word = next(); word != "FCP1")
      return expect(word, "FCP1 or FCG1, the first word of a contact problem");
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

  bool read_tail() {
    std::string_view word = next();
    const bool is_elliptic = word == "mu2" && problem_.dimension == 3;
    if (is_elliptic) {
      if (!read_vector("mu2", contacts_, problem_.mu2)) return false;
      word = next();
    }
    return read_end(word, problem_.expect, problem_.dimension == 3 && !is_elliptic ? ", mu2" : "");
  }

  ReadLimits limits_;
  std::size_t bytes_;
  Index contacts_ = 0, entries_ = 0, size_ = 0;
  Problem problem_;
};

}  // namespace

Result<StoredProblem> parse_stored(std::string_view text, std::string_view file_name, const ReadLimits& limits) try {
  if (text.size() > limits.file_bytes)
    return Error{std::string(file_name) + ": larger than the limit of " + std::to_string(limits.file_bytes) + " bytes"};
  if (WordReader(text, file_name).next() == "FCG1") {
    Result<FactorForm> form = parse_factors(text, file_name, limits);
    if (!form) return Error{form.error()};
    return StoredProblem(std::move(form).value());
  }
  Result<Problem> problem = Parser(text, file_name, limits).parse();
  if (!problem) return Error{problem.error()};
  return StoredProblem(std::move(problem).value());
} catch (const std::bad_alloc&) {
  return Error{std::string(file_name) + ": not enough memory to read it"};
}

Result<StoredProblem> read_stored(const std::filesystem::path& path, const ReadLimits& limits) {
  const Result<std::string> text = read_file(path, limits.file_bytes);
  if (!text) return Error{text.error()};
  return parse_stored(text.value(), path.string(), limits);
}

Result<Problem> parse_problem(std::string_view text, std::string_view file_name, const ReadLimits& limits) {
  Result<StoredProblem> stored = parse_stored(text, file_name, limits);
  if (!stored) return Error{stored.error()};
  if (std::holds_alternative<Problem>(stored.value())) return std::get<Problem>(std::move(stored).value());
  Result<Problem> problem = condense(std::get<FactorForm>(stored.value()));
  return problem ? problem : Error{std::string(file_name) + ": " + problem.error()};
}

Result<Problem> read_problem(const std::filesystem::path& path, const ReadLimits& limits) {
  const Result<std::string> text = read_file(path, limits.file_bytes);
  if (!text) return Error{text.error()};
  return parse_problem(text.value(), path.string(), limits);
}

}  // namespace stiction::cone
