#include "stiction/scene/json_tree.h"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace stiction::scene;  // NOLINT(google-build-using-namespace): a test of that namespace

/// The error of a text that must not be read.
std::string refusal(const std::string& text, const JsonLimits& limits = {}) {
  Mistakes mistakes("f.json");
  const auto value = parse_json(text, 0, limits, mistakes);
  EXPECT_FALSE(value.has_value() && mistakes.empty()) << text;
  return mistakes.to_error().message;
}

JsonValue parse(const std::string& text) {
  Mistakes mistakes("f.json");
  auto value = parse_json(text, 0, {}, mistakes);
  EXPECT_TRUE(value && mistakes.empty()) << text << "\n" << mistakes.to_error().message;
  return value ? *value : JsonValue{};
}

std::string place_of(const JsonValue& root, const std::string& pointer) {
  const JsonValue* value = find_value(root, pointer);
  if (value == nullptr) return "nowhere";
  return std::to_string(value->place.line) + ":" + std::to_string(value->place.column);
}

TEST(JsonTree, KnowsWhereEveryValueStands) {
  const JsonValue root = parse(
      "// a comment, with \"quotes\" and {brackets\n"
      "{\"a\": [1, -2.5e3,\n"
      "   \"x\\\"]\", true], /* more: , [ */ \"b\" /*:*/ : {\"c\": null},\n"
      "\t\"\xC3\xA4\": {}, \"d\": 7}");
  EXPECT_EQ(place_of(root, ""), "2:1");
  EXPECT_EQ(place_of(root, "/a"), "2:7");
  EXPECT_EQ(place_of(root, "/a/0"), "2:8");
  EXPECT_EQ(place_of(root, "/a/1"), "2:11");
  EXPECT_EQ(place_of(root, "/a/2"), "3:4");
  EXPECT_EQ(place_of(root, "/a/3"), "3:12");
  EXPECT_EQ(place_of(root, "/b"), "3:47");
  EXPECT_EQ(place_of(root, "/b/c"), "3:53");
  EXPECT_EQ(place_of(root, "/\xC3\xA4"), "4:7");
  EXPECT_EQ(place_of(root, "/d"), "4:16") << "columns count characters, not bytes";
  EXPECT_EQ(root.find("b")->key_place.column, 35U);
  EXPECT_EQ(place_of(root, "/a/4"), "nowhere");
  EXPECT_EQ(place_of(root, "/a/x"), "nowhere");
  EXPECT_EQ(place_of(root, "a"), "nowhere");
}

TEST(JsonTree, HoldsWhatTheTextSays) {
  const JsonValue root = parse("{\"a\": [1, -2.5e3, \"x\\\"\\u00e4\\n\", true, null, 0.1, 9007199254740993]}");
  EXPECT_EQ(to_json(root), "{\"a\": [1, -2500, \"x\\\"\xC3\xA4\\n\", true, null, 0.1, 9007199254740992]}");
  EXPECT_EQ(to_json(parse(to_json(root))), to_json(root));
}

TEST(JsonTree, SkipsAByteOrderMark) {
  EXPECT_EQ(place_of(parse("\xEF\xBB\xBF{\"a\": 1}"), "/a"), "1:7");
}

TEST(JsonTree, TellsWhereTheSyntaxBreaks) {
  EXPECT_EQ(refusal("{\"a\": 1,\n \"b\" 2}").substr(0, 26), "f.json:2:6: not JSON: synt");
  EXPECT_EQ(refusal("{\"a\": [1, 2,\n]}"), "f.json:2:1: not JSON: found a comma after the last entry, expected none");
  EXPECT_EQ(refusal("[1, NaN]"), "f.json:1:5: NaN and infinity are not JSON, expected a finite number");
  EXPECT_EQ(refusal("[-Infinity]").substr(11), " NaN and infinity are not JSON, expected a finite number");
  EXPECT_NE(refusal("[1e999]").find("too large for double precision"), std::string::npos);
  EXPECT_NE(refusal("{\"a\": [1").find("the text ends too early"), std::string::npos);
  EXPECT_NE(refusal("{} x").find("f.json:1:4: not JSON"), std::string::npos);
  EXPECT_NE(refusal("[\"\xFF\"]").find("not JSON"), std::string::npos);
  EXPECT_EQ(refusal(std::string("[1,\n\0]", 6)), "f.json:2:1: not JSON: a zero byte");
  EXPECT_EQ(refusal(" \n"), "f.json:1:1: nothing here, expected JSON");
}

TEST(JsonTree, RefusesTwoOfAKey) {
  EXPECT_EQ(refusal("{\"b\": [{\"a\": 1, \"c\": 2,\n\"a\": 3}]}"),
            "f.json:2:1: /b/0/a: the key stands here for the second time, expected once");
}

TEST(JsonTree, KeepsItsLimits) {
  JsonLimits limits;
  limits.bytes = 10;
  EXPECT_EQ(refusal("[1, 2, 3, 4]", limits), "f.json:1:1: larger than the limit of 10 bytes");
  limits = {.depth = 3};
  EXPECT_EQ(refusal("[1, [[\n[2]]]]", limits),
            "f.json:2:1: /1/0/0: found more than 3 brackets inside one another, expected at most that many");
  limits = {.values = 3};
  EXPECT_EQ(refusal("{\"a\": [1, 2, 3]}", limits),
            "f.json:1:11: /a/1: found more than 3 values, expected at most that many");
  limits = {.token_bytes = 20};
  EXPECT_NE(refusal("[1, /* a rather long comment indeed */ 2]", limits).find("more than 20 bytes without a value"),
            std::string::npos);
  // Depth costs neither stack nor much time.
  EXPECT_NE(refusal(std::string(1'000'000, '[')).find("more than 64 brackets"), std::string::npos);
}

TEST(Mistakes, AreSortedAndCut) {
  Mistakes mistakes("f.json");
  for (std::uint32_t i = 0; i < 30; ++i)
    mistakes.add(MistakeKind::meaning, {100 - i, 1, 0}, "/a", "number " + std::to_string(i));
  EXPECT_TRUE(mistakes.full());
  const std::string text = mistakes.to_error().message;
  EXPECT_TRUE(text.starts_with("f.json:81:1: /a: number 19\nf.json:82:1: /a: number 18\n")) << text;
  EXPECT_TRUE(text.ends_with("these are the first 20")) << text;
}

}  // namespace
