#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/model/model.h"
#include "stiction/scene/exact_motion.h"
#include "stiction/scene/json_tree.h"
#include "stiction/scene/settings.h"

namespace stiction {

/// A scene file, read, checked and built: what docs/scene-format.md describes.
struct Scene {
  std::string name;      ///< As the file has it, or the file's own name.
  std::string text;      ///< The file, byte for byte.
  std::string document;  ///< What was read after overrides and migration, as JSON on one line.
  Settings settings;
  Model model;
  std::vector<ExactMotion> exact = {};  ///< Of the bodies whose motion is known in closed form.
};

/// Reads a scene. Each override changes one value first: "/gravity/1=-9.8", a JSON pointer and a value. An error has
/// one line for each mistake, up to 20: file, line, column, JSON pointer, what was found and what was expected.
[[nodiscard]] Result<Scene> read_scene(const std::filesystem::path& path, std::span<const std::string> overrides = {});

/// As read_scene, from text in memory; `file_name` is for the messages and the default name.
[[nodiscard]] Result<Scene> parse_scene(std::string_view text, std::string_view file_name,
                                        std::span<const std::string> overrides = {},
                                        const scene::JsonLimits& limits = {});

}  // namespace stiction
