#pragma once

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

namespace stiction {

/// How far a JSON parser has come in a text, and how far it may go before it must deliver its next event. nlohmann's
/// lexer keeps everything since the last token (blanks and comments too) and puts it into its error message, eight
/// bytes for one, so text without an event must end before it becomes large.
class JsonInput {
 public:
  /// `events` counts what the parser has delivered.
  JsonInput(std::string_view text, const std::size_t& events, std::size_t token_limit)
      : begin_(text.data()),
        position_(text.data()),
        end_(text.data() + text.size()),
        event_position_(text.data()),
        counted_(&events),
        token_limit_(token_limit) {}

  /// The characters from here on; `JsonInput::Iterator{}` is the end.
  struct Iterator {
    // NOLINTBEGIN(readability-identifier-naming): std::iterator_traits asks for these names
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;
    // NOLINTEND(readability-identifier-naming)

    JsonInput* input = nullptr;

    reference operator*() const { return *input->position_; }
    Iterator& operator++() {
      ++input->position_;
      return *this;
    }
    bool operator==(const Iterator&) const { return input == nullptr || input->at_end(); }
  };
  [[nodiscard]] Iterator begin() { return {this}; }

  /// Ended early: more than the limit without an event.
  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] std::size_t position() const { return static_cast<std::size_t>(position_ - begin_); }

 private:
  bool at_end() {
    if (*counted_ != events_) {
      events_ = *counted_;
      event_position_ = position_;
    }
    stopped_ = stopped_ || static_cast<std::size_t>(position_ - event_position_) > token_limit_;
    return stopped_ || position_ == end_;
  }

  const char *begin_, *position_, *end_, *event_position_;
  const std::size_t* counted_;
  std::size_t events_ = 0, token_limit_;
  bool stopped_ = false;
};

/// What is wrong at the byte before `position`, in words for people: the library's message is the last resort.
[[nodiscard]] std::string explain_json_error(std::string_view text, std::size_t position,
                                             const std::string& library_message);

}  // namespace stiction
