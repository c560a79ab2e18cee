#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace stiction::scene::test {

struct SceneFile {
  std::string path, text;
};

/// Every scene of the project, by path. Tests run in the project's root.
inline std::vector<SceneFile> scene_files() {
  std::vector<SceneFile> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("scenes")) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    files.push_back({entry.path().generic_string(), {std::istreambuf_iterator<char>(in), {}}});
  }
  std::sort(files.begin(), files.end(), [](const SceneFile& a, const SceneFile& b) { return a.path < b.path; });
  return files;
}

}  // namespace stiction::scene::test
