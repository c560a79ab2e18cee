#include "stiction/lcp/principal_pivoting.h"

#include <algorithm>
#include <cmath>

#include "stiction/lcp/infeasibility.h"

namespace stiction::lcp {

void PrincipalPivoting::load(const Problem& problem) {
  const Index n = problem.size();
  basis_.load(problem, options_.pivot_tolerance);
  for (auto* places : {&next_places_, &best_places_, &checkpoint_}) places->resize(static_cast<std::size_t>(n));
  for (Vector* vector : {&row_, &dz_, &dw_, &best_z_}) vector->resize(n);
  best_residual_ = infinity;
  best_z_.setZero();
}

/// Evaluates a complementary basis and remembers the best point seen, for the case that nothing better comes.
bool PrincipalPivoting::evaluate() {
  if (!basis_.evaluate()) return false;
  if (!basis_.z().allFinite()) return true;
  const double residual = basis_.problem().natural_residual(basis_.z(), basis_.w());
  if (residual < best_residual_) {
    best_residual_ = residual;
    best_z_ = basis_.z();
  }
  return true;
}

void PrincipalPivoting::forget_bases() {
  checkpoint_ = basis_.places;
  steps_ = 0;
  renew_ = 2;
}

/// Blocks and criss-cross depend on the basis alone, so a basis met again is a cycle. Brent's method: compare with a
/// checkpoint that is renewed after 2, 4, 8... steps.
bool PrincipalPivoting::seen_before() {
  if (basis_.places == checkpoint_) return true;
  if (++steps_ == renew_) {
    checkpoint_ = basis_.places;
    renew_ *= 2;
  }
  return false;
}

/// Puts into `next_places_` the basis in which every wrong sign has changed place; returns how many there are.
Index PrincipalPivoting::plan_block() {
  Index count = 0;
  next_places_ = basis_.places;
  Wrong wrong = basis_.find_wrong(0, sign_tolerance_);
  for (; wrong.index >= 0; wrong = basis_.find_wrong(wrong.index + 1, sign_tolerance_)) {
    next_places_[wrong.index] = basis_.mended_place(wrong);
    ++count;
  }
  return count;
}

/// Ends at the basis with the fewest wrong signs.
PrincipalPivoting::Outcome PrincipalPivoting::pivot_blocks() {
  Index fewest = basis_.problem().size() + 1;
  int tries = options_.block_tries;
  best_places_ = basis_.places;
  forget_bases();
  while (tries > 0 && basis_.evaluated() < options_.max_bases) {
    const Index count = plan_block();
    if (count == 0) return Outcome::solved;
    if (count < fewest) {
      fewest = count;
      best_places_ = basis_.places;
      tries = options_.block_tries;
    }
    basis_.places.swap(next_places_);
    if (!evaluate() && !(basis_.drop_dependent() && evaluate())) break;
    tries = seen_before() ? 0 : tries - 1;
  }
  if (options_.block_tries > 0) {
    basis_.places = best_places_;
    evaluate();
  }
  return Outcome::stalled;
}

PrincipalPivoting::Outcome PrincipalPivoting::drive_all(const Problem& problem, Vector& proof) {
  while (true) {
    const Wrong wrong = basis_.find_worst(sign_tolerance_);
    if (wrong.index < 0) return Outcome::solved;
    best_places_ = basis_.places;
    const Outcome outcome = drive(wrong);
    if (outcome == Outcome::solved) continue;
    if (outcome == Outcome::limit) return outcome;
    basis_.places = best_places_;
    if (outcome == Outcome::infeasible) {
      // Along dz nothing mends the sign. For positive semidefinite M it is Farkas' y: dz'M dz = 0, so M'dz = -M dz.
      proof = wrong.direction * dz_.cwiseProduct(basis_.problem().column_scale);
      if (mend_infeasibility_proof(problem, proof)) return outcome;
    }
    evaluate();
    return Outcome::stalled;
  }
}

/// Mends one sign: the nonbasic one of z_k and w_k moves, both grow (or shrink) with it if M is positive semidefinite,
/// and a variable whose sign would go wrong changes place first. `solved`: mended, the basis complementary again.
PrincipalPivoting::Outcome PrincipalPivoting::drive(const Wrong& wrong) {
  const Index k = wrong.index, n = basis_.problem().size();
  const bool mend_z = basis_.is_basic(k);
  double value = mend_z ? 0.0 : basis_.z()[k];
  for (Index idle = 0; idle <= 2 * n;) {
    if (basis_.evaluated() >= options_.max_bases) return Outcome::limit;
    basis_.tableau_column(k, dz_, dw_);
    const Event event = next_event(wrong, mend_z);
    if (event.index < 0) return Outcome::infeasible;
    if (event.index == k) {
      basis_.places[k] = event.place;
      return evaluate() ? Outcome::solved : Outcome::stalled;
    }
    if (!take_event(event, k, wrong.direction, value)) return Outcome::stalled;
    idle = event.step > sign_tolerance_ * basis_.problem().magnitude(basis_.z()) ? 0 : idle + 1;
  }
  return Outcome::stalled;
}

/// The first event along the drive. Of several at once: the end of the drive, or else the one with the largest rate,
/// for the sake of the next pivot.
PrincipalPivoting::Event PrincipalPivoting::next_event(const Wrong& wrong, bool mend_z) const {
  const ScaledProblem& problem = basis_.problem();
  const double slack = sign_tolerance_ * problem.magnitude(basis_.z());
  const double negligible =
      options_.pivot_tolerance * std::max({1.0, dz_.cwiseAbs().maxCoeff(), dw_.cwiseAbs().maxCoeff()});
  Event first;
  const auto consider = [&](Index i, double from, double to, double rate, Place place) {
    if (std::abs(rate) <= negligible || !std::isfinite(to) || (to - from) * rate < -slack * std::abs(rate)) return;
    const double step = std::max((to - from) / rate, 0.0);
    const bool tie = std::abs(step - first.step) <= slack;
    const bool better = i == wrong.index || (first.index != wrong.index && std::abs(rate) > std::abs(first.rate));
    if (tie ? better : step < first.step) first = {i, place, step, rate};
  };
  for (Index i = 0; i < problem.size(); ++i) {
    if (problem.is_fixed(i)) continue;
    const double z = basis_.z()[i], w = basis_.w()[i], low = problem.lower[i], high = problem.upper[i];
    const double dz = wrong.direction * dz_[i], dw = wrong.direction * dw_[i];
    if (i == wrong.index) {
      const bool grows = wrong.direction > 0.0;
      if (!mend_z) consider(i, w, 0.0, grows ? std::max(dw, 0.0) : std::min(dw, 0.0), Place::basic);
      // A wrong z reaches the bound that it missed; a wrong w is right once z has reached the other bound.
      const bool to_upper = grows != mend_z;
      consider(i, z, to_upper ? high : low, grows ? std::max(dz, 0.0) : std::min(dz, 0.0),
               to_upper ? Place::upper : Place::lower);
    } else if (basis_.is_basic(i)) {
      if (z < low - slack || z > high + slack) continue;  // wrong already: not ours to keep
      consider(i, z, dz > 0.0 ? high : low, dz, dz > 0.0 ? Place::upper : Place::lower);
    } else if (problem.is_free(i)) {
      if (std::abs(w) <= slack) consider(i, w, w, dw, Place::basic);
    } else {
      const double sign = basis_.places[i] == Place::lower ? 1.0 : -1.0;
      if (sign * w >= -slack && sign * dw < 0.0) consider(i, w, 0.0, dw, Place::basic);
    }
  }
  return first;
}

/// Moves the driven quantity to the event and changes places. Where the new basis is singular, the driven pair changes
/// roles too: the exchange on a zero diagonal.
bool PrincipalPivoting::take_event(const Event& event, Index k, double direction, double& value) {
  const double move = direction * event.step;
  const double z_k = basis_.z()[k] + move * dz_[k], w_k = basis_.w()[k] + move * dw_[k];
  value = basis_.is_basic(k) ? w_k : z_k;
  basis_.places[event.index] = event.place;
  if (basis_.evaluate(k, value)) return true;
  value = basis_.is_basic(k) ? z_k : w_k;
  basis_.places[k] = basis_.is_basic(k) ? Place::lower : Place::basic;
  return basis_.evaluate(k, value);
}

/// Can variable j change place so that a quantity with this coefficient grows? Then where to.
bool PrincipalPivoting::can_enter(Index j, double coefficient, Place& place) const {
  const ScaledProblem& problem = basis_.problem();
  if (problem.is_fixed(j) || std::abs(coefficient) <= row_tolerance_) return false;
  if (basis_.is_basic(j)) {
    place = coefficient > 0.0 ? Place::lower : Place::upper;  // w_j becomes positive, or negative
    return coefficient > 0.0 ? problem.has_lower(j) : problem.has_upper(j);
  }
  place = Place::basic;
  return problem.is_free(j) || (basis_.places[j] == Place::lower ? coefficient > 0.0 : coefficient < 0.0);
}

/// One criss-cross pivot; false when the row of the tableau proves that there is no solution.
bool PrincipalPivoting::cross(const Wrong& wrong) {
  const Index k = wrong.index;
  auto& places = basis_.places;
  const ScaledProblem& problem = basis_.problem();
  basis_.tableau_row(k, row_);
  row_tolerance_ = options_.pivot_tolerance * std::max(1.0, row_.cwiseAbs().maxCoeff());
  const Place mended = basis_.mended_place(wrong);
  Place place = mended;
  if (can_enter(k, wrong.direction * row_[k], place) && place == mended) {
    places[k] = mended;
    return true;
  }
  for (Index j = 0; j < problem.size(); ++j) {
    if (j == k) {
      // The multiplier of the other bound enters w_k itself: from one bound to the other.
      if (basis_.is_basic(k) || !problem.has_lower(k) || !problem.has_upper(k)) continue;
      places[k] = places[k] == Place::lower ? Place::upper : Place::lower;
      return true;
    }
    if (!can_enter(j, wrong.direction * row_[j], place)) continue;
    places[k] = mended;
    places[j] = place;
    return true;
  }
  return false;
}

PrincipalPivoting::Outcome PrincipalPivoting::criss_cross() {
  forget_bases();
  while (true) {
    const Wrong wrong = basis_.find_wrong(0, sign_tolerance_);
    if (wrong.index < 0) return Outcome::solved;
    if (basis_.evaluated() >= options_.max_bases) return Outcome::limit;
    if (!cross(wrong)) return Outcome::infeasible;
    if (!evaluate() || seen_before()) return Outcome::stalled;
  }
}

/// y with y'(M z + q) < 0 wherever the signs allow z and w to be: the row of the tableau that could not be mended.
void PrincipalPivoting::write_proof(const Wrong& wrong, Vector& proof) const {
  const ScaledProblem& problem = basis_.problem();
  proof.setZero(problem.size());
  for (Index i = 0; i < problem.size(); ++i)
    if (basis_.is_basic(i)) proof[i] = -row_[i];
  if (!basis_.is_basic(wrong.index)) proof[wrong.index] = 1.0;
  proof *= wrong.direction;
  for (Index i = 0; i < problem.size(); ++i) {
    if (problem.has_upper(i)) proof[i] = std::min(proof[i], 0.0);
    if (problem.has_lower(i)) proof[i] = std::max(proof[i], 0.0);
    proof[i] *= problem.row_scale[i];
  }
}

PrincipalPivoting::Outcome PrincipalPivoting::pivot(const Problem& problem, Vector& proof) {
  Outcome outcome = pivot_blocks();
  if (outcome == Outcome::stalled && options_.drive) outcome = drive_all(problem, proof);
  if (outcome != Outcome::stalled) return outcome;
  outcome = criss_cross();
  if (outcome != Outcome::infeasible) return outcome;
  write_proof(basis_.find_wrong(0, sign_tolerance_), proof);
  return mend_infeasibility_proof(problem, proof) || find_infeasibility_proof(problem, proof) ? outcome
                                                                                              : Outcome::stalled;
}

void PrincipalPivoting::run(const Problem& problem, Solution& solution) {
  load(problem);
  sign_tolerance_ = options_.sign_tolerance;
  Outcome outcome = Outcome::stalled;
  const bool warm = basis_.start_warm(solution.basis);
  if (warm && basis_.find_wrong(0, sign_tolerance_).index < 0) {
    solution.reused_basis = true;
    outcome = Outcome::solved;
  }
  for (int attempt = 0; attempt < 3 && outcome == Outcome::stalled; ++attempt) {
    if (attempt > 0 || !warm) basis_.start_cold();
    outcome = pivot(problem, solution.proof);
    sign_tolerance_ *= 100.0;
  }

  solution.iterations = basis_.evaluated();
  basis_.problem().unscale(problem, outcome == Outcome::solved ? basis_.z() : best_z_, solution.z);
  solution.basis = basis_.places;
  for (Index i = 0; i < problem.size(); ++i)
    if (basis_.problem().is_free(i)) solution.basis[i] = Place::basic;
  switch (outcome) {
    case Outcome::solved:
      solution.status = Status::solved;
      break;
    case Outcome::infeasible:
      solution.status = Status::infeasible;
      break;
    case Outcome::limit:
      solution.status = Status::iteration_limit;
      break;
    case Outcome::stalled:
      solution.status = Status::ray;
      break;
  }
}

}  // namespace stiction::lcp
