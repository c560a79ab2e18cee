#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "stiction/base/file.h"
#include "stiction/lcp/problem_file.h"

namespace stiction::lcp {

namespace {

std::string in_quotes(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// The shortest digits that read back to the same bits.
void add_number(std::string& text, double value) {
  if (!std::isfinite(value)) {
    text += value > 0 ? "\"inf\"" : "\"-inf\"";
    return;
  }
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  text.append(buffer, end);
  // Without this "-0" would come back as the integer 0.
  if (value == 0.0 && std::signbit(value)) text += ".0";
}

template <class Numbers>
void add_numbers(std::string& text, const Numbers& numbers) {
  text += '[';
  for (Index i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += ", ";
    add_number(text, numbers[i]);
  }
  text += ']';
}

void add_matrix(std::string& text, const Matrix& M) {
  if (M.is_dense()) {
    text += '[';
    for (Index i = 0; i < M.rows(); ++i) {
      if (i > 0) text += ",\n   ";
      add_numbers(text, M.dense().row(i));
    }
    text += ']';
    return;
  }
  text += "{\"rows\": " + std::to_string(M.rows()) + ", \"cols\": " + std::to_string(M.cols()) + ", \"triplets\": [";
  bool is_first = true;
  for (Index j = 0; j < M.cols(); ++j)
    M.for_each_in_column(j, [&](Index i, double value) {
      text += is_first ? "\n   [" : ",\n   [";
      text += std::to_string(i) + ", " + std::to_string(j) + ", ";
      add_number(text, value);
      text += ']';
      is_first = false;
    });
  text += "]}";
}

void add_problem(std::string& text, const StoredProblem& stored) {
  const Problem& problem = stored.problem;
  text += "{\"name\": " + in_quotes(problem.name);
  if (!stored.source.empty()) text += ",\n  \"source\": " + in_quotes(stored.source);
  if (!stored.must.empty()) text += ",\n  \"must\": " + in_quotes(stored.must);
  text += ",\n  \"expect\": \"" + std::string(to_string(stored.expect)) + "\",\n  \"M\": ";
  add_matrix(text, problem.M);
  text += ",\n  \"q\": ";
  add_numbers(text, problem.q);
  if (problem.lower.size() > 0) {
    text += ",\n  \"lower\": ";
    add_numbers(text, problem.lower);
  }
  if (problem.upper.size() > 0) {
    text += ",\n  \"upper\": ";
    add_numbers(text, problem.upper);
  }
  if (stored.basic_solutions) {
    text += ",\n  \"basic_solutions\": [";
    for (std::size_t k = 0; k < stored.basic_solutions->size(); ++k) {
      if (k > 0) text += ", ";
      add_numbers(text, (*stored.basic_solutions)[k]);
    }
    text += ']';
  }
  text += '}';
}

}  // namespace

Result<std::string> to_json(std::span<const StoredProblem> problems) {
  std::string text = "{\"problems\": [\n ";
  for (std::size_t k = 0; k < problems.size(); ++k) {
    if (const std::string defect = find_defect(problems[k].problem); !defect.empty())
      return Error{"problem " + std::to_string(k) + " (" + problems[k].problem.name + "): " + defect};
    if (k > 0) text += ",\n ";
    add_problem(text, problems[k]);
  }
  return text + "\n]}\n";
}

std::optional<Error> write_problems(const std::filesystem::path& path, std::span<const StoredProblem> problems) {
  const Result<std::string> text = to_json(problems);
  if (!text) return Error{path.string() + ": " + text.error()};
  return write_file(path, text.value());
}

}  // namespace stiction::lcp
