#include "stiction/cone/joint_proof.h"

#include <Eigen/SparseQR>
#include <algorithm>
#include <utility>
#include <vector>

#include "stiction/cone/contradiction.h"
#include "stiction/cone/precise_sum.h"

namespace stiction::cone {

namespace {

constexpr std::size_t most_contacts = 100;  // that are tried by themselves: each asks for a factorisation of M
constexpr double steps = 1 << 20;           // of simple numbers, up to one

/// Joints that do not give way, and how they take up a momentum.
class Joints {
 public:
  explicit Joints(const FactorForm& form) : form_(form) {
    std::vector<Eigen::Triplet<double>> entries;
    for (Index row = 0; row < form.rows(); ++row) {
      const double size = form.G.col(row).norm();
      const bool is_soft = form.compliance.size() != 0 && form.compliance[row] > 0.0;
      if (!is_joint(form, row) || is_soft || !(size > 0.0)) continue;
      for (SparseMatrix::InnerIterator it(form.G, row); it; ++it)
        entries.emplace_back(it.row(), static_cast<Index>(rows_.size()), it.value() / size);
      rows_.push_back(row);
      sizes_.push_back(size);
    }
    SparseMatrix columns(form.velocities(), static_cast<Index>(rows_.size()));
    columns.setFromTriplets(entries.begin(), entries.end());
    if (!rows_.empty()) factors_.compute(columns);
    is_good_ = !rows_.empty() && factors_.info() == Eigen::Success;
  }

  [[nodiscard]] bool is_good() const { return is_good_; }

  /// The least |J pushes + G y|, mended by what is left of it in twice the precision. False where that is not little.
  bool balance(const SparseMatrix& J, const Vector& pushes, Vector& y) const {
    constexpr int passes = 3;
    constexpr double little = 1e-9;
    y.setZero(form_.rows());
    double whole = 0.0, left = 0.0;
    for (int pass = 0; pass <= passes; ++pass) {
      const Vector p = find_momentum(J, pushes, y);
      left = p.stableNorm();
      if (pass == 0) whole = left;
      if (pass == passes) break;
      const Vector change = factors_.solve(p);
      for (std::size_t k = 0; k < rows_.size(); ++k) y[rows_[k]] -= change[static_cast<Index>(k)] / sizes_[k];
    }
    return y.allFinite() && left <= little * whole;
  }

 private:
  [[nodiscard]] Vector find_momentum(const SparseMatrix& J, const Vector& pushes, const Vector& y) const {
    std::vector<PreciseSum> sums(static_cast<std::size_t>(form_.velocities()));
    const auto add = [&](const SparseMatrix& A, const Vector& x) {
      for (Index j = 0; j < x.size(); ++j)
        for (SparseMatrix::InnerIterator it(A, j); it; ++it)
          if (x[j] != 0.0) sums[static_cast<std::size_t>(it.row())].add(it.value(), x[j]);
    };
    add(J, pushes);
    add(form_.G, y);
    Vector p(form_.velocities());
    for (Index i = 0; i < p.size(); ++i) p[i] = sums[static_cast<std::size_t>(i)].value();
    return p;
  }

  const FactorForm& form_;
  std::vector<Index> rows_;
  std::vector<double> sizes_;  ///< Of columns of G.
  Eigen::SparseQR<SparseMatrix, Eigen::COLAMDOrdering<int>> factors_;
  bool is_good_ = false;
};

/// Keeps the best of what it is shown.
class Search {
 public:
  Search(const FactorForm& form, const FactorJudge& judge)
      : form_(form), judge_(judge), joints_(form), J_(find_pushes(form, judge.parts())) {}

  void show(const Vector& pushes) {
    Vector y;
    if (!joints_.is_good() || !joints_.balance(J_, pushes, y)) return;
    const double largest = std::max(pushes.maxCoeff(), y.cwiseAbs().maxCoeff());
    show_as_is(pushes / largest, y / largest);
    show_as_is((steps / largest * pushes).array().round() / steps, (steps / largest * y).array().round() / steps);
  }
  [[nodiscard]] const JointProof& best() const { return best_; }

 private:
  void show_as_is(const Vector& pushes, const Vector& y) {
    double speed = 0.0;  // of the certificate
    for (Index i = 0; i < pushes.size(); ++i)
      if (pushes[i] > 0.0) speed = std::max(speed, judge_.speeds()[static_cast<std::size_t>(i / form_.dimension)]);
    if (!(speed > 0.0)) return;
    const InfeasibilityProof found = certify_contradiction(form_, y, pushes, speed);
    if (found.least_tolerance > best_.proof.least_tolerance) best_ = {.pushes = pushes, .joints = y, .proof = found};
  }

  const FactorForm& form_;
  const FactorJudge& judge_;
  Joints joints_;
  SparseMatrix J_;
  JointProof best_;
};

/// The contacts that close with no impulse, by their speed over those around them.
std::vector<Index> find_closing(const FactorForm& form, const FactorJudge& judge) {
  std::vector<std::pair<double, Index>> closing;
  for (std::size_t p = 0; p < judge.parts().size(); ++p) {
    const Index at = static_cast<Index>(p) * form.dimension;
    const double share = judge.problem().q[at] / judge.speeds()[p];
    if (judge.parts()[p].bears && share < 0.0) closing.emplace_back(share, at);
  }
  std::sort(closing.begin(), closing.end());
  closing.resize(std::min(closing.size(), most_contacts));
  std::vector<Index> list;
  list.reserve(closing.size());
  for (const auto& [share, at] : closing) list.push_back(at);
  return list;
}

}  // namespace

Vector JointProof::gather() const {
  Vector all(pushes.size() + joints.size());
  all << pushes, joints;
  return all;
}

JointProof find_joint_proof(const FactorForm& form, const FactorJudge& judge, const Vector& r) {
  Search search(form, judge);
  const Index size = judge.problem().size();
  Vector pushes = Vector::Zero(size);
  if (r.size() == size && r.allFinite())
    for (std::size_t p = 0; p < judge.parts().size(); ++p) {
      const Index at = static_cast<Index>(p) * form.dimension;
      if (judge.parts()[p].bears) pushes[at] = std::max(0.0, r[at]);
    }
  if (const double largest = pushes.maxCoeff(); largest > 0.0) search.show(pushes / largest);
  for (const Index at : find_closing(form, judge)) {
    if (search.best().proof.refutes()) break;
    pushes.setZero();
    pushes[at] = 1.0;
    search.show(pushes);
  }
  return search.best();
}

bool refute_held(const FactorForm& form, const FactorJudge& judge, double tolerance, Solution& solution) {
  if (form.rows() == 0 || solution.status != Status::iteration_limit) return false;
  const JointProof found = find_joint_proof(form, judge, solution.r);
  if (!found.proof.refutes(tolerance)) return false;
  solution.status = Status::infeasible;
  solution.proof = found.gather();
  solution.bound = found.proof.bound;
  return true;
}

}  // namespace stiction::cone
