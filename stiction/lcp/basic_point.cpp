#include "stiction/lcp/basic_point.h"

#include <algorithm>

namespace stiction::lcp {

bool BasicPoint::evaluate(const StandardForm& form, const std::vector<bool>& basic, Vector& z) {
  const int n = form.size();
  basis_.reset(form, basic);
  if (!basis_.factorise(true)) return false;
  x_ = form.q();
  basis_.solve(x_);
  for (int step = 0; step < 2; ++step) {
    correction_ = form.q();
    basis_.subtract_product(x_, correction_);
    basis_.solve(correction_);
    for (int p = 0; p < n; ++p) x_[p] += correction_[p];
  }
  values_.assign(static_cast<std::size_t>(n), 0.0);
  for (int p = 0; p < n; ++p) {
    const int variable = basis_.at(p);
    if (basis_.is_slack(variable)) continue;
    values_[variable - n] = form.is_free(variable - n) ? x_[p] : std::max(x_[p], 0.0);
  }
  for (const auto& [column, row] : basis_.repaired()) values_[column] = 0.0;
  form.to_problem(values_, z);
  if (form.is_shifted()) refine_problem(form, z);
  return true;
}

/// z = bound + C y has lost the digits of a z that is small beside its bound, and so has q + M bound: further steps in
/// the problem's own variables, each of which gains the digits of one solve.
void BasicPoint::refine_problem(const StandardForm& form, Vector& z) {
  constexpr int steps = 3;
  const int n = form.size();
  for (int step = 0; step < steps; ++step) {
    form.residual(z, correction_);
    for (int p = 0; p < n; ++p)
      if (basis_.is_slack(basis_.at(p))) correction_[basis_.at(p)] = 0.0;
    basis_.solve(correction_);
    values_.assign(static_cast<std::size_t>(n), 0.0);
    for (int p = 0; p < n; ++p)
      if (const int variable = basis_.at(p); !basis_.is_slack(variable)) values_[variable - n] = correction_[p];
    for (const auto& [column, row] : basis_.repaired()) values_[column] = 0.0;
    form.add_to_problem(values_, z);
  }
}

}  // namespace stiction::lcp
