#include "stiction/record/run_writer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/base/file.h"
#include "stiction/base/sha256.h"
#include "stiction/record/hdf5_handle.h"
#include "stiction/record/hdf5_read.h"
#include "stiction/record/run_reader.h"
#include "stiction/record/test/small_run.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

/// A ball that slides on the ground beside a cart that a motor of 3 N pulls along x.
Model make_model() {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.5, .restitution = 0.5});
  builder.add_body({.name = "slides",
                    .mass = 2.0,
                    .shape = Sphere{.radius = 0.1},
                    .position = {0.0, 2.0, 0.1},
                    .velocity = {3.0, 0.0, 0.0}});
  const BodyId cart = builder.add_body({.name = "cart", .mass = 2.0, .inertia = Mat3(Mat3::Identity())});
  builder.add_body({.name = "turns", .angular_velocity = {0.0, 0.0, 1.0}, .kinematic = true});
  builder.add_joint({.name = "rail",
                     .kind = JointKind::prismatic,
                     .body = cart,
                     .axis = {1, 0, 0},
                     .slide = {.motor = MotorDef{.velocity = 100.0, .max_force = 3.0}}});
  return builder.build().value();
}

const RunHeading heading{
    .name = "a \"<b>\" scene", .scene = "{\"stiction\": 1}\n", .settings = "{\"h\":0.01}", .version = "1.2.3"};

class RunWriterTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("stiction_h5_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    path_ = folder_ / "run.h5";
  }
  void TearDown() override { fs::remove_all(folder_); }

  void record(Simulator& simulator, RunWriter& writer, double end, int every = 1) const {
    const Result<long> done = test::record_until(simulator, writer, end, every);
    EXPECT_TRUE(done.ok()) << done.error();
  }

  fs::path folder_, path_;
};

TEST_F(RunWriterTest, WhatIsWrittenIsReadBack) {
  Simulator simulator(make_model(), {.h = 0.01, .end = 0.1, .scheme = preset(Scheme::anitescu_potra)});
  RunWriter writer = RunWriter::create(path_, heading, simulator).value();
  writer.add_frame(simulator);
  record(simulator, writer, 0.1);
  ASSERT_FALSE(writer.finish("done", "{}").has_value());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1) << "nothing lies beside it";

  const Result<RecordedRun> read = read_run(path_);
  ASSERT_TRUE(read.ok()) << read.error();
  const RecordedRun& run = read.value();
  EXPECT_EQ(run.name, heading.name);
  EXPECT_EQ(run.scene, heading.scene);
  EXPECT_EQ(run.settings, heading.settings);
  EXPECT_EQ(run.status, "done");
  EXPECT_EQ(run.summary, "{}");
  EXPECT_EQ(run.fingerprint, sha256("stiction 1.2.3\n{\"h\":0.01}\n{\"stiction\": 1}\n"));
  EXPECT_EQ(run.bodies, (std::vector<std::string>{"slides", "cart", "turns"}));
  EXPECT_EQ(run.joints, std::vector<std::string>{"rail"});
  EXPECT_EQ(run.contacts, std::vector<std::string>{"slides - ground"});
  ASSERT_EQ(run.frames(), 11u);
  ASSERT_EQ(run.steps(), 10u);

  const auto& position = run.array("frames/position");
  ASSERT_EQ(position.row, (std::vector<std::uint64_t>{3, 3}));
  const BodyId slides = simulator.model().find_body("slides").value();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(position.values[10 * 9 + i], simulator.pose(slides).position[i]) << "the very bits";
    EXPECT_EQ(run.array("frames/velocity").values[10 * 9 + i], simulator.velocity(slides)[i]);
    EXPECT_EQ(run.array("frames/velocity_alpha").values[10 * 9 + i], simulator.velocity(slides)[i]);
  }
  const auto& turned = run.array("frames/orientation").values;
  EXPECT_NEAR(turned[10 * 12 + 8 + 3], std::sin(0.05), 1e-15) << "the kinematic body turned by 0.1 rad about z";
  EXPECT_EQ(run.array("energy/total").values.back(), simulator.energy().now);
  EXPECT_NEAR(run.array("energy/gravity").values[0], 2.0 * 9.81 * 0.1, 1e-15);
  EXPECT_EQ(run.array("energy/springs").values[0], 0.0);

  EXPECT_EQ(run.array("contacts/start").values[1], 0.0) << "no step has been taken at the start";
  EXPECT_EQ(run.array("contacts/start").values[11], 10.0);
  EXPECT_EQ(run.array("contacts/mu").values[0], 0.5);
  EXPECT_EQ(run.array("contacts/state").values[9], 2.0) << "it slides";
  EXPECT_NEAR(run.array("contacts/impulse").values[27], -0.5 * 2.0 * 9.81 * 0.01, 1e-9) << "against the sliding";
  EXPECT_NEAR(run.array("contacts/impulse").values[29], 2.0 * 9.81 * 0.01, 1e-9) << "it carries the weight";
  EXPECT_NEAR(run.array("joints/force").values[30], 3.0, 1e-9);
  EXPECT_NEAR(run.array("joints/force").values[32], 2.0 * 9.81, 1e-9);
  for (const double certified : run.array("steps/certified").values) EXPECT_EQ(certified, 1.0);
  const double heat = run.array("dissipated/contacts").values[10];
  EXPECT_GT(heat, 0.1);
  EXPECT_LT(heat, 0.5 * 2.0 * 9.81 * 3.0 * 0.1) << "no more than if it had slid at its first speed";
  for (std::uint64_t i = 0; i < run.frames(); ++i)
    EXPECT_NEAR(run.array("energy/total").values[0],
                run.array("energy/total").values[i] + run.array("dissipated/contacts").values[i] +
                    run.array("dissipated/joints").values[i] + run.array("dissipated/impacts").values[i] +
                    run.array("dissipated/rest").values[i],
                1e-12)
        << "the ledger adds up";
  for (std::uint64_t i = 0; i < run.steps(); ++i) {
    EXPECT_EQ(run.array("steps/worst_contact").values[i], 0.0) << "there is one";
    const double solver = run.array("steps/solver").values[i];
    EXPECT_TRUE(solver == 1.0 || solver == 2.0 || solver == 3.0) << solver;
  }
}

