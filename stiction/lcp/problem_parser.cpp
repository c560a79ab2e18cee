#include "stiction/lcp/problem_parser.h"

#include <bit>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

#include "stiction/base/text.h"
#include "stiction/lcp/problem_keys.h"

namespace stiction::lcp {

namespace {

constexpr std::size_t longest_name = 200;
constexpr std::size_t longest_remark = 10'000;

std::string in_quotes(std::string_view text) {
  return "\"" + one_line(text, 60) + "\"";
}

}  // namespace

bool ProblemParser::fail_at(const std::string& where, const std::string& message) {
  defect_ = (where.empty() ? "top level" : where) + ": " + message;
  return false;
}

bool ProblemParser::fail(const std::string& message) {
  return fail_at(pointer(), message);
}

std::string ProblemParser::pointer() const {
  std::string text;
  for (const Frame& frame : frames_) {
    if (frame.is_array) {
      if (frame.count > 0) text += "/" + std::to_string(frame.count - 1);
    } else if (frame.seen != 0 || !frame.key.empty()) {
      text += "/";
      for (const char c : one_line(frame.key, 60)) text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    }
  }
  return text;
}

std::string ProblemParser::expectation() const {
  if (frames_.empty()) return "an object {\"problems\": [...]}";
  const Frame& frame = frames_.back();
  switch (frame.slot) {
    case Slot::document:
      return std::string(find_key(document_keys, frame.key)->expectation);
    case Slot::problem_list:
      return "a problem, an object with \"M\" and \"q\"";
    case Slot::problem:
      return std::string(find_key(problem_keys, frame.key)->expectation);
    case Slot::dense_matrix:
      return "a row, an array of numbers";
    case Slot::sparse_matrix:
      return std::string(find_key(sparse_keys, frame.key)->expectation);
    case Slot::triplet_list:
      return "[row, column, value]";
    case Slot::triplet:
      return frame.count == 3 ? "a number" : "an index";
    case Slot::numbers:
      return frame.null_means == 0.0 ? "a number" : "a number, null, \"inf\" or \"-inf\"";
    case Slot::indices:
      return "an index";
    case Slot::solution_list:
      return "a solution, an array of numbers";
    case Slot::ignored:
      break;
  }
  return "anything";
}

bool ProblemParser::is_ignored() const {
  return !frames_.empty() && (frames_.back().slot == Slot::ignored || frames_.back().is_key_ignored);
}

bool ProblemParser::value_begins() {
  ++events_;
  if (!frames_.empty() && frames_.back().is_array) ++frames_.back().count;
  return !is_ignored();
}

bool ProblemParser::open(Slot slot, bool is_array) {
  if (frames_.size() >= limits_.depth)
    return fail("nested deeper than " + std::to_string(limits_.depth) + " levels, expected at most that many");
  frames_.push_back({slot, is_array});
  return true;
}

bool ProblemParser::open_numbers(std::vector<double>& target, Index most, double null_means) {
  if (!open(Slot::numbers, true)) return false;
  frames_.back().numbers = &target;
  frames_.back().most = most;
  frames_.back().null_means = null_means;
  return true;
}

// ---- scalars

bool ProblemParser::null() {
  if (!value_begins()) return true;
  if (frames_.empty() || frames_.back().null_means == 0.0) return wrong_type("null");
  return add_number(frames_.back().null_means);
}

bool ProblemParser::boolean(bool value) {
  if (!value_begins()) return true;
  return wrong_type(value ? "true" : "false");
}

bool ProblemParser::number_float(double value, const std::string& /*text*/) {
  return number(value);
}

bool ProblemParser::binary(nlohmann::json::binary_t& /*value*/) {
  return wrong_type("binary data");
}

bool ProblemParser::number(double value) {
  if (!value_begins()) return true;
  if (frames_.empty()) return wrong_type("a number");
  Frame& frame = frames_.back();
  switch (frame.slot) {
    case Slot::numbers:
      return add_number(value);
    case Slot::triplet:
      return add_triplet_part(value);
    case Slot::indices: {
      Index index = 0;
      if (!as_index(value, index)) return false;
      if (frame.count > static_cast<std::size_t>(limits_.sparse_size)) return fail("too many entries");
      draft_.free.push_back(index);
      return true;
    }
    case Slot::sparse_matrix: {
      if (frame.key == "triplets") return wrong_type("a number");
      Index size = 0;
      if (!as_index(value, size)) return false;
      (frame.key == "rows" ? draft_.sparse_rows : draft_.sparse_columns) = size;
      return true;
    }
    default:
      return wrong_type("a number");
  }
}

bool ProblemParser::add_number(double value) {
  Frame& frame = frames_.back();
  if (frame.count > static_cast<std::size_t>(frame.most))
    return fail("too many entries, expected at most " + std::to_string(frame.most) +
                (frame.numbers == &draft_.dense ? " in dense M; larger problems can be sparse" : ""));
  frame.numbers->push_back(value);
  return true;
}

bool ProblemParser::add_triplet_part(double value) {
  switch (frames_.back().count) {
    case 1:
      return as_index(value, triplet_row_);
    case 2:
      return as_index(value, triplet_column_);
    case 3:
      draft_.triplets.emplace_back(static_cast<int>(triplet_row_), static_cast<int>(triplet_column_), value);
      return true;
    default:
      return fail("too many entries, expected [row, column, value]");
  }
}

bool ProblemParser::as_index(double value, Index& index) {
  const auto most = static_cast<double>(limits_.sparse_size);
  if (!(value >= 0.0 && value <= most) || value != std::floor(value))
    return fail("expected a whole number from 0 to " + std::to_string(limits_.sparse_size));
  index = static_cast<Index>(value);
  return true;
}

bool ProblemParser::set_text(std::string& target, std::string& value, std::size_t most) {
  if (value.size() > most) return fail("longer than " + std::to_string(most) + " bytes, expected a shorter text");
  target = std::move(value);
  return true;
}

bool ProblemParser::string(std::string& value) {
  if (!value_begins()) return true;
  if (frames_.empty()) return wrong_type("a string");
  Frame& frame = frames_.back();
  if (frame.slot == Slot::numbers && frame.null_means != 0.0 && (value == "inf" || value == "-inf"))
    return add_number(value == "inf" ? infinity : -infinity);
  if (frame.slot != Slot::problem) return wrong_type("the string " + in_quotes(value));
  if (frame.key == "name") {
    for (const char c : value)
      if (const auto byte = static_cast<unsigned char>(c); byte < 0x20 || byte == 0x7f)
        return fail("has a control character, expected printable text");
    if (value.empty()) return fail("is empty, expected a name");
    return set_text(draft_.name, value, longest_name);
  }
  if (frame.key == "source") return set_text(draft_.source, value, longest_remark);
  if (frame.key == "must") return set_text(draft_.must, value, longest_remark);
  if (frame.key != "expect") return wrong_type("the string " + in_quotes(value));
  for (const Status status :
       {Status::solved, Status::infeasible, Status::ray, Status::iteration_limit, Status::invalid})
    if (value == to_string(status)) {
      draft_.expect = status;
      return true;
    }
  return wrong_type(in_quotes(value));
}

// ---- objects

bool ProblemParser::start_object(std::size_t /*size*/) {
  if (!value_begins()) return open(Slot::ignored, false);
  if (frames_.empty()) return open(Slot::document, false);
  switch (frames_.back().slot) {
    case Slot::problem_list:
      if (problems_.size() >= limits_.problems)
        return fail("too many problems, expected at most " + std::to_string(limits_.problems) + " in a file");
      draft_ = {};
      return open(Slot::problem, false);
    case Slot::problem:
      if (frames_.back().key != "M") return wrong_type("an object");
      draft_.has_M = draft_.is_sparse = true;
      return open(Slot::sparse_matrix, false);
    default:
      return wrong_type("an object");
  }
}

bool ProblemParser::key(std::string& name) {
  ++events_;
  Frame& frame = frames_.back();
  frame.key = std::move(name);
  if (frame.slot == Slot::ignored) return true;

  const auto accept = [&](std::span<const KnownKey> keys) {
    const KnownKey* known = find_key(keys, frame.key);
    frame.is_key_ignored = known == nullptr;
    if (known == nullptr) {
      if (const std::string_view meant = misspelt_key(keys, frame.key); !meant.empty())
        return fail("unknown key, did you mean " + in_quotes(meant) + "?");
      return frame.slot != Slot::sparse_matrix || fail("unknown key, expected \"rows\", \"cols\" or \"triplets\"");
    }
    const std::uint32_t bit = std::uint32_t{1} << (known - keys.data());
    if ((frame.seen & bit) != 0) return fail("key given twice, expected once");
    frame.seen |= bit;
    return true;
  };
  if (frame.slot == Slot::document) return accept(document_keys);
  if (frame.slot == Slot::problem) return accept(problem_keys);
  return accept(sparse_keys);
}

bool ProblemParser::end_object() {
  ++events_;
  const Frame frame = std::move(frames_.back());
  frames_.pop_back();
  if (frame.slot == Slot::problem) return end_problem();
  if (frame.slot == Slot::document && frame.seen == 0)
    return fail("missing \"problems\", expected {\"problems\": [...]}");
  if (frame.slot == Slot::sparse_matrix && frame.seen != 0b111)
    return fail("missing " + in_quotes(sparse_keys[std::countr_one(frame.seen)].name) +
                ", expected \"rows\", \"cols\" and \"triplets\"");
  return true;
}

bool ProblemParser::end_problem() {
  StoredProblem stored;
  if (draft_.name.empty()) draft_.name = "problem_" + std::to_string(problems_.size());
  if (const auto defect = finish(std::move(draft_), stored)) return fail_at(pointer() + defect->at, defect->message);
  if (!names_.insert(stored.problem.name).second)
    return fail_at(pointer() + "/name",
                   in_quotes(stored.problem.name) + " is taken, expected each name once in a file");
  problems_.push_back(std::move(stored));
  return true;
}

// ---- arrays

bool ProblemParser::start_array(std::size_t /*size*/) {
  if (!value_begins()) return open(Slot::ignored, true);
  if (frames_.empty()) return wrong_type("an array");
  const Frame& frame = frames_.back();
  switch (frame.slot) {
    case Slot::document:
      return open(Slot::problem_list, true);
    case Slot::problem:
      return open_array_of_problem(frame.key);
    case Slot::dense_matrix:
      if (frame.count > static_cast<std::size_t>(limits_.dense_size))
        return fail("too many rows, expected at most " + std::to_string(limits_.dense_size) +
                    " in dense M; larger problems can be sparse");
      return open_numbers(draft_.dense, limits_.dense_size);
    case Slot::sparse_matrix:
      return frame.key == "triplets" ? open(Slot::triplet_list, true) : wrong_type("an array");
    case Slot::triplet_list:
      return open(Slot::triplet, true);
    case Slot::solution_list:
      solution_.clear();
      return open_numbers(solution_, limits_.sparse_size);
    default:
      return wrong_type("an array");
  }
}

bool ProblemParser::open_array_of_problem(const std::string& name) {
  if (name == "M") {
    draft_.has_M = true;
    return open(Slot::dense_matrix, true);
  }
  if (name == "q") {
    draft_.has_q = true;
    return open_numbers(draft_.q, limits_.sparse_size);
  }
  if (name == "lower") {
    draft_.has_lower = true;
    return open_numbers(draft_.lower, limits_.sparse_size, -infinity);
  }
  if (name == "upper") {
    draft_.has_upper = true;
    return open_numbers(draft_.upper, limits_.sparse_size, infinity);
  }
  if (name == "free") return open(Slot::indices, true);
  if (name == "basic_solutions") {
    draft_.basic_solutions.emplace();
    return open(Slot::solution_list, true);
  }
  return wrong_type("an array");
}

bool ProblemParser::end_array() {
  ++events_;
  const Frame frame = std::move(frames_.back());
  frames_.pop_back();
  switch (frame.slot) {
    case Slot::problem_list:
      return frame.count > 0 || fail("is empty, expected at least one problem");
    case Slot::dense_matrix:
      return frame.count > 0 || fail("is empty, expected at least one row");
    case Slot::triplet:
      return frame.count == 3 || fail("has " + std::to_string(frame.count) + " entries, expected [row, column, value]");
    case Slot::numbers:
      return end_numbers(frame.count);
    default:
      return true;
  }
}

bool ProblemParser::end_numbers(std::size_t count) {
  const Frame& parent = frames_.back();
  if (parent.slot == Slot::solution_list) {
    draft_.basic_solutions->emplace_back(Eigen::Map<const Vector>(solution_.data(), static_cast<Index>(count)));
  } else if (parent.slot == Slot::dense_matrix) {
    const auto size = static_cast<Index>(count);
    if (parent.count == 1) draft_.dense_columns = size;
    if (size != draft_.dense_columns)
      return fail("row has " + std::to_string(size) + " entries, expected " + std::to_string(draft_.dense_columns) +
                  " as in row 0");
    draft_.dense_rows = static_cast<Index>(parent.count);
  }
  return true;
}

bool ProblemParser::parse_error(std::size_t position, const std::string& /*token*/,
                                const nlohmann::json::exception& exception) {
  syntax_position_ = position;
  syntax_error_ = exception.what();
  return false;
}

}  // namespace stiction::lcp
