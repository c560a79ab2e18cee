#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <utility>
#include <vector>

#include "stiction/base/random.h"
#include "stiction/cone/factor_form.h"

namespace stiction::cone {

/// Bodies, contacts and rows of every law of FactorForm. With v = 0 every law holds, so that there is an answer
/// (1997, Theorem 2.1).
class RandomFactorForm {
 public:
  struct Family {
    int dimension = 3, bodies = 6, contacts = 8, joints = 3, bounded = 2;
    bool laws = true;       ///< hf, bearers, ellipses.
    bool redundant = true;  ///< Every joint twice.
    bool coupled = false;   ///< Bodies that M couples.
    bool diagonal = false;  ///< M.
    double skew = 0.2;      ///< Of M.
    double alpha = 1.0;
  };

  RandomFactorForm(Random& random, const Family& family)
      : random_(random), family_(family), width_(family.dimension == 2 ? 3 : 6) {
    form.dimension = family.dimension;
    form.alpha = family.alpha;
    add_masses();
    for (int i = 0; i < family.contacts; ++i) add_contact();
    for (int i = 0; i < family.joints; ++i) add_joint();
    for (int i = 0; i < family.bounded; ++i) add_bounded(i);
    finish();
  }

  FactorForm form;

 private:
  using Triplets = std::vector<Eigen::Triplet<double>>;
  using Column = std::vector<std::pair<Index, double>>;

  void add_masses() {
    const Index n = family_.bodies * width_;
    for (int body = 0; body < family_.bodies; ++body) {
      DenseMatrix A = square(), B = square();
      DenseMatrix M = A * A.transpose() / width_ + 0.5 * DenseMatrix::Identity(width_, width_);
      M += family_.skew * (B - B.transpose()) / width_;
      M *= std::pow(10.0, random_.uniform(-0.5, 0.5));
      if (family_.diagonal) M = DenseMatrix(M.diagonal().asDiagonal());
      add_block(body, body, M);
      if (family_.coupled && body % 2 == 1) {
        add_block(body, body - 1, 0.01 * square());
        add_block(body - 1, body, 0.01 * square());
      }
      if (!family_.diagonal) form.bodies.push_back(static_cast<int>(width_));
    }
    form.M.resize(n, n);
    form.M.setFromTriplets(M_.begin(), M_.end());
    form.f = Vector::NullaryExpr(n, [&] { return 0.3 * random_.normal(); });
    form.v0 = Vector::NullaryExpr(n, [&] { return random_.normal(); });
  }
  DenseMatrix square() {
    return DenseMatrix::NullaryExpr(width_, width_, [&] { return random_.normal(); });
  }
  void add_block(int a, int b, const DenseMatrix& block) {
    for (Index i = 0; i < width_; ++i)
      for (Index j = 0; j < width_; ++j)
        if (block(i, j) != 0.0) M_.emplace_back(a * width_ + i, b * width_ + j, block(i, j));
  }

  /// One body, with the world, or two.
  std::vector<int> pair() {
    const int a = random_.integer(0, family_.bodies - 1), b = random_.integer(-1, family_.bodies - 1);
    return b < 0 || b == a ? std::vector<int>{a} : std::vector<int>{a, b};
  }
  Column row_on(const std::vector<int>& bodies) {
    Column column;
    for (const int body : bodies)
      for (Index i = 0; i < width_; ++i) column.emplace_back(body * width_ + i, random_.normal());
    return column;
  }
  void add_column(const Column& column, Triplets& to, Index at) {
    for (const auto& [i, value] : column) to.emplace_back(i, at, value);
  }
  void push_contact(double mu, double mu2, double hf, int bearer, const std::vector<int>& bodies) {
    const auto first = static_cast<Index>(b_.size());
    for (int axis = 0; axis < family_.dimension; ++axis) {
      const bool is_normal = axis == 0;
      if (!is_normal || bearer == -1) add_column(row_on(bodies), H_, first + axis);
      b_.push_back(is_normal && bearer == -1 && random_.uniform() < 0.5 ? random_.uniform(0.0, 0.5) : 0.0);
    }
    mu_.push_back(mu);
    mu2_.push_back(mu2);
    hf_.push_back(hf);
    form.bearer.push_back(bearer);
  }
  void add_contact() {
    const std::vector<int> bodies = pair();
    const double mu = random_.uniform(0.1, 1.2), small = random_.uniform(0.02, 0.3);
    const auto number = static_cast<int>(mu_.size());
    const int kind = family_.laws ? random_.integer(0, 6) : 0;
    const double mu2 = kind == 1 ? mu * random_.uniform(0.2, 2.0) : mu;
    push_contact(kind == 6 ? 0.0 : mu, kind == 6 ? 0.0 : mu2, kind == 2 ? small : 0.0, -1, bodies);
    if (kind == 3) push_contact(small, small, 0.0, number, bodies);  // spinning
    const double small2 = small * random_.uniform(0.5, 2.0);
    if (kind == 4) push_contact(small, small2, 0.1, number, bodies);   // and without force
    if (kind == 5) push_contact(0.0, 0.0, small, number + 1, bodies);  // a ball joint's
  }

