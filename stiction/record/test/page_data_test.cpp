#include "stiction/record/page_data.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numbers>

#include "stiction/model/model_builder.h"
#include "stiction/record/model_json.h"
#include "stiction/record/page_array.h"

namespace stiction {
namespace {

using nlohmann::ordered_json;

/// Written apart from the encoder, by the words of RFC 4648.
std::vector<unsigned char> from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = (bits << 6) | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<unsigned char>((bits >> count) & 255u));
  }
  return bytes;
}

template <class Number>
std::vector<double> decode_as(const ordered_json& array) {
  const auto packed = from_base64(array["data"].get<std::string>());
  std::size_t count = 1;
  for (const auto& size : array["shape"]) count *= size.get<std::size_t>();
  std::vector<unsigned char> bytes(count * sizeof(Number) + 1);
  uLongf size = bytes.size();
  EXPECT_EQ(uncompress(bytes.data(), &size, packed.data(), packed.size()), Z_OK);
  EXPECT_EQ(size, count * sizeof(Number));
  std::vector<Number> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    unsigned char element[sizeof(Number)];
    for (std::size_t b = 0; b < sizeof(Number); ++b) element[b] = bytes[b * count + i];
    std::memcpy(&numbers[i], element, sizeof(Number));
  }
  const std::size_t row = count / array["shape"][0].get<std::size_t>();
  if (array.value("delta", false))
    for (std::size_t i = row; i < count; ++i) numbers[i] = static_cast<Number>(numbers[i] + numbers[i - row]);
  std::vector<double> values;
  for (const Number number : numbers)
    values.push_back(array.contains("scale") ? array["offset"][0].get<double>() +
                                                   array["scale"][0].get<double>() * static_cast<double>(number)
                                             : static_cast<double>(number));
  return values;
}

