#include "stiction/cone/held_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "stiction/cone/disjoint_sets.h"
#include "stiction/cone/factor_parts.h"
#include "stiction/cone/joint_elimination.h"
#include "stiction/cone/precise_sum.h"

namespace stiction::cone {

namespace {

constexpr JointAgreement agreement;

// What counts as speed beside a joint's own: the shares of certificate.h.
constexpr double mechanism_share = 1e-2;  // of the fastest joint of the mechanism
constexpr double rounding_share = 1e-6;   // of what forces alone would move

using Sums = std::vector<PreciseSum>;

/// sums += sign A x
void add_product(const SparseMatrix& A, const Vector& x, double sign, Sums& sums) {
  for (Index j = 0; j < A.cols(); ++j)
    if (x[j] != 0.0)
      for (SparseMatrix::InnerIterator it(A, j); it; ++it) sums[it.row()].add(it.value(), sign * x[j]);
}

/// Infinite where these are no numbers.
double share_of(double off, double whole) {
  if (off == 0.0) return 0.0;
  const double share = off / whole;
  return std::isfinite(share) && std::isfinite(whole) ? share : std::numeric_limits<double>::infinity();
}

}  // namespace

std::string HeldMotion::prepare(const FactorForm& form) {
  form_ = &form;
  find_blocks();
  if (std::string defect = factorise_blocks(); !defect.empty()) return defect;
  find_joints();
  if (std::string defect = factorise_mechanisms(); !defect.empty()) return defect;
  find_contradiction();
  return {};
}

void HeldMotion::find_blocks() {
  const SparseMatrix& M = form_->M;
  DisjointSets sets = join_entries(M);
  block_of_.assign(static_cast<std::size_t>(M.rows()), -1);
  local_.assign(block_of_.size(), 0);
  starts_.assign(1, 0);
  Index blocks = 0;
  for (Index i = 0; i < M.rows(); ++i) {
    const Index root = sets.root(i);
    if (root == i) {
      block_of_[i] = blocks++;
      starts_.push_back(0);
    } else {
      block_of_[i] = block_of_[root];
    }
    local_[i] = starts_[block_of_[i] + 1]++;
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  list_.resize(block_of_.size());
  for (Index i = 0; i < M.rows(); ++i) list_[starts_[block_of_[i]] + local_[i]] = i;
}

std::string HeldMotion::factorise_blocks() {
  blocks_.clear();
  for (std::size_t block = 0; block + 1 < starts_.size(); ++block) {
    const Index size = starts_[block + 1] - starts_[block];
    std::vector<Eigen::Triplet<double>> entries;
    bool has_empty = false;
    for (Index j = 0; j < size; ++j) {
      const std::size_t before = entries.size();
      for (SparseMatrix::InnerIterator it(form_->M, list_[starts_[block] + j]); it; ++it)
        if (it.value() != 0.0) entries.emplace_back(local_[it.row()], j, it.value());
      has_empty |= entries.size() == before;
    }
    SparseMatrix own(size, size);
    own.setFromTriplets(entries.begin(), entries.end());
    auto factors = std::make_unique<Eigen::SparseLU<SparseMatrix>>();
    if (!has_empty) factors->compute(own);
    if (has_empty || factors->info() != Eigen::Success) return "M is singular, expected a regular mass matrix";
    blocks_.push_back(std::move(factors));
  }
  x_.setZero(form_->velocities());
  return {};
}

void HeldMotion::divide(Index block, Vector& x) const {
  const std::span<const Index> own(list_.data() + starts_[block], list_.data() + starts_[block + 1]);
  Vector part(static_cast<Index>(own.size()));
  for (std::size_t i = 0; i < own.size(); ++i) part[static_cast<Index>(i)] = x[own[i]];
  part = blocks_[block]->solve(part).eval();
  for (std::size_t i = 0; i < own.size(); ++i) x[own[i]] = part[static_cast<Index>(i)];
}

void HeldMotion::find_joints() {
  rows_.clear();
  DisjointSets sets(static_cast<Index>(blocks_.size()));
  std::vector<Eigen::Triplet<double>> entries;
  for (Index row = 0; row < form_->rows(); ++row) {
    if (!is_joint(*form_, row)) continue;
    Index first = -1;
    for (SparseMatrix::InnerIterator it(form_->G, row); it; ++it) {
      if (it.value() == 0.0) continue;
      entries.emplace_back(it.row(), static_cast<Index>(rows_.size()), it.value());
      if (first >= 0) sets.join(first, block_of_[it.row()]);
      first = block_of_[it.row()];
    }
    rows_.push_back(row);
  }
  const auto count = static_cast<Index>(rows_.size());
  G_.resize(form_->velocities(), count);
  G_.setFromTriplets(entries.begin(), entries.end());
  by_velocity_ = G_;
  hub_of_.resize(blocks_.size());
  for (Index block = 0; block < hubs(); ++block) hub_of_[block] = sets.root(block);

  entries.clear();
  std::vector<Index> touched;
  for (Index j = 0; j < count; ++j) {
    touched.clear();
    for (SparseMatrix::InnerIterator it(G_, j); it; ++it) {
      x_[it.row()] = it.value();
      touched.push_back(block_of_[it.row()]);
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const Index block : touched) {
      divide(block, x_);
      for (Index at = starts_[block]; at < starts_[block + 1]; ++at) {
        entries.emplace_back(list_[at], j, x_[list_[at]]);
        x_[list_[at]] = 0.0;
      }
    }
  }
  MG_.resize(form_->velocities(), count);
  MG_.setFromTriplets(entries.begin(), entries.end());
}

std::string HeldMotion::factorise_mechanisms() {
  mechanisms_.clear();
  mechanism_at_.assign(hub_of_.size(), -1);
  std::vector<Index> place(rows_.size(), 0);
  for (Index j = 0; j < G_.cols(); ++j) {
    const SparseMatrix::InnerIterator it(G_, j);
    Index* at = it ? &mechanism_at_[hub(it.row())] : nullptr;
    if (at == nullptr || *at < 0) {
      if (at != nullptr) *at = static_cast<Index>(mechanisms_.size());
      mechanisms_.push_back(std::make_unique<Mechanism>());
    }
    Mechanism& mechanism = at != nullptr ? *mechanisms_[*at] : *mechanisms_.back();
    place[j] = static_cast<Index>(mechanism.joints.size());
    mechanism.joints.push_back(j);
  }
  const SparseMatrix all = form_->alpha * SparseMatrix(SparseMatrix(G_.transpose()) * SparseMatrix(MG_));
  for (const auto& mechanism : mechanisms_) {
    std::vector<Eigen::Triplet<double>> entries;
    const auto size = static_cast<Index>(mechanism->joints.size());
    for (Index j = 0; j < size; ++j) {
      const Index column = mechanism->joints[j];
      for (SparseMatrix::InnerIterator it(all, column); it; ++it) entries.emplace_back(place[it.row()], j, it.value());
      if (form_->compliance.size() != 0) entries.emplace_back(j, j, form_->compliance[rows_[column]]);
    }
    SparseMatrix R(size, size);
    R.setFromTriplets(entries.begin(), entries.end());
    mechanism->scale = find_scale(R.diagonal());
    R = mechanism->scale.asDiagonal() * R * mechanism->scale.asDiagonal();
    double largest = 0.0;
    for (Index j = 0; j < size; ++j) largest = std::max(largest, R.col(j).norm());
    // Not zero, which a pivot of zero reaches: a row that acts on nothing.
    mechanism->factors.setPivotThreshold(std::max(agreement.rank * largest, std::numeric_limits<double>::min()));
    mechanism->factors.compute(R);
    if (mechanism->factors.info() != Eigen::Success)
      return "a mechanism of " + std::to_string(size) + " rows of joints cannot be factorised";
  }
  s_.setZero(G_.cols());
  c_.setZero(G_.cols());
  held_.setZero(G_.cols());
  return {};
}

void HeldMotion::hold(const Mechanism& mechanism, const Vector& s, Vector& c) const {
  if (mechanism.factors.rank() == 0) {
    c(mechanism.joints).setZero();
    return;
  }
  const Vector own = mechanism.scale.cwiseProduct(s(mechanism.joints));
  c(mechanism.joints) = mechanism.scale.cwiseProduct(Vector(mechanism.factors.solve(own)));
}

void HeldMotion::find_contradiction() {
  contradiction_.resize(0);
  if (rows_.empty()) return;
  Vector free = form_->f;
  for (Index block = 0; block < static_cast<Index>(blocks_.size()); ++block) divide(block, free);
  free *= form_->alpha;
  if (form_->v0.size() != 0) free += form_->v0;
  Vector s = G_.transpose() * free, terms = SparseMatrix(G_.cwiseAbs()).transpose() * free.cwiseAbs();
  for (Index j = 0; j < s.size(); ++j) {
    s[j] += form_->d[rows_[j]];
    terms[j] += std::abs(form_->d[rows_[j]]);
  }
  Vector c = s;
  for (const auto& mechanism : mechanisms_) hold(*mechanism, s, c);
  // What is left of s, and once more: of the first difference only the leading digits are right.
  const auto multiply = [&](const Vector& x) {
    Vector product = form_->alpha * (G_.transpose() * (MG_ * x));
    if (form_->compliance.size() != 0) product += form_->compliance(rows_).cwiseProduct(x);
    return product;
  };
  Vector rest = s - multiply(c), change = rest;
  for (const auto& mechanism : mechanisms_) hold(*mechanism, rest, change);
  const Vector refined = rest - multiply(change);
  const Mechanism* worst = nullptr;
  double most_excess = 1.0;  // of disagreement, over the most that may be
  for (const auto& mechanism : mechanisms_) {
    const auto size_of = [&](const Vector& x) { return x(mechanism->joints).stableNorm(); };
    const double most = std::max(agreement.contradiction * size_of(s), agreement.cancellation * size_of(terms));
    const double excess = share_of(size_of(rest), most);
    if (!(excess > most_excess)) continue;
    most_excess = excess;
    worst = mechanism.get();
  }
  if (worst == nullptr) return;
  // D rest is normal to what D R D can do, so R'D^2 rest = 0.
  Vector y = Vector::Zero(G_.cols());
  y(worst->joints) = worst->scale.array().square() * refined(worst->joints).array();
  mend_contradiction(*worst, y);
  contradiction_.setZero(form_->rows());
  contradiction_(rows_) = y / y.stableNorm();
}

/// y -= R^+ R y, R y by way of G y in twice the precision: what the factors leave of G y is more than its rounding.
void HeldMotion::mend_contradiction(const Mechanism& mechanism, Vector& y) {
  constexpr int passes = 2;
  for (int pass = 0; pass < passes; ++pass) {
    y /= y.stableNorm();
    Sums sums(static_cast<std::size_t>(form_->velocities()));
    add_product(G_, y, 1.0, sums);
    Vector p(form_->velocities());
    for (Index i = 0; i < p.size(); ++i) p[i] = sums[i].value();
    for (Index block = 0; block < static_cast<Index>(blocks_.size()); ++block) divide(block, p);
    Vector left = form_->alpha * (G_.transpose() * p), change = Vector::Zero(y.size());
    if (form_->compliance.size() != 0) left += form_->compliance(rows_).cwiseProduct(y);
    hold(mechanism, left, change);
    if (!change.allFinite()) return;
    y -= change;
  }
}

double HeldMotion::find_free(const SparseMatrix& J, const Vector& r, Vector& v, Vector& unsure) {
  return find(J, r, true, v, unsure);
}

double HeldMotion::find_response(const SparseMatrix& J, const Vector& r, Vector& w, Vector& unsure) {
  return find(J, r, false, w, unsure);
}

double HeldMotion::find(const SparseMatrix& J, const Vector& r, bool is_loaded, Vector& v, Vector& unsure) {
  constexpr int mended = 2;
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const FactorForm& form = *form_;
  Vector y = Vector::Zero(form.velocities()), c = Vector::Zero(G_.cols()), step(y.size());
  Vector pushed(y.size()), left(G_.cols());
  const bool is_moving = is_loaded && form.v0.size() != 0;
  v = is_moving ? form.v0 : y;
  // d + G'(v + change) + compliance c
  const auto sum_row = [&](Index j, const Vector* change) {
    PreciseSum sum;
    if (is_loaded) sum.add(form.d[rows_[j]], 1.0);
    for (SparseMatrix::InnerIterator it(G_, j); it; ++it) {
      sum.add(it.value(), v[it.row()]);
      if (change != nullptr) sum.add(it.value(), form.alpha * (*change)[it.row()]);
    }
    if (form.compliance.size() != 0) sum.add(form.compliance[rows_[j]], c[j]);
    return sum;
  };
  for (int pass = 0; pass <= mended; ++pass) {
    Sums sums(static_cast<std::size_t>(y.size()));
    for (Index i = 0; is_loaded && i < y.size(); ++i) sums[i].add(form.f[i], 1.0);
    add_product(J, r, 1.0, sums);
    add_product(G_, c, 1.0, sums);
    add_product(form.M, y, -1.0, sums);
    for (Index i = 0; i < y.size(); ++i) step[i] = sums[i].value();
    for (Index block = 0; block < static_cast<Index>(blocks_.size()); ++block) divide(block, step);
    if (pass == 0) pushed = form.alpha * step.cwiseAbs();
    for (Index j = 0; j < G_.cols(); ++j) s_[j] = -sum_row(j, &step).value();
    for (const auto& mechanism : mechanisms_) hold(*mechanism, s_, c_);
    c += c_;
    step += MG_ * c_;
    y += step;
    v = form.alpha * y;
    if (is_moving) v += form.v0;
  }
  for (Index j = 0; j < G_.cols(); ++j) left[j] = sum_row(j, nullptr).value();
  s_.setZero();
  // The last change, and the rounding of the numbers themselves: y, c and v.
  unsure = form.alpha * step.cwiseAbs() + eps * (v.cwiseAbs() + form.alpha * y.cwiseAbs());
  if (c.size() == 0) return 0.0;
  const Vector by_joints = form.alpha * (RowMatrix(MG_.cwiseAbs()) * c.cwiseAbs());
  unsure += eps * by_joints;
  const SparseMatrix sizes = G_.cwiseAbs();
  Vector speed = sizes.transpose() * v.cwiseAbs();
  if (is_moving) speed += sizes.transpose() * form.v0.cwiseAbs();
  if (is_loaded) speed += form.d(rows_).cwiseAbs();
  return find_unheld(left, speed, sizes.transpose() * (pushed + by_joints));
}

double HeldMotion::find_unheld(const Vector& left, const Vector& speed, const Vector& moved) const {
  double worst = 0.0;
  for (const auto& mechanism : mechanisms_) {
    const double fastest = speed(mechanism->joints).maxCoeff();
    for (const Index j : mechanism->joints) {
      const double whole = std::max({speed[j], mechanism_share * fastest, rounding_share * moved[j]});
      worst = std::max(worst, share_of(std::abs(left[j]), whole));
    }
  }
  return worst;
}

HeldMotion::Mobility HeldMotion::find_mobility(const SparseMatrix& J, Index j) {
  std::vector<Index> touched, mechanisms;
  for (SparseMatrix::InnerIterator it(J, j); it; ++it) {
    x_[it.row()] += it.value();
    touched.push_back(block_of_[it.row()]);
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  // s_ is what the joints see of the impulse, held_ what the column sees of theirs.
  for (const Index block : touched) {
    divide(block, x_);
    const Index mechanism = mechanism_at_[hub_of_[block]];
    if (mechanism >= 0 && std::find(mechanisms.begin(), mechanisms.end(), mechanism) == mechanisms.end())
      mechanisms.push_back(mechanism);
    for (Index at = starts_[block]; at < starts_[block + 1]; ++at)
      for (RowMatrix::InnerIterator it(by_velocity_, list_[at]); it; ++it)
        s_[it.col()] += form_->alpha * it.value() * x_[list_[at]];
  }
  Mobility mobility;
  for (SparseMatrix::InnerIterator it(J, j); it; ++it) {
    mobility.alone += form_->alpha * it.value() * x_[it.row()];
    for (RowMatrix::InnerIterator joint(MG_, it.row()); joint; ++joint)
      held_[joint.col()] += form_->alpha * it.value() * joint.value();
  }
  mobility.held = mobility.alone;
  for (const Index at : mechanisms) {
    const Mechanism& mechanism = *mechanisms_[at];
    hold(mechanism, s_, c_);
    for (const Index joint : mechanism.joints) {
      mobility.held -= held_[joint] * c_[joint];
      s_[joint] = held_[joint] = 0.0;
    }
  }
  for (const Index block : touched)
    for (Index at = starts_[block]; at < starts_[block + 1]; ++at) x_[list_[at]] = 0.0;
  return mobility;
}

}  // namespace stiction::cone
