#include "apps/page_server.h"

#include <fmt/core.h>
#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "apps/page_template.h"

namespace stiction::apps {

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* host = "127.0.0.1";
constexpr std::size_t longest_body = 1024;
constexpr std::size_t most_threads = 4;
constexpr int read_seconds = 1, write_seconds = 10;  ///< Browsers on this machine ask at once.
/// Nothing from elsewhere, and nothing that the page does not hold itself.
constexpr const char* policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; connect-src "
    "'self'; "
    "worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

void refuse(httplib::Response& answer, int status, const char* why) {
  answer.status = status;
  answer.set_content(std::string(why) + "\n", "text/plain; charset=utf-8");
}

/// The frame asked for; nothing where that is no number.
std::optional<std::uint64_t> frame_of(const httplib::Request& request) {
  if (!request.has_param("from")) return 0;
  const std::string text = request.get_param_value("from");
  std::uint64_t frame = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), frame);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return frame;
}

}  // namespace

struct PageServer::Running {
  httplib::Server server;
  std::thread thread;
  Source source;
  int port = 0;
  std::atomic<Clock::time_point> asked = Clock::time_point{};

  ~Running() {
    server.stop();
    if (thread.joinable()) thread.join();
  }

  /// What is not refused here is looked for among the routes.
  [[nodiscard]] bool is_refused(const httplib::Request& request, httplib::Response& answer) const {
    const std::string name = request.get_header_value("Host");
    const bool is_here = name == fmt::format("127.0.0.1:{}", port) || name == fmt::format("localhost:{}", port);
    if (!is_here) {
      refuse(answer, 403, "this server answers on 127.0.0.1 alone");
    } else if (request.method != "GET") {
      answer.set_header("Allow", "GET");
      refuse(answer, 405, "only GET is answered here");
    } else if (request.path != "/" && request.path != "/data") {
      refuse(answer, 404, "there is the page, /, and its data, /data");
    } else {
      return false;
    }
    return true;
  }

  void answer_data(const httplib::Request& request, httplib::Response& answer) {
    asked = Clock::now();
    const auto frame = frame_of(request);
    if (!frame) return refuse(answer, 400, "from: expected the number of a frame");
    const Result<std::string> data = source(*frame);
    if (!data) return refuse(answer, 500, data.error().c_str());
    answer.set_content(data.value(), "application/json");
  }

  void prepare() {
    server.new_task_queue = [] { return new httplib::ThreadPool(most_threads); };
    // The library's own choice lets a second server take the same port.
    server.set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server.set_payload_max_length(longest_body);
    server.set_read_timeout(read_seconds);
    server.set_write_timeout(write_seconds);
    server.set_keep_alive_timeout(read_seconds);
    server.set_default_headers({{"Cache-Control", "no-store"},
                                {"X-Content-Type-Options", "nosniff"},
                                {"Referrer-Policy", "no-referrer"},
                                {"Content-Security-Policy", policy}});
    server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& answer) {
      return is_refused(request, answer) ? httplib::Server::HandlerResponse::Handled
                                         : httplib::Server::HandlerResponse::Unhandled;
    });
    server.Get("/", [](const httplib::Request& /*request*/, httplib::Response& answer) {
      const std::string_view page = page_template();
      if (page.empty()) return refuse(answer, 404, "this program was built without its page (viewer/, npm)");
      answer.set_content(page.data(), page.size(), "text/html; charset=utf-8");
    });
    server.Get("/data",
               [this](const httplib::Request& request, httplib::Response& answer) { answer_data(request, answer); });
  }
};

Result<PageServer> PageServer::start(int port, Source source) {
  auto running = std::make_unique<Running>();
  running->source = std::move(source);
  running->prepare();
  if (port == 0)
    running->port = running->server.bind_to_any_port(host);
  else
    running->port = running->server.bind_to_port(host, port) ? port : -1;
  if (running->port < 0)
    return Error{fmt::format("--port {}: cannot be listened on; another program may have it, name another", port)};
  running->thread = std::thread([server = &running->server] { server->listen_after_bind(); });
  while (!running->server.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return PageServer(std::move(running));
}

PageServer::PageServer(std::unique_ptr<Running> running) : running_(std::move(running)) {}
PageServer::PageServer(PageServer&&) noexcept = default;
PageServer::~PageServer() = default;

std::string PageServer::address() const {
  return fmt::format("http://{}:{}/", host, running_->port);
}

double PageServer::idle_seconds() const {
  return std::chrono::duration<double>(Clock::now() - running_->asked.load()).count();
}

}  // namespace stiction::apps