TEST(PageArray, Base64OfTheStandard) {
  // RFC 4648, section 10.
  const auto encode = [](const std::string& text) {
    return to_base64({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
  };
  EXPECT_EQ(encode(""), "");
  EXPECT_EQ(encode("f"), "Zg==");
  EXPECT_EQ(encode("fo"), "Zm8=");
  EXPECT_EQ(encode("foo"), "Zm9v");
  EXPECT_EQ(encode("foob"), "Zm9vYg==");
  EXPECT_EQ(encode("fooba"), "Zm9vYmE=");
  EXPECT_EQ(encode("foobar"), "Zm9vYmFy");
}

TEST(PageArray, EveryTypeComesBackToItsDigits) {
  std::vector<double> values;
  for (int i = 0; i < 300; ++i) values.push_back(3.0 + 2.0 * std::sin(0.1 * i));
  const std::vector<std::uint64_t> shape{50, 2, 3};
  EXPECT_EQ(decode_as<double>(make_page_array(values, shape, PageType::f64)), values);
  const auto single = decode_as<float>(make_page_array(values, shape, PageType::f32));
  const auto fine = decode_as<std::int32_t>(make_page_array(values, shape, PageType::fine));
  const auto coarse = decode_as<std::int16_t>(make_page_array(values, shape, PageType::coarse));
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(single[i], static_cast<double>(static_cast<float>(values[i])));
    EXPECT_NEAR(fine[i], values[i], 4.0 * 0x1p-24) << "a range of 4 in 2^24 steps, rounded";
    EXPECT_NEAR(coarse[i], values[i], 4.0 * 0x1p-16);
  }
  const std::vector<double> odd{0.0, 7.0, NAN, -1.0, 1e30, 255.0};
  EXPECT_EQ(decode_as<std::uint8_t>(make_page_array(odd, {6}, PageType::u8)),
            (std::vector<double>{0.0, 7.0, 0.0, 0.0, 255.0, 255.0}));
  EXPECT_EQ(make_page_array({}, {5, 0, 3}, PageType::f64)["data"], "");
  const std::vector<double> bad{NAN, INFINITY, 1.0, 2.0};
  const auto kept = decode_as<std::int16_t>(make_page_array(bad, {4}, PageType::coarse));
  EXPECT_NEAR(kept[2], 1.0, 1e-4) << "what is not finite does not spoil the rest";
  EXPECT_NEAR(kept[3], 2.0, 1e-4);
}

/// Two bodies, one of them fixed, three frames with 0, 1 and 2 contacts, four steps, two events.
RecordedRun make_run() {
  RecordedRun run;
  run.name = "</script><script>alert(1)</script>";
  run.version = "0";
  run.status = "done";
  run.scene = "{\"name\": \"<b>\xe2\x80\xa8 \xf0\x9f\x98\x80 \\\"\"}";
  run.settings = R"({"scheme": "theta", "h": 0.5})";
  run.model = R"({"gravity": [0, -9.8, 0], "planar": true, "joints": [], "bodies": [
    {"name": "floor", "motion": "fixed", "position": [1, 2, 3], "orientation": [1, 0, 0, 0], "shapes": []},
    {"name": "ball", "motion": "movable", "mass": 2, "shapes": [{"type": "sphere", "radius": 1}]}]})";
  run.summary = R"({"steps": 4, "bodies": {"ball": 1}, "events": [1, 2], "folder": "/home/me"})";
  run.bodies = {"ball"};
  run.contacts = {"ball - floor"};
  const auto add = [&](const char* path, std::vector<std::uint64_t> row, std::uint64_t rows,
                       std::vector<double> values) { run.arrays[path] = {std::move(row), rows, std::move(values)}; };
  add("frames/time", {}, 3, {0, 1, 2});
  add("frames/step", {}, 3, {0, 2, 4});
  add("frames/position", {1, 3}, 3, {0, 0, 0, 1, 0, 0, 2, 0, 0});
  add("frames/orientation", {1, 4}, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  add("frames/velocity", {1, 3}, 3, {1, 0, 0, 1, 0, 0, 1, 0, 0});
  add("frames/velocity_alpha", {1, 3}, 3, {1, 0, 0, 1, 0, 0, 1, 0, 0});
  add("frames/angular_velocity", {1, 3}, 3, std::vector<double>(9, 0.0));
  add("contacts/start", {}, 4, {0, 0, 1, 3});
  add("contacts/id", {}, 3, {0, 0, 0});
  add("contacts/mu", {}, 1, {0.25});
  add("contacts/gap", {}, 3, {0.5, 0.25, 0.125});
  add("contacts/slip_speed", {}, 3, {0, 2, 4});
  add("steps/time", {}, 4, {0.5, 1, 1.5, 2});
  add("steps/joint_error", {}, 4, {0, 0.5, 0.25, 0.125});
  add("events/time", {}, 2, {0.5, 2});
  add("events/kind", {}, 2, {0, 2});
  add("events/contact", {}, 2, {0, 0});
  add("events/step", {}, 2, {0, 3});
  return run;
}

ordered_json page_of(const RecordedRun& run, std::uint64_t from = 0) {
  return ordered_json::parse(make_page_data({{&run, "label", from}}).value(), nullptr, false);
}

TEST(PageData, HoldsTheRunInThePagesForm) {
  const RecordedRun run = make_run();
  const ordered_json page = page_of(run);
  EXPECT_EQ(page["format"], 1);
  const ordered_json& out = page["runs"][0];
  EXPECT_EQ(out["label"], "label");
  EXPECT_EQ(out["scene"], run.scene);
  EXPECT_EQ(out["summary"], ordered_json({{"steps", 4}}));
  EXPECT_EQ(out["bodies"][0]["motion"], "static");
  EXPECT_EQ(out["bodies"][0]["index"], nullptr);
  EXPECT_EQ(out["bodies"][0]["pose"]["position"], ordered_json({1, 2, 3}));
  EXPECT_EQ(out["bodies"][1]["motion"], "free");
  EXPECT_EQ(out["bodies"][1]["index"], 0);
  EXPECT_EQ(out["contacts"][0]["mu"], 0.25);
  EXPECT_EQ(out["events"][1]["kind"], "stick");
  EXPECT_EQ(out["planar"], true);
  EXPECT_EQ(decode_as<double>(out["arrays"]["position"]), run.array("frames/position").values);
  EXPECT_EQ(decode_as<std::uint32_t>(out["arrays"]["contact.start"]), (std::vector<double>{0, 0, 1, 3}));
  EXPECT_FALSE(out["arrays"].contains("velocity_alpha")) << "the same as velocity";
  EXPECT_EQ(label_of(run), run.name + ", theta, h = 0.5");
}

