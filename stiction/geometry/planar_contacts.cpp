#include "stiction/geometry/planar_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/geometry/features.h"

namespace stiction {
namespace {

using Vec2 = Eigen::Vector2d;

/// The nearest points of two outlines' cores, or where they overlap the shortest way apart.
struct Nearest {
  double distance = -std::numeric_limits<double>::infinity();
  Vec2 normal = Vec2::UnitX();  ///< From b to a.
  Vec2 on_a = Vec2::Zero(), on_b = Vec2::Zero();
};

/// The corner of `other` that is least far out of each edge of `outline`, where that is most (separating axes).
/// `sign` is 1 where `outline` is b.
void separate_by_edges(const Outline& outline, const Outline& other, double sign, Nearest& best) {
  for (int edge = 0; edge < outline.edges(); ++edge) {
    const Vec2 out = outline.normal(edge);
    const int corner = other.farthest(-out);
    const double apart = out.dot(other.from(corner) - outline.from(edge));
    if (!(apart > best.distance)) continue;
    best.distance = apart;
    best.normal = sign * out;
    const Vec2& x = other.from(corner);
    const Vec2 foot = x - apart * out;
    best.on_a = sign > 0.0 ? x : foot;
    best.on_b = sign > 0.0 ? foot : x;
  }
}

void approach(const Vec2& on_a, const Vec2& on_b, Nearest& best) {
  const double distance = (on_a - on_b).norm();
  if (distance < best.distance) best = {distance, (on_a - on_b) / distance, on_a, on_b};
}

Vec2 nearest_on(const Outline& outline, const Vec2& x) {
  Vec2 best = outline.from(0);
  for (int edge = 0; edge < outline.edges(); ++edge) {
    const Vec2 along = outline.to(edge) - outline.from(edge);
    const double share = std::clamp(along.dot(x - outline.from(edge)) / along.squaredNorm(), 0.0, 1.0);
    const Vec2 y = outline.from(edge) + share * along;
    if ((x - y).squaredNorm() < (x - best).squaredNorm()) best = y;
  }
  return best;
}

Nearest find_nearest(const Outline& a, const Outline& b, double tiny) {
  Nearest axis;
  separate_by_edges(b, a, 1.0, axis);
  separate_by_edges(a, b, -1.0, axis);
  if (axis.distance <= tiny && (a.count > 1 || b.count > 1)) return axis;
  Nearest best;
  best.distance = std::numeric_limits<double>::infinity();
  for (int i = 0; i < a.count; ++i) approach(a.from(i), nearest_on(b, a.from(i)), best);
  for (int i = 0; i < b.count; ++i) approach(nearest_on(a, b.from(i)), b.from(i), best);
  // Two points in one place, or rounding.
  if (!(best.distance > 0.0) || !std::isfinite(best.distance)) {
    best = {0.0, Vec2::UnitY(), a.from(0), b.from(0)};
  }
  return best;
}

double inverse(double x) {
  return x > 0.0 ? 1.0 / x : 0.0;
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
      if ((out_[i].point_a.head<2>() - at_a).norm() <= tolerance_) return;
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
    const int corners = edge < 0 ? 1 : 2;
    // A disc has one contact wherever it is: beyond the end of an edge its normal turns at once.
    const double beyond = outline.count == 1 ? 0.0 : tolerance_;
    for (int i = 0; i < corners; ++i) {
      const int corner = edge < 0 ? 0 : (edge + i) % outline.count;
      const Vec2& x = outline.from(corner);
      const double place = along.dot(x - other.from(base));
      if (place < -beyond || place > length + beyond) continue;
      const double height = out.dot(x - other.from(base));
      const Vec2 foot = x - height * out;
      if (is_a) {
        add(x, foot, out, height, feature_id(FeatureKind::vertex_of_a, 0, corner));
      } else {
        add(foot, x, -out, height, feature_id(FeatureKind::vertex_of_b, 0, corner));
      }
    }
  }

  void find() {
    double size = 0.0;
    for (const Outline* outline : {&a_, &b_}) {
      for (int i = 0; i < outline->count; ++i) {
        size = std::max(size, (outline->from(i) - outline->origin).norm() + outline->radius);
      }
    }
    tolerance_ = place_tolerance * size;
    const Nearest nearest = find_nearest(a_, b_, 1e-12 * size);
    if (!(nearest.distance - a_.radius - b_.radius <= margin_)) return;
    const int edge_a = a_.facing(-nearest.normal), edge_b = b_.facing(nearest.normal);
    add_corners(a_, edge_a, b_, edge_b, nearest.normal);
    add_corners(b_, edge_b, a_, edge_a, nearest.normal);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = start_; i < out_.size(); ++i) least = std::min(least, out_[i].gap);
    if (!(least <= nearest.distance - a_.radius - b_.radius + 1e-12 * size)) {
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
  double tolerance_ = 0.0;
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
