#include "stiction/record/utf8.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

TEST(Utf8, WhatIsRightStaysAndTheRestIsAsked) {
  for (const std::string text : {"", "plain", "Lötstedt", "\xe2\x80\xa8", "\xf0\x9f\x98\x80", "line\nbreak"})
    EXPECT_EQ(as_utf8(text), text);
  EXPECT_EQ(as_utf8(std::string_view("a\0b", 3)), "a?b");
  EXPECT_EQ(as_utf8("\xff\xfe"), "??");
  EXPECT_EQ(as_utf8("a\xc3"), "a?") << "cut short";
  // RFC 3629: no longer form than need be, no halves of UTF-16's pairs, nothing beyond U+10FFFF.
  EXPECT_EQ(as_utf8("\xc0\xaf"), "??");
  EXPECT_EQ(as_utf8("\xe0\x80\xaf"), "???");
  EXPECT_EQ(as_utf8("\xed\xa0\x80"), "???");
  EXPECT_EQ(as_utf8("\xf4\x90\x80\x80"), "????");
}

}  // namespace
}  // namespace stiction