TEST(PageData, LaterFramesComeWithTheirStepsAndContacts) {
  const ordered_json page = page_of(make_run(), 2);
  const ordered_json& out = page["runs"][0];
  EXPECT_EQ(decode_as<double>(out["arrays"]["time"]), std::vector<double>{2});
  EXPECT_EQ(decode_as<double>(out["arrays"]["step.time"]), (std::vector<double>{1.5, 2}));
  EXPECT_EQ(decode_as<std::uint32_t>(out["arrays"]["contact.start"]), (std::vector<double>{0, 2}));
  EXPECT_EQ(decode_as<double>(out["arrays"]["contact.gap"]), (std::vector<double>{0.25, 0.125}));
  EXPECT_EQ(decode_as<float>(out["arrays"]["contact.slip_speed"]), (std::vector<double>{2, 4}));
  EXPECT_EQ(decode_as<float>(out["arrays"]["step.joint_error"]), (std::vector<double>{0.25, 0.125}));
  ASSERT_EQ(out["events"].size(), 1u);
  EXPECT_EQ(out["events"][0]["step"], 3);
  const ordered_json none = page_of(make_run(), 1000);
  EXPECT_EQ(none["runs"][0]["arrays"]["time"]["shape"][0], 0) << "frames that are not there yet";
}

