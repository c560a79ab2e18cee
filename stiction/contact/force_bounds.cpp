#include "stiction/contact/force_bounds.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/contact/limit_surface.h"

namespace stiction {

namespace {

constexpr int most_points = 200;
// sigma, at most so many times the largest impulse: more would drown that in rounding.
constexpr double most_sigma = 1e3;
// Of the largest impulse: points that move by less have arrived.
constexpr double arrived = 1e-11;
// Of a unit of squeezing, what lies in the cone of directions without end when that has more than its apex.
constexpr double endless = 1e-6;

double largest_of(const std::vector<double>& x) {
  double largest = 0.0;
  for (const double value : x) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

/// Components that momentum alone does not determine.
void ForceBounds::find_choices() {
  constexpr double dependent = 1e-10;
  linalg::DenseMatrix A = linalg::DenseMatrix::Zero(set_.velocities(), set_.size());
  for (int c = 0; c < set_.size(); ++c) {
    const auto rows = set_.columns.columns(c);
    const auto values = set_.columns.values(c);
    for (std::size_t p = 0; p < rows.size(); ++p) A(rows[p], c) += values[p] / std::sqrt(set_.mass[rows[p]]);
  }
  has_choice_.assign(static_cast<std::size_t>(set_.size()), 0);
  if (A.size() == 0) return;
  Eigen::ColPivHouseholderQR<linalg::DenseMatrix> qr(A);
  qr.setThreshold(dependent);
  const linalg::Index rank = qr.rank(), rest = A.cols() - rank;
  if (rest == 0) return;
  // The null space is that of [R1 R2]: columns (-R1^-1 R2; I).
  const linalg::DenseMatrix bound = qr.matrixR()
                                        .topLeftCorner(rank, rank)
                                        .triangularView<Eigen::Upper>()
                                        .solve(qr.matrixR().topRightCorner(rank, rest));
  const auto& order = qr.colsPermutation().indices();
  for (linalg::Index k = 0; k < A.cols(); ++k)
    has_choice_[order[k]] = k >= rank || bound.row(k).lpNorm<Eigen::Infinity>() > 1e-9;
}

/// Whether impulses that come to nothing together can squeeze a contact: the cone of these has a part along it.
bool ForceBounds::can_grow(int component) {
  recession_ = set_;
  recession_.make_recession();
  target_.assign(static_cast<std::size_t>(set_.size()), 0.0);
  target_[component] = 1.0;
  projection_.solve(recession_, target_, 1.0);
  return projection_.x()[component] > endless;
}

double ForceBounds::find_end(int component, double sign, bool& is_tight) {
  x_ = start_;
  const double size = std::max(largest_of(start_), std::numeric_limits<double>::min());
  double sigma = size;
  is_tight = false;
  for (int k = 0; k < most_points && !is_tight; ++k, sigma = std::min(4.0 * sigma, most_sigma * size)) {
    target_ = x_;
    for (const ForceSet::Group& group : set_.groups)
      if (group.normal >= 0) target_[group.normal] *= group.weight;
    target_[component] += sign * sigma;
    if (!projection_.solve(set_, target_)) break;
    double moved = 0.0;
    for (std::size_t c = 0; c < x_.size(); ++c) moved = std::max(moved, std::abs(projection_.x()[c] - x_[c]));
    x_ = projection_.x();
    is_tight = moved <= arrived * largest_of(x_);
  }
  return x_[component];
}

void ForceBounds::find_island(const StepProblem& problem, int island, double speed, const StepSolution& solution,
                              std::vector<ForceBound>& bounds) {
  finder_.find(problem, islands_, island, solution, speed, set_);
  find_choices();
  const bool any = std::any_of(has_choice_.begin(), has_choice_.end(), [](char choice) { return choice != 0; });
  start_ = set_.found;
  bool starts = true;
  if (any) {
    target_.assign(static_cast<std::size_t>(set_.size()), 0.0);
    starts = projection_.solve(set_, target_);
    if (starts) start_ = projection_.x();
  }
  for (const ForceSet::Group& group : set_.groups) {
    if (!problem.has_normal(group.contact)) continue;
    ForceBound bound{group.contact, solution.c_n[group.contact], solution.c_n[group.contact], starts};
    if (group.normal >= 0 && has_choice_[group.normal] != 0 && starts) {
      bool low = true, high = true;
      bound.least = find_end(group.normal, -1.0, low);
      bound.most = can_grow(group.normal) ? std::numeric_limits<double>::infinity() : find_end(group.normal, 1.0, high);
      bound.is_tight = low && high;
    }
    bounds.push_back(bound);
  }
}

void ForceBounds::find(const StepProblem& problem, const StepSolution& solution, std::vector<ForceBound>& bounds) {
  bounds.clear();
  islands_.split(problem);
  const double speed = speed_of(problem, solution);
  const bool has_pairs = problem.has_pairs();
  if (has_pairs) share_out(problem, solution, blocks_);
  for (int island = 0; island < islands_.size(); ++island)
    find_island(has_pairs ? blocks_ : problem, island, speed, solution, bounds);
  std::sort(bounds.begin(), bounds.end(),
            [](const ForceBound& a, const ForceBound& b) { return a.contact < b.contact; });
}

}  // namespace stiction