// Which solver, and which contact, by what is known of the steps: nothing touches, `lotstedt` has active sets, a box
// with facets that may not turn pivots first and keeps its basis then.
TEST_F(RunWriterTest, StepsSayWhoSolvedThemAndWhichContactIsWorst) {
  const auto solvers_of = [&](SchemeOptions scheme, double height) {
    fs::remove(path_);
    ModelBuilder builder;
    const double mu = scheme.scheme == Scheme::lotstedt ? 0.0 : 0.5;
    builder.add_ground(HalfSpace{}, {.mu = mu});
    builder.add_body({.name = "box",
                      .mass = 1.0,
                      .shape = Box{1.0, 1.0, 1.0},
                      .material = {.mu = mu},
                      .position = {0.0, 0.0, 0.5 + height}});
    Simulator simulator(builder.build().value(), {.h = 0.01, .end = 0.1, .scheme = scheme});
    RunWriter writer = RunWriter::create(path_, heading, simulator).value();
    record(simulator, writer, 0.1);
    EXPECT_FALSE(writer.finish("done", "{}").has_value());
    return read_run(path_).value();
  };
  const RecordedRun falls = solvers_of(preset(Scheme::anitescu_potra), 5.0);
  EXPECT_EQ(falls.array("steps/solver").values, std::vector<double>(10, 0.0));
  EXPECT_EQ(falls.array("steps/worst_contact").values, std::vector<double>(10, -1.0));
  EXPECT_EQ(falls.array("steps/deepest_contact").values, std::vector<double>(10, -1.0));
  EXPECT_EQ(solvers_of(preset(Scheme::lotstedt), 0.0).array("steps/solver").values, std::vector<double>(10, 4.0));
  EXPECT_EQ(solvers_of(preset(Scheme::anitescu_potra), 0.0).array("steps/solver").values, std::vector<double>(10, 2.0))
      << "on the true cone";
  SchemeOptions facets = preset(Scheme::anitescu_potra);
  facets.cone.turn = false;
  const RecordedRun stands = solvers_of(facets, 0.0);
  EXPECT_EQ(stands.array("steps/solver").values[0], 3.0) << "no basis is known at first";
  EXPECT_EQ(stands.array("steps/solver").values[9], 1.0);
  for (const double row : stands.array("steps/worst_contact").values)
    EXPECT_TRUE(stands.contacts.at(static_cast<std::size_t>(row)).starts_with("box - ground")) << row;
}

