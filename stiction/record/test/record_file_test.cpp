#include "stiction/record/record_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <thread>

#include "stiction/record/hdf5_handle.h"
#include "stiction/record/hdf5_read.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

class RecordFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("stiction_file_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    path_ = folder_ / "x.h5";
  }
  void TearDown() override { fs::remove_all(folder_); }

  RecordFile create() const {
    return RecordFile::create(path_, {}, {{.path = "x"}, {.path = "y", .row = {5, 3}}},
                              {{"names", "of things", {"first"}}})
        .value();
  }

  static void add_row(RecordFile& file, int i) {
    file.column(0).add(std::sin(i));
    for (int j = 0; j < 15; ++j) file.column(1).add(std::cos(i + 0.1 * j));
  }

  /// How many rows the file has; each must be that of add_row().
  [[nodiscard]] std::uint64_t count_rows() const {
    const Hdf5Session session;
    const Hdf5Handle file(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    std::uint64_t limit = 1 << 24;
    const auto x = read_array(file.id(), "x", limit), y = read_array(file.id(), "y", limit);
    if (!x || !y || x->rows != y->rows) return 0;
    for (std::uint64_t i = 0; i < x->rows; ++i) {
      const auto row = static_cast<int>(i);
      EXPECT_EQ(x->values[i], std::sin(row));
      for (int j = 0; j < 15; ++j)
        EXPECT_EQ(y->values[15 * i + static_cast<std::uint64_t>(j)], std::cos(row + 0.1 * j));
    }
    return x->rows;
  }

  fs::path folder_, path_;
};

// Chunks become full between flushes, at them, and both files must have each.
TEST_F(RecordFileTest, EveryChunkIsInBothFiles) {
  constexpr int rows = 9000;
  RecordFile file = create();
  int flushes = 0;
  for (int i = 0; i < rows; ++i) {
    add_row(file, i);
    file.hand_over();
    if (i % 700 != 0) continue;
    ASSERT_FALSE(file.flush().has_value());
    ASSERT_EQ(count_rows(), static_cast<std::uint64_t>(i + 1));
    ++flushes;
  }
  EXPECT_GT(flushes, 10);
  ASSERT_FALSE(file.finish({}).has_value());
  EXPECT_EQ(count_rows(), static_cast<std::uint64_t>(rows));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1) << "nothing lies beside it";
}

TEST_F(RecordFileTest, AFlushThatIsBegunComesToItsEnd) {
  RecordFile file = create();
  for (int i = 0; i < 5000; ++i) add_row(file, i);
  EXPECT_EQ(file.add_name(0, "second"), 1u);
  file.begin_flush();
  for (int i = 5000; i < 5100; ++i) add_row(file, i);
  while (file.is_flushing()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(count_rows(), 5000u) << "what came after is not in it";
  EXPECT_GT(file.flush_length().count(), 0);
  EXPECT_FALSE(file.error().has_value());
  const Hdf5Session session;
  const Hdf5Handle read(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  std::uint64_t limit = 1000;
  EXPECT_EQ(read_texts(read.id(), "names", true, limit), (std::vector<std::string>{"first", "second"}));
}

// A file may not grow beyond a limit, as on a full disk; both then and later there is one error, and the file is whole.
TEST_F(RecordFileTest, AFullDiskIsToldAndLeavesWhatWasFlushed) {
  RecordFile file = create();
  for (int i = 0; i < 100; ++i) add_row(file, i);
  ASSERT_FALSE(file.flush().has_value());
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{fs::file_size(path_) + 20'000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  for (int i = 100; i < 3000; ++i) add_row(file, i);
  testing::internal::CaptureStderr();
  file.begin_flush();
  while (file.is_flushing()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto error = file.error(), again = file.finish({.attributes = {{"status", "failed"}}});
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "HDF5 tells the user nothing by itself";
  ASSERT_TRUE(error.has_value());
  EXPECT_NE(error->message.find("x.h5: cannot be written: File too large"), std::string::npos) << error->message;
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->message, error->message);
  EXPECT_EQ(count_rows(), 100u);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1) << "nothing lies beside it";
  const Hdf5Session session;
  const Hdf5Handle read(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  std::uint64_t limit = 1000;
  EXPECT_EQ(read_attribute(read.id(), "status", limit), "failed") << "there is room for so much";
}

// Chunks that fill, and the space of those written again: the file must not grow by what was thrown away.
TEST_F(RecordFileTest, ManyFlushesDoNotFillTheDisk) {
  constexpr int rows = 4500;
  const auto write = [&](int flush_every) {
    RecordFile file = create();
    for (int i = 0; i < rows; ++i) {
      add_row(file, i);
      if (i % flush_every == 0) {
        EXPECT_FALSE(file.flush().has_value());
      }
    }
    EXPECT_FALSE(file.finish({}).has_value());
    return fs::file_size(path_);
  };
  const auto once = write(rows), often = write(50);
  EXPECT_LT(static_cast<double>(often), 1.5 * static_cast<double>(once));
}

}  // namespace
}  // namespace stiction
