#include "stiction/geometry/nearest_points.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/epa.h"
#include "stiction/geometry/gjk.h"
#include "stiction/geometry/refine.h"

namespace stiction {
namespace {

/// Of the two sizes together: below, GJK's difference of two points has too few digits for a direction.
constexpr double touching = 1e-4;
/// The same for polytopes, whose faces and edges give the direction in the end.
constexpr double touching_flat = 1e-7;
/// Corners so far out of a face of the difference are on it.
constexpr double flat_tolerance = 1e-12;
constexpr double ball = 1e-3;
constexpr double tolerance = 1e-13;
/// Between what GJK knows the distance to be at least and at most; where round shapes keep them further apart, EPA goes
/// on.
constexpr double good = 1e-11;
/// What the searches find of round shapes before it is refined.
constexpr double rough = 1e-7;

/// Whether the gap is proven from here on.
bool refined(const Core& a, const Core& b, CoreGap& gap) {
  gap.is_proven = refine(a, b, gap);
  return gap.is_proven;
}

CoreGap flat_gap(const Core& a, const Core& b, double size, const GjkAnswer& answer, ExpandingPolytope& expanding) {
  // The difference has corners and flat faces, and the shortest way out is across one of these: no ball is needed.
  CoreGap exact = answer.encloses ? expanding.find_gap(a, b, answer.corners, flat_tolerance * size)
                                  : expanding.find_gap(a, b, 0.0, flat_tolerance * size);
  if (exact.gap <= 0.0 || std::abs(exact.gap - answer.distance) <= flat_tolerance * size) return exact;
  return expanding.find_gap(a, b, std::max(ball * size, 2.5 * answer.distance), tolerance * size);
}

CoreGap round_gap(const Core& a, const Core& b, double size, const GjkAnswer& answer, ExpandingPolytope& expanding) {
  const double inside = std::max(ball * size, 2.5 * answer.distance);
  CoreGap gap = expanding.find_gap(a, b, inside, rough * size);
  if (refined(a, b, gap)) return gap;
  gap = expanding.find_gap(a, b, inside, tolerance * size);
  refined(a, b, gap);
  return gap;
}

CoreGap gap_of(const GjkAnswer& answer) {
  return {true, answer.lower, answer.normal, answer.on_a, answer.on_b};
}

}  // namespace

CoreGap find_core_gap(const Core& a, const Core& b, double limit) {
  const double size = a.size + b.size;
  const bool flat = a.is_straight() && b.is_straight() && (a.is_flat() || b.is_flat());
  const double near = (flat ? touching_flat : touching) * size;
  Vec3 guess = a.position - b.position;
  if (!(guess.squaredNorm() > 0.0)) guess = Vec3::UnitZ();
  GjkAnswer answer = find_distance(a, b, guess, limit, near, flat ? 0.0 : rough * size);
  if (answer.lower > limit) return {};
  if (!flat && answer.distance > near) {
    CoreGap gap = gap_of(answer);
    if (refined(a, b, gap)) return gap;
    answer = find_distance(a, b, answer.normal, limit, near, 0.0);
    if (answer.lower > limit) return {};
    gap = gap_of(answer);
    if (answer.distance > near && refined(a, b, gap)) return gap;
  }
  if (answer.distance > near && answer.distance - answer.lower <= good * size) {
    CoreGap gap = gap_of(answer);
    if (flat && !(a.is_flat() && b.is_flat())) refined(a, b, gap);
    return gap;
  }
  if (!(size > 0.0)) return {true, 0.0, Vec3::UnitZ(), a.position, b.position};
  static thread_local ExpandingPolytope expanding;
  if (!flat) return round_gap(a, b, size, answer, expanding);
  CoreGap gap = flat_gap(a, b, size, answer, expanding);
  const double apart = (gap.on_a - gap.on_b - gap.gap * gap.normal).norm();
  if (!a.is_flat() || !b.is_flat() || apart > good * size) refined(a, b, gap);
  return gap;
}

}  // namespace stiction
