#include "stiction/schemes/passing.h"

#include <algorithm>
#include <cmath>

#include "stiction/schemes/step_report.h"

namespace stiction {

namespace {

// Looks at the geometry between the ends of a step, for one pair: the cubic's least place, then better ones.
constexpr int most_looks = 4;
// A meeting is known this share of its time late: the pair must overlap for a scheme to see it, but hardly.
constexpr double just_after = 0.01;

/// Where in (0, 1) the cubic with these ends and rates (per unit) is least; the rates are negative and positive.
double least_place(double first, double first_rate, double last, double last_rate) {
  const double a = 2.0 * (first - last) + first_rate + last_rate;
  const double b = 3.0 * (last - first) - 2.0 * first_rate - last_rate;
  // Its derivative 3 a s^2 + 2 b s + first_rate goes from negative to positive: one root lies between, the larger one
  // of a parabola that opens upwards, the smaller one of the other; both are this one, without cancellation.
  const double root = std::sqrt(std::max(b * b - 3.0 * a * first_rate, 0.0));
  const double place = b >= 0.0 ? -first_rate / (b + root) : (root - b) / (3.0 * a);
  return std::isfinite(place) ? std::clamp(place, 0.01, 0.99) : 0.5;
}

}  // namespace

void Passing::look(double t, const Vector& q, const Vector& v, double margin, std::vector<Nearest>& pairs) {
  system_.find_gaps(t, q, margin, gaps_);
  pairs.clear();
  for (int i = 0; i < gaps_.size(); ++i) {
    const ContactPoint& contact = gaps_.contacts[i];
    if (contact.pfaffian) continue;
    const std::uint64_t pair = contact.id >> feature_bits;
    if (pairs.empty() || pairs.back().pair != pair)
      pairs.push_back({pair, contact.id, contact.Phi, gaps_.opening(i, v)});
    else if (contact.Phi < pairs.back().Phi)
      pairs.back() = {pair, contact.id, contact.Phi, gaps_.opening(i, v)};
  }
}

/// The pair at a place of the way, or nothing where it is farther apart than the margin.
const Passing::Nearest* Passing::look_at(double t, const Vector& q, const Vector& v, double place, std::uint64_t pair,
                                         double margin) {
  system_.advance(q, v, place, q_between_);
  look(t + place, q_between_, v, margin, between_);
  const auto it = std::find_if(between_.begin(), between_.end(), [&](const Nearest& n) { return n.pair == pair; });
  return it == between_.end() ? nullptr : &*it;
}

/// Takes the time just after the pair, open at one place and overlapping at a later one, has met, if it is the
/// earliest.
void Passing::note_first_overlap(double t, const Vector& q, const Vector& v, std::uint64_t pair, double open,
                                 double overlap) {
  double high = overlap;
  std::uint64_t contact = 0;
  while (high - open > just_after * overlap) {
    const double middle = 0.5 * (open + high);
    const Nearest* const near = look_at(t, q, v, middle, pair, 0.0);
    const bool overlaps = near != nullptr && near->Phi < 0.0;
    (overlaps ? high : open) = middle;
    if (overlaps) contact = near->contact;
  }
  if (at_ >= 0.0 && high >= at_) return;
  at_ = high;
  contact_ = contact;
}

/// Narrows down where a pair is nearest until it overlaps or is seen not to.
void Passing::look_between(double t, const Vector& q, const Vector& v, const Nearest& first, const Nearest& last,
                           double h, double tolerance) {
  double low = 0.0, high = h;
  Nearest left = first, right = last;
  for (int looks = 0; looks < most_looks; ++looks) {
    const double width = high - low;
    const double place = low + width * least_place(left.Phi, width * left.rate, right.Phi, width * right.rate);
    const Nearest* const near = look_at(t, q, v, place, first.pair, std::max(first.Phi, last.Phi));
    if (near == nullptr) return;
    if (near->Phi < -tolerance) return note_first_overlap(t, q, v, first.pair, low, place);
    if (near->rate < 0.0) {
      low = place;
      left = *near;
    } else {
      high = place;
      right = *near;
    }
    // A gap is no lower than its tangents say where it is convex, as it is between convex bodies on straight ways.
    if (near->Phi - std::abs(near->rate) * (high - low) > 0.0) return;
  }
}

bool Passing::find(double t, const Vector& q, const Vector& v, double h, const std::vector<std::uint64_t>& held,
                   double tolerance) {
  at_ = -1.0;
  const double way = 2.0 * h * system_.fastest(v);
  if (way <= tolerance) return false;
  look(t, q, v, way, start_);
  const auto is_held = [&](const Nearest& n) {
    return std::any_of(held.begin(), held.end(), [&](std::uint64_t id) { return id >> feature_bits == n.pair; });
  };
  std::erase_if(start_, [&](const Nearest& n) { return n.rate > -gentle || n.Phi + h * n.rate > 0.0 || is_held(n); });
  if (start_.empty()) return false;
  system_.advance(q, v, h, q_between_);
  look(t + h, q_between_, v, way, end_);
  for (const Nearest& first : start_) {
    const auto last = std::find_if(end_.begin(), end_.end(), [&](const Nearest& n) { return n.pair == first.pair; });
    if (last == end_.end() || last->Phi <= 0.0 || last->rate <= 0.0) continue;
    look_between(t, q, v, first, *last, h, tolerance);
  }
  return at_ >= 0.0;
}

}  // namespace stiction
