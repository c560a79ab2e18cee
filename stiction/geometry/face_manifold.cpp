#include "stiction/geometry/face_manifold.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/geometry/features.h"
#include "stiction/geometry/spread.h"

namespace stiction {
namespace {

/// Sine of the angle below which two edges do not tell a direction across both.
constexpr double nearly_parallel = 0.02;
/// And below which they do not cross at all.
constexpr double parallel = 1e-9;
/// Of the larger size: what the last digits of a place are worth.
constexpr double last_digits = 1e-14;
/// Of the size: how near a gap must come to the least one to stand for it. Faces are preferred to pairs of edges by
/// less.
constexpr double same_gap = 3e-10;
/// Of the size: below the least gap by more is an error of what was measured.
constexpr double rounding = 1e-12;
/// Of the size: how far beside a line on a round side another's end may be and still stand on it.
constexpr double beside = 1e-5;

double inverse(double x) {
  return x > 0.0 ? 1.0 / x : 0.0;
}

/// A share of the smaller one, so that what stands on a wide floor is more than a point.
double place_tolerance_of(const Core& a, const Core& b) {
  const double size_a = a.size + a.radius, size_b = b.size + b.radius;
  return std::max(place_tolerance * std::min(size_a, size_b), last_digits * std::max(size_a, size_b));
}

}  // namespace

void FaceManifold::add_contact(const Vec3& on_a, const Vec3& on_b, const Vec3& normal, double distance, int feature) {
  const double gap = distance - a_->radius - b_->radius;
  if (!(gap <= margin_)) return;
  // Each on its own surface: lines along each other may be a little out of line.
  const Vec3 at_a = on_a - a_->radius * normal, at_b = on_b + b_->radius * normal;
  const double square = tolerance_ * tolerance_;
  for (std::size_t i = start_; i < out_->size(); ++i) {
    const SurfaceContact& other = (*out_)[i];
    if ((other.point_a - origin_ - at_a).squaredNorm() <= square && other.gap <= gap + tolerance_) return;
  }
  const double round = a_->curvature() + b_->curvature();
  const double arms =
      inverse(std::sqrt(std::min((on_a - a_->position).squaredNorm(), (on_b - b_->position).squaredNorm())));
  out_->push_back({.point_a = origin_ + at_a,
                   .point_b = origin_ + at_b,
                   .normal = normal,
                   .gap = gap,
                   .curvature = round > 0.0 ? round : arms,
                   .feature = feature});
}

bool FaceManifold::is_over(const Vec3& x, const Patch& base) const {
  if (base.radius > 0.0) {
    const Vec3 from = x - base.center;
    return (from - base.normal.dot(from) * base.normal).norm() <= base.radius + tolerance_;
  }
  for (int i = 0; i < base.count; ++i) {
    const Vec3& from = base.points[i];
    const Vec3 along = base.points[base.after(i)] - from, out = along.cross(base.normal);
    const double beyond = out.dot(x - from);
    if (beyond > 0.0 && beyond * beyond > tolerance_ * tolerance_ * out.squaredNorm()) return false;
  }
  return true;
}

void FaceManifold::add_corners(const Patch& corners, const Patch& base, bool of_a) {
  const Vec3 towards = of_a ? nearest_->normal : Vec3(-nearest_->normal);
  const double cosine = base.normal.dot(towards);
  if (cosine < facing) return;
  const double reach = margin_ + a_->radius + b_->radius;
  for (int i = 0; i < corners.count; ++i) {
    const Vec3& x = corners.points[i];
    Vec3 normal = base.normal;
    double height = normal.dot(x - base.points[0]);
    // Corners on a rim move along it as the pair turns, and a face that is not quite across the shortest way out says
    // more depth than there is: these are measured along the pair's normal.
    if (!corners.is_flat || height < least_) {
      height /= cosine;
      normal = towards;
      // So deep only because the corner need not be quite over the face.
      if (height < least_) continue;
    }
    const Vec3 foot = x - height * normal;
    if (height > reach || !is_over(foot, base)) continue;
    if (of_a) {
      add_contact(x, foot, normal, height, feature_id(FeatureKind::vertex_of_a, 0, corners.vertices[i]));
    } else {
      add_contact(foot, x, -normal, height, feature_id(FeatureKind::vertex_of_b, 0, corners.vertices[i]));
    }
  }
}

void FaceManifold::add_corners_along_line(const Patch& corners, const Patch& line, bool of_a) {
  const Vec3& n = nearest_->normal;
  const Vec3 along = line.points[1] - line.points[0];
  const double reach = beside * (a_->size + b_->size);
  for (int i = 0; i < corners.count; ++i) {
    const Vec3 apart = corners.points[i] - line.points[0];
    const Vec3 flat_along = along - along.dot(n) * n;
    const double share = flat_along.dot(apart) / flat_along.squaredNorm();
    const double slack = tolerance_ / flat_along.norm();
    if (!(share >= -slack && share <= 1.0 + slack)) continue;
    const Vec3 x = corners.points[i], foot = line.points[0] + share * along;
    const double height = n.dot(x - foot);
    if ((x - foot - height * n).norm() > reach) continue;
    if (of_a) {
      add_contact(x, foot, n, height, feature_id(FeatureKind::vertex_of_a, 0, corners.vertices[i]));
    } else {
      add_contact(foot, x, n, -height, feature_id(FeatureKind::vertex_of_b, 0, corners.vertices[i]));
    }
  }
}

/// Where the two cross as seen along the normal, not nearer to an end than the tolerance.
void FaceManifold::add_crossing(int edge_a, int edge_b) {
  const Vec3& n = nearest_->normal;
  const Vec3 &a0 = patch_a_.points[edge_a], &b0 = patch_b_.points[edge_b];
  const Vec3 da = patch_a_.points[patch_a_.after(edge_a)] - a0, db = patch_b_.points[patch_b_.after(edge_b)] - b0;
  const Vec3 across = da.cross(db);
  const double turn = n.dot(across);
  const double length_a = da.norm(), length_b = db.norm();
  // Along each other to the tolerance: the ends of the length they have in common are the contacts.
  if (std::abs(turn) <= std::max(parallel * length_a * length_b, tolerance_ * std::max(length_a, length_b))) return;
  const Vec3 apart = b0 - a0;
  const double s = n.dot(apart.cross(db)) / turn, t = n.dot(apart.cross(da)) / turn;
  const double slack_a = tolerance_ / length_a, slack_b = tolerance_ / length_b;
  if (!(s > slack_a && s < 1.0 - slack_a && t > slack_b && t < 1.0 - slack_b)) return;
  const int feature = feature_id(FeatureKind::edges, patch_a_.sides[edge_a], patch_b_.sides[edge_b]);
  const Vec3 on_a = a0 + s * da, on_b = b0 + t * db;
  const double square = across.squaredNorm(), length = std::sqrt(square), sine = length / (length_a * length_b);
  const Vec3 own = across * ((turn > 0.0 ? 1.0 : -1.0) / length);
  // The nearest points of the two lines.
  const double distance = -own.dot(apart);
  const double place_a = apart.cross(db).dot(across) / square, place_b = apart.cross(da).dot(across) / square;
  const bool is_true = patch_a_.is_flat && patch_b_.is_flat && sine > nearly_parallel && own.dot(n) >= facing &&
                       place_a >= 0.0 && place_a <= 1.0 && place_b >= 0.0 && place_b <= 1.0 && distance >= least_;
  if (!is_true) return add_contact(on_a, on_b, n, n.dot(on_a - on_b), feature);
  const Vec3 at_a = a0 + place_a * da;
  add_contact(at_a, at_a - distance * own, own, distance, feature);
}

/// Where edges run under a round end and out again, as seen along the normal.
void FaceManifold::add_rim_crossings(const Patch& cap, const Patch& edges, bool of_a) {
  const Vec3& n = nearest_->normal;
  const double facing_it = cap.normal.dot(n);
  const auto over = [&](const Vec3& x) { return cap.normal.dot(cap.center - x) / facing_it; };
  for (int i = 0; i < edges.edges(); ++i) {
    const Vec3 &from = edges.points[i], &to = edges.points[edges.after(i)];
    // On the end's plane, about its centre: |start + t along| = radius.
    const Vec3 start = from + over(from) * n - cap.center, along = to + over(to) * n - cap.center - start;
    const double square = along.squaredNorm(), half = start.dot(along);
    const double root = half * half - square * (start.squaredNorm() - cap.radius * cap.radius);
    if (!(root > 0.0)) continue;
    const double slack = tolerance_ / std::sqrt(square);
    for (const int side : {0, 1}) {
      const double t = (-half + (side == 0 ? -1.0 : 1.0) * std::sqrt(root)) / square;
      if (!(t > slack && t < 1.0 - slack)) continue;
      const Vec3 on_edge = from + t * (to - from);
      const double distance = over(on_edge);
      const Vec3 on_cap = on_edge + distance * n;
      const int crossing = 2 * cap.rim + side;
      if (of_a)
        add_contact(on_cap, on_edge, n, distance, feature_id(FeatureKind::edges, crossing, edges.sides[i]));
      else
        add_contact(on_edge, on_cap, n, -distance, feature_id(FeatureKind::edges, edges.sides[i], crossing));
    }
  }
}

/// Where two rims cross as seen along the normal: found as if the ends were parallel, then by Newton's method.
void FaceManifold::add_crossing_rims() {
  constexpr int most_steps = 12;  // where rims nearly touch from inside each step halves what is left
  const Patch &a = patch_a_, &b = patch_b_;
  const Vec3& n = nearest_->normal;
  const Vec3 apart = b.center - a.center, towards = apart - apart.dot(a.normal) * a.normal;
  const double distance = towards.norm();
  // Above each other the one's rim is inside the other's.
  if (!(distance > tolerance_)) return;
  const double cosine = (distance * distance + a.radius * a.radius - b.radius * b.radius) / (2.0 * distance * a.radius);
  if (!(std::abs(cosine) < 1.0)) return;
  const Vec3 first = towards / distance, second = a.normal.cross(first);
  const double facing_it = b.normal.dot(n);
  for (const int side : {0, 1}) {
    double angle = (side == 0 ? 1.0 : -1.0) * std::acos(cosine);
    Vec3 on_a, on_b;
    double height = 0.0, off = 0.0;
    for (int step = 0; step <= most_steps; ++step) {
      on_a = a.center + a.radius * (std::cos(angle) * first + std::sin(angle) * second);
      const Vec3 way = a.radius * (std::cos(angle) * second - std::sin(angle) * first);
      height = b.normal.dot(on_a - b.center) / facing_it;
      on_b = on_a - height * n;
      const Vec3 arm = on_b - b.center, arm_way = way - b.normal.dot(way) / facing_it * n;
      off = arm.norm() - b.radius;
      const double slope = arm.dot(arm_way) / arm.norm();
      if (step == most_steps || !(std::abs(slope) > 0.0) || std::abs(off) <= last_digits * b.radius) break;
      angle -= off / slope;
    }
    // Nearly as large and nearly above each other they may not cross at all.
    if (!(std::abs(off) <= tolerance_)) continue;
    add_contact(on_a, on_b, n, height, feature_id(FeatureKind::edges, 2 * a.rim + side, 2 * b.rim));
  }
}

/// Onto the plane of the two axes that the normal is least along; what is inside what and crosses what is the same in
/// any plane.
void FaceManifold::look_at(const Patch& patch, View& view) const {
  const Vec3& n = nearest_->normal;
  int main = 0;
  n.cwiseAbs().maxCoeff(&main);
  const int first = main == 0 ? 1 : 0, second = main == 2 ? 1 : 2;
  const double lean_first = n[first] / n[main], lean_second = n[second] / n[main];
  view.lowest = std::numeric_limits<double>::infinity();
  view.highest = -view.lowest;
  for (int i = 0; i < patch.count; ++i) {
    const Vec3& point = patch.points[i];
    view.x[i] = point[first] - point[main] * lean_first;
    view.y[i] = point[second] - point[main] * lean_second;
    view.height[i] = n.dot(point);
    view.lowest = std::min(view.lowest, view.height[i]);
    view.highest = std::max(view.highest, view.height[i]);
  }
}

void FaceManifold::add_crossings() {
  look_at(patch_a_, view_a_);
  look_at(patch_b_, view_b_);
  // Edges that are too far from each other along the normal are left out, with room for normals of their own.
  const double reach = (margin_ + a_->radius + b_->radius) / facing + tolerance_;
  const View &a = view_a_, &b = view_b_;
  std::array<int, Patch::most> near_b;
  int near_count = 0;
  for (int j = 0; j < patch_b_.edges(); ++j) {
    if (a.lowest - std::max(b.height[j], b.height[patch_b_.after(j)]) <= reach) near_b[near_count++] = j;
  }
  for (int i = 0; i < patch_a_.edges(); ++i) {
    const int i1 = patch_a_.after(i);
    const double low = std::min(a.height[i], a.height[i1]);
    if (low - b.highest > reach) continue;
    const double ax = a.x[i1] - a.x[i], ay = a.y[i1] - a.y[i];
    for (int k = 0; k < near_count; ++k) {
      const int j = near_b[k], j1 = patch_b_.after(j);
      // Both ends of each must be on different sides of the other.
      const double x = b.x[j] - a.x[i], y = b.y[j] - a.y[i], x1 = b.x[j1] - a.x[i], y1 = b.y[j1] - a.y[i];
      const double from = ax * y - ay * x, to = ax * y1 - ay * x1;
      const double own = x * y1 - y * x1, end = (x - ax) * (y1 - ay) - (y - ay) * (x1 - ax);
      if (std::max(from * to, own * end) > 0.0) continue;
      if (low - std::max(b.height[j], b.height[j1]) <= reach) add_crossing(i, j);
    }
  }
}

bool FaceManifold::reaches(double gap, const std::vector<SurfaceContact>& contacts) const {
  const double limit = gap + same_gap * (a_->size + b_->size);
  for (std::size_t i = start_; i < contacts.size(); ++i) {
    if (contacts[i].gap <= limit) return true;
  }
  return false;
}

void FaceManifold::add_common(const Core& a, const Core& b, const CoreGap& nearest, const Vec3& origin, double margin,
                              std::vector<SurfaceContact>& contacts) {
  a_ = &a;
  b_ = &b;
  nearest_ = &nearest;
  origin_ = origin;
  margin_ = margin;
  tolerance_ = place_tolerance_of(a, b);
  least_ = nearest.gap - rounding * (a.size + b.size);
  out_ = &contacts;
  start_ = contacts.size();
  find_patch(a, -nearest.normal, nearest.on_a, patch_a_);
  find_patch(b, nearest.normal, nearest.on_b, patch_b_);
  if (patch_b_.count > 2) add_corners(patch_a_, patch_b_, true);
  if (patch_a_.count > 2) add_corners(patch_b_, patch_a_, false);
  if (patch_a_.count == 2 && patch_b_.count == 2) {
    add_corners_along_line(patch_a_, patch_b_, true);
    add_corners_along_line(patch_b_, patch_a_, false);
  }
  if (patch_a_.is_round() && patch_b_.is_round())
    add_crossing_rims();
  else if (patch_a_.is_round())
    add_rim_crossings(patch_a_, patch_b_, true);
  else if (patch_b_.is_round())
    add_rim_crossings(patch_b_, patch_a_, false);
  else if (patch_a_.count > 1 && patch_b_.count > 1)
    add_crossings();
}

void FaceManifold::add(const Core& a, const Core& b, const CoreGap& nearest, const Vec3& origin, double margin,
                       std::vector<SurfaceContact>& contacts) {
  add_common(a, b, nearest, origin, margin, contacts);
  const double gap = nearest.gap - a.radius - b.radius;
  if (!reaches(gap, contacts)) {
    // Not merged with what is near but less deep.
    tolerance_ = 0.0;
    add_contact(nearest.on_a, nearest.on_b, nearest.normal, nearest.gap, feature_id(FeatureKind::nearest));
    tolerance_ = place_tolerance_of(a, b);
  }
  keep_spread(contacts, start_, most);
}

}  // namespace stiction
