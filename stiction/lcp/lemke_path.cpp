#include "stiction/lcp/lemke_path.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/random.h"

namespace stiction::lcp {

namespace {

// A pivot below this part of its column's largest entry makes a long step: its column is refined first.
constexpr double small_pivot = 1e-4;
// Smaller entries are never pivots: what rounding leaves in a column of a badly conditioned basis reaches 1e-10.
constexpr double least_pivot = 1e-11;
// Unless refinement shows that there is none, and the path would end on a ray.
constexpr double least_ray_pivot = 1e-14;
// z0 below this part of the largest value has vanished when the path ends on a ray: the ray starts from a solution.
constexpr double vanished = 1e-9;
// The cover of what needs none, beside one where most is needed.
constexpr double least_cover = 0.03;

/// Not finite when an entry is not.
double largest_of(const std::vector<double>& v) {
  double largest = 0.0;
  for (const double value : v)
    if (!(std::abs(value) <= largest)) largest = std::isfinite(value) ? std::abs(value) : infinity;
  return largest;
}

}  // namespace

/// Factorises the first basis and sets the right-hand side, the order vector and the cover vector. The last two are B
/// times a vector on the complementary positions, positive for the order and nonnegative for the cover, so that they
/// are so seen from the basis that the path starts from, whichever it is. Bounds that hold are not covered: z0 would
/// loosen them, and a path inside a box ends in a solution whatever M is, since a ray has nowhere to go.
bool LemkePath::begin(const std::vector<bool>& basic, const Settings& settings) {
  basic_ = basic;
  basis_.reset(*form_, basic);
  if (!basis_.factorise(true) || !basis_.repair_is_harmless()) return false;
  Random random(settings.seed);
  rhs_ = form_->q();
  if (settings.perturbation > 0.0) {
    const double size = settings.perturbation * std::max(largest_of(rhs_), 1e-300);
    for (int i = 0; i < n_; ++i)
      if (!form_->is_free(i)) rhs_[i] += size * random.uniform();
  }
  x_ = rhs_;
  basis_.solve(x_);
  double deepest = std::numeric_limits<double>::min();
  for (int p = 0; p < n_; ++p)
    if (!basis_.is_free(p)) deepest = std::max(deepest, -x_[p]);
  order_rhs_.assign(static_cast<std::size_t>(n_), 0.0);
  cover_.assign(static_cast<std::size_t>(n_), 0.0);
  for (int p = 0; p < n_; ++p) {
    if (basis_.is_free(p)) continue;
    basis_.add_column(basis_.at(p), random.uniform(1.0, 2.0), order_rhs_);
    const double weight =
        settings.random_cover ? random.uniform(1.0, 2.0) : least_cover + std::max(-x_[p], 0.0) / deepest;
    if (x_[p] < 0.0 || !form_->is_bound(basis_.at(p) % n_)) basis_.add_column(basis_.at(p), weight, cover_);
  }
  basis_.set_cover(cover_);
  return refresh();
}

/// Values of the basic variables from fresh or updated factors.
bool LemkePath::refresh() {
  x_ = rhs_;
  basis_.solve(x_);
  order_ = order_rhs_;
  basis_.solve(order_);
  const double x_largest = largest_of(x_);
  magnitude_ = std::max(largest_of(rhs_), x_largest);
  return std::isfinite(x_largest);
}

bool LemkePath::is_feasible() const {
  for (int p = 0; p < n_; ++p)
    if (!basis_.is_free(p) && x_[p] < 0.0) return false;
  return true;
}

/// z0 enters as far as the lowest x asks for; what is as low, up to `tie`, is decided by the order vector. column_
/// holds B^-1 times the column of z0, minus the cover.
int LemkePath::first_leaving(double tie) const {
  double lowest = infinity;
  for (int p = 0; p < n_; ++p)
    if (!basis_.is_free(p) && column_[p] < 0.0) lowest = std::min(lowest, x_[p] / -column_[p]);
  int best = -1;
  double best_order = infinity;
  for (int p = 0; p < n_; ++p) {
    if (basis_.is_free(p) || !(column_[p] < 0.0) || x_[p] / -column_[p] > lowest + tie) continue;
    if (const double order = order_[p] / -column_[p]; best < 0 || order < best_order) {
      best = p;
      best_order = order;
    }
  }
  return best;
}

/// The position that leaves, or -1 on a ray.
int LemkePath::ratio_test(double tie, double smallest_pivot) const {
  // How far the entering variable can go when every basic variable may fall to -tie (Harris 1973).
  double reach = infinity;
  for (int p = 0; p < n_; ++p)
    if (column_[p] > smallest_pivot && !basis_.is_free(p))
      reach = std::min(reach, (std::max(x_[p], 0.0) + tie) / column_[p]);
  if (reach == infinity) return -1;

  double tied_largest = 0.0;
  for (int p = 0; p < n_; ++p) {
    if (!(column_[p] > smallest_pivot) || basis_.is_free(p) || std::max(x_[p], 0.0) > reach * column_[p]) continue;
    if (basis_.at(p) == basis_.cover()) return p;
    tied_largest = std::max(tied_largest, column_[p]);
  }
  int best = -1;
  double best_order = infinity;
  constexpr double unstable = 1e-6;  // of the largest tied pivot: not worth the lexicographic order
  for (int p = 0; p < n_; ++p) {
    if (!(column_[p] > smallest_pivot) || basis_.is_free(p) || std::max(x_[p], 0.0) > reach * column_[p]) continue;
    if (column_[p] < unstable * tied_largest) continue;
    if (const double order = order_[p] / column_[p]; best < 0 || order < best_order) {
      best_order = order;
      best = p;
    }
  }
  return best;
}

/// Whether a basic variable whose entry was taken for zero would fall below -tolerance over the step.
bool LemkePath::oversteps(int leaving, double smallest_pivot, double tolerance) const {
  const double step = std::max(x_[leaving], 0.0) / column_[leaving];
  for (int p = 0; p < n_; ++p)
    if (column_[p] > 0.0 && column_[p] <= smallest_pivot && !basis_.is_free(p) &&
        std::max(x_[p], 0.0) - step * column_[p] < -tolerance)
      return true;
  return false;
}

int LemkePath::choose_leaving(const Settings& settings, int entering) {
  double largest = 0.0;
  for (int p = 0; p < n_; ++p)
    if (!basis_.is_free(p)) largest = std::max(largest, std::abs(column_[p]));
  const double tie = settings.tie * magnitude_;
  double smallest_pivot = settings.pivot * largest;
  int leaving = ratio_test(tie, smallest_pivot);
  if (leaving < 0) {
    // A ray, unless an entry that is small but no rounding ends it: what refinement still changes is rounding.
    refine_column(entering);
    const double noise = refine_column(entering);
    return ratio_test(tie, std::max(10.0 * noise, least_ray_pivot * largest));
  }
  if (column_[leaving] >= small_pivot * largest) return leaving;
  refine_column(entering);
  leaving = ratio_test(tie, smallest_pivot);
  while (leaving >= 0 && smallest_pivot > least_pivot * largest && oversteps(leaving, smallest_pivot, 100.0 * tie)) {
    smallest_pivot *= 0.1;
    leaving = ratio_test(tie, smallest_pivot);
  }
  return leaving;
}

void LemkePath::pivot(int position, int entering) {
  const double step = x_[position] / column_[position];
  const double order_step = order_[position] / column_[position];
  for (int p = 0; p < n_; ++p) {
    x_[p] -= step * column_[p];
    order_[p] -= order_step * column_[p];
  }
  x_[position] = step;
  order_[position] = order_step;
  basis_.replace(position, entering, column_);
  ++pivots_;
}

/// column_ = B^-1 times the column of the variable.
void LemkePath::load_column(int variable) {
  column_.assign(static_cast<std::size_t>(n_), 0.0);
  basis_.add_column(variable, 1.0, column_);
  basis_.solve(column_);
}

/// One step of refinement of column_. The largest change.
double LemkePath::refine_column(int variable) {
  correction_.assign(static_cast<std::size_t>(n_), 0.0);
  basis_.add_column(variable, 1.0, correction_);
  basis_.subtract_product(column_, correction_);
  basis_.solve(correction_);
  for (int p = 0; p < n_; ++p) column_[p] += correction_[p];
  return largest_of(correction_);
}

double LemkePath::cover_value() const {
  for (int p = 0; p < n_; ++p)
    if (basis_.at(p) == basis_.cover()) return x_[p];
  return 0.0;
}

void LemkePath::read_ray(int entering) {
  ray_.assign(static_cast<std::size_t>(n_), 0.0);
  for (int p = 0; p < n_; ++p)
    if (const int variable = basis_.at(p); !basis_.is_slack(variable) && variable != basis_.cover())
      ray_[variable - n_] = form_->is_free(variable - n_) ? -column_[p] : std::max(-column_[p], 0.0);
  if (!basis_.is_slack(entering)) ray_[entering - n_] = 1.0;
}

LemkePath::End LemkePath::stop(End end, int undecided) {
  undecided_ = undecided;
  basic_.assign(static_cast<std::size_t>(n_), false);
  for (int p = 0; p < n_; ++p)
    if (const int variable = basis_.at(p); !basis_.is_slack(variable) && variable != basis_.cover())
      basic_[variable - n_] = true;
  return end;
}

LemkePath::End LemkePath::run(const StandardForm& form, const std::vector<bool>& basic, const Settings& settings) {
  form_ = &form;
  n_ = form.size();
  pivots_ = 0;
  if (!begin(basic, settings)) return End::no_start;
  if (is_feasible()) return stop(End::solution);

  const int limit = 200 + static_cast<int>(settings.pivots_per_row * n_);
  int entering = basis_.cover();
  load_column(entering);
  int leaving = first_leaving(settings.tie * magnitude_);
  while (pivots_ < limit) {
    const int left = basis_.at(leaving);
    pivot(leaving, entering);
    if (left == basis_.cover()) return stop(End::solution);
    if (basis_.is_worn() && (!basis_.factorise(false) || !refresh())) return stop(End::singular);
    if (cover_value() <= 0.0) return stop(End::solution, left % n_);
    entering = basis_.complement(left);
    load_column(entering);
    leaving = choose_leaving(settings, entering);
    if (leaving >= 0) continue;
    if (cover_value() <= vanished * magnitude_) return stop(End::solution, left % n_);
    read_ray(entering);
    return stop(End::ray);
  }
  return stop(End::limit);
}

}  // namespace stiction::lcp
