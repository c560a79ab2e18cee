#pragma once

#include <array>
#include <limits>

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
  /// The same without a ball, from a tetrahedron of corners of a - b that has the origin inside.
  [[nodiscard]] CoreGap find_gap(const Core& a, const Core& b, const std::array<Difference, 4>& around,
                                 double tolerance);

 private:
  static constexpr int most_corners = 200, most_faces = 1200;
  static constexpr double dead =
      std::numeric_limits<double>::infinity();  ///< The offset of a face that was taken away.
  struct Face {
    std::array<int, 3> corners, neighbours;  ///< The neighbour across the side from corner i to the next.
    Vec3 normal;
  };

  [[nodiscard]] Difference farthest(const Vec3& direction) const;
  void prepare(const Core& a, const Core& b, double ball);
  bool start();
  /// From the first four corners, turned so that all faces look outwards.
  bool start_from_corners();
  [[nodiscard]] CoreGap expand_all(double tolerance);
  [[nodiscard]] bool is_alive(int face) const { return offsets_[face] < dead; }
  /// -1 where there is no room or no area.
  int add_face(int i, int j, int k);
  [[nodiscard]] int nearest_face() const;
  /// Replaces all faces that the new corner sees, from `seen` on. False where the rim is no loop.
  bool expand(int seen, int corner);
  bool find_rim(int seen, const Vec3& from);
  /// The foot of the origin on a face, as a mean of its corners; the least weight says how far beside the face it is.
  [[nodiscard]] Vec3 foot_on(int face) const;
  void set_points(int face, Vec3 weights, CoreGap& answer) const;
  /// The points, from the face in the answer's plane that the foot is on, rather than from one beside it.
  void improve_points(double tolerance, double least_weight, CoreGap& answer) const;

  const Core *a_ = nullptr, *b_ = nullptr;
  double ball_ = 0.0;
  int corner_count_ = 0, face_count_ = 0, rim_count_ = 0;
  std::array<Difference, most_corners> corners_;
  std::array<Face, most_faces> faces_;
  std::array<double, most_faces> offsets_;  ///< normal . x on each face.
  std::array<int, most_faces> seen_;        ///< Faces that the new corner sees.
  struct RimSide {
    int from, to, outer;  ///< Corners, and the face beyond.
  };
  std::array<RimSide, most_faces> rim_;
  std::array<int, most_corners> starting_at_;
};

}  // namespace stiction
