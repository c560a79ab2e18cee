#pragma once

#include <optional>
#include <string>

namespace stiction::apps {

struct RenderOptions {
  std::string run;           ///< A run folder or its run.h5.
  std::string out;           ///< NAME.mp4 or NAME.png.
  std::optional<double> at;  ///< Of a picture, s; the middle of the run otherwise.
  std::string size = "1280x720";
  double fps = 30.0;
  double speed = 1.0;  ///< Seconds of the run in a second of the film.
  bool quiet = false;
};

/// `stiction render`: a picture or a film of a run, by its page in a browser without a window. Returns the exit code.
[[nodiscard]] int run_render(const RenderOptions& options);

}  // namespace stiction::apps
