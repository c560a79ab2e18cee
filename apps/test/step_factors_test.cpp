// The factors of a step against what dense matrices make of the same step, with every law.
#include "apps/step_factors.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "stiction/cone/cascade.h"
#include "stiction/scene/scene.h"
#include "stiction/sim/simulator.h"

namespace stiction::apps {
namespace {

using cone::DenseMatrix;
using cone::Index;

/// An island as u = W r + q, by dense matrices: three rows a part, which is a contact with a normal, friction whose
/// radius is not mu times the impulse of that normal, or a drive with two bounds. Those two have a normal row that is
/// no motion but a copy of their radius, d (r_n - mu c_n - hf), d their largest diagonal entry (decision 22).
class DenseTwin {
 public:
  DenseTwin(const StepProblem& problem, const Islands& islands, int island)
      : problem_(problem), islands_(islands), velocities_(islands.velocities(island)) {
    for (const int j : islands.contacts(island)) {
      const StepProblem::Contact& contact = problem.contacts[j];
      const bool rubs = contact.tangents > 0 && (contact.mu > 0.0 || contact.hf > 0.0);
      const bool is_plain = problem.has_normal(j) && !(contact.hf > 0.0);
      if (problem.has_normal(j)) add_part({.contact = j, .bears = true, .rubs = rubs && is_plain});
      if (rubs && !is_plain) add_part({.contact = j, .rubs = true, .hf = contact.hf});
    }
    for (const int i : islands.joints(island)) {
      const StepProblem::RowLaw law = problem.row_law(i);
      if (law.is_joint())
        joints_.push_back(i);
      else
        add_part(
            {.drive = i, .rubs = true, .hf = 0.5 * (law.upper - law.lower), .center = 0.5 * (law.upper + law.lower)});
    }
    condense();
  }

  DenseMatrix W;
  cone::Vector q, mu;

  [[nodiscard]] Index contacts() const { return mu.size(); }

 private:
  struct Part {
    int contact = -1, drive = -1;
    bool bears = false, rubs = false;
    double hf = 0.0, center = 0.0;
  };

  void add_part(const Part& part) { parts_.push_back(part); }

  [[nodiscard]] cone::Vector row_of(const linalg::Rows& rows, int row) const {
    cone::Vector dense = cone::Vector::Zero(static_cast<Index>(velocities_.size()));
    for (std::size_t p = 0; p < rows.columns(row).size(); ++p)
      dense[islands_.local(rows.columns(row)[p])] = rows.values(row)[p];
    return dense;
  }

  void condense() {
    const auto nv = static_cast<Index>(velocities_.size()), nj = static_cast<Index>(joints_.size());
    const auto size = 3 * static_cast<Index>(parts_.size());
    DenseMatrix K = DenseMatrix::Zero(nv + nj, nv + nj), J = DenseMatrix::Zero(size, nv + nj);
    cone::Vector right = cone::Vector::Zero(nv + nj), v(nv), b = cone::Vector::Zero(size);
    for (Index i = 0; i < nv; ++i) v[i] = problem_.v[velocities_[static_cast<std::size_t>(i)]];
    for (Index i = 0; i < nv; ++i) {
      const int global = velocities_[static_cast<std::size_t>(i)];
      for (SparseMatrix::InnerIterator it(problem_.M, global); it; ++it)
        K(islands_.local(static_cast<int>(it.row())), i) = it.value();
      right[i] = problem_.k[global];
    }
    right.head(nv) += K.topLeftCorner(nv, nv) * v;
    for (Index i = 0; i < nj; ++i) {
      const int row = joints_[static_cast<std::size_t>(i)];
      const cone::Vector nu = row_of(problem_.nu, row);
      K.col(nv + i).head(nv) = -nu;
      K.row(nv + i).head(nv) = problem_.alpha * nu.transpose();
      K(nv + i, nv + i) = problem_.row_law(row).compliance;
      right[nv + i] = -problem_.b_nu[row] - (1.0 - problem_.alpha) * nu.dot(v);
    }
    const auto set_row = [&](Index at, const linalg::Rows& rows, int row, double offset) {
      J.row(at).head(nv) = row_of(rows, row).transpose();
      b[at] = offset;
    };
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const Part& part = parts_[p];
      const Index at = 3 * static_cast<Index>(p);
      if (part.drive >= 0) {
        set_row(at + 1, problem_.nu, part.drive, problem_.b_nu[part.drive]);
        b[at + 1] += problem_.row_law(part.drive).compliance * part.center;
        right.head(nv) += part.center * row_of(problem_.nu, part.drive);
        continue;
      }
      if (part.bears) set_row(at, problem_.n, part.contact, problem_.b_n[part.contact]);
      if (!part.rubs) continue;
      set_row(at + 1, problem_.t1, part.contact, problem_.b_t1[part.contact]);
      set_row(at + 2, problem_.t2, part.contact, problem_.b_t2[part.contact]);
    }
    const Eigen::FullPivLU<DenseMatrix> lu(K);
    const cone::Vector free = lu.solve(right);
    W = problem_.alpha * J * lu.solve(J.transpose());
    q = b + J.leftCols(nv) * (problem_.alpha * free.head(nv) + (1.0 - problem_.alpha) * v);
    mu.setZero(static_cast<Index>(parts_.size()));
    for (std::size_t p = 0; p < parts_.size(); ++p) copy_radius(p);
  }

