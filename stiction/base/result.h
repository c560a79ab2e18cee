#pragma once

#include <string>
#include <utility>
#include <variant>

#include "stiction/base/assert.h"

namespace stiction {

/// Bad input, in words a user can act on: what is wrong, where, and what to do.
struct Error {
  std::string message;
};

/// A value, or the reason there is none. Bad input is a Result; a programmer's mistake is an assertion.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Error error) : content_(std::move(error)) {}

  [[nodiscard]] bool ok() const { return std::holds_alternative<T>(content_); }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] const T& value() const& {
    STICTION_ASSERT(ok(), "Result::value() on an error");
    return std::get<T>(content_);
  }
  [[nodiscard]] T&& value() && {
    STICTION_ASSERT(ok(), "Result::value() on an error");
    return std::get<T>(std::move(content_));
  }
  [[nodiscard]] const std::string& error() const {
    STICTION_ASSERT(!ok(), "Result::error() on a value");
    return std::get<Error>(content_).message;
  }

 private:
  std::variant<T, Error> content_;
};

}  // namespace stiction
