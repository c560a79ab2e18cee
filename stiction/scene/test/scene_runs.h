#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stiction/scene/scene.h"
#include "stiction/sim/simulator.h"
#include "stiction/sim/test/grade_shares.h"

/// Scenes of the project run and measured, for the tests and for `make accept`. Both run in the project's root.
namespace stiction::scene::test {

/// A scene of the project, which must be readable: anything else ends the program with the reader's message.
inline Scene load(const std::string& name, const std::vector<std::string>& overrides = {}) {
  Result<Scene> scene = read_scene("scenes/" + name + ".json", overrides);
  if (!scene.ok()) {
    std::fprintf(stderr, "%s\n", scene.error().c_str());
    std::abort();
  }
  return std::move(scene).value();
}

/// A scene under way.
class SceneRun {
 public:
  explicit SceneRun(Scene scene, double h = 0.0) : scene_(std::move(scene)) {
    if (h > 0.0) scene_.settings.simulation.h = h;
    simulator_.reset(new Simulator(scene_.model, scene_.settings.simulation));
  }

  [[nodiscard]] BodyId body(const std::string& name) const {
    const auto& bodies = scene_.model.bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (bodies[i].name == name) return BodyId{static_cast<int>(i)};
    std::fprintf(stderr, "no body %s in %s\n", name.c_str(), scene_.name.c_str());
    std::abort();
  }
  [[nodiscard]] Simulator& sim() { return *simulator_; }
  Simulator* operator->() { return simulator_.get(); }

  /// Runs to time t. A step that fails or does not certify is counted by certified(), and ends the run.
  void until(double t) {
    if (why_.empty() && t > simulator_->time())
      if (const Result<long> steps = simulator_->run_until(t); !steps.ok()) why_ = steps.error();
  }
  void step(double h) {
    if (why_.empty() && !simulator_->step(h)) why_ = simulator_->why();
  }
  /// Everything so far was certified, and the nonlinear steps converged.
  [[nodiscard]] bool certified() const {
    const RunCertificate& run = simulator_->certificate();
    return why_.empty() && run.uncertified_steps == 0 && run.unconverged_steps == 0 && run.relaxed_steps == 0;
  }
  [[nodiscard]] const std::string& why() const { return why_; }
  /// Time of the first event of a kind from `since` on; -1 where there is none.
  [[nodiscard]] double first(EventKind kind, double since = 0.0) const {
    for (const Event& event : simulator_->events())
      if (event.kind == kind && event.time >= since) return event.time;
    return -1.0;
  }

 private:
  Scene scene_;
  std::unique_ptr<Simulator, stiction::test::GradeShares::Counted> simulator_;
  std::string why_;
};

/// Errors of one quantity at several steps, and the slope of the least-squares line through (log h, log error).
struct Convergence {
  std::vector<double> h, error;

  void add(double step, double found) {
    h.push_back(step);
    error.push_back(std::abs(found));
  }
  [[nodiscard]] double order() const {
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (std::size_t i = 0; i < h.size(); ++i) {
      const double a = std::log(h[i]), b = std::log(error[i]);
      x += a;
      y += b;
      xx += a * a;
      xy += a * b;
    }
    const auto n = static_cast<double>(h.size());
    return (n * xy - x * y) / (n * xx - x * x);
  }
  [[nodiscard]] std::string row() const {
    std::string text;
    for (const double e : error) {
      std::array<char, 32> cell{};
      std::snprintf(cell.data(), cell.size(), " %.3e |", e);
      text += cell.data();
    }
    return text;
  }
};

}  // namespace stiction::scene::test
