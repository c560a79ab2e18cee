#include "stiction/cone/factor_certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/cone/contact_judge.h"
#include "stiction/cone/contradiction.h"
#include "stiction/cone/disjoint_sets.h"
#include "stiction/cone/joint_elimination.h"
#include "stiction/cone/precise_sum.h"

namespace stiction::cone {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double most_unheld = 1e-10;  // of the speeds that joints take away in a proof
constexpr JointAgreement agreement;

double compliance_of(const FactorForm& form, const FactorPart& part) {
  return part.row >= 0 && form.compliance.size() != 0 ? form.compliance[part.row] : 0.0;
}

}  // namespace

std::string FactorJudge::prepare(const FactorForm& form) {
  form_ = &form;
  parts_ = find_parts(form);
  if (parts_.empty()) return "there is no contact and no row with bounds: nothing to solve for";
  if (std::string defect = motion_.prepare(form); !defect.empty()) return defect;
  problem_ = {.name = form.name, .expect = form.expect, .dimension = form.dimension};
  set_friction(form, parts_, problem_);
  find_contradiction();
  J_ = find_pushes(form, parts_);
  const auto size = J_.cols();
  problem_.q.setZero(size);
  middles_.setZero(size);
  compliance_.setZero(size);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const FactorPart& part = parts_[p];
    if (part.row < 0) continue;
    const Index at = static_cast<Index>(p) * form.dimension + axis_of_row(part);
    middles_[at] = part.sign * part.shift;
    compliance_[at] = compliance_of(form, part);
  }
  offsets_ = find_offsets(form, parts_);
  if (std::string defect = find_mobilities(); !defect.empty()) return defect;
  find_free();
  find_hubs();
  find_speeds();
  return {};
}

/// Where nothing proves it, what least squares leave counts as an error like any other.
void FactorJudge::find_contradiction() {
  const Vector& y = motion_.contradiction();
  if (y.size() == 0) return;
  const InfeasibilityProof proof = certify_contradiction(*form_, y);
  if (proof.refutes()) problem_.contradiction = {.y = y, .bound = proof.bound};
}

std::string FactorJudge::find_mobilities() {
  const int dimension = form_->dimension;
  work_.trace.assign(parts_.size(), 0.0);
  mobility_.setZero(static_cast<Index>(parts_.size()));
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const FactorPart& part = parts_[p];
    const Index first = static_cast<Index>(p) * dimension;
    const double compliance = compliance_of(*form_, part);
    double most = 0.0;
    for (int axis = 0; axis < dimension; ++axis) {
      const HeldMotion::Mobility mobility = motion_.find_mobility(J_, first + axis);
      const double held = std::max(mobility.held, agreement.mobility * mobility.alone);
      work_.trace[p] += held;
      most = std::max(most, held);
    }
    work_.trace[p] += compliance;
    if (!part.bears) {
      mobility_[static_cast<Index>(p)] = most = std::max(most, compliance) > 0.0 ? std::max(most, compliance) : 1.0;
      work_.trace[p] += most;
    }
    const bool is_finite = std::isfinite(work_.trace[p]);
    if (is_finite && work_.trace[p] > 0.0) continue;
    const std::string which = part.row >= 0 ? "row " + std::to_string(part.row) + " acts on"
                                            : "contact " + std::to_string(part.contact) + " is between";
    return which + (is_finite ? " bodies that do not move; leave it out"
                              : " bodies whose mobility is not finite; their masses are too small");
  }
  return {};
}

void FactorJudge::multiply(const Vector& v, const Vector& unsure, Vector& u, Vector& hidden) const {
  u.resize(J_.cols());
  hidden.resize(J_.cols());
  for (Index i = 0; i < J_.cols(); ++i) {
    PreciseSum sum;
    double most = 0.0;
    for (SparseMatrix::InnerIterator it(J_, i); it; ++it) {
      sum.add(it.value(), v[it.row()]);
      most += std::abs(it.value()) * unsure[it.row()];
    }
    u[i] = sum.value();
    hidden[i] = most + sum.rounding();
  }
}

/// q and its free part, by velocities that nothing pushes.
void FactorJudge::find_free() {
  const int dimension = form_->dimension;
  Vector v, unsure;
  const auto find = [&](const Vector& middles, Vector& u, Vector& hidden) {
    unheld_ = std::max(unheld_, motion_.find_free(J_, middles, v, unsure));
    multiply(v, unsure, u, hidden);
    u += offsets_;
  };
  unheld_ = 0.0;
  Vector hidden;
  find(Vector::Zero(J_.cols()), problem_.free, hidden);
  find(middles_, problem_.q, unsure_q_);
  problem_.disagreement = unheld_;
  problem_.borne.clear();
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const FactorPart& part = parts_[p];
    const Index first = static_cast<Index>(p) * dimension;
    problem_.borne.push_back(part.bears ? 0 : 1);
    // Neither limits of forces nor the compliance of their middles are speeds.
    const Index at = first + axis_of_row(part);
    if (part.row >= 0) problem_.free[at] -= compliance_[at] * middles_[at];
    if (part.bears) continue;
    problem_.free[first] = 0.0;
    problem_.q[first] = -mobility_[static_cast<Index>(p)] * part.hf;
    unsure_q_[first] = 0.0;
  }
}

