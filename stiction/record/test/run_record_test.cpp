#include "stiction/record/run_record.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "stiction/base/file.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

using Row = std::vector<std::string>;

/// Rows of cells. No cell here has a comma inside.
std::vector<Row> read_table(const fs::path& path) {
  std::vector<Row> rows;
  std::istringstream lines(read_file(path, 1 << 24).value());
  for (std::string line; std::getline(lines, line);) {
    Row row;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    rows.push_back(row);
  }
  return rows;
}

double number(const std::vector<Row>& table, std::size_t row, const std::string& column) {
  const auto at = std::find(table[0].begin(), table[0].end(), column) - table[0].begin();
  return std::strtod(table[row][static_cast<std::size_t>(at)].c_str(), nullptr);
}

/// A ball that falls on the ground beside one that slides on it.
Model make_model() {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.5, .restitution = 0.5});
  builder.add_body({.name = "falls", .mass = 1.0, .shape = Sphere{.radius = 0.1}, .position = {0.0, 0.0, 0.105}});
  builder.add_body({.name = "slides",
                    .mass = 2.0,
                    .shape = Sphere{.radius = 0.1},
                    .position = {0.0, 2.0, 0.1},
                    .velocity = {3.0, 0.0, 0.0}});
  return builder.build().value();
}

class RunRecordTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("stiction_record_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(RunRecordTest, TablesHoldTheRun) {
  Simulator simulator(make_model(), {.h = 0.01, .end = 0.1, .scheme = preset(Scheme::anitescu_potra)});
  Result<RunRecord> created = RunRecord::create(folder_);
  ASSERT_TRUE(created.ok());
  RunRecord record = std::move(created).value();
  record.add_state(simulator);
  const auto done = simulator.run_until(0.1, [&] {
    record.add_step(simulator, true);
    record.add_state(simulator);
    return true;
  });
  ASSERT_TRUE(done.ok()) << done.error();
  ASSERT_FALSE(record.finish().has_value());

  const auto states = read_table(folder_ / "states.csv");
  ASSERT_EQ(states.size(), 1u + 2u * 11u) << "a header, and two bodies at eleven times";
  for (const Row& row : states) EXPECT_EQ(row.size(), 21u);
  EXPECT_EQ(states.back()[1], "slides");
  const BodyId slides = simulator.model().find_body("slides").value();
  EXPECT_EQ(number(states, 22, "time"), simulator.time());
  EXPECT_EQ(number(states, 22, "position_x"), simulator.pose(slides).position.x());
  EXPECT_EQ(number(states, 22, "orientation_w"), simulator.pose(slides).orientation.w());
  EXPECT_EQ(number(states, 22, "velocity_x"), simulator.velocity(slides).x());
  EXPECT_EQ(number(states, 22, "angular_velocity_y"), simulator.angular_velocity(slides).y());

  const auto energy = read_table(folder_ / "energy.csv");
  ASSERT_EQ(energy.size(), 12u);
  EXPECT_EQ(number(energy, 1, "total"), simulator.energy().initial);
  EXPECT_EQ(number(energy, 11, "total"), simulator.energy().now);

  const auto contacts = read_table(folder_ / "contacts.csv");
  ASSERT_GE(contacts.size(), 11u);
  EXPECT_EQ(contacts.back()[1], "slides - ground");
  const std::size_t last = contacts.size() - 1;
  EXPECT_NEAR(number(contacts, last, "impulse_z"), 2.0 * 9.81 * 0.01, 1e-9) << "it carries the weight";
  EXPECT_NEAR(number(contacts, last, "impulse_x"), -0.5 * 2.0 * 9.81 * 0.01, 1e-9) << "against the sliding";
  EXPECT_GT(number(contacts, last, "slip_speed"), 1.0);

  const auto events = read_table(folder_ / "events.csv");
  ASSERT_EQ(events.size(), simulator.events().size() + 1);
  const bool has_impact = std::any_of(events.begin(), events.end(),
                                      [](const Row& row) { return row[1] == "impact" && row[2] == "falls - ground"; });
  EXPECT_TRUE(has_impact);

  const auto certificate = read_table(folder_ / "certificate.csv");
  ASSERT_EQ(certificate.size(), 11u) << "one row for each step";
  for (std::size_t i = 1; i < certificate.size(); ++i) {
    EXPECT_EQ(number(certificate, i, "certified"), 1.0);
    EXPECT_EQ(certificate[i][13], "full");
    EXPECT_LE(number(certificate, i, "contact_residual"), simulator.certificate().max_contact_residual);
    EXPECT_LE(number(certificate, i, "residual"), simulator.certificate().max_residual);
  }
}

