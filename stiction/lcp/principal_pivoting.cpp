#include "stiction/lcp/principal_pivoting.h"

#include <algorithm>
#include <cmath>

namespace stiction::lcp {

void PrincipalPivoting::load(const Problem& problem) {
  const Index n = problem.size();
  scaled_.load(problem);
  lu_.reserve(n, n);
  basic_.reserve(static_cast<std::size_t>(n));
  for (auto* places : {&places_, &next_places_, &checkpoint_}) places->resize(static_cast<std::size_t>(n));
  for (Vector* vector : {&z_, &w_, &right_side_, &values_, &row_, &best_z_}) vector->resize(n);
  best_residual_ = infinity;
  best_z_.setZero();
  bases_ = 0;
}

void PrincipalPivoting::start_cold() {
  for (Index i = 0; i < scaled_.size(); ++i)
    places_[i] = scaled_.has_lower(i) ? Place::lower : scaled_.has_upper(i) ? Place::upper : Place::basic;
  if (evaluate()) return;
  for (Index i = 0; i < scaled_.size(); ++i)  // the free block is singular: free variables wait at zero
    if (scaled_.is_free(i)) places_[i] = Place::lower;
  evaluate();
}

bool PrincipalPivoting::start_warm(const std::vector<Place>& suggested) {
  if (suggested.size() != places_.size()) return false;
  for (Index i = 0; i < scaled_.size(); ++i) {
    const Place place = suggested[i];
    if (scaled_.is_fixed(i))
      places_[i] = Place::lower;
    else if (scaled_.is_free(i) || (place == Place::lower && !scaled_.has_lower(i)) ||
             (place == Place::upper && !scaled_.has_upper(i)))
      places_[i] = Place::basic;
    else
      places_[i] = place;
  }
  return evaluate();
}

/// Solves the basis of `places_`: z, w, one step of refinement. False when its block of M is singular.
bool PrincipalPivoting::evaluate() {
  ++bases_;
  basic_.clear();
  for (Index i = 0; i < scaled_.size(); ++i) {
    z_[i] = places_[i] == Place::basic ? 0.0 : scaled_.resting_value(i, places_[i]);
    if (places_[i] == Place::basic) basic_.push_back(i);
  }
  const auto k = static_cast<Index>(basic_.size());
  auto block = lu_.begin(k, k);
  for (Index c = 0; c < k; ++c)
    for (Index r = 0; r < k; ++r) block(r, c) = scaled_.M(basic_[r], basic_[c]);
  lu_.factorise(options_.pivot_tolerance);
  if (!lu_.full_column_rank()) return false;
  for (int pass = 0; pass < 2; ++pass) {
    scaled_.residual(z_, w_);
    for (Index r = 0; r < k; ++r) right_side_[r] = -w_[basic_[r]];
    lu_.solve(right_side_.head(k), values_.head(k));
    for (Index c = 0; c < k; ++c) z_[basic_[c]] += values_[c];
  }
  scaled_.residual(z_, w_);
  keep_best();
  return true;
}

void PrincipalPivoting::keep_best() {
  if (!z_.allFinite()) return;
  const double residual = scaled_.natural_residual(z_, w_);
  if (residual >= best_residual_) return;
  best_residual_ = residual;
  best_z_ = z_;
}

PrincipalPivoting::Wrong PrincipalPivoting::find_wrong(Index first) const {
  const double slack = sign_tolerance_ * scaled_.magnitude(z_);
  for (Index i = first; i < scaled_.size(); ++i) {
    if (scaled_.is_fixed(i)) continue;
    const bool basic = places_[i] == Place::basic;
    const bool may_grow = basic || scaled_.is_free(i) || places_[i] == Place::lower;
    const bool may_shrink = basic || scaled_.is_free(i) || places_[i] == Place::upper;
    const double below = basic ? scaled_.lower[i] - z_[i] : -w_[i];
    const double above = basic ? z_[i] - scaled_.upper[i] : w_[i];
    if (may_grow && below > slack) return {i, 1.0};
    if (may_shrink && above > slack) return {i, -1.0};
  }
  return {};
}

/// Where the variable of a wrong sign goes when it changes place alone.
Place PrincipalPivoting::mended_place(const Wrong& wrong) const {
  if (places_[wrong.index] != Place::basic) return Place::basic;
  return wrong.direction > 0.0 ? Place::lower : Place::upper;
}

/// Row of the tableau of the wrong quantity: `row_[j]` is how it changes with w_j for basic j, with z_j for the others.
void PrincipalPivoting::tableau_row(const Wrong& wrong) {
  const auto k = static_cast<Index>(basic_.size());
  const bool basic = places_[wrong.index] == Place::basic;
  for (Index c = 0; c < k; ++c)
    right_side_[c] = basic ? (basic_[c] == wrong.index ? 1.0 : 0.0) : scaled_.M(wrong.index, basic_[c]);
  lu_.solve_transposed(right_side_.head(k), values_.head(k));
  for (Index j = 0; j < scaled_.size(); ++j) {
    row_[j] = basic ? 0.0 : scaled_.M(wrong.index, j);
    for (Index r = 0; r < k; ++r) row_[j] -= values_[r] * scaled_.M(basic_[r], j);
  }
  for (Index r = 0; r < k; ++r) row_[basic_[r]] = values_[r];
  row_tolerance_ = options_.pivot_tolerance * std::max(1.0, row_.cwiseAbs().maxCoeff());
}

/// Can variable j change place so that a quantity with this coefficient grows? Then where to.
bool PrincipalPivoting::can_enter(Index j, double coefficient, Place& place) const {
  if (scaled_.is_fixed(j) || std::abs(coefficient) <= row_tolerance_) return false;
  if (places_[j] == Place::basic) {
    place = coefficient > 0.0 ? Place::lower : Place::upper;  // w_j becomes positive, or negative
    return coefficient > 0.0 ? scaled_.has_lower(j) : scaled_.has_upper(j);
  }
  place = Place::basic;
  return scaled_.is_free(j) || (places_[j] == Place::lower ? coefficient > 0.0 : coefficient < 0.0);
}

/// One criss-cross pivot; false when the row of the tableau proves that there is no solution.
bool PrincipalPivoting::pivot_once(const Wrong& wrong) {
  const Index k = wrong.index;
  tableau_row(wrong);
  const Place mended = mended_place(wrong);
  Place place = mended;
  if (can_enter(k, wrong.direction * row_[k], place) && place == mended) {
    places_[k] = mended;
    return true;
  }
  for (Index j = 0; j < scaled_.size(); ++j) {
    if (j == k) {
      // The multiplier of the other bound enters w_k itself: from one bound to the other.
      if (places_[k] == Place::basic || !scaled_.has_lower(k) || !scaled_.has_upper(k)) continue;
      places_[k] = places_[k] == Place::lower ? Place::upper : Place::lower;
      return true;
    }
    if (!can_enter(j, wrong.direction * row_[j], place)) continue;
    places_[k] = mended;
    places_[j] = place;
    return true;
  }
  return false;
}

/// Puts into `next_places_` the basis in which every wrong sign has changed place; returns how many there are.
Index PrincipalPivoting::plan_block() {
  Index count = 0;
  next_places_ = places_;
  for (Wrong wrong = find_wrong(0); wrong.index >= 0; wrong = find_wrong(wrong.index + 1)) {
    next_places_[wrong.index] = mended_place(wrong);
    ++count;
  }
  return count;
}

PrincipalPivoting::Outcome PrincipalPivoting::pivot() {
  // Finite for sufficient M: blocks return only when `fewest` has come down, and each run of criss-cross steps is
  // finite.
  Index fewest = scaled_.size() + 1;
  int tries = 0;
  while (true) {
    const Index count = plan_block();
    if (count == 0) return Outcome::solved;
    if (bases_ >= options_.max_bases) return Outcome::limit;
    if (count < fewest) {
      fewest = count;
      tries = options_.block_tries;
      forget_bases();
    }
    if (tries > 0) {
      places_.swap(next_places_);
      if (!evaluate()) {
        places_.swap(next_places_);
        evaluate();
        tries = 0;
      } else if (seen_before()) {
        tries = 0;
      } else {
        --tries;
      }
      if (tries == 0) forget_bases();
    } else {
      if (!pivot_once(find_wrong(0))) return Outcome::infeasible;
      if (!evaluate() || seen_before()) return Outcome::stalled;
    }
  }
}

void PrincipalPivoting::forget_bases() {
  checkpoint_ = places_;
  steps_ = 0;
  renew_ = 2;
}

/// Both rules depend on the basis alone, so a basis met again is a cycle. Brent's method: compare with a checkpoint
/// that is renewed after 2, 4, 8... steps.
bool PrincipalPivoting::seen_before() {
  if (places_ == checkpoint_) return true;
  if (++steps_ == renew_) {
    checkpoint_ = places_;
    renew_ *= 2;
  }
  return false;
}

/// y with y'(M z + q) < 0 wherever the signs allow z and w to be: the row of the tableau that could not be mended.
void PrincipalPivoting::write_proof(const Wrong& wrong, Vector& proof) const {
  proof.setZero(scaled_.size());
  for (const Index j : basic_) proof[j] = -row_[j];
  if (places_[wrong.index] != Place::basic) proof[wrong.index] = 1.0;
  proof *= wrong.direction;
  for (Index i = 0; i < scaled_.size(); ++i) {
    if (scaled_.has_upper(i)) proof[i] = std::min(proof[i], 0.0);
    if (scaled_.has_lower(i)) proof[i] = std::max(proof[i], 0.0);
    proof[i] *= scaled_.row_scale[i];
  }
}

void PrincipalPivoting::run(const Problem& problem, Solution& solution) {
  load(problem);
  sign_tolerance_ = options_.sign_tolerance;
  Outcome outcome = Outcome::stalled;
  const bool warm = start_warm(solution.basis);
  if (warm && find_wrong(0).index < 0) {
    solution.reused_basis = true;
    outcome = Outcome::solved;
  }
  for (int attempt = 0; attempt < 3 && outcome != Outcome::solved && outcome != Outcome::limit; ++attempt) {
    if (attempt > 0 || !warm) start_cold();
    outcome = pivot();
    if (outcome == Outcome::infeasible) {
      write_proof(find_wrong(0), solution.proof);
      if (certify_infeasible(problem, solution.proof).valid) break;
    }
    sign_tolerance_ *= 100.0;
  }

  solution.iterations = bases_;
  const bool solved = outcome == Outcome::solved;
  if (solved) best_z_ = z_;
  scaled_.unscale(problem, best_z_, solution.z);
  solution.basis = places_;
  for (Index i = 0; i < problem.size(); ++i)
    if (scaled_.is_free(i)) solution.basis[i] = Place::basic;
  if (solved)
    solution.status = Status::solved;
  else if (outcome == Outcome::infeasible)
    solution.status = Status::infeasible;
  else
    solution.status = outcome == Outcome::limit ? Status::iteration_limit : Status::ray;
}

}  // namespace stiction::lcp
