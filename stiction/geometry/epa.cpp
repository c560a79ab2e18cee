#include "stiction/geometry/epa.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

Difference ExpandingPolytope::farthest(const Vec3& direction) const {
  Difference corner = difference(*a_, *b_, direction);
  corner.at += ball_ * direction;
  return corner;
}

int ExpandingPolytope::add_face(int i, int j, int k) {
  if (face_count_ == most_faces) return -1;
  const Vec3 &x = corners_[i].at, &y = corners_[j].at, &z = corners_[k].at;
  const Vec3 normal = (y - x).cross(z - x);
  const double length = normal.norm();
  if (!(length > 0.0)) return -1;
  Face& face = faces_[face_count_];
  face = {{i, j, k}, {-1, -1, -1}, normal / length};
  // Of three places for the plane the one in the middle of the corners has the least rounding.
  offsets_[face_count_] = face.normal.dot(x + y + z) / 3.0;
  return face_count_++;
}

/// A tetrahedron of far points: of a direction, its opposite, and twice across what is there.
bool ExpandingPolytope::start() {
  corners_[0] = farthest(Vec3::UnitX());
  corners_[1] = farthest(-Vec3::UnitX());
  const auto pick = [&](const Vec3& direction, const Vec3& from) {
    const Difference there = farthest(direction), back = farthest(-direction);
    return direction.dot(there.at - from) > -direction.dot(back.at - from) ? there : back;
  };
  const Vec3 along = (corners_[1].at - corners_[0].at).normalized();
  corners_[2] = pick(along.unitOrthogonal(), corners_[0].at);
  const Vec3 normal = along.cross(corners_[2].at - corners_[0].at).normalized();
  corners_[3] = pick(normal, corners_[0].at);
  return start_from_corners();
}

bool ExpandingPolytope::start_from_corners() {
  corner_count_ = 4;
  face_count_ = 0;
  const Vec3& from = corners_[0].at;
  const Vec3 normal = (corners_[1].at - from).cross(corners_[2].at - from);
  if (normal.dot(corners_[3].at - from) > 0.0) std::swap(corners_[1], corners_[2]);
  if (add_face(0, 1, 2) < 0 || add_face(0, 2, 3) < 0 || add_face(0, 3, 1) < 0 || add_face(1, 3, 2) < 0) return false;
  faces_[0].neighbours = {2, 3, 1};
  faces_[1].neighbours = {0, 3, 2};
  faces_[2].neighbours = {1, 3, 0};
  faces_[3].neighbours = {2, 1, 0};
  return true;
}

int ExpandingPolytope::nearest_face() const {
  int best = -1;
  double least = dead;
  for (int i = 0; i < face_count_; ++i) {
    if (offsets_[i] < least) {
      least = offsets_[i];
      best = i;
    }
  }
  return best;
}

bool ExpandingPolytope::find_rim(int seen, const Vec3& from) {
  int count = 0;
  seen_[count++] = seen;
  offsets_[seen] = dead;
  for (int at = 0; at < count; ++at) {
    for (const int next : faces_[seen_[at]].neighbours) {
      if (!is_alive(next) || !(faces_[next].normal.dot(from) > offsets_[next])) continue;
      offsets_[next] = dead;
      seen_[count++] = next;
    }
  }
  rim_count_ = 0;
  for (int at = 0; at < count; ++at) {
    const Face& face = faces_[seen_[at]];
    for (int side = 0; side < 3; ++side) {
      if (!is_alive(face.neighbours[side])) continue;
      if (rim_count_ == most_faces) return false;
      rim_[rim_count_++] = {face.corners[side], face.corners[(side + 1) % 3], face.neighbours[side]};
    }
  }
  return rim_count_ >= 3;
}

bool ExpandingPolytope::expand(int seen, int corner) {
  if (!find_rim(seen, corners_[corner].at)) return false;
  std::fill_n(starting_at_.begin(), corner_count_, -1);
  const int first = face_count_;
  for (int i = 0; i < rim_count_; ++i) {
    const RimSide& side = rim_[i];
    if (starting_at_[side.from] >= 0) return false;
    const int face = add_face(side.from, side.to, corner);
    if (face < 0) return false;
    starting_at_[side.from] = face;
    faces_[face].neighbours[0] = side.outer;
    Face& outer = faces_[side.outer];
    for (int k = 0; k < 3; ++k) {
      if (outer.corners[k] == side.to && outer.corners[(k + 1) % 3] == side.from) outer.neighbours[k] = face;
    }
  }
  for (int face = first; face < face_count_; ++face) {
    const int next = starting_at_[faces_[face].corners[1]];
    if (next < 0) return false;
    faces_[face].neighbours[1] = next;
    faces_[next].neighbours[2] = face;
  }
  return true;
}

