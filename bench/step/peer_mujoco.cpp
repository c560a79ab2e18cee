#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "bench/step/judge.h"
#include "bench/step/peers.h"
#include "bench/step/scene_json.h"

namespace stiction::bench {
namespace {

namespace fs = std::filesystem;

/// What a command prints; empty where it fails. `status` gets its exit code.
std::string output_of(const std::string& command, int* status = nullptr) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");  // NOLINT(cert-env33-c): the command is made here
  if (pipe == nullptr) return {};
  std::array<char, 4096> buffer{};
  while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe) != nullptr) text += buffer.data();
  const int ended = pclose(pipe);
  if (status != nullptr) *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
  return ended == 0 ? text : std::string();
}

std::string quoted(const fs::path& path) {
  return "'" + path.string() + "'";
}

/// A folder that goes with its owner.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("stiction_step_bench_" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Poses of all bodies after each step, as mujoco_peer.py wrote them.
void judge_file(const fs::path& file, std::size_t bodies, Judge& judge) {
  std::ifstream in(file, std::ios::binary);
  std::vector<double> numbers(7 * bodies);
  std::vector<Pose> poses(bodies);
  const auto bytes = static_cast<std::streamsize>(numbers.size() * sizeof(double));
  while (in.read(reinterpret_cast<char*>(numbers.data()), bytes)) {
    for (std::size_t i = 0; i < bodies; ++i) {
      const double* x = &numbers[7 * i];
      poses[i] = {Vec3(x[0], x[1], x[2]), Quat(x[3], x[4], x[5], x[6])};
    }
    judge.look(poses);
  }
}

class Mujoco final : public Peer {
 public:
  Mujoco(std::string python, std::string version) : python_(std::move(python)), version_(std::move(version)) {}
  [[nodiscard]] std::string name() const override { return "MuJoCo"; }
  [[nodiscard]] std::string settings() const override {
    return "MuJoCo " + version_ +
           ": Newton's method, elliptic cones, Euler, its default softness of contacts; joined bodies in joint "
           "coordinates, which cannot drift";
  }
  [[nodiscard]] PeerRun run(const StepScene& scene, const Model& model, const Limits& limits) override {
    // It makes the world anew for each run, which takes a minute for a thousand links.
    if (scene.joints.size() >= 1000 && ++long_chains_ > 1) return {.missing = "once"};
    const fs::path file = folder_.path() / "scene.json", poses = folder_.path() / "poses";
    std::ofstream(file) << to_json(scene);
    int status = 0;
    const std::string text =
        output_of("timeout -k 1 200 " + python_ + " " + script() + " " + quoted(file) + " " + quoted(poses) + " " +
                      std::to_string(limits.steps) + " " + std::to_string(limits.seconds),
                  &status);
    PeerRun out;
    for (const char* at = text.c_str(); *at != '\0';) {
      char* end = nullptr;
      const double ms = std::strtod(at, &end);
      if (end == at) break;
      out.times.ms.push_back(ms);
      at = *end == '\n' ? end + 1 : end;
    }
    if (out.times.ms.empty()) return {.missing = status == 124 ? "none in 200 s" : "failed"};
    Judge judge(model);
    judge_file(poses, scene.bodies.size(), judge);
    out.penetration = judge.penetration();
    out.drift = judge.drift();
    if (!judge.finite()) out.missing = "not a number";
    return out;
  }

  static std::string script() { return quoted(fs::path(STICTION_BENCH_FOLDER) / "step" / "mujoco_peer.py"); }

 private:
  std::string python_, version_;
  Folder folder_;
  int long_chains_ = 0;
};

}  // namespace

std::unique_ptr<Peer> find_mujoco() {
  // `make bench` puts it into this environment where the user's own Python has none.
  for (const std::string& python : {quoted(STICTION_MUJOCO_PYTHON), std::string("python3")}) {
    std::string version = output_of(python + " " + Mujoco::script() + " --version 2>/dev/null");
    if (version.empty()) continue;
    version.pop_back();
    return std::make_unique<Mujoco>(python, version);
  }
  return nullptr;
}

}  // namespace stiction::bench
