#include "apps/render_command.h"

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <vector>

#include "apps/headless_browser.h"
#include "apps/log.h"
#include "apps/page_template.h"
#include "apps/plot_command.h"
#include "stiction/base/file.h"
#include "stiction/record/page_data.h"
#include "stiction/record/run_reader.h"

namespace stiction::apps {

namespace {

namespace fs = std::filesystem;

constexpr int bad_input = 2, failed = 1;
constexpr int least_pixels = 64, most_pixels = 7680;

struct Size {
  int width = 0, height = 0;
};

std::optional<Size> parse_size(const std::string& text) {
  Size size;
  const char* end = text.data() + text.size();
  const auto [cross, first] = std::from_chars(text.data(), end, size.width);
  if (first != std::errc{} || cross == end || *cross != 'x') return std::nullopt;
  const auto [rest, second] = std::from_chars(cross + 1, end, size.height);
  if (second != std::errc{} || rest != end) return std::nullopt;
  const bool fits =
      std::min(size.width, size.height) >= least_pixels && std::max(size.width, size.height) <= most_pixels;
  if (!fits) return std::nullopt;
  return size;
}

std::optional<std::string> find_mistake(const RenderOptions& options) {
  if (!options.out.ends_with(".png") && !options.out.ends_with(".mp4"))
    return fmt::format("-o {}: expected a name that ends in .png or .mp4", options.out);
  if (!parse_size(options.size))
    return fmt::format("--size {}: expected WIDTHxHEIGHT, each from {} to {}", options.size, least_pixels, most_pixels);
  if (!(options.fps >= 1.0 && options.fps <= 240.0)) return fmt::format("--fps {}: expected 1 to 240", options.fps);
  if (!(options.speed > 0.0 && std::isfinite(options.speed)))
    return fmt::format("--speed {}: expected a number above 0", options.speed);
  if (options.at && !std::isfinite(*options.at)) return "--at: expected a time in seconds";
  if (page_template().empty()) return "this program was built without its page: build it where npm is installed";
  return std::nullopt;
}

/// The page of a run in a file of its own, gone with this object.
class PageOnDisk {
 public:
  explicit PageOnDisk(const std::string& page)
      : path_(fs::temp_directory_path() / fmt::format("stiction-render-{}.html", ::getpid())),
        error_(write_file(path_, page)) {}
  ~PageOnDisk() {
    std::error_code code;
    fs::remove(path_, code);
  }
  PageOnDisk(const PageOnDisk&) = delete;
  PageOnDisk& operator=(const PageOnDisk&) = delete;
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  [[nodiscard]] std::string address() const { return "file://" + path_.string() + "?render=1"; }

 private:
  fs::path path_;
  std::optional<Error> error_;
};

std::string decode_base64(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) break;
    bits = (bits << 6) | static_cast<unsigned>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>((bits >> count) & 255u);
  }
  return bytes;
}

Result<std::string> take_picture(HeadlessBrowser& browser, double t, const char* format) {
  const Result<std::string> drawn = browser.evaluate(
      fmt::format("(async () => {{ stiction.setTime({:.17g}); await stiction.renderFrame(); return ''; }})()", t));
  if (!drawn) return Error{drawn.error()};
  const Result<std::string> picture = browser.take_picture(format);
  if (!picture) return Error{picture.error()};
  std::string image = decode_base64(picture.value());
  if (image.empty()) return Error{"the browser gave no picture"};
  return image;
}