  void push_row(const Column& column, double d, double lower, double upper, double compliance) {
    add_column(column, G_, static_cast<Index>(d_.size()));
    d_.push_back(d);
    lower_.push_back(lower);
    upper_.push_back(upper);
    compliance_.push_back(compliance);
  }
  void add_joint() {
    const std::vector<int> bodies = pair();
    for (int i = 1; i < family_.dimension; ++i) {
      Column column = row_on(bodies);
      const bool is_soft = !family_.redundant && random_.uniform() < 0.3;
      push_row(column, 0.0, -HUGE_VAL, HUGE_VAL, is_soft ? random_.uniform(0.01, 0.3) : 0.0);
      if (!family_.redundant) continue;
      for (auto& [at, value] : column) value *= 2.0;
      push_row(column, 0.0, -HUGE_VAL, HUGE_VAL, 0.0);
    }
  }
  void add_bounded(int number) {
    const double limit = random_.uniform(0.2, 2.0), soft = random_.uniform() < 0.3 ? random_.uniform(0.01, 0.3) : 0.0;
    const int kind = number % 3;  // a drive, a rope, a strut
    const Column column = row_on(pair());
    const double wanted = kind == 0 ? random_.normal() : 0.0;
    push_row(column, wanted, kind == 1 ? 0.0 : -limit, kind == 1 ? HUGE_VAL : kind == 2 ? 0.0 : 0.7 * limit, soft);
    if (kind == 2) lower_.back() = -HUGE_VAL;
  }

  static Vector to_vector(const std::vector<double>& list) {
    return Eigen::Map<const Vector>(list.data(), static_cast<Index>(list.size()));
  }
  void finish() {
    const Index n = form.f.size();
    form.H.resize(n, static_cast<Index>(b_.size()));
    form.H.setFromTriplets(H_.begin(), H_.end());
    form.G.resize(n, static_cast<Index>(d_.size()));
    form.G.setFromTriplets(G_.begin(), G_.end());
    form.b = to_vector(b_);
    form.d = to_vector(d_);
    form.mu = to_vector(mu_);
    if (family_.dimension == 3) form.mu2 = to_vector(mu2_);
    form.hf = to_vector(hf_);
    form.lower = to_vector(lower_);
    form.upper = to_vector(upper_);
    form.compliance = to_vector(compliance_);
  }

  Random& random_;
  Family family_;
  Index width_;
  Triplets M_, H_, G_;
  std::vector<double> b_, d_, mu_, mu2_, hf_, lower_, upper_, compliance_;
};

/// One of each kind in turn.
inline FactorForm make_random_form(int seed) {
  Random random(static_cast<std::uint64_t>(seed));
  RandomFactorForm::Family family{.dimension = seed % 2 == 0 ? 3 : 2,
                                  .laws = seed % 3 != 0,
                                  .redundant = seed % 4 < 2,
                                  .coupled = seed % 5 == 1,
                                  .diagonal = seed % 5 == 2,
                                  .skew = seed % 7 < 3 ? 0.0 : 0.2,
                                  .alpha = seed % 6 == 5 ? 0.5 : 1.0};
  if (seed % 8 == 7) family.joints = 0;
  return RandomFactorForm(random, family).form;
}

}  // namespace stiction::cone