TEST_F(RunWriterTest, ColumnsSayTheirPrecisionAndTheirNames) {
  Simulator simulator(make_model(), {.h = 0.01, .end = 0.1});
  RunWriter writer = RunWriter::create(path_, heading, simulator).value();
  ASSERT_FALSE(writer.finish("done", "{}").has_value());
  const Hdf5Session session;
  const Hdf5Handle file(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const auto attribute = [&](const char* path, const char* name) {
    const Hdf5Handle data(H5Dopen2(file.id(), path, H5P_DEFAULT), H5Dclose);
    std::uint64_t limit = 1000;
    return read_attribute(data.id(), name, limit).value_or("");
  };
  for (const char* path : {"frames/position", "frames/velocity_alpha", "contacts/impulse", "joints/force",
                           "steps/residual", "events/kind"})
    EXPECT_EQ(attribute(path, "precision"), "exact") << path;
  EXPECT_EQ(attribute("steps/solver", "names"), "none,basis,newton,lemke,active_set");
  EXPECT_EQ(attribute("contacts/state", "names"), "open,stick,slip");
  EXPECT_EQ(attribute("events/kind", "names"), "impact,take_off,stick,slip,break,reversal");
}

TEST_F(RunWriterTest, EventsStayWholeWhereFramesAreThinned) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.5, .restitution = 0.5});
  builder.add_body({.name = "falls", .mass = 1.0, .shape = Sphere{.radius = 0.1}, .position = {0.0, 0.0, 0.105}});
  Simulator simulator(builder.build().value(), {.h = 0.01, .end = 1.0, .scheme = preset(Scheme::anitescu_potra)});
  RunWriter writer = RunWriter::create(path_, heading, simulator).value();
  record(simulator, writer, 1.0, 10);
  ASSERT_FALSE(writer.finish("done", "{}").has_value());
  const RecordedRun run = read_run(path_).value();
  EXPECT_EQ(run.frames(), 10u);
  EXPECT_EQ(run.steps(), 100u);
  ASSERT_EQ(run.events(), simulator.events().size());
  ASSERT_GT(run.events(), 0u);
  for (std::size_t i = 0; i < run.events(); ++i) {
    EXPECT_EQ(run.array("events/time").values[i], simulator.events()[i].time);
    EXPECT_EQ(run.array("events/kind").values[i], static_cast<double>(simulator.events()[i].kind));
    EXPECT_EQ(run.contacts.at(static_cast<std::size_t>(run.array("events/contact").values[i])), "falls - ground");
  }
}

// Scene files have no such names; who builds a model in a program may.
TEST_F(RunWriterTest, NamesOfAnyBytesCanBeReadByAll) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.5});
  const std::string odd("nul\0 and \xff", 10);
  builder.add_body({.name = odd, .mass = 1.0, .shape = Sphere{.radius = 0.1}, .position = {0.0, 0.0, 0.1}});
  builder.add_body({.name = "</script>\n\xf0\x9f\x98\x80",
                    .mass = 1.0,
                    .shape = Sphere{.radius = 0.1},
                    .position = {0.0, 0.0, 5.0}});
  Simulator simulator(builder.build().value(), {.h = 0.01, .end = 0.1});
  RunWriter writer =
      RunWriter::create(path_, {.name = odd, .scene = "\xc3", .settings = "{}", .version = "0"}, simulator).value();
  record(simulator, writer, 0.1);
  ASSERT_FALSE(writer.finish("done", "{}").has_value());
  const Result<RecordedRun> run = read_run(path_);
  ASSERT_TRUE(run.ok()) << run.error();
  EXPECT_EQ(run.value().bodies, (std::vector<std::string>{"nul? and ?", "</script>\n\xf0\x9f\x98\x80"}));
  EXPECT_EQ(run.value().contacts, std::vector<std::string>{"nul? and ? - ground"});
  EXPECT_EQ(run.value().name, "nul? and ?");
}

// After each step another of the two files takes the name: what is read there must grow by one each time.
TEST_F(RunWriterTest, EveryFlushIsWholeAndTheSpareIsCaughtUp) {
  Simulator simulator(make_model(), {.h = 1e-4, .end = 1.0});
  RunWriter writer = RunWriter::create(path_, heading, simulator, 0.0).value();
  EXPECT_EQ(read_run(path_).value().frames(), 0u) << "it is there from the start";
  std::uint64_t steps = 0;
  const auto done = simulator.run_until(0.002, [&] {
    writer.add_step(simulator);
    writer.add_frame(simulator);
    writer.end_step();
    const Result<RecordedRun> now = read_run(path_);
    EXPECT_TRUE(now.ok()) << now.error();
    EXPECT_EQ(now.value().steps(), ++steps);
    EXPECT_EQ(now.value().array("frames/time").values.back(), simulator.time());
    EXPECT_EQ(now.value().status, "running");
    return now.ok();
  });
  ASSERT_TRUE(done.ok()) << done.error();
  EXPECT_EQ(steps, 20u);
}

TEST_F(RunWriterTest, WhoReadsAnOldStateKeepsIt) {
  Simulator simulator(make_model(), {.h = 1e-4, .end = 1.0});
  RunWriter writer = RunWriter::create(path_, heading, simulator, 0.0).value();
  record(simulator, writer, 5e-4);
  hid_t held = -1;
  {
    const Hdf5Session session;
    held = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    ASSERT_GE(held, 0);
  }
  const fs::path kept = folder_ / "kept.h5";
  fs::create_hard_link(path_, kept);
  const std::string before = read_file(kept, 1 << 24).value();
  record(simulator, writer, 1e-3);
  EXPECT_FALSE(writer.error().has_value());
  EXPECT_TRUE(before == read_file(kept, 1 << 24).value()) << "an open file was written";
  {
    const Hdf5Session session;
    EXPECT_GE(H5Fclose(held), 0);
  }
  EXPECT_EQ(read_run(path_).value().steps(), 10u);
}

}  // namespace
}  // namespace stiction
