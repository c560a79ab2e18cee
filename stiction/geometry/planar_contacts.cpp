#include "stiction/geometry/planar_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/geometry/features.h"
#include "stiction/geometry/outline_gap.h"

namespace stiction {
namespace {

using Vec2 = Eigen::Vector2d;

/// Of the size: below is rounding.
constexpr double rounding = 1e-12;
/// Of the largest coordinate: what its last digits are worth.
constexpr double last_digits = 1e-15;

double inverse(double x) {
  return x > 0.0 ? 1.0 / x : 0.0;
}

/// Largest distance from the shape's origin.
double size_of(const Outline& outline) {
  double size = 0.0;
  for (int i = 0; i < outline.count; ++i) size = std::max(size, (outline.from(i) - outline.origin).norm());
  return size + outline.radius;
}

class PairOfOutlines {
 public:
  PairOfOutlines(const Outline& a, const Outline& b, double z, double margin, std::vector<SurfaceContact>& out)
      : a_(a), b_(b), z_(z), margin_(margin), out_(out), start_(out.size()) {}

  void add(const Vec2& on_a, const Vec2& on_b, const Vec2& normal, double distance, int feature) {
    const double gap = distance - a_.radius - b_.radius;
    if (!(gap <= margin_)) return;
    const Vec2 at_a = on_a - a_.radius * normal, at_b = at_a - gap * normal;
    for (std::size_t i = start_; i < out_.size(); ++i) {
      if ((out_[i].point_a.head<2>() - at_a).norm() <= tolerance_ && out_[i].gap <= gap + tolerance_) return;
    }
    const double arm = inverse(std::max((at_a - a_.origin).norm(), (on_b - b_.origin).norm()));
    const double round = inverse(a_.radius) + inverse(b_.radius);
    out_.push_back({.point_a = Vec3(at_a.x(), at_a.y(), z_),
                    .point_b = Vec3(at_b.x(), at_b.y(), z_),
                    .normal = Vec3(normal.x(), normal.y(), 0.0),
                    .gap = gap,
                    .curvature = round > 0.0 ? round : arm,
                    // A disc has one contact, wherever it rolls.
                    .feature = a_.count == 1 || b_.count == 1 ? 0 : feature});
  }

  /// Corners of the edge `edge` of `outline` over the edge `base` of `other`.
  void add_corners(const Outline& outline, int edge, const Outline& other, int base, const Vec2& normal) {
    if (base < 0) return;
    const bool is_a = &outline == &a_;
    const Vec2 out = other.normal(base);
    if (out.dot(is_a ? normal : Vec2(-normal)) < facing) return;
    const double length = (other.to(base) - other.from(base)).norm();
    const Vec2 along = (other.to(base) - other.from(base)) / length;
    // Of a segment that does not lie along the edge, the nearer end alone.
    const bool is_point = edge < 0 || (outline.count == 2 && -out.dot(outline.normal(edge)) < facing);
    // A disc has one contact wherever it is: beyond the end of an edge its normal turns at once.
    const double beyond = outline.count == 1 ? 0.0 : tolerance_;
    for (int i = 0; i < (is_point ? 1 : 2); ++i) {
      const int corner = is_point ? outline.farthest(-out) : (edge + i) % outline.count;
      const Vec2& x = outline.from(corner);
      const double place = along.dot(x - other.from(base));
      if (place < -beyond || place > length + beyond) continue;
      const double height = out.dot(x - other.from(base));
      // An edge that is not quite across the shortest way apart says more depth than there is.
      if (height < least_) continue;
      const Vec2 foot = x - height * out;
      if (is_a) {
        add(x, foot, out, height, feature_id(FeatureKind::vertex_of_a, 0, corner));
      } else {
        add(foot, x, -out, height, feature_id(FeatureKind::vertex_of_b, 0, corner));
      }
    }
  }

  void find() {
    const double size_a = size_of(a_), size_b = size_of(b_);
    const double noise = rounding * std::max(size_a, size_b) +
                         last_digits * std::max(a_.origin.cwiseAbs().maxCoeff(), b_.origin.cwiseAbs().maxCoeff());
    tolerance_ = std::max(place_tolerance * std::min(size_a, size_b), noise);
    const OutlineGap nearest = find_outline_gap(a_, b_, noise);
    if (!(nearest.distance - a_.radius - b_.radius <= margin_)) return;
    least_ = nearest.distance - noise;
    const int edge_a = a_.facing(-nearest.normal), edge_b = b_.facing(nearest.normal);
    add_corners(a_, edge_a, b_, edge_b, nearest.normal);
    add_corners(b_, edge_b, a_, edge_a, nearest.normal);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = start_; i < out_.size(); ++i) least = std::min(least, out_[i].gap);
    if (!(least <= nearest.distance - a_.radius - b_.radius + noise)) {
      // A disc has one contact: the deepest.
      if (a_.count == 1 || b_.count == 1) out_.erase(out_.begin() + static_cast<std::ptrdiff_t>(start_), out_.end());
      // Not merged with what is near but less deep.
      tolerance_ = 0.0;
      add(nearest.on_a, nearest.on_b, nearest.normal, nearest.distance, feature_id(FeatureKind::nearest));
    }
    std::sort(out_.begin() + static_cast<std::ptrdiff_t>(start_), out_.end(),
              [](const SurfaceContact& x, const SurfaceContact& y) { return x.feature < y.feature; });
  }

 private:
  const Outline &a_, &b_;
  double z_, margin_;
  std::vector<SurfaceContact>& out_;
  std::size_t start_;
  double tolerance_ = 0.0, least_ = 0.0;  ///< least_: the outlines are no nearer.
};

}  // namespace

void add_outline_contacts(const Outline& a, const Outline& b, double z, double margin,
                          std::vector<SurfaceContact>& contacts) {
  PairOfOutlines(a, b, z, margin, contacts).find();
}

void add_outline_on_plane(const Outline& a, const HalfSpace& b, const Pose& pose_b, double z, double margin,
                          std::vector<SurfaceContact>& contacts) {
  const Vec3 world = pose_b.orientation * b.normal;
  const double across = world.head<2>().norm();
  if (!(across > 0.0)) return;
  const Vec2 normal = world.head<2>() / across;
  const double offset = (b.offset + world.dot(pose_b.position) - world.z() * z) / across;
  for (int corner = 0; corner < a.count; ++corner) {
    const double height = normal.dot(a.from(corner)) - offset;
    const double gap = height - a.radius;
    if (!(gap <= margin)) continue;
    const Vec2 at = a.from(corner) - a.radius * normal, foot = a.from(corner) - height * normal;
    contacts.push_back({.point_a = Vec3(at.x(), at.y(), z),
                        .point_b = Vec3(foot.x(), foot.y(), z),
                        .normal = Vec3(normal.x(), normal.y(), 0.0),
                        .gap = gap,
                        .curvature = inverse(std::max(a.radius, (at - a.origin).norm())),
                        .feature = corner});
  }
}

void add_outline_in_cavity(const Outline& a, const Cavity& b, double z, double margin,
                           std::vector<SurfaceContact>& contacts) {
  const Cavity pipe{Vec3(b.center.x(), b.center.y(), z), b.radius, Vec3::UnitZ()};
  for (int corner = 0; corner < a.count; ++corner) {
    add_ball_in_cavity(Vec3(a.from(corner).x(), a.from(corner).y(), z), a.radius, pipe, corner, margin, contacts);
  }
}

}  // namespace stiction
