#include <charconv>

#include "stiction/base/file.h"
#include "stiction/cone/problem_file.h"

namespace stiction::cone {

namespace {

void append(std::string& text, double value) {
  char buffer[40];
  const auto [end, code] = std::to_chars(buffer, buffer + sizeof buffer, value);
  text.append(buffer, code == std::errc() ? end : buffer);
}

void append(std::string& text, const Vector& values) {
  for (const double value : values) {
    append(text, value);
    text += '\n';
  }
}

}  // namespace

Result<std::string> to_text(const Problem& problem) {
  if (const std::string defect = find_defect(problem); !defect.empty())
    return Error{problem.name + ": cannot be written: " + defect};
  std::string body;
  Index entries = 0;
  for (Index j = 0; j < problem.size(); ++j)
    problem.W.for_each_in_column(j, [&](Index i, double value) {
      body += std::to_string(i) + " " + std::to_string(j) + " ";
      append(body, value);
      body += '\n';
      ++entries;
    });
  std::string text = "FCP1 " + std::to_string(problem.dimension) + " " + std::to_string(problem.contacts()) + " " +
                     std::to_string(entries) + "\n" + body;
  append(text, problem.q);
  append(text, problem.mu);
  if (problem.mu2.size() == 0) return text;
  text += "mu2\n";
  append(text, problem.mu2);
  return text;
}

std::optional<Error> write_problem(const std::filesystem::path& path, const Problem& problem) {
  const Result<std::string> text = to_text(problem);
  if (!text) return Error{text.error()};
  return write_file(path, text.value());
}

}  // namespace stiction::cone
