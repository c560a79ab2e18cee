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
  face = {{i, j, k}, {-1, -1, -1}, normal / length, 0.0, true};
  // Of three places for the plane the one in the middle of the corners has the least rounding.
  face.offset = face.normal.dot(x + y + z) / 3.0;
  return face_count_++;
}

/// A tetrahedron of far points: of a direction, its opposite, and twice across what is there.
bool ExpandingPolytope::start() {
  corner_count_ = 4;
  face_count_ = 0;
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
  if (normal.dot(corners_[3].at - corners_[0].at) > 0.0) std::swap(corners_[1], corners_[2]);
  if (add_face(0, 1, 2) < 0 || add_face(0, 2, 3) < 0 || add_face(0, 3, 1) < 0 || add_face(1, 3, 2) < 0) return false;
  faces_[0].neighbours = {2, 3, 1};
  faces_[1].neighbours = {0, 3, 2};
  faces_[2].neighbours = {1, 3, 0};
  faces_[3].neighbours = {2, 1, 0};
  return true;
}

int ExpandingPolytope::nearest_face() const {
  int best = -1;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < face_count_; ++i) {
    if (faces_[i].alive && faces_[i].offset < least) {
      least = faces_[i].offset;
      best = i;
    }
  }
  return best;
}

bool ExpandingPolytope::find_rim(int seen, const Vec3& from) {
  rim_count_ = 0;
  int stacked = 0;
  stack_[stacked++] = seen;
  faces_[seen].alive = false;
  while (stacked > 0) {
    const Face& face = faces_[stack_[--stacked]];
    for (int side = 0; side < 3; ++side) {
      const int next = face.neighbours[side];
      Face& other = faces_[next];
      if (!other.alive) continue;
      if (other.normal.dot(from) > other.offset) {
        other.alive = false;
        stack_[stacked++] = next;
      }
    }
  }
  for (int i = 0; i < face_count_; ++i) {
    Face& face = faces_[i];
    if (face.alive || face.corners[0] < 0) continue;
    for (int side = 0; side < 3; ++side) {
      if (!faces_[face.neighbours[side]].alive) continue;
      if (rim_count_ == most_faces) return false;
      rim_[rim_count_++] = {face.corners[side], face.corners[(side + 1) % 3], face.neighbours[side]};
    }
  }
  // Taken away for good: the next rim does not look at them again.
  for (int i = 0; i < face_count_; ++i) {
    if (!faces_[i].alive) faces_[i].corners[0] = -1;
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

Vec3 ExpandingPolytope::foot_on(const Face& face) const {
  const Vec3 foot = face.offset * face.normal;
  const Vec3 x = corners_[face.corners[0]].at - foot, y = corners_[face.corners[1]].at - foot,
             z = corners_[face.corners[2]].at - foot;
  const Vec3 weights(face.normal.dot(y.cross(z)), face.normal.dot(z.cross(x)), face.normal.dot(x.cross(y)));
  return weights / weights.sum();
}

void ExpandingPolytope::set_points(const Face& face, Vec3 weights, CoreGap& answer) const {
  weights = weights.cwiseMax(0.0);
  const double sum = weights.sum();
  weights = std::isfinite(sum) && sum > 0.0 ? Vec3(weights / sum) : Vec3(1.0, 0.0, 0.0);
  answer.on_a = answer.on_b = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    answer.on_a += weights[i] * corners_[face.corners[i]].on_a;
    answer.on_b += weights[i] * corners_[face.corners[i]].on_b;
  }
}

void ExpandingPolytope::improve_points(double tolerance, double least_weight, CoreGap& answer) const {
  constexpr double same_direction = 1.0 - 1e-10;
  const double offset = ball_ - answer.gap;
  for (int i = 0; i < face_count_; ++i) {
    const Face& face = faces_[i];
    if (!face.alive || std::abs(face.offset - offset) > tolerance || -face.normal.dot(answer.normal) < same_direction) {
      continue;
    }
    const Vec3 weights = foot_on(face);
    if (!(weights.minCoeff() > least_weight)) continue;
    least_weight = weights.minCoeff();
    set_points(face, weights, answer);
  }
}

CoreGap ExpandingPolytope::find_gap(const Core& a, const Core& b, double ball, double tolerance) {
  a_ = &a;
  b_ = &b;
  ball_ = ball;
  CoreGap best;
  best.found = true;
  best.gap = -std::numeric_limits<double>::infinity();
  if (!start()) {
    const Difference some = farthest(Vec3::UnitZ());
    return {true, -(some.at.z() - ball), -Vec3::UnitZ(), some.on_a, some.on_b};
  }
  double least_weight = 0.0;
  while (true) {
    const int nearest = nearest_face();
    if (nearest < 0) break;
    const Face face = faces_[nearest];
    const Difference beyond = farthest(face.normal);
    const double reach = face.normal.dot(beyond.at);
    // The shortest way out is at least the offset of the nearest face and at most any reach.
    if (ball - reach > best.gap) {
      best.gap = ball - reach;
      best.normal = -face.normal;
      const Vec3 weights = foot_on(face);
      least_weight = weights.minCoeff();
      set_points(face, weights, best);
    }
    if (ball - best.gap - face.offset <= tolerance || corner_count_ == most_corners) break;
    corners_[corner_count_] = beyond;
    if (!expand(nearest, corner_count_++)) break;
  }
  // A flat face of the difference can be many triangles, and the foot may be beside the one that was looked at last.
  if (!(least_weight >= 0.0)) improve_points(10.0 * tolerance, least_weight, best);
  return best;
}

}  // namespace stiction
