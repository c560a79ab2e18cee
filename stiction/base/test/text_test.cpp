#include "stiction/base/text.h"

#include <gtest/gtest.h>

#include <array>

namespace stiction {
namespace {

TEST(Text, OneLineReplacesControlCharactersAndCuts) {
  EXPECT_EQ(one_line("a\nb\x1b[0m\x7f"), "a?b?[0m?");
  EXPECT_EQ(one_line("abcdef", 6), "abcdef");
  EXPECT_EQ(one_line("abcdefg", 6), "abcdef...");
  EXPECT_EQ(one_line("ab\xC3\xA9", 3), "ab...") << "never inside a character";
}

TEST(Text, EditDistanceCountsSlips) {
  EXPECT_EQ(edit_distance("lemke", "lemke"), 0u);
  EXPECT_EQ(edit_distance("Lemke", "lemke"), 0u);
  EXPECT_EQ(edit_distance("lmeke", "lemke"), 1u);
  EXPECT_EQ(edit_distance("lemk", "lemke"), 1u);
  EXPECT_EQ(edit_distance("lenkes", "lemke"), 2u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
}

TEST(Text, ClosestWord) {
  const std::array<std::string_view, 3> known{"lemke", "enumeration", "q"};
  EXPECT_EQ(closest_word("lemek", known, 2), "lemke");
  EXPECT_EQ(closest_word("enumerate", known, 3), "enumeration");
  EXPECT_EQ(closest_word("x", known, 1), "") << "one letter for another is no resemblance";
  EXPECT_EQ(closest_word("newton", known, 2), "");
  EXPECT_EQ(closest_word(std::string(1000, 'x'), known, 2000), "");
}

}  // namespace
}  // namespace stiction
