#include "apps/page_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>

#include "apps/page_template.h"

namespace stiction::apps {
namespace {

/// Sends these bytes as they are and reads the answer to its end; "" where there is none. A server must not wait for
/// more where `is_all` says that there is none.
std::string ask(int port, const std::string& bytes, bool is_all = false, const char* address = "127.0.0.1") {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  inet_pton(AF_INET, address, &to.sin_addr);
  const timeval patience{10, 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  std::string answer;
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) {
    (void)::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (is_all) ::shutdown(socket, SHUT_WR);
    std::array<char, 65536> chunk;
    for (ssize_t count = 0; (count = ::recv(socket, chunk.data(), chunk.size(), 0)) > 0;)
      answer.append(chunk.data(), static_cast<std::size_t>(count));
  }
  ::close(socket);
  return answer;
}

class PageServerTest : public testing::Test {
 protected:
  PageServerTest()
      : server_(PageServer::start(0, [this](std::uint64_t from) -> Result<std::string> {
                  ++asked_;
                  if (from == 13) return Error{"the record is gone"};
                  return "{\"from\":" + std::to_string(from) + "}";
                }).value()) {
    const std::string address = server_.address();
    port_ = std::stoi(address.substr(address.rfind(':') + 1));
  }

  /// A request in good form but for what is given.
  [[nodiscard]] std::string get(const std::string& target, const std::string& method = "GET") const {
    return ask(port_, method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) +
                          "\r\nConnection: close\r\n\r\n");
  }

  std::atomic<int> asked_ = 0;
  PageServer server_;
  int port_ = 0;
};

bool has_status(const std::string& answer, const char* status) {
  return answer.starts_with(std::string("HTTP/1.1 ") + status);
}

TEST_F(PageServerTest, GivesThePageAndItsData) {
  EXPECT_TRUE(server_.address().starts_with("http://127.0.0.1:"));
  EXPECT_GT(server_.idle_seconds(), 100.0) << "nobody has asked yet";
  const std::string data = get("/data");
  EXPECT_TRUE(has_status(data, "200")) << data;
  EXPECT_TRUE(data.ends_with("{\"from\":0}")) << data;
  EXPECT_TRUE(get("/data?from=12").ends_with("{\"from\":12}"));
  EXPECT_LT(server_.idle_seconds(), 100.0);
  const std::string gone = get("/data?from=13");
  EXPECT_TRUE(has_status(gone, "500")) << gone;
  EXPECT_NE(gone.find("the record is gone"), std::string::npos);
  const std::string page = get("/");
  EXPECT_TRUE(has_status(page, page_template().empty() ? "404" : "200"));
  EXPECT_NE(page.find("Content-Security-Policy: default-src 'none'"), std::string::npos);
  EXPECT_TRUE(page_template().empty() || page.ends_with(page_template()));
}

TEST_F(PageServerTest, HostileRequestsGetNothing) {
  const std::string here = "Host: 127.0.0.1:" + std::to_string(port_) + "\r\nConnection: close\r\n";
  const std::array<std::pair<std::string, const char*>, 26> requests{{
      {"GET /../../etc/passwd HTTP/1.1\r\n" + here + "\r\n", "40"},
      {"GET /..%2f..%2fetc/passwd HTTP/1.1\r\n" + here + "\r\n", "40"},
      {"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n" + here + "\r\n", "40"},
      {"GET /data/../run.h5 HTTP/1.1\r\n" + here + "\r\n", "40"},
      {"GET /run.h5 HTTP/1.1\r\n" + here + "\r\n", "404"},
      {"GET /scene.json HTTP/1.1\r\n" + here + "\r\n", "404"},
      {"GET //etc/passwd HTTP/1.1\r\n" + here + "\r\n", "40"},
      {"GET /data/ HTTP/1.1\r\n" + here + "\r\n", "404"},
      {"GET /data%00 HTTP/1.1\r\n" + here + "\r\n", "40"},
      {"GET http://example.org/data HTTP/1.1\r\n" + here + "\r\n", "40"},
      {"GET /data?from=-1 HTTP/1.1\r\n" + here + "\r\n", "400"},
      {"GET /data?from=1e3 HTTP/1.1\r\n" + here + "\r\n", "400"},
      {"GET /data?from= HTTP/1.1\r\n" + here + "\r\n", "400"},
      {"GET /data?from=99999999999999999999999 HTTP/1.1\r\n" + here + "\r\n", "400"},
      {"POST /data HTTP/1.1\r\n" + here + "Content-Length: 2\r\n\r\n{}", "405"},
      {"PUT / HTTP/1.1\r\n" + here + "Content-Length: 1\r\n\r\nx", "405"},
      {"DELETE /data HTTP/1.1\r\n" + here + "\r\n", "405"},
      {"HEAD /data HTTP/1.1\r\n" + here + "\r\n", "405"},
      {"OPTIONS / HTTP/1.1\r\n" + here + "\r\n", "405"},
      {"TRACE / HTTP/1.1\r\n" + here + "\r\n", "40"},
      {"BREW /data HTTP/1.1\r\n" + here + "\r\n", "40"},
      {"GET /data HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", "403"},
      {"GET /data HTTP/1.1\r\nConnection: close\r\n\r\n", "403"},
      {"GET /" + std::string(20'000, 'a') + " HTTP/1.1\r\n" + here + "\r\n", "4"},
      {"GET / HTTP/1.1\r\n" + here + "X: " + std::string(200'000, 'a') + "\r\n\r\n", "4"},
      {"POST /data HTTP/1.1\r\n" + here + "Content-Length: 999999999999\r\n\r\n", "4"},
  }};
  for (const auto& [request, status] : requests) {
    const std::string answer = ask(port_, request);
    // Some are cut off without an answer, which is one too.
    EXPECT_TRUE(answer.empty() || has_status(answer, status)) << request.substr(0, 80) << "\n" << answer.substr(0, 200);
    EXPECT_EQ(answer.find("root:"), std::string::npos);
  }
  for (const std::string& noise :
       {std::string("\r\n\r\n"), std::string("GET\r\n\r\n"), std::string(100'000, '\0'),
        std::string("\x16\x03\x01\x02\x00\x01\x00\x01"), std::string("GET / HTTP/9.9\r\n\r\n")})
    EXPECT_FALSE(has_status(ask(port_, noise, true), "200"));
  EXPECT_EQ(asked_, 0) << "none of these reaches the data";
  EXPECT_TRUE(has_status(get("/data"), "200")) << "and it still serves";
}

TEST_F(PageServerTest, ListensOnLoopbackAlone) {
  // 127.0.0.2 is loopback too, and would be answered if it listened everywhere.
  const std::string request = "GET /data HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) + "\r\n\r\n";
  EXPECT_EQ(ask(port_, request, true, "127.0.0.2"), "");
}

TEST(PageServer, APortThatIsTakenIsAnError) {
  const auto source = [](std::uint64_t) -> Result<std::string> { return std::string("{}"); };
  const PageServer first = PageServer::start(0, source).value();
  const std::string address = first.address();
  const Result<PageServer> second = PageServer::start(std::stoi(address.substr(address.rfind(':') + 1)), source);
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().find("cannot be listened on"), std::string::npos);
}

}  // namespace
}  // namespace stiction::apps
