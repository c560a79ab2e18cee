#include "stiction/record/csv_file.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "stiction/base/file.h"
#include "stiction/base/random.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> two_columns{"a", "b"};

class CsvFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("stiction_csv_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    path_ = folder_ / "t.csv";
  }
  void TearDown() override { fs::remove_all(folder_); }

  CsvFile create() {
    Result<CsvFile> csv = CsvFile::create(path_, two_columns);
    EXPECT_TRUE(csv.ok());
    return std::move(csv).value();
  }
  [[nodiscard]] std::string text() const { return read_file(path_, 1 << 20).value(); }

  fs::path folder_, path_;
};

TEST_F(CsvFileTest, HasItsNameOnlyWhenItIsWhole) {
  CsvFile csv = create();
  csv.add(1.5).add("x").end_row();
  EXPECT_FALSE(fs::exists(path_));
  EXPECT_TRUE(fs::exists(folder_ / "t.csv.part"));
  EXPECT_FALSE(csv.finish().has_value());
  EXPECT_EQ(text(), "a,b\n1.5,x\n");
  EXPECT_FALSE(fs::exists(folder_ / "t.csv.part"));
}

TEST_F(CsvFileTest, QuotesWhatWouldBreakARow) {
  CsvFile csv = create();
  csv.add("a, b").add("say \"x\"").end_row();
  ASSERT_FALSE(csv.finish().has_value());
  EXPECT_EQ(text(), "a,b\n\"a, b\",\"say \"\"x\"\"\"\n");
}

TEST_F(CsvFileTest, NumbersReadBackTheSame) {
  Random random(7);
  std::vector<double> numbers{0.1, -0.0, 1e-310, std::numeric_limits<double>::max(), 1.0 / 3.0};
  for (int i = 0; i < 200; ++i) numbers.push_back(std::ldexp(random.uniform(-1.0, 1.0), (i * 37) % 600 - 300));
  CsvFile csv = create();
  for (const double number : numbers) csv.add(number).add(2L).end_row();
  ASSERT_FALSE(csv.finish().has_value());
  const std::string table = text();
  const char* at = table.c_str() + 4;
  for (const double number : numbers) {
    char* end = nullptr;
    EXPECT_EQ(std::strtod(at, &end), number);
    ASSERT_EQ(std::string_view(end, 3), ",2\n");
    at = end + 3;
  }
}

TEST_F(CsvFileTest, AFolderThatIsNotThereIsAnError) {
  const Result<CsvFile> csv = CsvFile::create(folder_ / "none" / "t.csv", two_columns);
  ASSERT_FALSE(csv.ok());
  EXPECT_NE(csv.error().find("t.csv: cannot be written: No such file or directory"), std::string::npos) << csv.error();
}

TEST_F(CsvFileTest, AFullDiskLeavesNothingThatLooksWhole) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full here";
  fs::create_symlink("/dev/full", folder_ / "t.csv.part");
  CsvFile csv = create();
  for (int i = 0; i < 10'000; ++i) csv.add(0.1).add("x").end_row();
  ASSERT_TRUE(csv.error().has_value()) << "noticed while the run goes on";
  const auto error = csv.finish();
  ASSERT_TRUE(error.has_value());
  EXPECT_NE(error->message.find("No space left on device"), std::string::npos) << error->message;
  EXPECT_FALSE(fs::exists(path_));
}

}  // namespace
}  // namespace stiction
