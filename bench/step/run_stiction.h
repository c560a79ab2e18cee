#pragma once

#include <filesystem>

#include "bench/step/measured.h"
#include "bench/step/scene.h"

namespace stiction::bench {

/// The scene by our default scheme, `stewart_trinkle`, going on after steps that do not certify.
[[nodiscard]] OwnRun run_stiction(const StepScene& scene, const Limits& limits);
/// A scene file with its own settings.
[[nodiscard]] OwnRun run_file(const std::filesystem::path& file, const Limits& limits);

}  // namespace stiction::bench
