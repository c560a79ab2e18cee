#include "stiction/model/expression.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "stiction/base/random.h"

namespace stiction {

namespace {

constexpr std::array<std::string_view, 3> names = {"t", "x", "vx"};

double value(const std::string& text, double t = 0.0, double x = 0.0, double vx = 0.0) {
  const auto expression = Expression::parse(text, names);
  EXPECT_TRUE(expression.ok()) << text << ": " << expression.error();
  const std::array<double, 3> variables = {t, x, vx};
  return expression.ok() ? expression.value().value(variables) : NAN;
}

std::string error(const std::string& text) {
  const auto expression = Expression::parse(text, names);
  EXPECT_FALSE(expression.ok()) << text;
  return expression.ok() ? "" : expression.error();
}

TEST(Expression, CalculatesAsOnPaper) {
  EXPECT_EQ(value("1 + 2*3"), 7.0);
  EXPECT_EQ(value("(1 + 2)*3"), 9.0);
  EXPECT_EQ(value("8/4/2"), 1.0);
  EXPECT_EQ(value("8-4-2"), 2.0);
  EXPECT_EQ(value("-2^2"), -4.0);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("--3"), 3.0);
  EXPECT_EQ(value("+3 - -2"), 5.0);
  EXPECT_EQ(value(" 1.5e2\n"), 150.0);
  EXPECT_EQ(value(".5"), 0.5);
}

TEST(Expression, KnowsVariablesConstantsAndFunctions) {
  EXPECT_DOUBLE_EQ(value("8*cos(t) - 0.5*vx", 0.3, 0.0, 2.0), 8.0 * std::cos(0.3) - 1.0);
  EXPECT_EQ(value("pi"), std::numbers::pi);
  EXPECT_DOUBLE_EQ(value("log(e)"), 1.0);
  EXPECT_DOUBLE_EQ(value("atan2(1, -1)"), 0.75 * std::numbers::pi);
  EXPECT_EQ(value("min(3, x) + max(3, x)", 0.0, 5.0), 8.0);
  EXPECT_EQ(value("clamp(x, -1, 1)", 0.0, -7.0), -1.0);
  EXPECT_EQ(value("step(t - 1)", 1.0), 1.0);
  EXPECT_EQ(value("step(t - 1)", 0.999), 0.0);
  EXPECT_EQ(value("sign(x)", 0.0, -3.0), -1.0);
  EXPECT_EQ(value("abs(-2) + floor(2.7) + sqrt(4)"), 6.0);
  const auto expression = Expression::parse("x^2", names);
  EXPECT_TRUE(expression.value().uses(1));
  EXPECT_FALSE(expression.value().uses(0));
  EXPECT_FALSE(expression.value().is_constant());
  EXPECT_TRUE(Expression::parse("1/3", names).value().is_constant());
  EXPECT_EQ(Expression::constant(2.5).value({}), 2.5);
  EXPECT_EQ(Expression().value({}), 0.0);
}

TEST(Expression, BadNumbersComeOutAsBadNumbers) {
  EXPECT_TRUE(std::isinf(value("1/t")));
  EXPECT_TRUE(std::isnan(value("0/t")));
  EXPECT_TRUE(std::isnan(value("sqrt(-1)")));
  EXPECT_TRUE(std::isnan(value("min(1, 0/t)")));
  EXPECT_TRUE(std::isnan(value("max(0/t, 1)")));
  EXPECT_TRUE(std::isnan(value("clamp(0/t, 0, 1)")));
  EXPECT_TRUE(std::isnan(value("sign(0/t)")));
  EXPECT_TRUE(std::isnan(value("step(0/t)")));
  EXPECT_TRUE(std::isinf(value("9^9^9^9")));
}

TEST(Expression, MistakesAreNamed) {
  EXPECT_EQ(error(""), "column 1: found the end, expected a number, a variable, a function or \"(\"");
  EXPECT_EQ(error("2*(t+1"), "column 7: found the end, expected \")\"");
  EXPECT_EQ(error("2 t"), "column 3: found \"t\", expected an operator or the end");
  EXPECT_EQ(error("2*cso(t)"),
            "column 3: there is no \"cso\", expected a function or one of t, x, vx; did you mean \"cos\"?");
  EXPECT_EQ(error("sin t"), "column 5: found \"t\", expected \"(\" after sin");
  EXPECT_EQ(error("atan2(1)"), "column 8: found \")\", expected \",\": atan2 takes 2");
  EXPECT_EQ(error("sin(1, 2)"), "column 6: found \",\", expected \")\": sin takes 1");
  EXPECT_EQ(error("1e999"), "column 1: the number does not fit double precision; at most 1.8e308 does");
  EXPECT_EQ(error("1e-400"), "column 1: the number does not fit double precision; write 0 for what is below 4.9e-324");
  EXPECT_EQ(error("2*\xC2\xB5"), "column 3: found \"\xC2\xB5\", expected a number, a variable, a function or \"(\"")
      << "a whole character of UTF-8";
  EXPECT_EQ(error("1;system(2)"), "column 2: found \";\", expected an operator or the end");
}

TEST(Expression, HostileTextEndsQuicklyWithAnError) {
  EXPECT_NE(error(std::string(1 << 20, '(')).find("characters"), std::string::npos);
  EXPECT_NE(error(std::string(4000, '(')).find("nested deeper than 64"), std::string::npos);
  EXPECT_NE(error(std::string(4000, '-') + "1").find("nested deeper"), std::string::npos);
  std::string powers = "2", sum = "1", clamps = "1";
  for (int i = 0; i < 900; ++i) powers += "^2";
  EXPECT_NE(error(powers).find("nested deeper"), std::string::npos);
  for (int i = 0; i < 1200; ++i) sum += "+1";
  EXPECT_NE(error(sum).find("more than 1000 operations"), std::string::npos);
  for (int i = 0; i < 40; ++i) clamps.insert(0, "clamp(1,2,1+2*") += ")";
  EXPECT_NE(error(clamps).find("nested deeper"), std::string::npos);
  EXPECT_NE(error(std::string("1\0 + 1", 6)).find("column 2"), std::string::npos);
}

/// A random formula whose value and derivatives stay of moderate size.
std::string random_formula(Random& random, int depth) {
  if (depth == 0) {
    constexpr std::array<const char*, 4> leaves = {"t", "x", "vx", "0.7"};
    return leaves[static_cast<std::size_t>(random.integer(0, 3))];
  }
  const std::string a = random_formula(random, depth - 1), b = random_formula(random, random.integer(0, depth - 1));
  switch (random.integer(0, 13)) {
    case 0:
      return "(" + a + "+" + b + ")";
    case 1:
      return "(" + a + "-" + b + ")";
    case 2:
      return "sin(" + a + ")*" + b;
    case 3:
      return "(" + a + ")/(2+cos(" + b + "))";
    case 4:
      return "(2+sin(" + a + "))^cos(" + b + ")";
    case 5:
      return "-tanh(" + a + ")";
    case 6:
      return "atan2(" + a + ", 2+sin(" + b + "))";
    case 7:
      return "sqrt(1+tanh(" + a + ")^2)";
    case 8:
      return "log(2+tanh(" + a + "))+atan(" + b + ")";
    case 9:
      return "exp(-abs(" + a + "))";
    case 10:
      return "min(" + a + "," + b + ")";
    case 11:
      return "max(" + a + ",0.3*" + b + ")";
    case 12:
      return "asin(0.5*tanh(" + a + "))+acos(0.5*tanh(" + b + "))";
    default:
      return "tan(0.5*tanh(" + a + "))+sinh(tanh(" + b + "))+cosh(tanh(" + a + "))";
  }
}

TEST(Expression, DerivativesAreThoseOfDifferences) {
  Random random(3);
  int compared = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::string text = random_formula(random, random.integer(1, 4));
    const auto parsed = Expression::parse(text, names);
    if (!parsed.ok()) continue;
    const Expression& f = parsed.value();
    std::array<double, 3> at = {random.normal(), random.normal(), random.normal()}, gradient = {9, 9, 9};
    EXPECT_EQ(f.value_and_gradient(at, gradient), f.value(at)) << text;
    for (std::size_t i = 0; i < 3; ++i) {
      constexpr double d = 1e-5;
      const double middle = at[i];
      const auto shifted = [&](double by) {
        at[i] = middle + by;
        const double result = f.value(at);
        at[i] = middle;
        return result;
      };
      const double central = (shifted(d) - shifted(-d)) / (2 * d), wide = (shifted(2 * d) - shifted(-2 * d)) / (4 * d);
      if (std::abs(central - wide) > 1e-6 * (1.0 + std::abs(central))) continue;  // a corner is near
      EXPECT_NEAR(gradient[i], central, 1e-5 * (1.0 + std::abs(central))) << text << " by " << names[i];
      ++compared;
    }
  }
  EXPECT_GT(compared, 600);
}

}  // namespace

}  // namespace stiction
