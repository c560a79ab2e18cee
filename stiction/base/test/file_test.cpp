#include "stiction/base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stiction {
namespace {

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("stiction_file_" + std::to_string(::getpid()) + "_" +
               std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(FileTest, WhatWasWrittenIsReadAndReplaced) {
  const auto path = folder_ / "a";
  for (const std::string& text : {std::string("first\n"), std::string("a\0b", 3), std::string()}) {
    ASSERT_FALSE(write_file(path, text).has_value());
    const Result<std::string> back = read_file(path, 100);
    ASSERT_TRUE(back.ok()) << back.error();
    EXPECT_EQ(back.value(), text);
  }
}

TEST_F(FileTest, TheLimitIsTheLargestSizeThatIsRead) {
  const auto path = folder_ / "a";
  ASSERT_FALSE(write_file(path, "12345").has_value());
  EXPECT_TRUE(read_file(path, 5).ok());
  EXPECT_FALSE(read_file(path, 4).ok());
}

TEST_F(FileTest, WhatIsNoFileIsRefusedAtOnce) {
  const auto expect_refused = [](const std::filesystem::path& path, const std::string& why) {
    const Result<std::string> text = read_file(path, 1 << 20);
    ASSERT_FALSE(text.ok());
    EXPECT_EQ(text.error(), path.string() + ": " + why);
    EXPECT_TRUE(find_unreadable(path).has_value());
  };
  const std::string instead = ", expected a file; write what it gives to a file first";
  const auto pipe = folder_ / "pipe", link = folder_ / "link";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);  // nobody ever writes to it
  std::filesystem::create_symlink(pipe, link);
  expect_refused(pipe, "is a pipe" + instead);
  expect_refused(link, "is a pipe" + instead);
  expect_refused(folder_, "is a folder, not a file");
  expect_refused(folder_ / "none", "no such file");
  if (std::filesystem::exists("/dev/zero")) expect_refused("/dev/zero", "is a device" + instead);
}

TEST_F(FileTest, ALinkToAFileIsRead) {
  ASSERT_FALSE(write_file(folder_ / "a", "text").has_value());
  std::filesystem::create_symlink(folder_ / "a", folder_ / "link");
  EXPECT_FALSE(find_unreadable(folder_ / "link").has_value());
  EXPECT_TRUE(read_file(folder_ / "link", 100).ok());
}

TEST_F(FileTest, AFailedWriteLeavesNothingBehind) {
  std::filesystem::create_directories(folder_ / "taken");
  ASSERT_TRUE(write_file(folder_ / "taken", "text").has_value()) << "a file cannot replace a folder";
  const auto files = std::filesystem::directory_iterator(folder_);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

}  // namespace
}  // namespace stiction
