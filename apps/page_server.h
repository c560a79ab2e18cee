#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "stiction/base/result.h"

namespace stiction::apps {

/// Serves the page and its data to browsers on this machine: GET / and GET /data[?from=FRAME], nothing else. It listens
/// on 127.0.0.1 alone, and answers only what is asked of it under that name or localhost, so that no page from
/// elsewhere can read a run through a name that it has pointed here.
class PageServer {
 public:
  /// The data object with frames from the given one on.
  using Source = std::function<Result<std::string>(std::uint64_t from)>;

  /// Port 0: any that is free.
  [[nodiscard]] static Result<PageServer> start(int port, Source source);
  ~PageServer();
  PageServer(PageServer&&) noexcept;
  PageServer& operator=(PageServer&&) = delete;

  [[nodiscard]] std::string address() const;  ///< "http://127.0.0.1:PORT/"
  /// How long ago data was last asked for, seconds; very long where it never was.
  [[nodiscard]] double idle_seconds() const;

 private:
  struct Running;
  explicit PageServer(std::unique_ptr<Running> running);
  std::unique_ptr<Running> running_;
};

}  // namespace stiction::apps
