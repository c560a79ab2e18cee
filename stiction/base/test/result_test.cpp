#include "stiction/base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace stiction {
namespace {

TEST(Result, HoldsAValueOrAReason) {
  const Result<int> good(7);
  ASSERT_TRUE(good.ok());
  EXPECT_TRUE(static_cast<bool>(good));
  EXPECT_EQ(good.value(), 7);

  const Result<int> bad(Error{"line 3: q is missing; add it"});
  ASSERT_FALSE(bad.ok());
  EXPECT_FALSE(static_cast<bool>(bad));
  EXPECT_EQ(bad.error(), "line 3: q is missing; add it");
}

TEST(Result, ATextIsAValueAndNotAnError) {
  const Result<std::string> text(std::string("fine"));
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(text.value(), "fine");
}

TEST(Result, GivesUpAValueThatCannotBeCopied) {
  Result<std::unique_ptr<int>> held(std::make_unique<int>(5));
  const std::unique_ptr<int> taken = std::move(held).value();
  ASSERT_NE(taken, nullptr);
  EXPECT_EQ(*taken, 5);
}

TEST(ResultDeathTest, ReadingWhatIsNotThereIsAProgrammersMistake) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Result<int> bad(Error{"no"});
  EXPECT_DEATH(static_cast<void>(bad.value()), "assertion failed: Result::value\\(\\) on an error");
  const Result<int> good(1);
  EXPECT_DEATH(static_cast<void>(good.error()), "assertion failed: Result::error\\(\\) on a value");
}

TEST(AssertDeathTest, SaysWhatWasPromisedAndWhereAndIsOnInEveryBuild) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const int size = 3;
  EXPECT_DEATH(STICTION_ASSERT(size == 4, "sizes agree"),
               "stiction: .*result_test.cpp:[0-9]+: assertion failed: sizes agree \\(size == 4\\)");
  STICTION_ASSERT(size == 3, "not reported");
}

}  // namespace
}  // namespace stiction