Vec3 ExpandingPolytope::foot_on(int index) const {
  const Face& face = faces_[index];
  const Vec3 foot = offsets_[index] * face.normal;
  const Vec3 x = corners_[face.corners[0]].at - foot, y = corners_[face.corners[1]].at - foot,
             z = corners_[face.corners[2]].at - foot;
  const Vec3 weights(face.normal.dot(y.cross(z)), face.normal.dot(z.cross(x)), face.normal.dot(x.cross(y)));
  return weights / weights.sum();
}

void ExpandingPolytope::set_points(int face, Vec3 weights, CoreGap& answer) const {
  weights = weights.cwiseMax(0.0);
  const double sum = weights.sum();
  weights = std::isfinite(sum) && sum > 0.0 ? Vec3(weights / sum) : Vec3(1.0, 0.0, 0.0);
  answer.on_a = answer.on_b = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    answer.on_a += weights[i] * corners_[faces_[face].corners[i]].on_a;
    answer.on_b += weights[i] * corners_[faces_[face].corners[i]].on_b;
  }
}

void ExpandingPolytope::improve_points(double tolerance, double least_weight, CoreGap& answer) const {
  constexpr double same_direction = 1.0 - 1e-10;
  const double offset = ball_ - answer.gap;
  for (int i = 0; i < face_count_; ++i) {
    if (!(std::abs(offsets_[i] - offset) <= tolerance) || -faces_[i].normal.dot(answer.normal) < same_direction)
      continue;
    const Vec3 weights = foot_on(i);
    if (!(weights.minCoeff() > least_weight)) continue;
    least_weight = weights.minCoeff();
    set_points(i, weights, answer);
  }
}

void ExpandingPolytope::prepare(const Core& a, const Core& b, double ball) {
  a_ = &a;
  b_ = &b;
  ball_ = ball;
}

CoreGap ExpandingPolytope::find_gap(const Core& a, const Core& b, double ball, double tolerance) {
  prepare(a, b, ball);
  if (start()) return expand_all(tolerance);
  const Difference some = farthest(Vec3::UnitZ());
  return {true, -(some.at.z() - ball), -Vec3::UnitZ(), some.on_a, some.on_b};
}

CoreGap ExpandingPolytope::find_gap(const Core& a, const Core& b, const std::array<Difference, 4>& around,
                                    double tolerance) {
  constexpr double thin = 1e-3;
  const Vec3 &from = around[0].at, normal = (around[1].at - from).cross(around[2].at - from);
  const double size = a.size + b.size;
  const bool is_thick = std::abs(normal.dot(around[3].at - from)) > thin * size * normal.norm();
  prepare(a, b, 0.0);
  std::copy(around.begin(), around.end(), corners_.begin());
  return is_thick && start_from_corners() ? expand_all(tolerance) : find_gap(a, b, 0.0, tolerance);
}

CoreGap ExpandingPolytope::expand_all(double tolerance) {
  CoreGap best;
  best.found = true;
  best.gap = -std::numeric_limits<double>::infinity();
  double least_weight = 0.0;
  while (true) {
    const int nearest = nearest_face();
    if (nearest < 0) break;
    const Vec3 normal = faces_[nearest].normal;
    const Difference beyond = farthest(normal);
    const double reach = normal.dot(beyond.at);
    // The shortest way out is at least the offset of the nearest face and at most any reach.
    if (ball_ - reach > best.gap) {
      best.gap = ball_ - reach;
      best.normal = -normal;
      const Vec3 weights = foot_on(nearest);
      least_weight = weights.minCoeff();
      set_points(nearest, weights, best);
    }
    if (ball_ - best.gap - offsets_[nearest] <= tolerance || corner_count_ == most_corners) break;
    corners_[corner_count_] = beyond;
    if (!expand(nearest, corner_count_++)) break;
  }
  // A flat face of the difference can be many triangles, and the foot may be beside the one that was looked at last.
  if (!(least_weight >= 0.0)) improve_points(10.0 * tolerance, least_weight, best);
  return best;
}

}  // namespace stiction
