#pragma once

#include <filesystem>

#include "bench/step/measured.h"
#include "bench/step/scene.h"
#include "stiction/sim/run_certificate.h"

namespace stiction::bench {

/// How many steps have which grade: "12 full, 1 loose".
[[nodiscard]] std::string grades(const RunCertificate& certificate);

/// Each runs in a process of its own, since a step cannot be ended in the middle.

/// The scene by our default scheme, `stewart_trinkle`, going on after steps that do not certify.
[[nodiscard]] OwnRun run_stiction(const StepScene& scene, const Limits& limits);
/// A scene file with its own settings.
[[nodiscard]] OwnRun run_file(const std::filesystem::path& file, const Limits& limits);

}  // namespace stiction::bench