  void copy_radius(std::size_t at) {
    const Part& part = parts_[at];
    const Index c = static_cast<Index>(at), n = 3 * c;
    if (part.rubs) mu[c] = part.bears ? problem_.contacts[part.contact].mu : 1.0;
    if (part.bears) return;
    const double d = std::max(W(n + 1, n + 1), W(n + 2, n + 2));
    if (part.drive >= 0) W(n + 1, n + 1) += problem_.row_law(part.drive).compliance;
    W(n, n) = d;
    q[n] = -d * part.hf;
    if (part.contact < 0 || !(problem_.contacts[part.contact].mu > 0.0)) return;
    for (std::size_t p = 0; p < parts_.size(); ++p)
      if (parts_[p].bears && parts_[p].contact == problem_.normal_of(part.contact))
        W(n, 3 * static_cast<Index>(p)) = -d * problem_.contacts[part.contact].mu;
  }

  const StepProblem& problem_;
  const Islands& islands_;
  std::span<const int> velocities_;
  std::vector<Part> parts_;
  std::vector<int> joints_;
};

class StepFactors : public testing::Test {
 protected:
  StepFactors()
      : path_(std::filesystem::path(testing::TempDir()) /
              (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".json")) {}
  ~StepFactors() override { std::filesystem::remove(path_); }
  StepFactors(const StepFactors&) = delete;
  StepFactors& operator=(const StepFactors&) = delete;

  /// Runs a few steps, then compares all islands of the last; how many had contacts.
  int compare(const std::string& text, int steps) {
    std::ofstream(path_) << text;
    const Result<Scene> scene = read_scene(path_.string(), {});
    EXPECT_TRUE(scene.ok()) << scene.error();
    if (!scene) return 0;
    Simulator simulator(scene.value().model, scene.value().settings.simulation);
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(simulator.step()) << simulator.why();
    const StepProblem& problem = simulator.last_problem();
    Islands islands;
    islands.split(problem);
    int compared = 0;
    for (int island = 0; island < islands.size(); ++island) {
      if (islands.contacts(island).empty()) continue;
      compare(problem, islands, island);
      ++compared;
    }
    return compared;
  }

  void compare(const StepProblem& problem, const Islands& islands, int island) {
    const DenseTwin expected(problem, islands, island);
    const Result<cone::Problem> found = cone::condense(find_factors(problem, islands, island));
    ASSERT_TRUE(found.ok()) << found.error();
    ASSERT_EQ(found.value().contacts(), expected.contacts());
    const Index width = found.value().dimension;
    const DenseMatrix W = found.value().W.to_dense();
    const DenseMatrix& twin = expected.W;
    const double size = twin.cwiseAbs().maxCoeff(), speed = expected.q.cwiseAbs().maxCoeff();
    for (Index i = 0; i < expected.q.size(); ++i) {
      const bool is_there = i % 3 < width && twin(i, i) != 0.0;  // the twin has no rows without friction
      if (!is_there) continue;
      const Index row = i / 3 * width + i % 3;
      EXPECT_NEAR(found.value().q[row], expected.q[i], 1e-6 * speed) << i;
      for (Index j = 0; j < expected.q.size(); ++j)
        if (j % 3 < width && twin(j, j) != 0.0) {
          EXPECT_NEAR(W(row, j / 3 * width + j % 3), twin(i, j), 1e-6 * size) << i << " " << j;
        }
    }
    for (Index c = 0; c < expected.contacts(); ++c) EXPECT_EQ(found.value().mu[c], expected.mu[c]) << c;
    cone::Cascade cascade;
    cone::Solution solution;
    cascade.solve(found.value(), solution);
    EXPECT_EQ(solution.status, cone::Status::solved);
    has_borne_ |= expected.contacts() > static_cast<Index>(islands.contacts(island).size());
    for (const int j : islands.contacts(island)) has_borne_ |= !problem.has_normal(j);
  }

  std::filesystem::path path_;
  bool has_borne_ = false;
};

TEST_F(StepFactors, ABallThatRollsAndSpins) {
  EXPECT_EQ(compare(R"({"stiction": 1, "name": "ball",
    "materials": {"default": {"mu": 0.4, "spin_friction": 0.01, "roll_friction": 0.02}},
    "bodies": [{"name": "floor", "fixed": true, "shape": {"type": "half_space"}},
               {"name": "ball", "mass": 2, "position": [0, 0, 0.1], "velocity": [1, 0, 0], "angular_velocity": [0, 3, 5],
                "shape": {"type": "sphere", "radius": 0.1}}],
    "simulation": {"h": 0.005, "end": 1}})",
                    3),
            1);
  EXPECT_TRUE(has_borne_);
}

TEST_F(StepFactors, ACartWithAMotorThatTouches) {
  EXPECT_EQ(compare(R"({"stiction": 1, "name": "cart", "materials": {"default": {"mu": 0.4}},
    "bodies": [{"name": "floor", "fixed": true, "shape": {"type": "half_space"}},
               {"name": "cart", "mass": 2, "position": [0, 0, 0.2], "shape": {"type": "box", "size": [0.4, 0.4, 0.4]}},
               {"name": "load", "mass": 1, "position": [0, 0, 0.5], "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}}],
    "joints": [{"name": "drive", "type": "prismatic", "body": "cart", "axis": [1, 0, 0],
                "motor": {"velocity": 10, "max_force": 5}}],
    "simulation": {"h": 0.005, "end": 1}})",
                    3),
            1);
  EXPECT_TRUE(has_borne_);
}

}  // namespace
}  // namespace stiction::apps
