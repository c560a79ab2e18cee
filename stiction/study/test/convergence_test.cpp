#include "stiction/study/convergence.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stiction {
namespace {

/// |C h^p (1 + b h) - C r^p (1 + b r)|, for halved steps from 0.1.
std::vector<ErrorAt> power_law(int count, double p, double r, double b = 0.0) {
  std::vector<ErrorAt> errors;
  const auto error = [&](double h) { return 3.0 * std::pow(h, p) * (1.0 + b * h); };
  for (int i = 0; i < count; ++i) {
    const double h = std::ldexp(0.1, -i);
    errors.push_back({h, std::abs(error(h) - (r > 0.0 ? error(r) : 0.0)), true});
  }
  return errors;
}

TEST(Convergence, OrderOfTwoErrors) {
  EXPECT_NEAR(order_between(0.2, 0.08, 0.1, 0.02, 0.0).value(), 2.0, 1e-12);
  EXPECT_NEAR(order_between(0.3, 2.7, 0.1, 0.1, 0.0).value(), 3.0, 1e-12);
  EXPECT_NEAR(order_between(0.2, 1.0, 0.1, 2.0, 0.0).value(), -1.0, 1e-12) << "growing";
}

TEST(Convergence, TheReferencesOwnErrorDoesNotBiasTheOrder) {
  for (const double p : {0.5, 1.0, 1.5, 2.0, 4.0}) {
    const double r = 0.025, e1 = std::pow(0.2, p) - std::pow(r, p), e2 = std::pow(0.1, p) - std::pow(r, p);
    EXPECT_NEAR(order_between(0.2, e1, 0.1, e2, r).value(), p, 1e-9);
    EXPECT_GT(std::log2(e1 / e2), p + 0.005) << "the plain one";
  }
}

TEST(Convergence, NoOrderOfNothing) {
  EXPECT_FALSE(order_between(0.2, 0.0, 0.1, 1.0, 0.0));
  EXPECT_FALSE(order_between(0.2, 1.0, 0.1, 0.0, 0.0));
  EXPECT_FALSE(order_between(0.2, NAN, 0.1, 1.0, 0.0));
  EXPECT_FALSE(order_between(0.2, INFINITY, 0.1, 1.0, 0.0));
  EXPECT_FALSE(order_between(0.1, 1.0, 0.2, 1.0, 0.0)) << "not from coarse to fine";
  EXPECT_FALSE(order_between(0.2, 1.0, 0.1, 1.0, 0.1)) << "the reference is no finer";
  EXPECT_FALSE(order_between(0.2, 1.0, 0.1, 1e-300, 0.0)) << "no order is that high";
}

TEST(Convergence, FindsThePowerThatWasPutIn) {
  for (const double p : {1.0, 2.0, 3.0}) {
    for (const double r : {0.0, 0.1 / 32}) {
      const auto errors = power_law(4, p, r);
      const Convergence found = find_convergence(errors, r, 1e-14);
      EXPECT_EQ(found.verdict, Verdict::asymptotic);
      EXPECT_NEAR(found.order.value(), p, 1e-6);
      EXPECT_EQ(found.settled_from, 0);
      EXPECT_FALSE(found.orders[0]);
      EXPECT_NEAR(found.orders[3].value(), p, 1e-6);
      EXPECT_NEAR(predict_error(errors, found, r, 0.1, 9.0).value(), 3.0 * std::pow(0.1, p), 1e-6)
          << "the error itself, not the difference to the reference";
      EXPECT_NEAR(predict_error(errors, found, r, 1e-3, 9.0).value(), 3.0 * std::pow(1e-3, p), 1e-8);
    }
  }
}

// Errors that fall like h^3 in a scheme of second order are in a range of their own: below it h^2 takes over.
TEST(Convergence, TrustsNoOrderAboveTheSchemesAtSmallerSteps) {
  const auto errors = power_law(4, 3.0, 0.0);
  const Convergence found = find_convergence(errors, 0.0, 1e-14);
  const double finest = errors.back().error, h = errors.back().h;
  EXPECT_NEAR(predict_error(errors, found, 0.0, 0.1 * h, 2.0).value(), 0.01 * finest, 1e-9 * finest);
  EXPECT_NEAR(predict_error(errors, found, 0.0, 2.0 * h, 2.0).value(), 8.0 * finest, 1e-6 * finest);
}

TEST(Convergence, CoarseRunsBeforeTheRangeAreLeftOut) {
  std::vector<ErrorAt> errors = power_law(6, 2.0, 0.0);
  errors[0].error *= 0.4;
  const Convergence found = find_convergence(errors, 0.0, 1e-14);
  EXPECT_EQ(found.verdict, Verdict::asymptotic);
  EXPECT_EQ(found.settled_from, 1);
  EXPECT_NEAR(found.order.value(), 2.0, 1e-9);
}

TEST(Convergence, OtherEventsInTheCoarseRunsAreLeftOut) {
  std::vector<ErrorAt> errors = power_law(5, 2.0, 0.0);
  errors[1].is_comparable = false;
  const Convergence found = find_convergence(errors, 0.0, 1e-14);
  EXPECT_EQ(found.verdict, Verdict::asymptotic);
  EXPECT_EQ(found.settled_from, 2);
  EXPECT_FALSE(found.orders[1]);
  EXPECT_FALSE(found.orders[2]);
  EXPECT_TRUE(found.ratios[2]) << "a ratio is a fact";
}

TEST(Convergence, OtherEventsInFineRunsAllowNoOrder) {
  std::vector<ErrorAt> errors = power_law(5, 2.0, 0.0);
  errors[3].is_comparable = false;
  const Convergence found = find_convergence(errors, 0.0, 1e-14);
  EXPECT_EQ(found.verdict, Verdict::different_events);
  EXPECT_FALSE(found.order);
  for (const auto& order : found.orders) EXPECT_FALSE(order);
  EXPECT_FALSE(predict_error(errors, found, 0.0, 0.1, 9.0));
}

TEST(Convergence, ErrorsThatDoNotFallHaveNoOrder) {
  const std::vector<ErrorAt> chaos{{0.08, 1.2}, {0.04, 0.7}, {0.02, 1.4}, {0.01, 0.9}, {0.005, 1.1}};
  const Convergence found = find_convergence(chaos, 0.001, 1e-14);
  EXPECT_EQ(found.verdict, Verdict::not_falling);
  EXPECT_FALSE(found.order);
  for (const auto& order : found.orders) EXPECT_FALSE(order);
  const std::vector<ErrorAt> flat{{0.04, 1.0}, {0.02, 1.0}, {0.01, 1.0}};
  EXPECT_EQ(find_convergence(flat, 0.0, 1e-14).verdict, Verdict::not_falling);
}

TEST(Convergence, OrdersThatJumpHaveNotSettled) {
  const std::vector<ErrorAt> jumping{{0.08, 1e-1}, {0.04, 2e-2}, {0.02, 1.1e-2}, {0.01, 2e-3}};
  const Convergence found = find_convergence(jumping, 0.0, 1e-14);
  EXPECT_EQ(found.verdict, Verdict::not_settled);
  EXPECT_FALSE(found.order);
}

TEST(Convergence, TwoErrorsGiveAnOrderThatNobodyVouchesFor) {
  const Convergence found = find_convergence(power_law(2, 2.0, 0.0), 0.0, 1e-14);
  EXPECT_EQ(found.verdict, Verdict::too_few);
  EXPECT_FALSE(found.order);
  EXPECT_NEAR(found.orders[1].value(), 2.0, 1e-9);
  EXPECT_EQ(find_convergence({}, 0.0, 1e-14).verdict, Verdict::too_few);
}

TEST(Convergence, RoundingIsNoOrder) {
  const std::vector<ErrorAt> exact{{0.04, 1e-16}, {0.02, 0.0}, {0.01, 3e-16}};
  EXPECT_EQ(find_convergence(exact, 0.0, 1e-14).verdict, Verdict::rounding);
  std::vector<ErrorAt> reaches = power_law(5, 4.0, 0.0);
  reaches.push_back({reaches.back().h / 2, 1e-15, true});
  const Convergence found = find_convergence(reaches, 0.0, 1e-14);
  EXPECT_EQ(found.verdict, Verdict::asymptotic) << "the runs before it show the order";
  EXPECT_NEAR(found.order.value(), 4.0, 1e-9);
  EXPECT_NEAR(predict_error(reaches, found, 0.0, 0.1, 9.0).value(), 3e-4, 1e-10);
}

/// Table 10.1 of Potra et al. 2006, E_h, and the ratios printed beside it.
TEST(Convergence, Table101Of2006IsOfOrderTwo) {
  const std::vector<double> printed{2.38e-3, 6.14e-4, 1.54e-4, 3.95e-5, 1.01e-5, 2.42e-6, 6.15e-7};
  const std::vector<double> ratios{3.88, 3.97, 3.91, 3.92, 4.17, 3.93};
  std::vector<ErrorAt> errors;
  for (std::size_t i = 0; i < printed.size(); ++i)
    errors.push_back({std::ldexp(1.0, -5 - static_cast<int>(i)), printed[i], true});
  const Convergence found = find_convergence(errors, std::ldexp(1.0, -20), 1e-12);
  EXPECT_EQ(found.verdict, Verdict::asymptotic);
  EXPECT_EQ(found.settled_from, 0);
  EXPECT_NEAR(found.order.value(), 2.0, 0.03);
  for (std::size_t i = 0; i < ratios.size(); ++i) EXPECT_NEAR(found.ratios[i + 1].value(), ratios[i], 0.02);
}

}  // namespace
}  // namespace stiction
