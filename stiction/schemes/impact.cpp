#include "stiction/schemes/impact.h"

#include <algorithm>
#include <cmath>

namespace stiction {

/// The closed contacts at state.q with velocity v before, taking no time: M(v+ - v) = impulses.
void Impact::pose(const State& state, const std::vector<std::uint64_t>& closed, const Vector& v) {
  work_.linearise_impact(state.t, state.q, v);
  work_.begin_constraints();
  for (int i = 0; i < work_.joints().size(); ++i) work_.add_joint(i, -work_.joints().velocity[i]);
  work_.add_rigid_drives(state.t, state.q);
  const GapSet& gaps = work_.gaps();
  for (int j = 0; j < gaps.size(); ++j)
    if (std::binary_search(closed.begin(), closed.end(), gaps.contacts[j].id))
      work_.add_contact(j, gaps.normal_speed[j]);
}

/// Approach speeds of the contacts posed, and what they give back: nothing below the threshold.
void Impact::find_restitution(const State& state, double threshold_step) {
  const StepProblem& problem = work_.problem();
  approach_.clear();
  restitution_.clear();
  back1_.assign(static_cast<std::size_t>(problem.size()), 0.0);
  back2_ = back1_;
  posed_.clear();
  for (const StepProblem::Contact& contact : problem.contacts) posed_.push_back(contact.id);
  system_.applied_force(state.t, state.q, state.v, force_);
  for (int j = 0; j < problem.size(); ++j) {
    if (!problem.has_normal(j)) {
      approach_.push_back(0.0);
      restitution_.push_back(0.0);
      continue;
    }
    const double approach = -(problem.n.dot(j, state.v) + problem.b_n[j]);
    double threshold = options_.restitution_threshold;
    if (threshold < 0.0) {
      // Twice the speed that the forces give the contact in a step: slower bounces end before they are seen.
      double acceleration = 0.0;
      const auto columns = problem.n.columns(j);
      const auto values = problem.n.values(j);
      for (std::size_t p = 0; p < columns.size(); ++p)
        acceleration += values[p] * force_[columns[p]] / problem.M.coeff(columns[p], columns[p]);
      threshold = 2.0 * threshold_step * std::abs(acceleration);
    }
    const int at = work_.gaps().find(problem.contacts[j].id);
    approach_.push_back(approach);
    restitution_.push_back(approach > threshold ? work_.gaps().contacts[at].restitution : 0.0);
    const double back = approach > threshold ? work_.gaps().contacts[at].tangential_restitution : 0.0;
    if (back == 0.0) continue;
    back1_[j] = back * (problem.t1.dot(j, state.v) + problem.b_t1[j]);
    back2_[j] = back * (problem.t2.dot(j, state.v) + problem.b_t2[j]);
  }
}

/// Tangential restitution, which 1997, section 3, leaves open: friction aims at a slip of -e_t times that before
/// instead of none, within its cone.
void Impact::aim_slip() {
  StepProblem& problem = work_.problem();
  for (int j = 0; j < problem.size(); ++j) {
    problem.b_t1[j] += back1_[j];
    problem.b_t2[j] += back2_[j];
  }
}

/// (3.1)-(3.2)
bool Impact::compress(const State& state, const std::vector<std::uint64_t>& closed, StepReport& report) {
  pose(state, closed, v_minus_);
  if (!work_.solve(report)) return false;
  v_c_ = work_.solution().v;
  compression_ = work_.shared().c_n;  // where they are not unique, what comes back is that of least length
  return true;
}

/// (3.3)-(3.5): the normal impulses of the compression come back e_j times, and what is needed not to penetrate. The
/// impulses that come back bear friction as all do, so mu (e c_n^c + c_n^x) is the radius of the cone; as printed it is
/// mu c_n^x, which leaves a bounce without friction (docs/decisions/0008).
bool Impact::decompress(const State& state, const std::vector<std::uint64_t>& closed, StepReport& report) {
  pose(state, closed, v_c_);
  aim_slip();
  StepProblem& problem = work_.problem();
  for (int j = 0; j < problem.size(); ++j) {
    const double back = restitution_[j] * compression_[j];
    problem.n.add_to(j, back, problem.k);
    const int carrier = problem.normal_of(j);
    if (options_.impact != ImpactLaw::poisson_1997)
      problem.contacts[j].hf = problem.contacts[j].mu * restitution_[carrier] * compression_[carrier];
  }
  if (!work_.solve(report)) return false;
  work_.record(report);
  for (int j = 0; j < problem.size(); ++j)
    for (ContactRecord& record : report.contacts)
      if (record.geometry.id == problem.contacts[j].id) record.c_n += restitution_[j] * compression_[j];
  return true;
}

/// 0 <= n'(v+ + e v-), complementary to c_n: Newton's law for each contact.
bool Impact::by_newton(const State& state, const std::vector<std::uint64_t>& closed, StepReport& report) {
  pose(state, closed, v_minus_);
  aim_slip();
  StepProblem& problem = work_.problem();
  for (int j = 0; j < problem.size(); ++j) problem.b_n[j] -= restitution_[j] * approach_[j];
  if (!work_.solve(report)) return false;
  work_.record(report);
  return true;
}

/// Nothing that is closed may approach after the simplified rule, and it must not give back what went against a joint.
bool Impact::simplified_holds(const Vector& v) const {
  const StepProblem& problem = const_cast<StepWork&>(work_).problem();
  const double tolerance = 1e-12 * (1.0 + v.lpNorm<Eigen::Infinity>());
  for (int j = 0; j < problem.size(); ++j)
    if (problem.n.dot(j, v) + problem.b_n[j] < -tolerance) return false;
  for (int i = 0; i < problem.joints(); ++i)
    if (std::abs(problem.nu.dot(i, v) + problem.b_nu[i]) > 1e-10 * (1.0 + v.lpNorm<Eigen::Infinity>())) return false;
  return true;
}

bool Impact::resolve(State& state, const std::vector<std::uint64_t>& closed, double threshold_step,
                     StepReport& report) {
  work_.look(state.t, state.q, 1.0);
  v_minus_ = state.v;
  const double energy_before = work_.kinetic_energy(state.t, state.q, state.v);
  pose(state, closed, v_minus_);
  find_restitution(state, threshold_step);
  const double largest = restitution_.empty() ? 0.0 : *std::max_element(restitution_.begin(), restitution_.end());
  const auto is_zero = [](double slip) { return slip == 0.0; };
  const bool turns_slip =
      !std::all_of(back1_.begin(), back1_.end(), is_zero) || !std::all_of(back2_.begin(), back2_.end(), is_zero);

  const bool equality = options_.impact == ImpactLaw::newton_equality;
  if (equality || (options_.impact == ImpactLaw::newton && (largest > 0.0 || turns_slip))) {
    const bool solved = equality && by_newton_equality(state, closed, report);
    if (!solved && !by_newton(state, closed, report)) return end_plastic(state, closed, energy_before, report);
    state.v = work_.solution().v;
  } else {
    if (!compress(state, closed, report)) return false;
    const Vector simplified = (1.0 + largest) * v_c_ - largest * v_minus_;  // 1997 with the missing e put back
    const bool simplifies = options_.impact == ImpactLaw::simplified && simplified_holds(simplified);
    work_.record(report, simplifies ? 1.0 + largest : 1.0);
    if (largest == 0.0 && !turns_slip) {
      state.v = v_c_;
    } else if (simplifies) {
      state.v = simplified;
    } else {
      if (decompress(state, closed, report)) {
        state.v = work_.solution().v;
      } else {
        if (!report.forces_are_finite) return false;
        report.relaxed = true;
        state.v = v_c_;
      }
    }
  }
  state.v_alpha = state.v;
  tell(state, energy_before, report);
  return true;
}

/// A law of restitution may have no answer, with joints and one-way constraints; a plastic impact always has (1997,
/// Theorem 2.1): nothing comes back, and the report says so.
bool Impact::end_plastic(State& state, const std::vector<std::uint64_t>& closed, double energy_before,
                         StepReport& report) {
  if (!report.forces_are_finite || !compress(state, closed, report)) return false;
  work_.record(report);
  report.relaxed = true;
  state.v = state.v_alpha = v_c_;
  tell(state, energy_before, report);
  return true;
}

bool Impact::push(State& state, const std::vector<std::uint64_t>& closed, const Vector& impulse, StepReport& report) {
  work_.look(state.t, state.q, 1.0);
  pose(state, closed, state.v);
  work_.problem().k = impulse;
  if (!work_.solve(report)) return false;
  work_.record(report);
  state.v = state.v_alpha = work_.solution().v;
  return true;
}

/// Which contacts collided, and what the law gained.
void Impact::tell(const State& state, double energy_before, StepReport& report) {
  const double gain = work_.kinetic_energy(state.t, state.q, state.v) - energy_before;
  report.dissipated.impacts -= gain;
  double said = gain > 1e-10 * std::max(energy_before, 1e-300) ? gain : 0.0;
  for (std::size_t j = 0; j < posed_.size(); ++j) {
    if (!(approach_[j] > gentle)) continue;
    report.events.push_back({state.t, EventKind::impact, posed_[j], said, approach_[j]});
    said = 0.0;
  }
}

}  // namespace stiction
