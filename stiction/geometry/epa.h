#pragma once

#include <array>

#include "stiction/geometry/nearest_points.h"

namespace stiction {

/// Expanding polytope search: the direction in which a - b reaches least far beyond the origin. The difference is
/// thickened by a small ball, which changes all of its reaches by the same and gives it an inside: so pairs that touch,
/// and pairs a little apart, are no special case. Storage is the object's own.
class ExpandingPolytope {
 public:
  /// The gap must be less than half of `ball`. Without a ball, the answer is the separation across a face of a - b: the
  /// gap of polytopes that overlap.
  [[nodiscard]] CoreGap find_gap(const Core& a, const Core& b, double ball, double tolerance);

 private:
  static constexpr int most_corners = 200, most_faces = 1200;
  struct Face {
    std::array<int, 3> corners, neighbours;  ///< The neighbour across the side from corner i to the next.
    Vec3 normal;
    double offset;
    bool alive;
  };

  [[nodiscard]] Difference farthest(const Vec3& direction) const;
  bool start();
  /// -1 where there is no room or no area.
  int add_face(int i, int j, int k);
  [[nodiscard]] int nearest_face() const;
  /// Replaces all faces that the new corner sees, from `seen` on. False where the rim is no loop.
  bool expand(int seen, int corner);
  bool find_rim(int seen, const Vec3& from);
  /// The foot of the origin on a face, as a mean of its corners; the least weight says how far beside the face it is.
  [[nodiscard]] Vec3 foot_on(const Face& face) const;
  void set_points(const Face& face, Vec3 weights, CoreGap& answer) const;
  /// The points, from the face in the answer's plane that the foot is on, rather than from one beside it.
  void improve_points(double tolerance, double least_weight, CoreGap& answer) const;

  const Core *a_ = nullptr, *b_ = nullptr;
  double ball_ = 0.0;
  int corner_count_ = 0, face_count_ = 0, rim_count_ = 0;
  std::array<Difference, most_corners> corners_;
  std::array<Face, most_faces> faces_;
  std::array<int, most_faces> stack_;
  struct RimSide {
    int from, to, outer;  ///< Corners, and the face beyond.
  };
  std::array<RimSide, most_faces> rim_;
  std::array<int, most_corners> starting_at_;
};

}  // namespace stiction
