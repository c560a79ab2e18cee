#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <numbers>
#include <optional>

#include "stiction/base/text.h"
#include "stiction/model/expression.h"
#include "stiction/model/expression_operations.h"

namespace stiction {

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

/// Recursive descent, as deep as `Expression::most_depth` and no deeper. Instructions are written in the order of
/// evaluation.
class ExpressionParser {
 public:
  using Operation = Expression::Operation;

  ExpressionParser(std::string_view text, std::span<const std::string_view> variables)
      : text_(text), variables_(variables) {}

  Result<Expression> parse() {
    if (text_.size() > Expression::most_bytes)
      return Error{"the formula has " + std::to_string(text_.size()) + " characters, expected at most " +
                   std::to_string(Expression::most_bytes)};
    if (read_sum() && !error_) {
      skip_blanks();
      if (at_ < text_.size()) fail("an operator or the end");
    }
    if (error_) return *error_;
    result_.text_ = text_;
    return result_;
  }

 private:
  using Function = std::pair<std::string_view, Operation>;
  static constexpr std::array<Function, 20> functions = {
      {{"sin", Operation::sin},     {"cos", Operation::cos},   {"tan", Operation::tan},   {"asin", Operation::asin},
       {"acos", Operation::acos},   {"atan", Operation::atan}, {"sinh", Operation::sinh}, {"cosh", Operation::cosh},
       {"tanh", Operation::tanh},   {"exp", Operation::exp},   {"log", Operation::log},   {"sqrt", Operation::sqrt},
       {"abs", Operation::abs},     {"sign", Operation::sign}, {"step", Operation::step}, {"floor", Operation::floor},
       {"atan2", Operation::atan2}, {"min", Operation::min},   {"max", Operation::max},   {"clamp", Operation::clamp}}};

  /// False once anything failed, so that the callers end at once.
  bool fail(const std::string& expected) {
    if (error_) return false;
    const std::string found =
        at_ < text_.size() ? "\"" + one_line(text_.substr(at_, word_length()), 40) + "\"" : "the end";
    error_ = Error{"column " + std::to_string(at_ + 1) + ": found " + found + ", expected " + expected};
    return false;
  }
  bool fail_at(std::size_t column, const std::string& message) {
    if (!error_) error_ = Error{"column " + std::to_string(column + 1) + ": " + message};
    return false;
  }

  [[nodiscard]] std::size_t word_length() const {
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    if (end > at_) return end - at_;
    // One character, whatever its length in UTF-8.
    ++end;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
    return end - at_;
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool write(Operation operation, int variable = 0, double number = 0.0) {
    if (result_.program_.size() >= static_cast<std::size_t>(Expression::most_operations))
      return fail_at(
          at_, "more than " + std::to_string(Expression::most_operations) + " operations, expected a shorter formula");
    height_ += 1 - operands_of(operation);
    if (height_ > Expression::most_depth)
      return fail_at(at_, "nested deeper than " + std::to_string(Expression::most_depth));
    result_.program_.push_back({operation, variable, number});
    return true;
  }

  bool read_sum() {
    if (!read_product()) return false;
    while (true) {
      if (take('+')) {
        if (!read_product() || !write(Operation::add)) return false;
      } else if (take('-')) {
        if (!read_product() || !write(Operation::subtract)) return false;
      } else {
        return true;
      }
    }
  }

  bool read_product() {
    if (!read_signed()) return false;
    while (true) {
      if (take('*')) {
        if (!read_signed() || !write(Operation::multiply)) return false;
      } else if (take('/')) {
        if (!read_signed() || !write(Operation::divide)) return false;
      } else {
        return true;
      }
    }
  }

  /// Every way round the grammar passes here.
  bool read_signed() {
    if (++depth_ > Expression::most_depth)
      return fail_at(at_, "nested deeper than " + std::to_string(Expression::most_depth));
    bool ok = false;
    if (take('-')) {
      ok = read_signed() && write(Operation::negate);
    } else if (take('+')) {
      ok = read_signed();
    } else {
      ok = read_primary() && (!take('^') || (read_signed() && write(Operation::power)));
    }
    --depth_;
    return ok;
  }

  bool read_primary() {
    skip_blanks();
    if (take('(')) return read_sum() && (take(')') || fail("\")\""));
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) return read_number();
    if (at_ < text_.size() && is_letter(text_[at_])) return read_name();
    return fail("a number, a variable, a function or \"(\"");
  }

  bool read_number() {
    double number = 0.0;
    const auto [end, code] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    if (code == std::errc::result_out_of_range) {
      const bool is_small = std::strtod(std::string(text_.data() + at_, end).c_str(), nullptr) < 1.0;
      return fail_at(at_, is_small ? "the number does not fit double precision; write 0 for what is below 4.9e-324"
                                   : "the number does not fit double precision; at most 1.8e308 does");
    }
    if (code != std::errc{}) return fail("a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return write(Operation::number, 0, number);
  }

  bool read_name() {
    const std::size_t begin = at_;
    const std::string_view name = text_.substr(at_, word_length());
    at_ += name.size();
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      if (variables_[i] != name) continue;
      result_.variables_used_ |= std::uint64_t{1} << i;
      return write(Operation::variable, static_cast<int>(i));
    }
    if (name == "pi") return write(Operation::number, 0, std::numbers::pi);
    if (name == "e") return write(Operation::number, 0, std::numbers::e);
    for (const auto& [function, operation] : functions)
      if (function == name) return read_arguments(function, operation);
    return fail_at(begin, "there is no \"" + one_line(name, 40) + "\", expected " + known_names(name));
  }

  bool read_arguments(std::string_view name, Operation operation) {
    const int count = operands_of(operation);
    if (!take('(')) return fail("\"(\" after " + std::string(name));
    for (int i = 0; i < count; ++i) {
      if (i > 0 && !take(',')) return fail("\",\": " + std::string(name) + " takes " + std::to_string(count));
      if (!read_sum()) return false;
    }
    if (!take(')')) return fail("\")\": " + std::string(name) + " takes " + std::to_string(count));
    return write(operation);
  }

  [[nodiscard]] std::string known_names(std::string_view word) const {
    std::vector<std::string_view> known(variables_.begin(), variables_.end());
    for (const auto& [function, operation] : functions) known.push_back(function);
    std::string list = "a function or one of";
    for (std::size_t i = 0; i < variables_.size(); ++i) list += (i > 0 ? ", " : " ") + std::string(variables_[i]);
    if (variables_.empty()) list = "a function or a number";
    const std::string_view near = closest_word(word, known, 2);
    return near.empty() ? list : list + "; did you mean \"" + std::string(near) + "\"?";
  }

  std::string_view text_;
  std::span<const std::string_view> variables_;
  std::size_t at_ = 0;
  int depth_ = 0, height_ = 0;  ///< Of the grammar, of the stack.
  Expression result_;
  std::optional<Error> error_;
};

Result<Expression> Expression::parse(std::string_view text, std::span<const std::string_view> variables) {
  return ExpressionParser(text, variables).parse();
}

}  // namespace stiction
