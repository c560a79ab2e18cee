#pragma once

#include <sys/types.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "stiction/base/result.h"

namespace stiction::apps {

/// The path of the first of these programs that is on the PATH; empty where none is.
[[nodiscard]] std::string find_program(std::initializer_list<std::string_view> names);

/// Chromium without a window, driven over a pipe (Chrome DevTools Protocol). Ended with this object.
class HeadlessBrowser {
 public:
  /// Opens a page in a window of so many pixels.
  [[nodiscard]] static Result<HeadlessBrowser> open(const std::string& program, const std::string& address, int width,
                                                    int height);
  ~HeadlessBrowser();
  HeadlessBrowser(HeadlessBrowser&& other) noexcept;
  HeadlessBrowser& operator=(HeadlessBrowser&&) = delete;

  /// What a JavaScript expression comes to; a promise is waited for. It must be a text.
  [[nodiscard]] Result<std::string> evaluate(const std::string& expression);
  /// What the window shows, "png" or "jpeg", in base64.
  [[nodiscard]] Result<std::string> take_picture(const char* format);

 private:
  HeadlessBrowser() = default;
  [[nodiscard]] bool spawn(const std::string& program);
  /// The answer's `result`.
  [[nodiscard]] Result<nlohmann::json> call(const char* method, const nlohmann::json& parameters);
  [[nodiscard]] Result<std::string> receive();

  pid_t process_ = -1;
  int to_ = -1, from_ = -1;
  int number_ = 0;
  std::string session_, buffer_, profile_;
};

}  // namespace stiction::apps
