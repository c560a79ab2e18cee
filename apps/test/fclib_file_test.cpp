// FCLIB's HDF5, written here as its documentation says, read back, and solved where the answer is known.
#include "apps/fclib_file.h"

#include <gtest/gtest.h>

#include <hdf5.h>

#include <filesystem>
#include <string>
#include <vector>

#include "stiction/cone/cascade.h"
#include "stiction/cone/factor_solver.h"

namespace stiction::apps {
namespace {

class FclibFile : public testing::Test {
 protected:
  FclibFile()
      : path_(std::filesystem::path(testing::TempDir()) /
              (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".hdf5")) {
    file_ = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  }
  ~FclibFile() override { std::filesystem::remove(path_); }
  FclibFile(const FclibFile&) = delete;
  FclibFile& operator=(const FclibFile&) = delete;

  void group(const std::string& name) {
    H5Gclose(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  void put(const std::string& name, hid_t type, const void* numbers, hsize_t count) {
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    const hid_t data = H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
    H5Dclose(data);
    H5Sclose(space);
  }
  void put(const std::string& name, const std::vector<int>& numbers) {
    put(name, H5T_NATIVE_INT, numbers.data(), numbers.size());
  }
  void put(const std::string& name, const std::vector<double>& numbers) {
    put(name, H5T_NATIVE_DOUBLE, numbers.data(), numbers.size());
  }
  void put_matrix(const std::string& name, int rows, int columns, int nz, const std::vector<int>& p,
                  const std::vector<int>& i, const std::vector<double>& x) {
    group(name);
    put(name + "/m", std::vector<int>{rows});
    put(name + "/n", std::vector<int>{columns});
    put(name + "/nz", std::vector<int>{nz});
    put(name + "/nzmax", std::vector<int>{static_cast<int>(x.size())});
    put(name + "/p", p);
    put(name + "/i", i);
    put(name + "/x", x);
  }
  /// A local problem of one contact but for its W.
  void begin_local() {
    group("/fclib_local");
    put("/fclib_local/spacedim", std::vector<int>{3});
    group("/fclib_local/vectors");
    put("/fclib_local/vectors/q", std::vector<double>{-1.0, 3.0, 4.0});
    put("/fclib_local/vectors/mu", std::vector<double>{0.5});
  }
  Result<cone::Problem> read() {
    H5Fclose(file_);
    const Result<cone::StoredProblem> stored = read_fclib(path_);
    if (!stored) return Error{stored.error()};
    if (const auto* form = std::get_if<cone::FactorForm>(&stored.value())) return condense(*form);
    return std::get<cone::Problem>(stored.value());
  }
  static cone::Vector solve(const cone::Problem& problem) {
    cone::Cascade cascade;
    cone::Solution solution;
    cascade.solve(problem, solution);
    EXPECT_EQ(solution.status, cone::Status::solved);
    return solution.r;
  }

  std::filesystem::path path_;
  hid_t file_ = -1;
};

// W = [2 1 0; 0.5 3 0; 0 0 4], not symmetric, so that rows and columns cannot be taken for each other.
void expect_the_matrix(const Result<cone::Problem>& problem) {
  ASSERT_TRUE(problem.ok()) << problem.error();
  const cone::Problem& read = problem.value();
  EXPECT_EQ(read.dimension, 3);
  EXPECT_EQ(read.contacts(), 1);
  const cone::DenseMatrix expected{{2.0, 1.0, 0.0}, {0.5, 3.0, 0.0}, {0.0, 0.0, 4.0}};
  EXPECT_EQ(read.W.to_dense(), expected);
  EXPECT_EQ(read.q, Eigen::Vector3d(-1.0, 3.0, 4.0));
  EXPECT_EQ(read.mu[0], 0.5);
}

// As cs_entry of CSparse stores them, and so Siconos: i the rows, p the columns.
TEST_F(FclibFile, Triplets) {
  begin_local();
  put_matrix("/fclib_local/W", 3, 3, 5, {0, 1, 0, 1, 2}, {0, 0, 1, 1, 2}, {2.0, 1.0, 0.5, 3.0, 4.0});
  expect_the_matrix(read());
}

// FCLIB writes nzmax values beside nz indices.
TEST_F(FclibFile, TripletsWithRoomToSpare) {
  begin_local();
  put_matrix("/fclib_local/W", 3, 3, 5, {0, 1, 0, 1, 2}, {0, 0, 1, 1, 2}, {2.0, 1.0, 0.5, 3.0, 4.0, 7.0, 7.0});
  expect_the_matrix(read());
}

// One contact pushes the other along: the answer for W is not the answer for its transpose.
TEST_F(FclibFile, AMatrixThatIsNotSymmetricIsSolvedAsItStands) {
  group("/fclib_local");
  put("/fclib_local/spacedim", std::vector<int>{2});
  group("/fclib_local/vectors");
  put("/fclib_local/vectors/q", std::vector<double>{-1.0, 0.0, -1.0, 0.0});
  put("/fclib_local/vectors/mu", std::vector<double>{0.0, 0.0});
  // u_n of contact 0 = r0 + r1 / 2 - 1, of contact 1 = r1 - 1.
  put_matrix("/fclib_local/W", 4, 4, 5, {0, 2, 1, 2, 3}, {0, 0, 1, 2, 3}, {1.0, 0.5, 1.0, 1.0, 1.0});
  const Result<cone::Problem> problem = read();
  ASSERT_TRUE(problem.ok()) << problem.error();
  EXPECT_LT((solve(problem.value()) - Eigen::Vector4d(0.5, 0.0, 1.0, 0.0)).norm(), 1e-7);
}

TEST_F(FclibFile, Columns) {
  begin_local();
  put_matrix("/fclib_local/W", 3, 3, -1, {0, 2, 4, 5}, {0, 1, 0, 1, 2}, {2.0, 0.5, 1.0, 3.0, 4.0});
  expect_the_matrix(read());
}

TEST_F(FclibFile, Rows) {
  begin_local();
  put_matrix("/fclib_local/W", 3, 3, -2, {0, 2, 4, 5}, {0, 1, 0, 1, 2}, {2.0, 1.0, 0.5, 3.0, 4.0});
  expect_the_matrix(read());
}

// A block of 2 kg that slides: r_n = m u_n, friction m mu against (3, 4) / 5.
TEST_F(FclibFile, AGlobalProblemOfASlidingBlock) {
  group("/fclib_global");
  put("/fclib_global/spacedim", std::vector<int>{3});
  put_matrix("/fclib_global/M", 3, 3, 3, {0, 1, 2}, {0, 1, 2}, {2.0, 2.0, 2.0});
  put_matrix("/fclib_global/H", 3, 3, 3, {0, 1, 2}, {0, 1, 2}, {1.0, 1.0, 1.0});
  group("/fclib_global/vectors");
  put("/fclib_global/vectors/f", std::vector<double>{-2.0, 6.0, 8.0});
  put("/fclib_global/vectors/w", std::vector<double>{0.0, 0.0, 0.0});
  put("/fclib_global/vectors/mu", std::vector<double>{0.5});
  const Result<cone::Problem> problem = read();
  ASSERT_TRUE(problem.ok()) << problem.error();
  EXPECT_LT((solve(problem.value()) - Eigen::Vector3d(2.0, -0.6, -0.8)).norm(), 1e-7);
}

TEST_F(FclibFile, AGlobalProblemStaysFactors) {
  group("/fclib_global");
  put("/fclib_global/spacedim", std::vector<int>{3});
  put_matrix("/fclib_global/M", 3, 3, 3, {0, 1, 2}, {0, 1, 2}, {2.0, 2.0, 2.0});
  put_matrix("/fclib_global/H", 3, 3, 3, {0, 1, 2}, {0, 1, 2}, {1.0, 1.0, 1.0});
  group("/fclib_global/vectors");
  put("/fclib_global/vectors/f", std::vector<double>{-2.0, 6.0, 8.0});
  put("/fclib_global/vectors/w", std::vector<double>{0.0, 0.0, 0.0});
  put("/fclib_global/vectors/mu", std::vector<double>{0.5});
  H5Fclose(file_);
  const Result<cone::StoredProblem> stored = read_fclib(path_);
  ASSERT_TRUE(stored.ok()) << stored.error();
  ASSERT_TRUE(std::holds_alternative<cone::FactorForm>(stored.value()));
  cone::FactorSolver solver;
  ASSERT_EQ(solver.prepare(std::get<cone::FactorForm>(stored.value())), "");
  cone::Solution solution;
  solver.solve(solution);
  EXPECT_EQ(solution.status, cone::Status::solved);
  EXPECT_LT((solution.r - Eigen::Vector3d(2.0, -0.6, -0.8)).norm(), 1e-12);
}

// The same block with five velocities, two of them of a body that nothing touches, so that H is not square; and with
// all three storages.
TEST_F(FclibFile, AGlobalProblemWhoseHIsNotSquare) {
  group("/fclib_global");
  put("/fclib_global/spacedim", std::vector<int>{3});
  put_matrix("/fclib_global/M", 5, 5, 5, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}, {2.0, 2.0, 2.0, 5.0, 5.0});
  // Column 0 pushes velocity 2, column 1 velocity 0, column 2 velocity 1.
  put_matrix("/fclib_global/H", 5, 3, 3, {0, 1, 2}, {2, 0, 1}, {1.0, 1.0, 1.0});
  group("/fclib_global/vectors");
  put("/fclib_global/vectors/f", std::vector<double>{6.0, 8.0, -2.0, 1.0, 1.0});
  put("/fclib_global/vectors/w", std::vector<double>{0.0, 0.0, 0.0});
  put("/fclib_global/vectors/mu", std::vector<double>{0.5});
  const Result<cone::Problem> problem = read();
  ASSERT_TRUE(problem.ok()) << problem.error();
  EXPECT_LT((solve(problem.value()) - Eigen::Vector3d(2.0, -0.6, -0.8)).norm(), 1e-7);
}

// A block of 2 kg over which a joint holds a second one of 2 kg: the contact feels 4 kg. G has two columns that say the
// same.
TEST_F(FclibFile, AGlobalProblemWithJoints) {
  group("/fclib_global");
  put("/fclib_global/spacedim", std::vector<int>{2});
  put_matrix("/fclib_global/M", 4, 4, -1, {0, 1, 2, 3, 4}, {0, 1, 2, 3}, {2.0, 2.0, 2.0, 2.0});
  put_matrix("/fclib_global/H", 4, 2, -2, {0, 1, 2, 2, 2}, {0, 1}, {1.0, 1.0});
  put_matrix("/fclib_global/G", 4, 2, 4, {0, 0, 1, 1}, {0, 2, 0, 2}, {1.0, -1.0, 2.0, -2.0});
  group("/fclib_global/vectors");
  put("/fclib_global/vectors/f", std::vector<double>{-2.0, 0.0, -2.0, 0.0});
  put("/fclib_global/vectors/w", std::vector<double>{0.0, 0.0});
  put("/fclib_global/vectors/b", std::vector<double>{0.0, 0.0});
  put("/fclib_global/vectors/mu", std::vector<double>{0.5});
  const Result<cone::Problem> problem = read();
  ASSERT_TRUE(problem.ok()) << problem.error();
  EXPECT_LT((solve(problem.value()) - Eigen::Vector2d(4.0, 0.0)).norm(), 1e-7);
}

// u = r + V l + q with V'r + R l + s = 0: one equation that adds r_n to u_n, so that W_nn = 2 and r_n halves.
TEST_F(FclibFile, EqualitiesOfALocalProblemAreEliminated) {
  begin_local();
  put_matrix("/fclib_local/W", 3, 3, 3, {0, 1, 2}, {0, 1, 2}, {1.0, 1.0, 1.0});
  put_matrix("/fclib_local/V", 3, 1, 1, {0}, {0}, {1.0});
  put_matrix("/fclib_local/R", 1, 1, 1, {0}, {0}, {-1.0});
  put("/fclib_local/vectors/s", std::vector<double>{0.0});
  const Result<cone::Problem> problem = read();
  ASSERT_TRUE(problem.ok()) << problem.error();
  EXPECT_LT((solve(problem.value()) - Eigen::Vector3d(0.5, -0.15, -0.2)).norm(), 1e-7);
}

// Two equations that contradict each other beside one that asks for 1e10 times as much.
TEST_F(FclibFile, EqualitiesThatContradictEachOtherAreSeenBesideLargeOnes) {
  begin_local();
  put_matrix("/fclib_local/W", 3, 3, 3, {0, 1, 2}, {0, 1, 2}, {1.0, 1.0, 1.0});
  put_matrix("/fclib_local/V", 3, 3, 1, {0}, {0}, {1.0});
  put_matrix("/fclib_local/R", 3, 3, 5, {0, 1, 1, 2, 2}, {0, 1, 2, 1, 2}, {-1.0, -1.0, -1.0, -1.0, -1.0});
  put("/fclib_local/vectors/s", std::vector<double>{1e10, 0.5, -0.5});
  const Result<cone::Problem> problem = read();
  ASSERT_FALSE(problem.ok());
  EXPECT_NE(problem.error().find("contradict"), std::string::npos) << problem.error();
}

// A thousand contacts, each with an equation of its own: as dense matrices these were 16 million numbers.
TEST_F(FclibFile, EqualitiesOfManyGroupsStaySparse) {
  constexpr int contacts = 1000;
  group("/fclib_local");
  put("/fclib_local/spacedim", std::vector<int>{3});
  group("/fclib_local/vectors");
  std::vector<double> q, mu(contacts, 0.5), W(3 * contacts, 1.0), V(contacts, 1.0), R(contacts, -1.0), s(contacts, 0.0);
  std::vector<int> all, first, own;
  for (int c = 0; c < contacts; ++c) {
    for (const double speed : {-1.0, 3.0, 4.0}) q.push_back(speed);
    for (int k = 0; k < 3; ++k) all.push_back(3 * c + k);
    first.push_back(3 * c);
    own.push_back(c);
  }
  put("/fclib_local/vectors/q", q);
  put("/fclib_local/vectors/mu", mu);
  put("/fclib_local/vectors/s", s);
  put_matrix("/fclib_local/W", 3 * contacts, 3 * contacts, 3 * contacts, all, all, W);
  put_matrix("/fclib_local/V", 3 * contacts, contacts, contacts, own, first, V);
  put_matrix("/fclib_local/R", contacts, contacts, contacts, own, own, R);
  const Result<cone::Problem> problem = read();
  ASSERT_TRUE(problem.ok()) << problem.error();
  ASSERT_FALSE(problem.value().W.is_dense());
  EXPECT_LE(problem.value().W.sparse().nonZeros(), 3 * contacts);
  const cone::Vector r = solve(problem.value());
  for (const Eigen::Index c : {0, contacts / 2, contacts - 1})
    EXPECT_LT((r.segment(3 * c, 3) - Eigen::Vector3d(0.5, -0.15, -0.2)).norm(), 1e-7);
}

TEST_F(FclibFile, EqualitiesWithTooManyEntriesAreRefused) {
  begin_local();
  put_matrix("/fclib_local/W", 3, 3, 3, {0, 1, 2}, {0, 1, 2}, {1.0, 1.0, 1.0});
  put_matrix("/fclib_local/V", 3, 1, 1, {0}, {0}, {1.0});
  put_matrix("/fclib_local/R", 1, 1, 1, {0}, {0}, {-1.0});
  put("/fclib_local/vectors/s", std::vector<double>{0.0});
  ASSERT_TRUE(read().ok());
  EXPECT_TRUE(read_fclib(path_, {.entries = 4}).ok());
  const Result<cone::StoredProblem> problem = read_fclib(path_, {.entries = 3});
  ASSERT_FALSE(problem.ok());
  EXPECT_NE(problem.error().find("entries of W: 4, at most 3"), std::string::npos) << problem.error();
}

// 0 = r_n with R = 0: an equation that binds r, whatever l is. It was left out without a word.
TEST_F(FclibFile, EqualitiesThatBindForcesAreRefused) {
  begin_local();
  put_matrix("/fclib_local/W", 3, 3, 3, {0, 1, 2}, {0, 1, 2}, {1.0, 1.0, 1.0});
  put_matrix("/fclib_local/V", 3, 1, 1, {0}, {0}, {1.0});
  put_matrix("/fclib_local/R", 1, 1, 1, {0}, {0}, {0.0});
  put("/fclib_local/vectors/s", std::vector<double>{0.0});
  const Result<cone::Problem> problem = read();
  ASSERT_FALSE(problem.ok());
  EXPECT_NE(problem.error().find("these equality constraints bind r itself"), std::string::npos) << problem.error();
}

TEST_F(FclibFile, WhatIsWrongIsTold) {
  begin_local();
  put_matrix("/fclib_local/W", 3, 3, 2, {0, 7}, {0, 1}, {2.0, 1.0});
  const Result<cone::Problem> problem = read();
  ASSERT_FALSE(problem.ok());
  EXPECT_NE(problem.error().find("/fclib_local/W: 3 by 3, nz 2: p[1] is 7, expected a column from 0 to 2"),
            std::string::npos)
      << problem.error();
}

TEST_F(FclibFile, WhatIsMissingIsNamed) {
  const std::vector<std::string> all{"spacedim", "M", "H", "vectors/f", "vectors/w", "vectors/mu", "vectors/b"};
  for (const std::string& missing : all) {
    group("/fclib_global");
    group("/fclib_global/vectors");
    for (const std::string& key : all) {
      if (key == missing) continue;
      const std::string place = "/fclib_global/" + key;
      if (key == "spacedim") put(place, std::vector<int>{3});
      if (key == "M" || key == "H") put_matrix(place, 3, 3, 3, {0, 1, 2}, {0, 1, 2}, {1.0, 1.0, 1.0});
      if (key == "vectors/mu" || key == "vectors/b") put(place, std::vector<double>{0.5});
      if (key == "vectors/f" || key == "vectors/w") put(place, std::vector<double>{1.0, 0.0, 0.0});
    }
    put_matrix("/fclib_global/G", 3, 1, 1, {0}, {0}, {1.0});
    const Result<cone::Problem> problem = read();
    ASSERT_FALSE(problem.ok()) << missing;
    EXPECT_NE(problem.error().find(": /fclib_global/" + missing + ": missing"), std::string::npos) << problem.error();
    file_ = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  }
  begin_local();
  put_matrix("/fclib_local/W", 3, 3, 3, {0, 1, 2}, {0, 1, 2}, {1.0, 1.0, 1.0});
  group("/fclib_local/V");
  put_matrix("/fclib_local/R", 1, 1, 1, {0}, {0}, {-1.0});
  put("/fclib_local/vectors/s", std::vector<double>{0.0});
  EXPECT_NE(read().error().find("/fclib_local/V/m: missing"), std::string::npos);
}

TEST_F(FclibFile, SizesThatDoNotAgreeAreNamed) {
  begin_local();
  put_matrix("/fclib_local/W", 3, 3, 3, {0, 1, 2}, {0, 1, 2}, {1.0, 1.0, 1.0});
  put_matrix("/fclib_local/V", 2, 1, 1, {0}, {0}, {1.0});
  put_matrix("/fclib_local/R", 1, 1, 1, {0}, {0}, {-1.0});
  put("/fclib_local/vectors/s", std::vector<double>{0.0});
  const Result<cone::Problem> problem = read();
  ASSERT_FALSE(problem.ok());
  EXPECT_NE(problem.error().find("W is 3 by 3, V 2 by 1, R 1 by 1, q has 3 numbers and s 1"), std::string::npos)
      << problem.error();
}

TEST_F(FclibFile, IndicesThatAreNotWholeAreRefused) {
  begin_local();
  group("/fclib_local/W");
  for (const char* name : {"m", "n", "nz"}) put(std::string("/fclib_local/W/") + name, std::vector<int>{3});
  put("/fclib_local/W/p", std::vector<double>{0.0, 1.5, 2.0});
  put("/fclib_local/W/i", std::vector<int>{0, 1, 2});
  put("/fclib_local/W/x", std::vector<double>{1.0, 1.0, 1.0});
  const Result<cone::Problem> problem = read();
  ASSERT_FALSE(problem.ok());
  EXPECT_NE(problem.error().find("/fclib_local/W/p: not whole numbers"), std::string::npos) << problem.error();
}

TEST_F(FclibFile, RollingFrictionIsRefusedByName) {
  group("/fclib_global_rolling");
  const Result<cone::Problem> problem = read();
  ASSERT_FALSE(problem.ok());
  EXPECT_NE(problem.error().find("rolling friction"), std::string::npos) << problem.error();
}

TEST_F(FclibFile, AnotherFileIsRefused) {
  group("/something");
  const Result<cone::Problem> problem = read();
  ASSERT_FALSE(problem.ok());
  EXPECT_NE(problem.error().find("/fclib_local"), std::string::npos) << problem.error();
  EXPECT_FALSE(read_fclib("no such file.hdf5").ok());
}

}  // namespace
}  // namespace stiction::apps
