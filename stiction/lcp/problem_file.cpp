#include "stiction/lcp/problem_file.h"

#include <algorithm>
#include <new>

#include "stiction/base/file.h"
#include "stiction/base/json_input.h"
#include "stiction/lcp/problem_parser.h"

namespace stiction::lcp {

namespace {

/// The line and column (from 1) of the byte before `position`, the last one read.
struct TextPlace {
  std::size_t line, column;
};

TextPlace find_place(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, std::min(position, text.size() + 1) - (position > 0 ? 1 : 0));
  const std::size_t last_break = before.rfind('\n');
  return {1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')),
          last_break == std::string_view::npos ? before.size() + 1 : before.size() - last_break};
}

std::string locate(const std::string& file, TextPlace place) {
  return file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": ";
}

}  // namespace

Result<std::vector<StoredProblem>> parse_problems(std::string_view text, std::string_view file_name,
                                                  const ReadLimits& limits) try {
  const std::string file(file_name);
  if (text.size() > limits.file_bytes)
    return Error{file + ": larger than the limit of " + std::to_string(limits.file_bytes) + " bytes"};
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return Error{file + ": the file is empty, expected {\"problems\": [...]}"};
  // The JSON library takes a zero byte for the end of the text and would pass over what follows.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
    return Error{locate(file, find_place(text, zero + 1)) + "not JSON: a zero byte"};

  ProblemParser parser(limits);
  JsonInput input(text, parser.events(), limits.token_bytes);
  const bool ok = nlohmann::json::sax_parse(input.begin(), JsonInput::Iterator{}, &parser);
  if (ok) return std::move(parser.problems());

  const std::size_t position = input.position();
  if (input.stopped())
    return Error{file + ":" + std::to_string(find_place(text, position).line) + ": more than " +
                 std::to_string(limits.token_bytes) + " bytes without a value, expected shorter strings and gaps"};
  if (!parser.defect().empty())
    return Error{file + ":" + std::to_string(find_place(text, position).line) + ": " + parser.defect()};
  return Error{locate(file, find_place(text, parser.syntax_position())) +
               explain_json_error(text, parser.syntax_position(), parser.syntax_error())};
} catch (const std::bad_alloc&) {
  return Error{std::string(file_name) + ": not enough memory to read it"};
}

Result<std::vector<StoredProblem>> read_problems(const std::filesystem::path& path, const ReadLimits& limits) {
  const Result<std::string> text = read_file(path, limits.file_bytes);
  if (!text) return Error{text.error()};
  return parse_problems(text.value(), path.string(), limits);
}

}  // namespace stiction::lcp
