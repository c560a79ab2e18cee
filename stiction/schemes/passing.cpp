#include "stiction/schemes/passing.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/schemes/step_report.h"

namespace stiction {

namespace {

// Looks at the geometry between the ends of a step, for one pair: the cubic's least place, then better ones.
constexpr int most_looks = 4;
// A meeting is known this share of its time late: the pair must overlap for a scheme to see it, but hardly.
constexpr double just_after = 0.01;
// What overlaps by more than this share of what its bodies are thick has met, however small; but for rounding, m.
constexpr double thin = 1e-3, rounding = 1e-12;
// A held pair that ends on its other side has come nearer by more than this share of its bodies' thickness.
constexpr double through = 0.25;

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

void Passing::list_pairs(const GapSet& gaps, const Vector& v, std::vector<Nearest>& pairs) {
  pairs.clear();
  for (int i = 0; i < gaps.size(); ++i) {
    const ContactPoint& contact = gaps.contacts[i];
    if (contact.pfaffian) continue;
    const std::uint64_t pair = contact.id >> feature_bits;
    const bool is_new = pairs.empty() || pairs.back().pair != pair;
    if (!is_new && !(contact.Phi < pairs.back().Phi)) continue;
    if (is_new) pairs.emplace_back();
    pairs.back() = {pair, contact.id, contact.Phi, gaps.opening(i, v), contact.thickness, contact.normal};
  }
}

/// The pairs of pairs_ at a place of the way, as far as they are within the margin there.
void Passing::look_at_pairs(double t, const Vector& q, const Vector& v, double place, double margin,
                            std::vector<Nearest>& pairs) {
  system_.advance(q, v, place, q_between_);
  system_.find_pair_gaps(t + place, q_between_, pairs_, margin, gaps_);
  list_pairs(gaps_, v, pairs);
}

/// The pair at a place of the way, or nothing where it is farther apart than the margin.
const Passing::Nearest* Passing::look_at(double t, const Vector& q, const Vector& v, double place, std::uint64_t pair,
                                         double margin) {
  pairs_.assign(1, pair);
  look_at_pairs(t, q, v, place, margin, between_);
  return between_.empty() ? nullptr : &between_.front();
}

/// Takes the time just after the pair, open at one place and overlapping at a later one, has met, if it is the
/// earliest.
void Passing::note_first_overlap(double t, const Vector& q, const Vector& v, const Met& met) {
  double open = met.open, high = met.overlap;
  std::uint64_t contact = 0;
  while (high - open > just_after * met.overlap) {
    const double middle = 0.5 * (open + high);
    const Nearest* const near = look_at(t, q, v, middle, met.pair, 0.0);
    const bool overlaps = near != nullptr && near->Phi < 0.0;
    (overlaps ? high : open) = middle;
    if (overlaps) contact = near->contact;
  }
  if (at_ >= 0.0 && high >= at_) return;
  at_ = high;
  contact_ = contact;
}

/// A place where the pair overlaps, by narrowing down where it is nearest until it does or is seen not to.
std::optional<double> Passing::find_overlap(double t, const Vector& q, const Vector& v, const Nearest& first,
                                            const Nearest& last, double h, double tolerance) {
  double high = h;
  low_ = 0.0;
  Nearest left = first, right = last;
  for (int looks = 0; looks < most_looks; ++looks) {
    const double width = high - low_;
    const double place = low_ + width * least_place(left.Phi, width * left.rate, right.Phi, width * right.rate);
    const Nearest* const near = look_at(t, q, v, place, first.pair, std::max({first.Phi, last.Phi, 0.0}));
    if (near == nullptr) return std::nullopt;
    if (near->Phi < -std::max(std::min(tolerance, thin * first.thickness), rounding)) return place;
    if (near->rate < 0.0) {
      low_ = place;
      left = *near;
    } else {
      high = place;
      right = *near;
    }
    // A gap is no lower than its tangents say where it is convex, as it is between convex bodies on straight ways.
    if (near->Phi - std::abs(near->rate) * (high - low_) > 0.0) return std::nullopt;
  }
  return std::nullopt;
}

/// Gaps at the start up to the margin or a little more: iterations of a step look from the same place.
void Passing::look_at_start(double t, const Vector& q, double margin) {
  constexpr double more = 1.25;
  if (t == t_start_ && margin <= start_margin_ && q.size() == q_start_.size() && q == q_start_) return;
  t_start_ = t;
  q_start_ = q;
  start_margin_ = more * margin;
  system_.find_gaps(t, q, start_margin_, start_gaps_);
}

/// Pairs that come nearer at the start, fast enough to meet, into start_; and where they are at the end into end_.
void Passing::find_coming(double t, const Vector& q, const Vector& v, double h, const std::vector<std::uint64_t>& held,
                          double tolerance) {
  start_.clear();
  const double way = 2.0 * h * system_.fastest(v);
  if (way <= tolerance) return;
  look_at_start(t, q, way);
  list_pairs(start_gaps_, v, start_);
  held_.clear();
  for (const std::uint64_t id : held) held_.push_back(id >> feature_bits);
  std::sort(held_.begin(), held_.end());
  std::erase_if(start_, [&](const Nearest& n) {
    if (n.rate > -gentle || n.Phi + h * n.rate > 0.0) return true;
    return is_held(n.pair) && -h * n.rate < through * n.thickness;
  });
  if (start_.empty()) return;
  pairs_.clear();
  for (const Nearest& n : start_) pairs_.push_back(n.pair);
  look_at_pairs(t, q, v, h, way, end_);
}

bool Passing::is_held(std::uint64_t pair) const {
  return std::binary_search(held_.begin(), held_.end(), pair);
}

bool Passing::find(double t, const Vector& q, const Vector& v, double h, const std::vector<std::uint64_t>& held,
                   double tolerance) {
  std::vector<std::uint64_t> none;
  if (!find_new(t, q, v, h, held, -std::numeric_limits<double>::infinity(), tolerance, none)) return false;
  locate(t, q, v);
  return true;
}

void Passing::locate(double t, const Vector& q, const Vector& v) {
  at_ = -1.0;
  for (const Met& met : met_) note_first_overlap(t, q, v, met);
}

bool Passing::find_new(double t, const Vector& q, const Vector& v, double h, const std::vector<std::uint64_t>& held,
                       double touch, double tolerance, std::vector<std::uint64_t>& touching) {
  met_.clear();
  find_coming(t, q, v, h, held, tolerance);
  auto last = end_.begin();
  for (const Nearest& first : start_) {
    last = std::lower_bound(last, end_.end(), first.pair,
                            [](const Nearest& n, std::uint64_t pair) { return n.pair < pair; });
    if (last == end_.end()) break;
    // What overlaps at the end, the end shows.
    if (last->pair != first.pair || last->Phi < -tolerance || last->rate <= 0.0) continue;
    if (is_held(first.pair) && first.normal.dot(last->normal) >= 0.0) continue;
    const std::optional<double> overlap = find_overlap(t, q, v, first, *last, h, tolerance);
    if (!overlap) continue;
    const auto place = std::lower_bound(touching.begin(), touching.end(), first.pair);
    const bool is_listed = place != touching.end() && *place == first.pair;
    if (first.Phi <= touch && !is_listed)
      touching.insert(place, first.pair);
    else
      met_.push_back({first.pair, low_, *overlap});
  }
  return !met_.empty();
}

}  // namespace stiction
