#include "apps/headless_browser.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

namespace stiction::apps {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr int patience_ms = 120'000;  ///< For one answer: a large page on a slow machine.

/// In the child: the browser reads commands from 3 and writes answers to 4.
[[noreturn]] void become_browser(int commands, int answers, const std::vector<std::string>& words) {
  // Away from 3 and 4 first, in case the ends are these.
  const int in = ::fcntl(commands, F_DUPFD, 10), out = ::fcntl(answers, F_DUPFD, 10);
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
  ::dup2(in, 3);
  ::dup2(out, 4);
  for (const int end : {in, out, nowhere}) ::close(end);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

}  // namespace

std::string find_program(std::initializer_list<std::string_view> names) {
  const char* path = std::getenv("PATH");
  for (const std::string_view name : names) {
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
      const std::string program = fmt::format("{}/{}", folder.empty() ? "." : folder, name);
      if (::access(program.c_str(), X_OK) == 0 && fs::is_regular_file(program)) return program;
    }
  }
  return "";
}

HeadlessBrowser::HeadlessBrowser(HeadlessBrowser&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      to_(std::exchange(other.to_, -1)),
      from_(std::exchange(other.from_, -1)),
      number_(other.number_),
      session_(std::move(other.session_)),
      buffer_(std::move(other.buffer_)),
      profile_(std::exchange(other.profile_, {})) {}

HeadlessBrowser::~HeadlessBrowser() {
  if (process_ > 0) {
    (void)call("Browser.close", json::object());
    ::close(to_);
    ::close(from_);
    constexpr int polls = 100;
    int left = polls;
    while (left > 0 && ::waitpid(process_, nullptr, WNOHANG) == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      --left;
    }
    if (left == 0) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
  }
  std::error_code code;
  if (!profile_.empty()) fs::remove_all(profile_, code);
}

bool HeadlessBrowser::spawn(const std::string& program) {
  std::string profile = (fs::temp_directory_path() / "stiction-browser-XXXXXX").string();
  if (::mkdtemp(profile.data()) == nullptr) return false;
  profile_ = profile;
  std::vector<std::string> words{program,
                                 "--headless",
                                 "--remote-debugging-pipe",
                                 "--user-data-dir=" + profile_,
                                 "--no-first-run",
                                 "--disable-extensions",
                                 "--disable-background-networking",
                                 "--hide-scrollbars",
                                 "--force-device-scale-factor=1",
                                 "--enable-unsafe-swiftshader"};
  // As root, in a container say, Chromium has no sandbox to offer.
  if (::geteuid() == 0) words.emplace_back("--no-sandbox");
  words.emplace_back("about:blank");
  std::array<int, 2> commands{}, answers{};
  if (::pipe2(commands.data(), O_CLOEXEC) != 0) return false;
  if (::pipe2(answers.data(), O_CLOEXEC) != 0) return false;
  (void)std::signal(SIGPIPE, SIG_IGN);
  process_ = ::fork();
  if (process_ == 0) become_browser(commands[0], answers[1], words);
  ::close(commands[0]);
  ::close(answers[1]);
  to_ = commands[1];
  from_ = answers[0];
  return process_ > 0;
}

Result<HeadlessBrowser> HeadlessBrowser::open(const std::string& program, const std::string& address, int width,
                                              int height) {
  HeadlessBrowser browser;
  if (!browser.spawn(program)) return Error{program + ": cannot be started"};
  const Result<json> target = browser.call("Target.createTarget", {{"url", "about:blank"}});
  if (!target) return Error{target.error()};
  const Result<json> session =
      browser.call("Target.attachToTarget", {{"targetId", target.value().value("targetId", "")}, {"flatten", true}});
  if (!session) return Error{session.error()};
  browser.session_ = session.value().value("sessionId", "");
  const Result<json> sized =
      browser.call("Emulation.setDeviceMetricsOverride",
                   {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
  if (!sized) return Error{sized.error()};
  const Result<json> shown = browser.call("Page.navigate", {{"url", address}});
  if (!shown) return Error{shown.error()};
  // The script of a page is run after its text is whole.
  const Result<std::string> ready = browser.evaluate(
      "new Promise(done => { const look = () => window.stiction ? window.stiction.ready.then(() => done('')) : "
      "setTimeout(look, 20); look(); })");
  if (!ready) return Error{ready.error()};
  return browser;
}

Result<std::string> HeadlessBrowser::receive() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience_ms);
  std::size_t looked = 0;
  for (;;) {
    if (const std::size_t zero = buffer_.find('\0', looked); zero != std::string::npos) {
      std::string message = buffer_.substr(0, zero);
      buffer_.erase(0, zero + 1);
      return message;
    }
    looked = buffer_.size();
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd wait{from_, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&wait, 1, static_cast<int>(left.count())) <= 0)
      return Error{"the browser does not answer"};
    std::array<char, 65536> chunk;
    const ssize_t count = ::read(from_, chunk.data(), chunk.size());
    if (count <= 0) return Error{"the browser has ended"};
    buffer_.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

Result<json> HeadlessBrowser::call(const char* method, const json& parameters) {
  json command{{"id", ++number_}, {"method", method}, {"params", parameters}};
  if (!session_.empty()) command["sessionId"] = session_;
  const std::string text = command.dump() + '\0';
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = ::write(to_, text.data() + sent, text.size() - sent);
    if (count <= 0) return Error{"the browser has ended"};
    sent += static_cast<std::size_t>(count);
  }
  for (;;) {
    const Result<std::string> message = receive();
    if (!message) return Error{message.error()};
    const json answer = json::parse(message.value(), nullptr, false);
    if (!answer.is_object() || answer.value("id", 0) != number_) continue;  // an event
    if (answer.contains("error")) return Error{fmt::format("the browser refused {}", method)};
    return answer.value("result", json::object());
  }
}

Result<std::string> HeadlessBrowser::take_picture(const char* format) {
  const Result<json> answer = call("Page.captureScreenshot", {{"format", format}});
  if (!answer) return Error{answer.error()};
  return answer.value().value("data", std::string());
}

Result<std::string> HeadlessBrowser::evaluate(const std::string& expression) {
  const Result<json> answer =
      call("Runtime.evaluate", {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
  if (!answer) return Error{answer.error()};
  if (answer.value().contains("exceptionDetails")) {
    const json exception = answer.value()["exceptionDetails"].value("exception", json::object());
    return Error{"the page failed: " + exception.value("description", std::string("it does not say why"))};
  }
  const json value = answer.value().value("result", json::object()).value("value", json());
  if (!value.is_string()) return Error{"the page gave no text"};
  return value.get<std::string>();
}

}  // namespace stiction::apps
