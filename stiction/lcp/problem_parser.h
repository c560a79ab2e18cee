#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_set>
#include <vector>

#include "stiction/lcp/problem_draft.h"
#include "stiction/lcp/problem_file.h"

namespace stiction::lcp {

/// Receives the events of nlohmann's JSON parser and builds the problems. The parser keeps no tree and does not
/// recurse, and an event that answers false ends it, so no file costs more memory or stack than the limits allow.
class ProblemParser {
 public:
  explicit ProblemParser(const ReadLimits& limits) : limits_(limits) {}

  // The interface that nlohmann::json::sax_parse asks for.
  bool null();
  bool boolean(bool value);
  bool number_integer(std::int64_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return number(static_cast<double>(value)); }
  bool number_float(double value, const std::string& text);
  bool string(std::string& value);
  bool binary(nlohmann::json::binary_t& value);
  bool start_object(std::size_t size);
  bool key(std::string& name);
  bool end_object();
  bool start_array(std::size_t size);
  bool end_array();
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::json::exception& exception);

  /// How often an event arrived; the reader watches it to limit the text between two events.
  [[nodiscard]] const std::size_t& events() const { return events_; }
  /// JSON pointer and message of what is wrong with the content; empty where nothing is.
  [[nodiscard]] const std::string& defect() const { return defect_; }
  /// The JSON library's words on a syntax error, and the byte where it was noticed.
  [[nodiscard]] const std::string& syntax_error() const { return syntax_error_; }
  [[nodiscard]] std::size_t syntax_position() const { return syntax_position_; }
  [[nodiscard]] std::vector<StoredProblem>& problems() { return problems_; }

 private:
  /// What an open bracket holds.
  enum class Slot : std::uint8_t {
    document,
    problem_list,
    problem,
    dense_matrix,
    sparse_matrix,
    triplet_list,
    triplet,
    numbers,
    indices,
    solution_list,
    ignored,
  };
  struct Frame {
    Slot slot;
    bool is_array;
    std::size_t count = 0;                   ///< Array: entries begun, so the current one is count - 1.
    std::string key = {};                    ///< Object: the current key.
    bool is_key_ignored = false;             ///< Object: the current key means nothing to us.
    std::uint32_t seen = 0;                  ///< Object: a bit for each known key that has come.
    std::vector<double>* numbers = nullptr;  ///< numbers: where they go.
    Index most = 0;                          ///< numbers: how many there may be.
    double null_means = 0.0;                 ///< numbers: the infinity that null stands for; 0 where null is wrong.
  };

  bool number(double value);
  bool value_begins();
  bool open(Slot slot, bool is_array);
  bool open_numbers(std::vector<double>& target, Index most, double null_means = 0.0);
  bool open_array_of_problem(const std::string& name);
  bool end_problem();
  bool end_numbers(std::size_t count);
  bool add_number(double value);
  bool add_triplet_part(double value);
  bool as_index(double value, Index& index);
  bool set_text(std::string& target, std::string& value, std::size_t most);
  [[nodiscard]] bool is_ignored() const;
  [[nodiscard]] std::string pointer() const;
  [[nodiscard]] std::string expectation() const;
  bool fail(const std::string& message);
  bool fail_at(const std::string& where, const std::string& message);
  bool wrong_type(const std::string& found) { return fail("expected " + expectation() + ", found " + found); }

  ReadLimits limits_;
  std::vector<Frame> frames_;
  ProblemDraft draft_;
  std::vector<double> solution_;
  Index triplet_row_ = 0, triplet_column_ = 0;
  std::vector<StoredProblem> problems_;
  std::unordered_set<std::string> names_;
  std::size_t events_ = 0;
  std::string defect_, syntax_error_;
  std::size_t syntax_position_ = 0;
};

}  // namespace stiction::lcp
