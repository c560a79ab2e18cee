#include "stiction/cone/factor_islands.h"

#include <gtest/gtest.h>

#include "stiction/cone/test/random_factor_form.h"

namespace stiction::cone {
namespace {

/// Two forms beside each other, the velocities, contacts and rows of the second between those of the first.
FactorForm interleave(const FactorForm& first, const FactorForm& second) {
  const Index nv = first.velocities() + second.velocities(), cut = 6;  // a body of the first, then all of the second
  const auto move = [&](const FactorForm& form, Index i) {
    if (&form == &second) return cut + i;
    return i < cut ? i : i + second.velocities();
  };
  FactorForm form{.dimension = 3};
  form.f.resize(nv);
  form.v0.resize(nv);
  std::vector<Eigen::Triplet<double>> M, H, G;
  const Index contacts = first.contacts() + second.contacts(), rows = first.rows() + second.rows();
  form.b.resize(3 * contacts);
  form.mu.resize(contacts);
  form.mu2.resize(contacts);
  form.hf.resize(contacts);
  form.d.resize(rows);
  form.lower.resize(rows);
  form.upper.resize(rows);
  form.compliance.resize(rows);
  Index contact = 0, row = 0;
  for (const FactorForm* part : {&first, &second}) {
    for (Index i = 0; i < part->velocities(); ++i) {
      form.f[move(*part, i)] = part->f[i];
      form.v0[move(*part, i)] = part->v0[i];
      for (SparseMatrix::InnerIterator it(part->M, i); it; ++it)
        M.emplace_back(move(*part, it.row()), move(*part, i), it.value());
    }
    for (Index c = 0; c < part->contacts(); ++c) {
      const int bearer = part->bearer[static_cast<std::size_t>(c)];
      form.bearer.push_back(bearer < 0 ? bearer : bearer + static_cast<int>(contact));
    }
    for (Index c = 0; c < part->contacts(); ++c) {
      const Index at = contact + c;
      form.mu[at] = part->mu[c];
      form.mu2[at] = part->mu2[c];
      form.hf[at] = part->hf[c];
      for (Index axis = 0; axis < 3; ++axis) {
        form.b[3 * at + axis] = part->b[3 * c + axis];
        for (SparseMatrix::InnerIterator it(part->H, 3 * c + axis); it; ++it)
          H.emplace_back(move(*part, it.row()), 3 * at + axis, it.value());
      }
    }
    contact += part->contacts();
    for (Index i = 0; i < part->rows(); ++i, ++row) {
      form.d[row] = part->d[i];
      form.lower[row] = part->lower[i];
      form.upper[row] = part->upper[i];
      form.compliance[row] = part->compliance[i];
      for (SparseMatrix::InnerIterator it(part->G, i); it; ++it) G.emplace_back(move(*part, it.row()), row, it.value());
    }
  }
  form.M.resize(nv, nv);
  form.M.setFromTriplets(M.begin(), M.end());
  form.H.resize(nv, 3 * contacts);
  form.H.setFromTriplets(H.begin(), H.end());
  form.G.resize(nv, rows);
  form.G.setFromTriplets(G.begin(), G.end());
  return form;
}

// What was put beside each other is found again: W of the whole has the blocks of the islands, and nothing between.
TEST(FactorIslands, AreThePartsOfTheWhole) {
  int more_than_one = 0;
  for (int seed = 2; seed <= 32; seed += 6) {
    const FactorForm whole = interleave(make_random_form(seed), make_random_form(seed + 2));
    ASSERT_EQ(find_defect(whole), "") << seed;
    const std::vector<FactorPart> parts = find_parts(whole);
    const std::vector<FactorIsland> islands = split_islands(whole, parts);
    more_than_one += islands.size() > 1;
    const Problem all = condense(whole).value();
    DenseMatrix W = all.W.to_dense();
    std::size_t count = 0;
    for (const FactorIsland& island : islands) {
      ASSERT_EQ(find_defect(island.form), "") << seed;
      const Problem own = condense(island.form).value();
      ASSERT_EQ(own.contacts(), static_cast<Index>(island.parts.size()));
      std::vector<Index> rows;
      for (const Index part : island.parts)
        for (Index axis = 0; axis < 3; ++axis) rows.push_back(3 * part + axis);
      EXPECT_LT((own.W.to_dense() - W(rows, rows)).norm(), 1e-9 * W.norm()) << seed;
      EXPECT_LT((own.q - all.q(rows)).norm(), 1e-9 * (1.0 + all.q.norm())) << seed;
      EXPECT_EQ(own.mu, Vector(all.mu(island.parts)));
      W(rows, rows).setZero();
      Vector r = Vector::Zero(all.size()), numbers = Vector::LinSpaced(own.size(), 1.0, 2.0);
      scatter(island, numbers, r);
      EXPECT_EQ(Vector(r(rows)), numbers);
      count += island.parts.size();
    }
    EXPECT_EQ(count, parts.size());
    EXPECT_LT(W.norm(), 1e-9 * all.W.to_dense().norm()) << "nothing between islands";
  }
  EXPECT_EQ(more_than_one, 6);
}

TEST(FactorIslands, WhatHasNoContactIsLeftOut) {
  FactorForm form{.dimension = 2};
  form.M.resize(3, 3);
  form.M.setIdentity();
  form.f = Vector::Zero(3);
  form.H.resize(3, 2);
  form.H.insert(1, 0) = 1.0;
  form.b = Vector::Zero(2);
  form.mu = Vector::Zero(1);
  form.G.resize(3, 1);
  form.G.insert(2, 0) = 1.0;
  form.d = Vector::Zero(1);
  form.bodies = {1, 2};
  std::vector<FactorIsland> islands = split_islands(form, find_parts(form));
  ASSERT_EQ(islands.size(), 1U);
  EXPECT_EQ(islands[0].form.velocities(), 2) << "a block of `bodies` stays whole";
  EXPECT_EQ(islands[0].form.rows(), 1);
  EXPECT_EQ(islands[0].form.bodies, std::vector<int>{2});
  form.bodies.clear();
  islands = split_islands(form, find_parts(form));
  ASSERT_EQ(islands.size(), 1U);
  EXPECT_EQ(islands[0].form.velocities(), 1);
  EXPECT_EQ(islands[0].form.rows(), 0);
}

}  // namespace
}  // namespace stiction::cone
