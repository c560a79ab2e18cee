#include "stiction/lcp/basic_point.h"

#include <algorithm>

namespace stiction::lcp {

bool BasicPoint::evaluate(const StandardForm& form, const std::vector<bool>& basic) {
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
  return true;
}

}  // namespace stiction::lcp
