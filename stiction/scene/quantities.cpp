#include "stiction/scene/quantities.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/text.h"
#include "stiction/scene/object_reader.h"

namespace stiction::scene {

namespace {

/// Below this a direction is taken for zero.
constexpr double shortest_direction = 1e-12;

constexpr std::array<std::string_view, 2> axis_angle_keys{"axis", "angle"};

std::string in_words(const Range& range) {
  return std::string(range.what) + " from " + to_text(range.low) + " to " + to_text(range.high);
}

bool is_in(double value, const Range& range) {
  return value >= range.low && value <= range.high;
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// An array of this many numbers, each in the range.
template <int size>
std::optional<Eigen::Matrix<double, size, 1>> read_numbers(const Spot& spot, const Range& range,
                                                           std::string_view expectation, Mistakes& mistakes) {
  const JsonValue::Array* items = spot.value().array();
  if (items == nullptr || items->size() != static_cast<std::size_t>(size)) {
    spot.expect(expectation, mistakes);
    return std::nullopt;
  }
  Eigen::Matrix<double, size, 1> numbers;
  bool ok = true;
  for (int i = 0; i < size; ++i) {
    const auto index = static_cast<std::size_t>(i);
    const auto number = read_number(Spot(spot, (*items)[index], index), range, mistakes);
    ok = ok && number.has_value();
    numbers[i] = number.value_or(0.0);
  }
  return ok ? std::optional(numbers) : std::nullopt;
}

std::optional<Quat> read_axis_angle(const Spot& spot, Mistakes& mistakes) {
  const ObjectReader object(spot, "an orientation", axis_angle_keys, mistakes);
  const auto axis = object.require("axis", "[x, y, z]");
  const auto angle = object.required_number("angle", angle_range);
  const auto direction = axis ? read_direction(*axis, mistakes) : std::nullopt;
  if (!direction || !angle) return std::nullopt;
  return exponential(*angle * *direction);
}

}  // namespace

std::optional<double> read_number(const Spot& spot, const Range& range, Mistakes& mistakes) {
  const double* number = spot.value().number();
  if (number != nullptr && is_in(*number, range)) return std::abs(*number) < least_number ? 0.0 * *number : *number;
  spot.expect(in_words(range), mistakes);
  return std::nullopt;
}

std::optional<int> read_whole_number(const Spot& spot, const Range& range, Mistakes& mistakes) {
  const double* number = spot.value().number();
  if (number != nullptr && is_in(*number, range) && *number == std::floor(*number)) return static_cast<int>(*number);
  spot.expect(in_words(range) + ", a whole number", mistakes);
  return std::nullopt;
}

std::optional<bool> read_bool(const Spot& spot, Mistakes& mistakes) {
  if (const bool* flag = spot.value().boolean()) return *flag;
  spot.expect("true or false", mistakes);
  return std::nullopt;
}

bool is_name(std::string_view text) {
  return !text.empty() && !has_control_character(text) && count_characters(text) <= longest_name;
}

std::string name_in_words() {
  return "a name of 1 to " + std::to_string(longest_name) + " printable characters";
}

std::optional<std::string> read_name(const Spot& spot, Mistakes& mistakes) {
  const std::string* text = spot.value().text();
  if (text != nullptr && is_name(*text)) return *text;
  spot.expect(name_in_words(), mistakes);
  return std::nullopt;
}

std::optional<Vec3> read_vector(const Spot& spot, const Range& range, Mistakes& mistakes) {
  return read_numbers<3>(spot, range, "[x, y, z], three numbers", mistakes);
}

std::optional<Eigen::Vector2d> read_plane_vector(const Spot& spot, const Range& range, Mistakes& mistakes) {
  return read_numbers<2>(spot, range, "[x, y], two numbers", mistakes);
}

std::optional<Vec3> read_direction(const Spot& spot, Mistakes& mistakes) {
  const auto vector = read_vector(spot, direction_range, mistakes);
  if (!vector) return std::nullopt;
  const double length = vector->norm();
  if (length >= shortest_direction) return *vector / length;
  spot.refuse(MistakeKind::meaning, "found a vector of length " + to_text(length) + ", expected a direction", mistakes);
  return std::nullopt;
}

std::optional<Quat> read_orientation(const Spot& spot, Mistakes& mistakes) {
  if (spot.value().object() != nullptr) return read_axis_angle(spot, mistakes);
  const auto q = read_numbers<4>(spot, direction_range,
                                 "a quaternion [w, x, y, z] or {\"axis\": [x, y, z], \"angle\": rad}", mistakes);
  if (!q) return std::nullopt;
  const double length = q->norm();
  if (length >= shortest_direction) return Quat((*q)[0] / length, (*q)[1] / length, (*q)[2] / length, (*q)[3] / length);
  spot.refuse(MistakeKind::meaning, "found a quaternion of length " + to_text(length) + ", expected a rotation",
              mistakes);
  return std::nullopt;
}

std::optional<Mat3> read_inertia(const Spot& spot, Mistakes& mistakes) {
  constexpr std::string_view expectation = "a moment of inertia, [Ixx, Iyy, Izz], or the three rows of a matrix";
  const JsonValue& value = spot.value();
  if (value.number() != nullptr) {
    const auto moment = read_number(spot, inertia_range, mistakes);
    return moment ? std::optional<Mat3>(*moment * Mat3::Identity()) : std::nullopt;
  }
  const JsonValue::Array* rows = value.array();
  if (rows == nullptr || rows->size() != 3) {
    spot.expect(expectation, mistakes);
    return std::nullopt;
  }
  if ((*rows)[0].array() == nullptr) {
    const auto moments = read_numbers<3>(spot, inertia_range, expectation, mistakes);
    return moments ? std::optional<Mat3>(moments->asDiagonal()) : std::nullopt;
  }
  Mat3 matrix;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto row = read_numbers<3>(Spot(spot, (*rows)[i], i), inertia_range, "a row, three numbers", mistakes);
    if (!row) return std::nullopt;
    matrix.row(static_cast<int>(i)) = row->transpose();
  }
  return matrix;
}

std::optional<std::size_t> read_word(const Spot& spot, std::span<const std::string_view> words, Mistakes& mistakes) {
  const std::string* text = spot.value().text();
  if (text != nullptr) {
    const auto found = std::find(words.begin(), words.end(), *text);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  }
  spot.expect(list_words(words) + (text != nullptr ? did_you_mean(*text, words) : ""), mistakes);
  return std::nullopt;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const std::size_t slips = word.size() <= 3 ? 1 : word.size() <= 8 ? 2 : 3;
  const std::string_view meant = closest_word(word, known, slips);
  return meant.empty() ? "" : "; did you mean `" + std::string(meant) + "`?";
}

std::string list_words(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += "`" + std::string(words[i]) + "`";
  }
  return text;
}

}  // namespace stiction::scene
