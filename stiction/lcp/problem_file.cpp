#include "stiction/lcp/problem_file.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <new>

#include "stiction/base/file.h"
#include "stiction/base/text.h"
#include "stiction/lcp/problem_parser.h"

namespace stiction::lcp {

namespace {

/// How far the JSON parser has come, and how far it may go before it must deliver its next event.
struct Cursor {
  const char* position;
  const char* end;
  const ProblemParser* parser;
  std::size_t token_limit;
  std::size_t events = 0;
  const char* event_position = position;
  bool stopped = false;

  bool at_end() {
    if (parser->events() != events) {
      events = parser->events();
      event_position = position;
    }
    stopped = stopped || static_cast<std::size_t>(position - event_position) > token_limit;
    return stopped || position == end;
  }
};

/// The characters under a cursor. nlohmann's lexer keeps everything since the last token (blanks too) and puts it into
/// its error message, eight bytes for one, so text without an event must end before it becomes large.
struct CursorIterator {
  // NOLINTBEGIN(readability-identifier-naming): std::iterator_traits asks for these names
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  // NOLINTEND(readability-identifier-naming)

  Cursor* cursor;  ///< Null: the end.

  reference operator*() const { return *cursor->position; }
  CursorIterator& operator++() {
    ++cursor->position;
    return *this;
  }
  bool operator==(const CursorIterator&) const { return cursor == nullptr || cursor->at_end(); }
};

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

/// JSON has no NaN and no infinity, but Python's and C's writers print them all the same.
bool is_not_finite_literal(std::string_view text, std::size_t position) {
  std::size_t begin = std::min(position, text.size());
  while (begin > 0 && (std::isalpha(static_cast<unsigned char>(text[begin - 1])) != 0 || text[begin - 1] == '-'))
    --begin;
  std::string word(text.substr(begin, 4));
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (word.starts_with('-')) word.erase(0, 1);
  return word.starts_with("nan") || word.starts_with("inf");
}

std::string explain_syntax_error(std::string_view text, std::size_t position, const std::string& library_message) {
  if (is_not_finite_literal(text, position)) return "NaN and infinity are not JSON, expected a finite number";
  if (library_message.find("number overflow") != std::string::npos)
    return "the number is too large for double precision, expected a finite number";
  const std::size_t begin = library_message.find("syntax error");
  const std::string message = begin == std::string::npos ? library_message : library_message.substr(begin);
  const bool is_cut = message.find("unexpected end of input") != std::string::npos;
  return (is_cut ? "the file ends too early (truncated?): " : "not JSON: ") + one_line(message);
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
  Cursor cursor{text.data(), text.data() + text.size(), &parser, limits.token_bytes};
  const bool ok = nlohmann::json::sax_parse(CursorIterator{&cursor}, CursorIterator{nullptr}, &parser);
  if (ok) return std::move(parser.problems());

  const auto position = static_cast<std::size_t>(cursor.position - text.data());
  if (cursor.stopped)
    return Error{file + ":" + std::to_string(find_place(text, position).line) + ": more than " +
                 std::to_string(limits.token_bytes) + " bytes without a value, expected shorter strings and gaps"};
  if (!parser.defect().empty())
    return Error{file + ":" + std::to_string(find_place(text, position).line) + ": " + parser.defect()};
  return Error{locate(file, find_place(text, parser.syntax_position())) +
               explain_syntax_error(text, parser.syntax_position(), parser.syntax_error())};
} catch (const std::bad_alloc&) {
  return Error{std::string(file_name) + ": not enough memory to read it"};
}

Result<std::vector<StoredProblem>> read_problems(const std::filesystem::path& path, const ReadLimits& limits) {
  const Result<std::string> text = read_file(path, limits.file_bytes);
  if (!text) return Error{text.error()};
  return parse_problems(text.value(), path.string(), limits);
}

}  // namespace stiction::lcp
