#pragma once

#include <array>
#include <vector>

#include "stiction/geometry/contact_points.h"
#include "stiction/geometry/nearest_points.h"
#include "stiction/geometry/patch.h"

namespace stiction {

/// What two patches that face each other have in common, as contacts: corners of each over the other's polygon, and
/// places where edges and rims cross. Each has the normal of its own two features where these are flat and face the
/// pair's normal, so that its gap is a true one: a corner that of the face under it, two edges the one across both.
class FaceManifold {
 public:
  static constexpr int most = 8;

  /// Appends the contacts with gap <= margin, at most `most`, by increasing feature, with the nearest points among
  /// them. `origin` is where the cores' zero stands in the world.
  void add(const Core& a, const Core& b, const CoreGap& nearest, const Vec3& origin, double margin,
           std::vector<SurfaceContact>& contacts);
  /// The same without the nearest points, all of them, in any order.
  void add_common(const Core& a, const Core& b, const CoreGap& nearest, const Vec3& origin, double margin,
                  std::vector<SurfaceContact>& contacts);
  /// Whether one of the contacts that were just added has no larger gap than this.
  [[nodiscard]] bool reaches(double gap, const std::vector<SurfaceContact>& contacts) const;

 private:
  void add_corners(const Patch& corners, const Patch& base, bool of_a);
  void add_corners_along_line(const Patch& corners, const Patch& line, bool of_a);
  void add_crossings();
  void add_rim_crossings(const Patch& cap, const Patch& edges, bool of_a);
  void add_crossing_rims();
  /// A patch as seen along the normal, and how far along it each point is.
  struct View {
    std::array<double, Patch::most> x, y, height;
    double lowest, highest;
  };
  void look_at(const Patch& patch, View& view) const;
  void add_crossing(int edge_a, int edge_b);
  void add_contact(const Vec3& on_a, const Vec3& on_b, const Vec3& normal, double distance, int feature);
  [[nodiscard]] bool is_over(const Vec3& x, const Patch& base) const;

  const Core *a_ = nullptr, *b_ = nullptr;
  const CoreGap* nearest_ = nullptr;
  Vec3 origin_ = Vec3::Zero();
  double margin_ = 0.0, tolerance_ = 0.0, least_ = 0.0;  ///< least_: no core is nearer.
  std::vector<SurfaceContact>* out_ = nullptr;
  std::size_t start_ = 0;
  Patch patch_a_, patch_b_;
  View view_a_, view_b_;
};

}  // namespace stiction
