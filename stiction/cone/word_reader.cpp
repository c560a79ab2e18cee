#include "stiction/cone/word_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>

#include "stiction/base/text.h"

namespace stiction::cone {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

template <class T>
std::optional<T> parse_number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  T value{};
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (code != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string_view WordReader::next() {
  while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == '#')) {
    if (text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size());
    if (at_ < text_.size()) line_ += text_[at_++] == '\n' ? 1 : 0;
  }
  const std::size_t start = at_;
  while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
  return text_.substr(start, at_ - start);
}

bool WordReader::fail(const std::string& message) {
  defect_ = file() + ":" + std::to_string(line_) + ": " + message;
  return false;
}

bool WordReader::expect(std::string_view word, const std::string& what) {
  const std::string found = word.empty() ? "the end of the file" : "\"" + one_line(word, 40) + "\"";
  return fail("found " + found + ", expected " + what);
}

bool WordReader::read_word(std::string_view word) {
  const std::string_view found = next();
  return found == word || expect(found, "the word " + std::string(word));
}

bool WordReader::read_index(const std::string& what, Index low, Index high, Index& value) {
  const std::string_view word = next();
  const auto number = parse_number<long long>(word);
  if (!number || *number < low || *number > high)
    return expect(word, what + ", a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  value = static_cast<Index>(*number);
  return true;
}

bool WordReader::read_value(const std::string& what, double& value) {
  const std::string_view word = next();
  const auto number = parse_number<double>(word);
  if (!number || !std::isfinite(*number)) return expect(word, what + ", a finite number");
  value = *number;
  return true;
}

bool WordReader::read_bound(const std::string& what, double& value) {
  const std::string_view word = next();
  const auto number = parse_number<double>(word);
  if (!number || std::isnan(*number)) return expect(word, what + ", a number, inf or -inf");
  value = *number;
  return true;
}

bool WordReader::read_vector(const std::string& what, Index size, Vector& vector) {
  vector.resize(size);
  for (Index i = 0; i < size; ++i)
    if (!read_value(what + "[" + std::to_string(i) + "]", vector[i])) return false;
  return true;
}

bool WordReader::read_end(std::string_view word, lcp::Status& status, const std::string& else_what) {
  using lcp::Status;
  if (word.empty()) return true;
  if (word != "expect") return expect(word, "the end of the file" + else_what + " or expect");
  const std::string_view name = next();
  for (const Status known :
       {Status::solved, Status::infeasible, Status::ray, Status::iteration_limit, Status::invalid}) {
    if (name != to_string(known)) continue;
    status = known;
    const std::string_view rest = next();
    return rest.empty() || expect(rest, "the end of the file");
  }
  return expect(name, "solved, infeasible, ray, iteration_limit or invalid");
}

std::string WordReader::stem() const {
  return one_line(std::filesystem::path(file()).stem().string());
}

}  // namespace stiction::cone