TEST(PageData, AModelThatIsNoneIsAnErrorAndNothingThrows) {
  RecordedRun run = make_run();
  for (const std::string model :
       {"", "[", "[]", "{\"bodies\": 3}", "{\"bodies\": [1, {\"motion\": []}], \"planar\": \"x\"}"}) {
    run.model = model;
    run.settings = model;
    run.summary = model;
    const Result<std::string> page = make_page_data({{&run, "\xff", 0}});
    EXPECT_EQ(page.ok(), model.starts_with('{')) << model;
    EXPECT_FALSE(label_of(run).empty());
  }
  run.model = std::string(100'000, '[');
  EXPECT_FALSE(make_page_data({{&run, "", 0}}).ok());
}

TEST(PageData, JointsSayWhereTheyHoldEachBodyInItsOwnFrame) {
  ModelBuilder builder;
  const auto bob =
      builder.add_body({.name = "bob", .mass = 1.0, .shape = Sphere{.radius = 0.1}, .position = {1.0, 2.0, 3.0}});
  builder.add_joint({.name = "rod",
                     .kind = JointKind::distance,
                     .body = bob,
                     .anchor = {1.0, 2.0, 3.5},
                     .partner_anchor = Vec3(0.0, 0.0, 4.0)});
  builder.add_joint({.name = "pin", .kind = JointKind::revolute, .body = bob, .anchor = {1.0, 0.0, 3.0}});
  const auto model = ordered_json::parse(model_to_json(builder.build().value()));
  EXPECT_EQ(model["joints"][0]["bodies"], (ordered_json{"", "bob"}));
  EXPECT_EQ(model["joints"][0]["anchors"].dump(), "[[0.0,0.0,4.0],[0.0,0.0,0.5]]");
  EXPECT_EQ(model["joints"][1]["anchors"].dump(), "[[1.0,0.0,3.0],[0.0,-2.0,0.0]]");
}

TEST(PageData, RopesAndSpringsSayWhereTheyPullAndJointsTheirAxisInTheirPartnersFrame) {
  ModelBuilder builder;
  const auto post = builder.add_body(
      {.name = "post", .orientation = Quat(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitZ())), .fixed = true});
  const auto bob =
      builder.add_body({.name = "bob", .mass = 1.0, .shape = Sphere{.radius = 0.1}, .position = {1.0, 2.0, 3.0}});
  builder.add_joint({.name = "rope",
                     .kind = JointKind::rope,
                     .body = bob,
                     .anchor = {1.0, 2.0, 3.5},
                     .partner_anchor = Vec3(0.0, 0.0, 4.0),
                     .length = 6.0});
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic, JointKind::cylindrical, JointKind::planar})
    builder.add_joint({.name = "along x " + std::to_string(static_cast<int>(kind)),
                       .kind = kind,
                       .body = bob,
                       .partner = post,
                       .anchor = {1.0, 0.0, 3.0},
                       .axis = Vec3(5.0, 0.0, 0.0)});
  builder.add_joint({.name = "weld", .kind = JointKind::fixed, .body = bob, .anchor = {1.0, 0.0, 3.0}});
  builder.add_spring({.name = "spring",
                      .body = bob,
                      .partner = post,
                      .anchor = {1.0, 2.0, 2.5},
                      .partner_anchor = {1.0, 0.0, 0.0},
                      .stiffness = 20.0,
                      .damping = 0.5,
                      .length = 0.75});
  const auto model = ordered_json::parse(model_to_json(builder.build().value()));
  EXPECT_EQ(model["joints"][0]["anchors"].dump(), "[[0.0,0.0,4.0],[0.0,0.0,0.5]]");
  EXPECT_EQ(model["joints"][0]["length"], 6.0);
  const auto near = [](const ordered_json& list, const Vec3& to) {
    return (Vec3(list[0], list[1], list[2]) - to).norm() < 1e-15;
  };
  for (const int i : {1, 2, 3, 4})
    EXPECT_TRUE(near(model["joints"][i]["axis"], {0.0, -1.0, 0.0})) << model["joints"][i].dump();
  EXPECT_FALSE(model["joints"][5].contains("axis"));
  const ordered_json& spring = model["springs"][0];
  EXPECT_EQ(spring["bodies"], (ordered_json{"post", "bob"}));
  EXPECT_TRUE(near(spring["anchors"][0], {0.0, -1.0, 0.0})) << spring.dump();
  EXPECT_TRUE(near(spring["anchors"][1], {0.0, 0.0, -0.5})) << spring.dump();
  EXPECT_EQ(spring["stiffness"], 20.0);
  EXPECT_EQ(spring["damping"], 0.5);
  EXPECT_EQ(spring["length"], 0.75);
}

TEST(PageData, NoTextOfASceneCanLeaveItsElement) {
  const std::string head = "<html><script id=\"stiction-data\" type=\"application/json\">", tail = "</script></html>";
  const RecordedRun run = make_run();
  const std::string page = fill_page(head + "null" + tail, make_page_data({{&run, run.name, 0}}).value());
  ASSERT_TRUE(page.starts_with(head));
  ASSERT_TRUE(page.ends_with(tail));
  const std::string data = page.substr(head.size(), page.size() - head.size() - tail.size());
  EXPECT_EQ(data.find('<'), std::string::npos);
  EXPECT_EQ(data.find("\xe2\x80\xa8"), std::string::npos);
  const ordered_json read = ordered_json::parse(data, nullptr, false);
  EXPECT_EQ(read["runs"][0]["label"], run.name) << "and it reads as the same text";
  EXPECT_EQ(read["runs"][0]["scene"], run.scene);
  EXPECT_EQ(fill_page("<html></html>", "1"), "");
}

}  // namespace
}  // namespace stiction