/// ffmpeg, which takes pictures on its standard input.
class FilmWriter {
 public:
  FilmWriter(const std::string& program, const std::string& out, double fps) {
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0) return;
    const std::string rate = fmt::format("{:.6g}", fps);
    const std::vector<const char*> words{program.c_str(),
                                         "-loglevel",
                                         "error",
                                         "-y",
                                         "-f",
                                         "image2pipe",
                                         "-c:v",
                                         "mjpeg",
                                         "-framerate",
                                         rate.c_str(),
                                         "-i",
                                         "-",
                                         "-vf",
                                         "scale=trunc(iw/2)*2:trunc(ih/2)*2",
                                         "-pix_fmt",
                                         "yuv420p",
                                         "-movflags",
                                         "+faststart",
                                         "-f",
                                         "mp4",
                                         out.c_str(),
                                         nullptr};
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(ends[0], STDIN_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      ::execv(words[0], const_cast<char* const*>(words.data()));
      ::_exit(127);
    }
    ::close(ends[0]);
    to_ = ends[1];
  }
  ~FilmWriter() { (void)finish(); }
  FilmWriter(const FilmWriter&) = delete;
  FilmWriter& operator=(const FilmWriter&) = delete;

  [[nodiscard]] bool add(const std::string& image) const {
    for (std::size_t sent = 0; sent < image.size();) {
      const ssize_t count = ::write(to_, image.data() + sent, image.size() - sent);
      if (count <= 0) return false;
      sent += static_cast<std::size_t>(count);
    }
    return true;
  }
  /// Whether ffmpeg was content.
  [[nodiscard]] bool finish() {
    if (process_ <= 0) return false;
    ::close(to_);
    int status = -1;
    ::waitpid(std::exchange(process_, -1), &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

 private:
  pid_t process_ = -1;
  int to_ = -1;
};

std::optional<Error> film(HeadlessBrowser& browser, const std::string& ffmpeg, const RecordedRun& run,
                          const RenderOptions& options) {
  const std::vector<double>& time = run.array("frames/time").values;
  const double start = time.front(), length = (time.back() - start) / options.speed;
  const long pictures = std::max(1L, std::lround(length * options.fps) + 1);
  // Nothing half-written gets the name, or stays.
  const std::string part = options.out + ".part";
  const bool has_progress = !options.quiet && ::isatty(STDERR_FILENO) == 1;
  std::optional<Error> error;
  FilmWriter writer(ffmpeg, part, options.fps);
  for (long i = 0; i < pictures && !error; ++i) {
    const Result<std::string> image =
        take_picture(browser, start + options.speed * static_cast<double>(i) / options.fps, "jpeg");
    if (!image)
      error = Error{image.error()};
    else if (!writer.add(image.value()))
      break;
    if (has_progress && i % 10 == 0) show_progress(fmt::format("picture {} of {}", i + 1, pictures));
  }
  show_progress("");
  if (!writer.finish() && !error) error = Error{options.out + ": ffmpeg could not write it, see above"};
  std::error_code code;
  if (!error) fs::rename(part, options.out, code);
  if (code) error = Error{options.out + ": cannot be written: " + code.message()};
  if (error) fs::remove(part, code);
  return error;
}

int tell(const std::string& why, int code) {
  log(LogLevel::error, why);
  return code;
}

}  // namespace

int run_render(const RenderOptions& options) {
  if (const auto mistake = find_mistake(options)) return tell(*mistake, bad_input);
  const Result<RecordedRun> run = read_run(record_path(options.run));
  if (!run) return tell(run.error(), bad_input);
  if (run.value().frames() == 0) return tell(options.run + ": has no frames yet", bad_input);
  const std::vector<double>& time = run.value().array("frames/time").values;
  if (options.at && !(*options.at >= time.front() && *options.at <= time.back()))
    return tell(
        fmt::format("--at {:.9g}: the run is from {:.9g} s to {:.9g} s", *options.at, time.front(), time.back()),
        bad_input);
  const std::string chromium = find_program({"chromium", "chromium-browser", "google-chrome", "chrome"});
  if (chromium.empty()) return tell("no browser is installed: rendering needs Chromium (Debian: chromium)", failed);
  const bool is_film = options.out.ends_with(".mp4");
  const std::string ffmpeg = is_film ? find_program({"ffmpeg"}) : "";
  if (is_film && ffmpeg.empty()) return tell("ffmpeg is not installed: films need it (Debian: ffmpeg)", failed);

  RecordedRun shown = run.value();
  if (shown.status == "running") shown.status = "interrupted";
  const Result<std::string> data = make_page_data({{&shown, label_of(shown), 0}});
  if (!data) return tell(data.error(), bad_input);
  const PageOnDisk page(fill_page(page_template(), data.value()));
  if (page.error()) return tell(page.error()->message, failed);
  const Size size = parse_size(options.size).value();
  Result<HeadlessBrowser> browser = HeadlessBrowser::open(chromium, page.address(), size.width, size.height);
  if (!browser) return tell(fmt::format("{}: {}", chromium, browser.error()), failed);
  HeadlessBrowser window = std::move(browser).value();
  if (is_film) {
    const auto error = film(window, ffmpeg, run.value(), options);
    return error ? tell(error->message, failed) : 0;
  }
  const Result<std::string> image =
      take_picture(window, options.at.value_or(0.5 * (time.front() + time.back())), "png");
  if (!image) return tell(image.error(), failed);
  const auto error = write_file(options.out, image.value());
  return error ? tell(error->message, failed) : 0;
}

}  // namespace stiction::apps
