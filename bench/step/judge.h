#pragma once

#include <span>

#include "bench/step/scene.h"
#include "stiction/model/multibody.h"

namespace stiction::bench {

/// Penetration and joint drift of any engine's poses, by our geometry: one measure for all.
class Judge {
 public:
  /// Of a scene that has a model.
  explicit Judge(const Model& model) : system_(model) {}

  /// Takes the poses of the scene's bodies at the end of a step.
  void look(std::span<const Pose> bodies);

  [[nodiscard]] double penetration() const { return penetration_; }  ///< Deepest so far, m.
  [[nodiscard]] double drift() const { return drift_; }              ///< Largest |Theta| so far, m or rad.
  [[nodiscard]] bool finite() const { return finite_; }              ///< False: some pose was not a number.

 private:
  Multibody system_;
  Vector q_;
  GapSet gaps_;
  JointSet joints_;
  double penetration_ = 0.0, drift_ = 0.0;
  bool finite_ = true;
};

}  // namespace stiction::bench
