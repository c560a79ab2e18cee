#include "stiction/base/json_input.h"

#include <gtest/gtest.h>

namespace stiction {

namespace {

TEST(JsonInput, GivesEveryCharacterOnce) {
  std::size_t events = 0;
  JsonInput input("[1, 2]", events, 100);
  std::string read;
  for (auto it = input.begin(); !(it == JsonInput::Iterator{}); ++it) read += *it;
  EXPECT_EQ(read, "[1, 2]");
  EXPECT_EQ(input.position(), 6U);
  EXPECT_FALSE(input.stopped());
}

TEST(JsonInput, StopsWhereNoEventComesForTooLong) {
  std::size_t events = 0;
  const std::string text(100, ' ');
  JsonInput input(text, events, 10);
  std::size_t read = 0;
  for (auto it = input.begin(); !(it == JsonInput::Iterator{}); ++it)
    if (++read == 8) ++events;  // at the eighth: eleven more are allowed
  EXPECT_TRUE(input.stopped());
  EXPECT_EQ(read, 19U);
}

TEST(JsonInput, ExplainsWhatPeopleWrite) {
  EXPECT_EQ(explain_json_error("[NaN]", 2, "syntax error"), "NaN and infinity are not JSON, expected a finite number");
  EXPECT_EQ(explain_json_error("[-Infinity]", 3, "x"), "NaN and infinity are not JSON, expected a finite number");
  EXPECT_EQ(explain_json_error("[1, ]", 5, "x"), "not JSON: found a comma after the last entry, expected none");
  EXPECT_EQ(explain_json_error("[1e999]", 6, "number overflow parsing '1e999'"),
            "the number is too large for double precision, expected a finite number");
  EXPECT_EQ(explain_json_error("[1", 2, "[json] syntax error: unexpected end of input"),
            "the text ends too early (truncated?): syntax error: unexpected end of input");
}

}  // namespace

}  // namespace stiction
