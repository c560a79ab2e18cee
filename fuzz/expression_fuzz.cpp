// Feeds the reader of formulas with anything. It must end in a short error that names a column, or in a formula that
// has one value at a point however it is asked for, and does not depend on variables that it says it does not use.

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "stiction/model/expression.h"

namespace {

using stiction::Expression;

constexpr std::array<std::string_view, 7> names{"t", "x", "y", "z", "vx", "vy", "vz"};
using Point = std::array<double, names.size()>;
constexpr std::array<Point, 4> points{{{0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
                                       {1.5, -2.0, 0.25, 3.0, -0.5, 1e-3, 7.0},
                                       {1e6, 1e300, -1e300, 1e-300, -1e-300, 1e18, -1.0},
                                       {-1.0, -1.0, 1.0, 0.5, 2.0, -3.0, 1e9}}};

void require(bool condition, const char* promise, std::string_view text) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n%.*s\n", promise, static_cast<int>(text.size()), text.data());
  std::abort();
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

void check_formula(const Expression& formula) {
  const std::string& text = formula.text();
  require(text.size() <= Expression::most_bytes, "no formula is longer than the limit", text);
  const auto again = Expression::parse(text, names);
  require(again.ok(), "what was read can be read again", text);
  for (const Point& point : points) {
    const double value = formula.value(point);
    require(same(again.value().value(point), value), "and has the same value", text);
    Point gradient{};
    require(same(formula.value_and_gradient(point, gradient), value), "the gradient comes with the same value", text);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (formula.uses(static_cast<int>(i))) continue;
      Point other = point;
      other[i] = 12.5;
      require(same(formula.value(other), value), "a variable that is not used changes nothing", text);
      require(!(std::abs(gradient[i]) > 0.0), "and has no derivative", text);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto formula = Expression::parse(input, names);
  if (formula.ok()) {
    check_formula(formula.value());
    return 0;
  }
  require(formula.error().size() < 400, "an error is short", formula.error());
  require(input.size() > Expression::most_bytes || formula.error().find("column") != std::string::npos,
          "an error names the column", formula.error());
  return 0;
}
