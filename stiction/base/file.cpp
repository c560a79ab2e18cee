#include "stiction/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <new>
#include <system_error>

namespace stiction {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string reason(int code) {
  return std::generic_category().message(code);
}

Error too_large(const std::filesystem::path& path, std::uintmax_t limit) {
  return {path.string() + ": larger than the limit of " + std::to_string(limit) +
          " bytes; split it into several files"};
}

}  // namespace

std::optional<Error> find_unreadable(const std::filesystem::path& path) {
  using Type = std::filesystem::file_type;
  std::error_code code;
  const Type type = std::filesystem::status(path, code).type();
  if (type == Type::regular) return std::nullopt;
  if (type == Type::not_found) return Error{path.string() + ": no such file"};
  if (type == Type::directory) return Error{path.string() + ": is a folder, not a file"};
  if (type == Type::none) return Error{path.string() + ": cannot be looked at: " + code.message()};
  const char* kind = type == Type::fifo                               ? "a pipe"
                     : type == Type::socket                           ? "a socket"
                     : type == Type::character || type == Type::block ? "a device"
                                                                      : "something else";
  return Error{path.string() + ": is " + kind + ", expected a file; write what it gives to a file first"};
}

Result<std::string> read_file(const std::filesystem::path& path, std::uintmax_t limit) {
  if (auto error = find_unreadable(path)) return std::move(*error);
  // Not to wait for the writer of a pipe that took the file's place a moment ago.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return Error{path.string() + ": cannot be opened: " + reason(errno)};
  const File file(::fdopen(descriptor, "rb"));
  if (!file) {
    ::close(descriptor);
    return Error{path.string() + ": cannot be opened: " + reason(errno)};
  }
  struct stat facts = {};
  if (::fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode))
    return Error{path.string() + ": is no longer a file"};
  const auto size = static_cast<std::uintmax_t>(facts.st_size);
  if (size > limit) return too_large(path, limit);

  try {
    std::string text;
    text.reserve(static_cast<std::size_t>(size));
    std::array<char, 1 << 16> chunk;
    while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), file.get())) {
      if (text.size() + count > limit) return too_large(path, limit);
      text.append(chunk.data(), count);
    }
    if (std::ferror(file.get()) != 0) return Error{path.string() + ": cannot be read: " + reason(errno)};
    return text;
  } catch (const std::bad_alloc&) {
    return Error{path.string() + ": not enough memory to read it"};
  }
}

std::optional<Error> write_file(const std::filesystem::path& path, std::string_view text) {
  std::filesystem::path temporary = path;
  temporary += ".part-" + std::to_string(::getpid());
  const auto fail = [&](int code) {
    std::remove(temporary.c_str());
    return Error{path.string() + ": cannot be written: " + reason(code)};
  };

  File file(std::fopen(temporary.c_str(), "wb"));
  if (!file) return fail(errno);
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) return fail(errno);
  if (std::fclose(file.release()) != 0) return fail(errno);
  if (std::rename(temporary.c_str(), path.c_str()) != 0) return fail(errno);
  return std::nullopt;
}

}  // namespace stiction