// A motor that pulls 3 N along x at its limit, on a slider that bears the weight.
TEST_F(RunRecordTest, JointsHaveTheirReactions) {
  ModelBuilder builder;
  const BodyId cart = builder.add_body({.name = "cart", .mass = 2.0, .inertia = Mat3(Mat3::Identity())});
  builder.add_joint({.name = "rail",
                     .kind = JointKind::prismatic,
                     .body = cart,
                     .axis = {1, 0, 0},
                     .slide = {.motor = MotorDef{.velocity = 100.0, .max_force = 3.0}}});
  Simulator simulator(builder.build().value(), {.h = 0.01, .end = 0.05});
  RunRecord record = RunRecord::create(folder_).value();
  const auto done = simulator.run_until(0.05, [&] {
    record.add_step(simulator, true);
    return true;
  });
  ASSERT_TRUE(done.ok()) << done.error();
  ASSERT_FALSE(record.finish().has_value());
  const auto joints = read_table(folder_ / "joints.csv");
  ASSERT_EQ(joints.size(), 6u);
  EXPECT_EQ(joints[1][1], "rail");
  for (std::size_t i = 1; i < joints.size(); ++i) {
    EXPECT_NEAR(number(joints, i, "force_x"), 3.0, 1e-9);
    EXPECT_NEAR(number(joints, i, "force_z"), 2.0 * 9.81, 1e-9);
    EXPECT_NEAR(number(joints, i, "torque_y"), 0.0, 1e-9);
  }
}

TEST_F(RunRecordTest, WithoutContactsEventsAndCertificatesAreKept) {
  Simulator simulator(make_model(), {.h = 0.01, .end = 0.05, .scheme = preset(Scheme::anitescu_potra)});
  RunRecord record = RunRecord::create(folder_).value();
  const auto done = simulator.run_until(0.05, [&] {
    record.add_step(simulator, false);
    return true;
  });
  ASSERT_TRUE(done.ok()) << done.error();
  ASSERT_FALSE(record.finish().has_value());
  EXPECT_EQ(read_table(folder_ / "contacts.csv").size(), 1u);
  EXPECT_EQ(read_table(folder_ / "states.csv").size(), 1u);
  EXPECT_EQ(read_table(folder_ / "certificate.csv").size(), 6u);
  EXPECT_EQ(read_table(folder_ / "events.csv").size(), simulator.events().size() + 1);
}

TEST_F(RunRecordTest, ATableThatCannotBeWrittenStaysApart) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full here";
  fs::create_symlink("/dev/full", folder_ / "states.csv.part");
  Simulator simulator(make_model(), {.h = 0.01, .end = 0.1});
  RunRecord record = RunRecord::create(folder_).value();
  for (int i = 0; i < 1000; ++i) record.add_state(simulator);
  ASSERT_TRUE(record.error().has_value());
  ASSERT_TRUE(record.finish().has_value());
  EXPECT_FALSE(fs::exists(folder_ / "states.csv"));
  EXPECT_TRUE(fs::exists(folder_ / "energy.csv"));
}

}  // namespace
}  // namespace stiction
