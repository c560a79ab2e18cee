#include "stiction/scene/version.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace {

using namespace stiction::scene;  // NOLINT(google-build-using-namespace): a test of that namespace

/// Steps of a format that called gravity `g` in version 1 and `fall` in version 2.
void rename(JsonValue& root, const std::string& from, const std::string& to) {
  for (JsonMember& member : std::get<JsonValue::Object>(root.content))
    if (member.key == from) member.key = to;
}
constexpr std::array<Migration, 2> steps{{
    {2, [](JsonValue& root) { rename(root, "fall", "gravity"); }},
    {1, [](JsonValue& root) { rename(root, "g", "fall"); }},
}};

std::string migrated(const std::string& text, int newest, std::span<const Migration> migrations) {
  Mistakes mistakes("f.json");
  auto root = parse_json(text, 0, {}, mistakes);
  return migrate(*root, newest, migrations, mistakes) ? to_json(*root) : mistakes.to_error().message;
}

TEST(Version, OldDocumentsAreMigratedStepByStep) {
  EXPECT_EQ(migrated("{\"stiction\": 1, \"g\": 3}", 3, steps), "{\"stiction\": 3, \"gravity\": 3}");
  EXPECT_EQ(migrated("{\"stiction\": 2, \"fall\": 3}", 3, steps), "{\"stiction\": 3, \"gravity\": 3}");
  EXPECT_EQ(migrated("{\"stiction\": 3, \"g\": 3}", 3, steps), "{\"stiction\": 3, \"g\": 3}");
}

TEST(Version, WhatCannotBeMigratedIsRefused) {
  EXPECT_EQ(migrated("{\"stiction\": 4}", 3, steps),
            "f.json:1:14: /stiction: found version 4 of the format, expected at most 3; a newer Stiction reads it");
  EXPECT_NE(migrated("{\"stiction\": 1}", 3, {}).find("expected `\"stiction\": 3`"), std::string::npos);
  EXPECT_NE(migrated("{\"stiction\": 1.5}", 3, steps).find("found 1.5"), std::string::npos);
  EXPECT_NE(migrated("{\"stiction\": 1e300}", 3, steps).find("found version 1e+300"), std::string::npos);
  EXPECT_NE(migrated("{\"stiction\": -1}", 3, steps).find("found -1"), std::string::npos);
}

}  // namespace
