#include "stiction/record/run_reader.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "stiction/base/file.h"
#include "stiction/record/hdf5_create.h"
#include "stiction/record/test/small_run.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

class RunReaderTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = fs::path(testing::TempDir()) /
            ("stiction_reader_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".h5");
    Simulator simulator(test::make_bouncing(), {.h = 0.01, .end = 0.3, .scheme = preset(Scheme::anitescu_potra)});
    RunWriter writer = RunWriter::create(path_, test::small_heading, simulator).value();
    writer.add_frame(simulator);
    ASSERT_TRUE(test::record_until(simulator, writer, 0.3).ok());
    ASSERT_FALSE(writer.finish("done", "{}").has_value());
    ASSERT_TRUE(read_run(path_).ok());
  }
  void TearDown() override { fs::remove(path_); }

  /// Why the file is refused after a change; empty where it is not.
  std::string refusal_after(const std::function<void(hid_t file)>& change) {
    const std::string whole = read_file(path_, 1 << 24).value();
    {
      const Hdf5Session session;
      const Hdf5Handle file = open_hdf5(path_);
      change(file.id());
    }
    const Result<RecordedRun> read = read_run(path_);
    std::ofstream(path_, std::ios::binary) << whole;
    return read.ok() ? "" : read.error();
  }

  static void overwrite(hid_t file, const char* path, hsize_t at, double value) {
    const Hdf5Handle data(H5Dopen2(file, path, H5P_DEFAULT), H5Dclose), space(H5Dget_space(data.id()), H5Sclose);
    const hsize_t one = 1;
    const Hdf5Handle memory(H5Screate_simple(1, &one, nullptr), H5Sclose);
    ASSERT_GE(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &at, nullptr, &one, nullptr), 0);
    ASSERT_GE(H5Dwrite(data.id(), H5T_NATIVE_DOUBLE, memory.id(), space.id(), H5P_DEFAULT, &value), 0);
  }

  fs::path path_;
};

TEST_F(RunReaderTest, FilesThatAreNoRecord) {
  EXPECT_NE(read_run(path_.string() + ".none").error().find("is not there"), std::string::npos);
  EXPECT_FALSE(read_run(fs::path(testing::TempDir())).ok());
  const std::string text = path_.string() + ".txt";
  std::ofstream(text) << "\x89HDF\r\n\x1a\n and nothing behind it";
  EXPECT_FALSE(read_run(text).ok());
  fs::remove(text);
  const std::string whole = read_file(path_, 1 << 24).value();
  for (const double share : {0.01, 0.5, 0.99}) {
    std::ofstream(path_, std::ios::binary)
        << whole.substr(0, static_cast<std::size_t>(share * static_cast<double>(whole.size())));
    EXPECT_FALSE(read_run(path_).ok()) << share;
  }
}

TEST_F(RunReaderTest, RecordsThatDoNotAgreeWithThemselves) {
  const auto has = [](const std::string& text, const char* words) { return text.find(words) != std::string::npos; };
  EXPECT_EQ(refusal_after([](hid_t) {}), "");
  EXPECT_TRUE(has(refusal_after([](hid_t file) { (void)set_attribute(file, "format", "other"); }), "no record"));
  EXPECT_TRUE(has(refusal_after([](hid_t file) { (void)set_attribute(file, "format_version", "2"); }), "newer"));
  EXPECT_TRUE(has(refusal_after([](hid_t file) { H5Adelete(file, "name"); }), "`name`"));
  for (const char* path : {"scene", "model", "bodies/name", "frames/position", "steps/residual", "contacts/start",
                           "events/kind", "frames/velocity_alpha"}) {
    EXPECT_TRUE(has(refusal_after([&](hid_t file) { H5Ldelete(file, path, H5P_DEFAULT); }), path)) << path;
    EXPECT_TRUE(has(refusal_after([&](hid_t file) {
                      H5Ldelete(file, path, H5P_DEFAULT);
                      H5Lcreate_soft("/nowhere", file, path, H5P_DEFAULT, H5P_DEFAULT);
                    }),
                    path))
        << path;
    EXPECT_TRUE(has(refusal_after([&](hid_t file) {
                      H5Ldelete(file, path, H5P_DEFAULT);
                      const Hdf5Handle group(H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
                    }),
                    path))
        << path;
  }
  for (const char* path : {"contacts/id", "contacts/state", "events/kind", "events/contact", "steps/certified"})
    EXPECT_TRUE(has(refusal_after([&](hid_t file) { overwrite(file, path, 0, 200.0); }), path)) << path;
  for (const char* path : {"steps/solver", "steps/worst_contact", "dissipated/rest"})
    EXPECT_EQ(refusal_after([&](hid_t file) { H5Ldelete(file, path, H5P_DEFAULT); }), "") << "an earlier version's";
  EXPECT_TRUE(has(refusal_after([](hid_t file) { overwrite(file, "steps/worst_contact", 0, -2.0); }), "worst"));
  EXPECT_TRUE(has(refusal_after([](hid_t file) { overwrite(file, "steps/solver", 0, 5.0); }), "solver"));
  EXPECT_TRUE(has(refusal_after([](hid_t file) { overwrite(file, "contacts/start", 3, 1e6); }), "contacts/start"));
  EXPECT_TRUE(has(refusal_after([](hid_t file) { overwrite(file, "contacts/start", 0, 1.0); }), "contacts/start"));
  EXPECT_TRUE(has(refusal_after([](hid_t file) {
                    const Hdf5Handle data(H5Dopen2(file, "frames/position", H5P_DEFAULT), H5Dclose);
                    const hsize_t extent[3] = {7, 2, 3};
                    H5Dset_extent(data.id(), extent);
                  }),
                  "frames/position: has 7 rows"));
  EXPECT_TRUE(has(refusal_after([](hid_t file) {
                    const Hdf5Handle data(H5Dopen2(file, "frames/time", H5P_DEFAULT), H5Dclose);
                    const hsize_t extent = hsize_t{1} << 50;
                    H5Dset_extent(data.id(), &extent);
                  }),
                  "numbers"))
      << "no memory for what is not there";
}

TEST_F(RunReaderTest, WhatIsTooLargeIsToldAsThat) {
  const std::uint64_t numbers = count_recorded_numbers(path_);
  const RecordedRun run = read_run(path_).value();
  std::uint64_t found = 0;
  for (const auto& [path, array] : run.arrays) found += array.values.size();
  EXPECT_EQ(numbers, found);
  EXPECT_TRUE(read_run(path_, {.numbers = numbers}).ok());
  const Result<RecordedRun> refused = read_run(path_, {.numbers = numbers - 1});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().find("holds " + std::to_string(numbers) + " numbers"), std::string::npos)
      << refused.error();
  EXPECT_EQ(count_recorded_numbers(path_.string() + ".none"), 0u);
}

}  // namespace
}  // namespace stiction
