// Feeds the scene reader with anything. It must end in a clear error, or in a scene whose own record reads back to the
// same scene. What follows a byte 1 in the input is an override.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "stiction/model/multibody.h"
#include "stiction/scene/scene.h"

namespace {

/// Longer inputs find no further kind of mistake, and are slow.
constexpr std::size_t longest_input = 1 << 14;

/// Small, so that the fuzzer meets them.
constexpr stiction::scene::JsonLimits limits{.bytes = longest_input, .token_bytes = 1024, .depth = 10, .values = 1000};

void require(bool condition, const char* promise, const std::string& detail = "") {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n%s\n", promise, detail.c_str());
  std::abort();
}

void check_error(const std::string& error) {
  require(std::count(error.begin(), error.end(), '\n') <= 20, "at most 20 mistakes are told", error);
  for (std::size_t start = 0; start <= error.size();) {
    const std::size_t end = std::min(error.find('\n', start), error.size());
    const std::string_view line(error.data() + start, end - start);
    require(line.starts_with("input:") || line.starts_with("--set "), "a line starts with its source", error);
    require(line.size() < 1200, "a line is short", error);
    start = end + 1;
  }
}

void check_scene(const stiction::Scene& scene) {
  const auto again = stiction::parse_scene(scene.document, "input");
  require(again.ok(), "what was read can be read again", again.ok() ? "" : again.error());
  require(again.value().document == scene.document, "and is the same", scene.document);
  const stiction::Multibody system(scene.model);
  require(system.initial_positions().allFinite(), "positions are finite");
  require(system.initial_velocities().allFinite(), "velocities are finite");
  require(std::isfinite(system.kinetic_energy(system.initial_velocities())), "the energy is finite");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > longest_input) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t split = input.find('\1');
  std::array<std::string, 1> overrides;
  std::size_t count = 0;
  if (split != std::string_view::npos) overrides[count++] = input.substr(split + 1);
  const auto scene = stiction::parse_scene(input.substr(0, split), "input", std::span(overrides).first(count), limits);
  if (scene.ok()) {
    check_scene(scene.value());
  } else {
    check_error(scene.error());
  }
  return 0;
}
