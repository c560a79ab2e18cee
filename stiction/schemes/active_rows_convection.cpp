#include <algorithm>
#include <cmath>

#include "stiction/schemes/active_rows.h"

/// The convective terms of what is held, by differences.
namespace stiction {

namespace {

// How far the fastest velocity moves in one step of the differences, m or rad. Rounding leaves 1e-16/way of v^2, and
// the fourth order (way * curvature)^4 / 30: 4e-13 and 1e-16 at a curvature of 1/m, 1e-12 at 10/m.
constexpr double way = 2.5e-4;
// Of the differences between neighbours: third differences of a smooth row are (way * curvature)^2 of these, which is
// less up to a curvature of 100/m. A row taken for bent by mistake is only a little less exact.
constexpr double bent = 1e-3;
// Of the squared velocity: bends by less change nothing that a tolerance would show.
constexpr double slightest = 1e-7;
// Steps, for positions of 1 m: where the side of a bend is looked for. Rounding is 1e-4 of a bend of 1/m here.
constexpr double hardly = 4e-9;

/// Three of the speeds of a row in order; how far the middle one is off the line through the others, twice.
double second_difference(double first, double middle, double last) {
  return first - 2.0 * middle + last;
}

double one_sided_slope(double here, double next, double second) {
  return 0.5 * (4.0 * next - second - 3.0 * here);
}

double one_sided_slope(double here, double next, double second, double third, double fourth) {
  return (-25.0 * here + 48.0 * next - 36.0 * second + 16.0 * third - 3.0 * fourth) / 12.0;
}

}  // namespace

void ActiveRows::find_speeds_at(double place, double t, const Vector& q, const Vector& v, const ActiveSet& active,
                                std::vector<double>& speeds) {
  system_.advance(q, v, place, q_near_);
  find_speeds(t + place, q_near_, v, active, speeds);
}

/// A ball that rolls off the edge of a box has the flat side behind and an arc ahead: the slope of its speed jumps. The
/// velocity of a drive may jump itself.
bool ActiveRows::is_bent(int row, const Vector& v, double step) const {
  const double far_back = speeds_[0][row], back = speeds_[1][row], here = speed(row, v), ahead = speeds_[2][row],
               far_ahead = speeds_[3][row];
  const double at_back = second_difference(far_back, back, here), at_here = second_difference(back, here, ahead),
               at_ahead = second_difference(here, ahead, far_ahead);
  const double apart = std::max(std::abs(at_ahead - at_here), std::abs(at_here - at_back));
  const double steepest =
      std::max({std::abs(far_back - back), std::abs(back - here), std::abs(here - ahead), std::abs(ahead - far_ahead)});
  const double size = v.lpNorm<Eigen::Infinity>();
  return apart > bent * steepest + slightest * step * (1.0 + size * size);
}

/// Which of both sides the row is on now. A bend shows in the second differences nearest to it, and those on the other
/// side are clean; very near, what hardly a step ahead says decides between the slopes of both sides.
bool ActiveRows::is_before_bend(int row, const Vector& v, double step, double probe) const {
  const double here = speed(row, v);
  const double behind = std::abs(second_difference(speeds_[0][row], speeds_[1][row], here));
  const double ahead = std::abs(second_difference(here, speeds_[2][row], speeds_[3][row]));
  const double middle = std::abs(second_difference(speeds_[1][row], here, speeds_[2][row]));
  if (std::max(behind, ahead) > 0.1 * middle && std::min(behind, ahead) < 0.5 * std::max(behind, ahead))
    return ahead > behind;
  const double now = (just_ahead_[row] - here) * step / probe;
  const double slope_behind = -one_sided_slope(here, speeds_[1][row], speeds_[0][row]);
  const double slope_ahead = one_sided_slope(here, speeds_[2][row], speeds_[3][row]);
  return std::abs(now - slope_behind) < std::abs(now - slope_ahead);
}

/// By differences to the side that the row is on, of fourth order too where the contact reaches so far.
void ActiveRows::find_bent_slopes(double t, const Vector& q, const Vector& v, const ActiveSet& active, double step,
                                  std::vector<double>& c) {
  const double probe = foresight_ * hardly * step * (1.0 + q.lpNorm<Eigen::Infinity>());
  find_speeds_at(probe, t, q, v, active, just_ahead_);
  for (int i = 0; i < 2; ++i) {
    find_speeds_at(-(3 + i) * step, t, q, v, active, far_back_[i]);
    find_speeds_at((3 + i) * step, t, q, v, active, far_ahead_[i]);
  }
  for (const int i : bent_) {
    const bool is_before = is_before_bend(i, v, step, probe);
    const auto& far = is_before ? far_back_ : far_ahead_;
    const double here = speed(i, v), next = speeds_[is_before ? 1 : 2][i], second = speeds_[is_before ? 0 : 3][i];
    const bool is_long = std::isfinite(far[0][i] + far[1][i]);
    const double slope =
        is_long ? one_sided_slope(here, next, second, far[0][i], far[1][i]) : one_sided_slope(here, next, second);
    c[i] = (is_before ? -slope : slope) / step;
  }
}

void ActiveRows::find_convection(double t, const Vector& q, const Vector& v, const ActiveSet& active,
                                 std::vector<double>& c) {
  c.assign(static_cast<std::size_t>(size()), 0.0);
  if (size() == 0) return;
  // Not longer in slow motion, where speeds and their rounding are small anyhow: kinematic bodies may turn fast.
  const double step = way / std::max(v.lpNorm<Eigen::Infinity>(), 1.0);
  constexpr std::array<double, 4> places{-2.0, -1.0, 1.0, 2.0};
  for (std::size_t k = 0; k < places.size(); ++k) find_speeds_at(places[k] * step, t, q, v, active, speeds_[k]);
  bent_.clear();
  for (int i = 0; i < size(); ++i) {
    const double far_back = speeds_[0][i], back = speeds_[1][i], ahead = speeds_[2][i], far_ahead = speeds_[3][i];
    const bool has_back = std::isfinite(far_back + back), has_ahead = std::isfinite(ahead + far_ahead);
    if (has_back && has_ahead) {
      c[i] = (8.0 * (ahead - back) - (far_ahead - far_back)) / (12.0 * step);
      if (i >= joints_ && is_bent(i, v, step)) bent_.push_back(i);
    } else if (has_back) {
      c[i] = -one_sided_slope(speed(i, v), back, far_back) / step;
    } else if (has_ahead) {
      c[i] = one_sided_slope(speed(i, v), ahead, far_ahead) / step;
    }
  }
  if (!bent_.empty()) find_bent_slopes(t, q, v, active, step, c);
}

}  // namespace stiction
