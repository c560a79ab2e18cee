#include "stiction/study/convergence.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stiction {

namespace {

constexpr double least_order = -2.0, most_order = 12.0;
/// Orders of neighbouring pairs that differ by no more than this are one order; less than the distance from 1 to 2.
constexpr double settled_within = 0.25;
/// What falls slower than this does not fall.
constexpr double slowest = 0.3;

/// log of (h1^p - r^p)/(h2^p - r^p). It grows with p; at p = 0 its limit is log(h1/r)/log(h2/r).
double log_ratio(double p, double h1, double h2, double r) {
  if (r == 0.0) return p * std::log(h1 / h2);
  const double a = std::log(h1 / r), b = std::log(h2 / r);
  if (std::abs(p) < 1e-9) return std::log(a / b);
  // expm1 keeps the digits of x^p - 1 for small p; both have the sign of p.
  return std::log(std::expm1(p * a) / std::expm1(p * b));
}

/// The first pair from which on all orders are one, or the number of pairs.
std::size_t find_settled(const std::vector<double>& orders) {
  std::size_t first = orders.size();
  double low = INFINITY, high = -INFINITY;
  while (first > 0) {
    low = std::min(low, orders[first - 1]);
    high = std::max(high, orders[first - 1]);
    if (high - low > settled_within) break;
    --first;
  }
  return first;
}

/// The trailing errors that can be compared and are not rounding, as [first, last).
struct Window {
  std::size_t first = 0, last = 0;
  [[nodiscard]] std::size_t size() const { return last - first; }
};

Window find_window(std::span<const ErrorAt> errors, double floor) {
  std::size_t last = errors.size();
  while (last > 0 && errors[last - 1].is_comparable && errors[last - 1].error <= floor) --last;
  std::size_t first = last;
  while (first > 0 && errors[first - 1].is_comparable && std::isfinite(errors[first - 1].error)) --first;
  return {first, last};
}

Verdict judge_few(std::span<const ErrorAt> errors, const Window& window) {
  const bool all_comparable =
      std::all_of(errors.begin(), errors.end(), [](const ErrorAt& e) { return e.is_comparable; });
  if (window.last < errors.size()) return Verdict::rounding;
  return all_comparable ? Verdict::too_few : Verdict::different_events;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  constexpr std::array<std::string_view, 6> names{"asymptotic",       "rounding",    "too_few",
                                                  "different_events", "not_settled", "not_falling"};
  return names[static_cast<std::size_t>(verdict)];
}

std::optional<double> order_between(double h1, double e1, double h2, double e2, double r) {
  if (!(e1 > 0.0) || !(e2 > 0.0) || !std::isfinite(e1) || !std::isfinite(e2)) return std::nullopt;
  if (!(h1 > h2) || !(h2 > r)) return std::nullopt;
  const double wanted = std::log(e1) - std::log(e2);
  double low = least_order, high = most_order;
  if (wanted < log_ratio(low, h1, h2, r) || wanted > log_ratio(high, h1, h2, r)) return std::nullopt;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (log_ratio(middle, h1, h2, r) < wanted ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

Convergence find_convergence(std::span<const ErrorAt> errors, double reference_h, double floor) {
  Convergence found;
  found.ratios.resize(errors.size());
  found.orders.resize(errors.size());
  for (std::size_t i = 1; i < errors.size(); ++i) {
    const ErrorAt &coarse = errors[i - 1], &fine = errors[i];
    if (!(fine.error > 0.0) || !std::isfinite(coarse.error / fine.error)) continue;
    found.ratios[i] = coarse.error / fine.error;
    if (coarse.is_comparable && fine.is_comparable && fine.error > floor)
      found.orders[i] = order_between(coarse.h, coarse.error, fine.h, fine.error, reference_h);
  }

  const Window window = find_window(errors, floor);
  if (window.size() < 3) {
    found.verdict = judge_few(errors, window);
    if (found.verdict != Verdict::too_few) found.orders.assign(errors.size(), std::nullopt);
    return found;
  }
  std::vector<double> orders;
  for (std::size_t i = window.first + 1; i < window.last; ++i) orders.push_back(found.orders[i].value_or(least_order));
  const std::size_t first = find_settled(orders);
  const std::size_t pairs = orders.size() - first;
  double sum = 0.0;
  for (std::size_t i = first; i < orders.size(); ++i) sum += orders[i];
  const double mean = sum / static_cast<double>(std::max<std::size_t>(pairs, 1));
  if (pairs >= 2 && mean > slowest) {
    found.verdict = Verdict::asymptotic;
    found.order = mean;
    found.settled_from = static_cast<int>(window.first + first);
    return found;
  }
  const double whole = std::log(errors[window.first].error / errors[window.last - 1].error) /
                       std::log(errors[window.first].h / errors[window.last - 1].h);
  found.verdict = whole > slowest && orders.back() > slowest ? Verdict::not_settled : Verdict::not_falling;
  found.orders.assign(errors.size(), std::nullopt);
  return found;
}

double richardson(double difference, double h, double r, double p) {
  return difference / -std::expm1(p * std::log(r / h));
}

std::optional<double> predict_error(std::span<const ErrorAt> errors, const Convergence& convergence, double reference_h,
                                    double h, double own_order) {
  if (!convergence.order) return std::nullopt;
  const double p = *convergence.order;
  // The finest that has an order: what comes after it is rounding.
  std::size_t last = errors.size();
  while (last > 0 && !convergence.orders[last - 1]) --last;
  if (last == 0) return std::nullopt;
  const ErrorAt& fine = errors[last - 1];
  const double own = reference_h > 0.0 ? richardson(fine.error, fine.h, reference_h, p) : fine.error;
  return own * std::pow(h / fine.h, h < fine.h ? std::min(p, own_order) : p);
}

}  // namespace stiction