/// u = W r + q, and what is hidden of W r over the rounding of doubles.
void FactorJudge::find_velocities(const Vector& r) {
  Vector w, unsure;
  unheld_at_r_ = motion_.find_response(J_, r, w, unsure);
  multiply(w, unsure, work_.u, work_.terms);
  work_.terms /= eps;
  work_.u += compliance_.cwiseProduct(r) + problem_.q;
  work_.terms += compliance_.cwiseProduct(r).cwiseAbs();
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const FactorPart& part = parts_[p];
    if (part.bears) continue;
    // The law of a radius: r_n = mu r_n of the carrier + hf.
    const Index first = static_cast<Index>(p) * form_->dimension;
    const double carried = part.carrier >= 0 ? part.mu * r[part.carrier * form_->dimension] : 0.0;
    const double mobility = mobility_[static_cast<Index>(p)];
    work_.u[first] = mobility * (r[first] - carried - part.hf);
    work_.terms[first] = mobility * (std::abs(r[first]) + std::abs(carried));
  }
}

void FactorJudge::find_hubs() {
  hubs_.assign(parts_.size(), {});
  most_hubs_ = motion_.hubs();
  const int dimension = form_->dimension;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    std::vector<Index>& own = hubs_[p];
    for (Index i = static_cast<Index>(p) * dimension; i < static_cast<Index>(p + 1) * dimension; ++i)
      for (SparseMatrix::InnerIterator it(J_, i); it; ++it)
        if (it.value() != 0.0) own.push_back(motion_.hub(it.row()));
    if (parts_[p].carrier < 0) continue;
    // Friction that is borne is a neighbour of what bears it.
    own.push_back(most_hubs_);
    hubs_[parts_[p].carrier].push_back(most_hubs_++);
  }
  for (std::vector<Index>& own : hubs_) {
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
  }
}

/// V, by the numbers of certificate.h.
void FactorJudge::find_speeds() {
  constexpr double gravity_share = 1e-2, rounding_share = 1e-6;
  std::vector<double>& speed = work_.speed;
  speed.resize(parts_.size());
  double fastest = 0.0;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    double own[3];
    RoundContact(problem_, static_cast<Index>(p)).read_speed(problem_.free, own);
    fastest = std::max(fastest, speed[p] = norm(own));
  }
  // The largest speed of what hangs together, at the first of its hubs.
  DisjointSets islands(most_hubs_);
  for (const std::vector<Index>& own : hubs_)
    for (const Index hub : own) islands.join(own.front(), hub);
  std::vector<double> most(static_cast<std::size_t>(most_hubs_), 0.0), floor(parts_.size(), rounding_share * fastest);
  for (std::size_t p = 0; p < parts_.size(); ++p)
    for (const Index hub : hubs_[p]) most[islands.root(hub)] = std::max(most[islands.root(hub)], speed[p]);
  for (std::size_t p = 0; p < parts_.size(); ++p)
    for (const Index hub : hubs_[p]) floor[p] = std::max(floor[p], gravity_share * most[islands.root(hub)]);
  for (int step = 0; step < 2; ++step) {
    std::fill(most.begin(), most.end(), 0.0);
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (const Index hub : hubs_[p]) most[hub] = std::max(most[hub], speed[p]);
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (const Index hub : hubs_[p]) speed[p] = std::max(speed[p], most[hub]);
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) speed[p] = std::max(speed[p], floor[p]);
}

Certificate FactorJudge::certify(const Vector& r) {
  if (r.size() != problem_.size() || !r.allFinite() || problem_.is_contradictory()) return {};
  find_velocities(r);
  Certificate certificate = judge(problem_, r, work_);
  certificate.contact_residual = std::max(certificate.contact_residual, relative(std::max(unheld_, unheld_at_r_), 1.0));
  return certificate;
}

InfeasibilityProof FactorJudge::certify_infeasible(const Vector& y) {
  if (y.size() != problem_.size() || !y.allFinite() || problem_.is_contradictory()) return {};
  if (unheld_ > most_unheld) return {};  // q is not what the joints leave
  PreciseSum q_y;
  double unsure = 0.0;
  for (Index i = 0; i < y.size(); ++i) {
    const bool is_free = i % form_->dimension == 0 && !problem_.is_borne(i / form_->dimension);
    if (is_free ? y[i] < 0.0 : y[i] != 0.0) return {};
    q_y.add(problem_.q[i], y[i]);
    unsure += unsure_q_[i] * y[i];
  }
  const double gap = -q_y.value() - q_y.rounding() - unsure;
  if (!(gap > 0.0)) return {};

  // W'y: what y moves by the transposed masses.
  FactorForm turned = *form_;
  turned.M = form_->M.transpose();
  HeldMotion motion;
  if (!motion.prepare(turned).empty()) return {};
  Vector w, unsure_w, slope, rounding;
  if (motion.find_response(J_, y, w, unsure_w) > most_unheld) return {};
  multiply(w, unsure_w, slope, rounding);
  slope += compliance_.cwiseProduct(y);
  rounding += eps * compliance_.cwiseProduct(y);
  return refute(problem_, y, gap, slope, rounding, work_);
}

}  // namespace stiction::cone
