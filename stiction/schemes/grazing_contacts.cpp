#include "stiction/schemes/grazing_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace stiction {

namespace {

// Of the way: the first place of a row.
constexpr double earliest = 0.05;
// Looks for where a pair is nearest, and what the gap may still fall by, m.
constexpr int most_looks = 30;
constexpr double flat = 1e-11;
// Of the step: what Newton's method may go where no other side is known.
constexpr double near = 0.05;
constexpr int most_small = 3;  // and how often: the curvature is a bound
// Over the largest number of the velocities: two bodies may come nearer along three axes at once, and turn.
constexpr double reach = 10.0;
// Of what the bodies are thick.
constexpr double deep = 0.25;

int nearest_of(const GapSet& gaps) {
  int nearest = -1;
  for (int i = 0; i < gaps.size(); ++i)
    if (nearest < 0 || gaps.contacts[i].Phi < gaps.contacts[nearest].Phi) nearest = i;
  return nearest;
}

}  // namespace

double GrazingContacts::Pair::least() const {
  const int nearest = nearest_of(gaps);
  return nearest < 0 ? std::numeric_limits<double>::infinity() : gaps.contacts[nearest].Phi;
}

bool GrazingContacts::Pair::is_deep() const {
  const int nearest = nearest_of(gaps);
  return nearest >= 0 && gaps.contacts[nearest].Phi < -deep * gaps.contacts[nearest].thickness;
}

bool GrazingContacts::add(std::uint64_t pair, double place) {
  const auto at = std::lower_bound(pairs_.begin(), pairs_.end(), pair,
                                   [](const Pair& known, std::uint64_t id) { return known.pair < id; });
  if (at != pairs_.end() && at->pair == pair) return false;
  pairs_.insert(at, Pair{pair, place, {}});
  return true;
}

bool GrazingContacts::drop_deep() {
  return std::erase_if(pairs_, [](const Pair& pair) { return pair.is_deep(); }) > 0;
}

int GrazingContacts::look_at(double t, const Vector& q, const Vector& v, double margin, Pair& pair) {
  system_.advance(q, v, pair.place, q_between_);
  one_.assign(1, pair.pair);
  system_.find_pair_gaps(t + pair.place, q_between_, one_, margin, pair.gaps);
  return nearest_of(pair.gaps);
}

/// Of convex bodies the rate of the gap grows along the way. Where the last place is nearly right, Newton's method with
/// the curvature; otherwise between a place where it falls and one where it grows.
void GrazingContacts::find_nearest(double t, const Vector& q, const Vector& v, double h, double margin, Pair& pair) {
  struct Side {
    double place, Phi, rate;
  };
  std::optional<Side> before, after;  // known to come nearer, to part
  double low = earliest * h, high = h;
  pair.place = std::clamp(pair.place, low, high);
  for (int looks = 1;; ++looks) {
    const int at = look_at(t, q, v, margin, pair);
    if (at < 0) return;  // no features of these two face each other
    const GapSet& gaps = pair.gaps;
    const Side here{pair.place, gaps.contacts[at].Phi, gaps.opening(at, v)};
    const double slip1 = gaps.t1.dot(at, v) + gaps.slip1[at], slip2 = gaps.t2.dot(at, v) + gaps.slip2[at];
    const double bend = gaps.contacts[at].curvature * (slip1 * slip1 + slip2 * slip2);
    (here.rate < 0.0 ? before : after) = here;
    (here.rate < 0.0 ? low : high) = here.place;
    double next = bend > 0.0 ? here.place - here.rate / bend : -1.0;
    if (before && after) {
      // Where the rates' secant is zero, or the tangents meet, in turn.
      const double fall = before->rate - after->rate;
      if (looks % 4 == 0)
        next = 0.5 * (low + high);
      else if (looks % 2 == 0)
        next = (before->rate * after->place - after->rate * before->place) / fall;
      else
        next = (after->Phi - before->Phi + before->rate * before->place - after->rate * after->place) / fall;
    } else if (looks > most_small || !(std::abs(next - here.place) < near * h)) {
      next = here.rate < 0.0 ? high : low;
    }
    next = std::clamp(next, low, high);
    if (looks == most_looks || !(std::abs(here.rate * (next - here.place)) > flat)) return;
    pair.place = next;
  }
}

void GrazingContacts::look(double t, const Vector& q, const Vector& v, double h) {
  const double margin = reach * h * system_.fastest(v);
  for (Pair& pair : pairs_) find_nearest(t, q, v, h, margin, pair);
}

double GrazingContacts::error(const StepProblem& problem, const StepSolution& solution,
                              const std::function<bool(const GapSet&, int)>& is_left_out) const {
  double error = 0.0;
  for (const Pair& pair : pairs_)
    for (int i = 0; i < pair.gaps.size(); ++i)
      if (!is_left_out(pair.gaps, i)) error = std::max(error, -pair.gaps.contacts[i].Phi);
  for (int j = 0; j < problem.size(); ++j) {
    const std::uint64_t id = problem.contacts[j].id;
    if ((id & grazing_bit) == 0 || !(solution.c_n[j] > 0.0)) continue;
    const std::uint64_t contact = contact_of_row(id);
    for (const Pair& pair : pairs_) {
      if (pair.pair != contact >> feature_bits) continue;
      const int at = pair.gaps.find(contact);
      const int near = at >= 0 ? at : nearest_of(pair.gaps);
      if (near >= 0 && is_left_out(pair.gaps, near)) continue;
      error =
          std::max(error, near >= 0 ? std::abs(pair.gaps.contacts[near].Phi) : std::numeric_limits<double>::infinity());
    }
  }
  return error;
}

}  // namespace stiction
