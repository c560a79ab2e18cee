#include "stiction/lcp/enumeration.h"

#include <algorithm>
#include <cmath>

namespace stiction::lcp {

void Enumeration::load(const Problem& problem) {
  const Index n = problem.size();
  const auto count = static_cast<std::size_t>(n);
  scaled_.load(problem);
  lu_.reserve(n, n);
  places_.resize(count);
  for (auto* list : {&basic_, &rows_, &spare_, &chosen_}) list->reserve(count);
  for (Vector* vector : {&rest_, &z_, &w_, &right_side_, &basic_values_, &candidate_, &certify_work_.row_scale,
                         &certify_work_.column_scale, &certify_work_.w, &certify_work_.terms, &certify_work_.error})
    vector->resize(n);
  drop_dependent_free_columns();
  for (Index i = 0; i < n; ++i)
    places_[i] = scaled_.has_lower(i) ? Place::lower : scaled_.has_upper(i) ? Place::upper : Place::basic;
}

void Enumeration::drop_dependent_free_columns() {
  dropped_.assign(static_cast<std::size_t>(scaled_.size()), 0);
  basic_.clear();
  for (Index i = 0; i < scaled_.size(); ++i)
    if (scaled_.is_free(i)) basic_.push_back(i);
  auto block = lu_.begin(scaled_.size(), static_cast<Index>(basic_.size()));
  for (std::size_t c = 0; c < basic_.size(); ++c) block.col(static_cast<Index>(c)) = scaled_.M.col(basic_[c]);
  for (Index i = 0; i < scaled_.size(); ++i)
    if (scaled_.is_fixed(i)) block.row(i).setZero();  // nothing is asked of this w
  const Index rank = lu_.factorise(options_.rank_tolerance);
  for (std::size_t c = static_cast<std::size_t>(rank); c < basic_.size(); ++c)
    dropped_[basic_[lu_.column_order()[c]]] = 1;
}

/// The next combination of places, an odometer whose first wheel turns fastest; false after the last.
bool Enumeration::advance_places() {
  for (Index i = 0; i < scaled_.size(); ++i) {
    if (scaled_.is_free(i) || scaled_.is_fixed(i)) continue;
    if (places_[i] == Place::basic) {
      places_[i] = scaled_.has_lower(i) ? Place::lower : Place::upper;
      continue;
    }
    places_[i] = places_[i] == Place::lower && scaled_.has_upper(i) ? Place::upper : Place::basic;
    return true;
  }
  return false;
}

void Enumeration::factorise_rows() {
  auto block = lu_.begin(static_cast<Index>(rows_.size()), static_cast<Index>(basic_.size()));
  for (std::size_t c = 0; c < basic_.size(); ++c)
    for (std::size_t r = 0; r < rows_.size(); ++r)
      block(static_cast<Index>(r), static_cast<Index>(c)) = scaled_.M(rows_[r], basic_[c]);
  lu_.factorise(options_.rank_tolerance);
}

/// Solves for the basic values that make w vanish in `rows_`, with one step of refinement; false when none do.
bool Enumeration::solve_rows() {
  z_ = rest_;
  for (int pass = 0; pass < 2; ++pass) {
    scaled_.residual(z_, w_);
    for (std::size_t r = 0; r < rows_.size(); ++r) right_side_[static_cast<Index>(r)] = -w_[rows_[r]];
    const double remainder = lu_.solve(right_side_.head(static_cast<Index>(rows_.size())),
                                       basic_values_.head(static_cast<Index>(basic_.size())));
    for (std::size_t c = 0; c < basic_.size(); ++c) z_[basic_[c]] += basic_values_[static_cast<Index>(c)];
    if (!(remainder <= tolerance * scaled_.magnitude(z_))) return false;
  }
  return true;
}

bool Enumeration::accept_candidate(const Problem& problem) {
  if (!z_.allFinite()) return false;
  scaled_.residual(z_, w_);
  // The certificate decides; this only spares it the hopeless ones. It clips z first, hence the margin.
  if (!(scaled_.natural_residual(z_, w_) <= 10.0 * tolerance)) return false;
  scaled_.unscale(problem, z_, candidate_);
  return certify(problem, candidate_, certify_work_).certified(tolerance);
}

template <class Found>
bool Enumeration::try_completions(const Problem& problem, Index missing, Found&& found) {
  // spare_: rows outside whose w may vanish. Every subset of `missing` of them, in lexicographic order.
  const auto size = static_cast<std::size_t>(missing);
  if (size > spare_.size()) return false;
  const std::size_t fixed_rows = rows_.size();
  chosen_.resize(size);
  for (std::size_t s = 0; s < size; ++s) chosen_[s] = static_cast<Index>(s);
  bool stopped = false;
  while (!stopped) {
    rows_.resize(fixed_rows);
    for (const Index s : chosen_) rows_.push_back(spare_[s]);
    factorise_rows();
    if (lu_.full_column_rank() && solve_rows() && accept_candidate(problem)) stopped = found(candidate_);
    std::size_t s = size;
    while (s > 0 && chosen_[s - 1] == static_cast<Index>(spare_.size() - size + s - 1)) --s;
    if (s == 0) break;
    ++chosen_[s - 1];
    for (; s < size; ++s) chosen_[s] = chosen_[s - 1] + 1;
  }
  rows_.resize(fixed_rows);
  return stopped;
}

template <class Found>
bool Enumeration::try_piece(const Problem& problem, Found&& found) {
  basic_.clear();
  rows_.clear();
  spare_.clear();
  for (Index i = 0; i < scaled_.size(); ++i) {
    const bool basic = places_[i] == Place::basic && !dropped_[i];
    rest_[i] = basic ? 0.0 : scaled_.resting_value(i, places_[i]);
    if (basic) basic_.push_back(i);
    if (places_[i] == Place::basic)
      rows_.push_back(i);
    else if (!scaled_.is_fixed(i))
      spare_.push_back(i);
  }
  factorise_rows();
  if (lu_.full_column_rank()) return solve_rows() && accept_candidate(problem) && found(candidate_);
  const Index missing = static_cast<Index>(basic_.size()) - lu_.rank();
  return solve_rows() && try_completions(problem, missing, found);
}

template <class Found>
bool Enumeration::try_pieces(const Problem& problem, Found&& found) {
  do {
    if (try_piece(problem, found)) return true;
  } while (advance_places());
  return false;
}

void Enumeration::run(const Problem& problem, Solution& solution) {
  if (problem.size() > options_.max_size) return;
  load(problem);
  solution.status = Status::ray;
  for (Index i = 0; i < problem.size(); ++i) z_[i] = scaled_.resting_value(i, places_[i]);
  scaled_.unscale(problem, z_, solution.z);
  solution.basis = places_;
  const auto keep = [&](const Vector& z) {
    solution.z = z;
    solution.basis = places_;
    solution.status = Status::solved;
    return true;
  };
  do {
    ++solution.iterations;
  } while (!try_piece(problem, keep) && advance_places());
}

std::vector<Vector> Enumeration::all_solutions(const Problem& problem) {
  std::vector<Vector> solutions;
  if (!find_defect(problem).empty() || problem.size() > options_.max_size) return solutions;
  load(problem);
  try_pieces(problem, [&](const Vector& z) {
    // Neighbouring pieces share vertices. Two answers within rounding of each other are one.
    const auto same = [&](const Vector& other) {
      return z.size() == 0 ||
             ((z - other).array() / scaled_.column_scale.array()).abs().maxCoeff() <= 1e-7 * scaled_.magnitude(z_);
    };
    if (std::none_of(solutions.begin(), solutions.end(), same)) solutions.push_back(z);
    return false;
  });
  return solutions;
}

bool Enumeration::has_solution(const Problem& problem) {
  if (!find_defect(problem).empty() || problem.size() > options_.max_size) return false;
  load(problem);
  return try_pieces(problem, [](const Vector&) { return true; });
}

}  // namespace stiction::lcp
