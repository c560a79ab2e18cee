#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace stiction {

/// The error of a run with steps of h.
struct ErrorAt {
  double h = 0.0;
  double error = 0.0;
  bool is_comparable = true;  ///< The run came to its end, by the same events as the reference.
};

/// What a list of errors says about an order.
enum class Verdict : std::uint8_t {
  asymptotic,        ///< The errors fall like h^p, and p has settled.
  rounding,          ///< The errors are at the level of rounding: nothing left to see.
  too_few,           ///< Fewer than three runs that can be compared.
  different_events,  ///< Fewer than three runs had the events of the reference, while others had not.
  not_settled,       ///< The errors fall, but by no one power of h.
  not_falling,       ///< The errors do not fall: h is too large, or the motion is chaotic.
};
[[nodiscard]] std::string_view to_string(Verdict verdict);

struct Convergence {
  std::vector<std::optional<double>>
      ratios;  ///< Of each error to the next finer one's predecessor; none for the first.
  std::vector<std::optional<double>> orders;  ///< Likewise; only of pairs that can be compared.
  std::optional<double> order;                ///< Once settled.
  int settled_from = -1;                      ///< The first error of those that show it.
  Verdict verdict = Verdict::too_few;
};

/// The p with (h1^p - r^p)/(h2^p - r^p) = e1/e2, where r is the reference's own step: both errors are measured against
/// a run that has an error itself, C r^p, and without that term an order 1 measured against h2/4 would look like 1.2.
/// r = 0 is an exact reference; h1 > h2 > r. Nothing where no p from -2 to 12 does it, or an error is not above zero.
[[nodiscard]] std::optional<double> order_between(double h1, double e1, double h2, double e2, double r);

/// Errors from the coarsest to the finest. Up to `floor` an error is rounding.
[[nodiscard]] Convergence find_convergence(std::span<const ErrorAt> errors, double reference_h, double floor);

/// The error itself, from the difference to a reference whose own error is C r^p (Richardson): difference / (1 -
/// (r/h)^p).
[[nodiscard]] double richardson(double difference, double h, double r, double p);

/// The error at another step, by e(h) = C h^p through the finest of the settled errors. At a smaller step p counts as
/// no more than `own_order`: errors that still fall faster than their scheme's order will not do so for ever.
[[nodiscard]] std::optional<double> predict_error(std::span<const ErrorAt> errors, const Convergence& convergence,
                                                  double reference_h, double h, double own_order);

}  // namespace stiction
