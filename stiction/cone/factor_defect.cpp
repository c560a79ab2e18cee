#include <algorithm>
#include <cmath>
#include <numeric>

#include "stiction/cone/factor_form.h"

namespace stiction::cone {

namespace {

std::string sizes(const char* name, Index rows, Index cols, Index expected_rows, Index expected_cols) {
  return std::string(name) + " is " + std::to_string(rows) + " by " + std::to_string(cols) + ", expected " +
         std::to_string(expected_rows) + " by " + std::to_string(expected_cols);
}

std::string length(const char* name, Index found, Index expected) {
  return std::string(name) + " has " + std::to_string(found) + " numbers, expected " + std::to_string(expected);
}

std::string find_misfit(const FactorForm& form) {
  const Index nv = form.velocities(), nr = form.dimension * form.contacts(), nc = form.rows();
  if (form.M.rows() != nv || form.M.cols() != nv) return sizes("M", form.M.rows(), form.M.cols(), nv, nv);
  if (form.H.rows() != nv || form.H.cols() != nr) return sizes("H", form.H.rows(), form.H.cols(), nv, nr);
  if (form.b.size() != nr) return length("the offset of H'v", form.b.size(), nr);
  const bool has_rows = nc != 0 || form.G.size() != 0;
  if (has_rows && (form.G.rows() != nv || form.G.cols() != nc)) return sizes("G", form.G.rows(), form.G.cols(), nv, nc);
  const auto is_either = [](Index size, Index full) { return size == 0 || size == full; };
  if (!is_either(form.v0.size(), nv)) return length("v", form.v0.size(), nv);
  if (!is_either(form.mu2.size(), form.contacts())) return length("mu2", form.mu2.size(), form.contacts());
  if (form.mu2.size() != 0 && form.dimension != 3) return "mu2 is given, expected none in the plane";
  if (!is_either(form.hf.size(), form.contacts())) return length("hf", form.hf.size(), form.contacts());
  if (!is_either(static_cast<Index>(form.bearer.size()), form.contacts()))
    return length("bearer", static_cast<Index>(form.bearer.size()), form.contacts());
  if (!is_either(form.lower.size(), nc)) return length("lower", form.lower.size(), nc);
  if (form.upper.size() != form.lower.size()) return length("upper", form.upper.size(), form.lower.size());
  if (!is_either(form.compliance.size(), nc)) return length("compliance", form.compliance.size(), nc);
  const bool has_empty = std::any_of(form.bodies.begin(), form.bodies.end(), [](int size) { return size < 1; });
  const Index sum = std::accumulate(form.bodies.begin(), form.bodies.end(), Index{0});
  if (has_empty || (!form.bodies.empty() && sum != nv))
    return "the bodies have " + std::to_string(sum) + " velocities, expected one or more each and " +
           std::to_string(nv) + " in all";
  return {};
}

std::string find_bad_contact(const FactorForm& form) {
  const auto is_good = [](double number) { return number >= 0.0 && std::isfinite(number); };
  for (Index c = 0; c < form.contacts(); ++c) {
    const std::string of = " of contact " + std::to_string(c);
    const bool is_coefficient = is_good(form.mu[c]) && (form.mu2.size() == 0 || is_good(form.mu2[c]));
    if (!is_coefficient || !is_good(form.slide_limit(c)))
      return "mu, mu2 or hf" + of + " is not a finite number, zero or more";
    const int bearer = form.bearer_of(c);
    if (bearer == -1) continue;
    if (bearer < -1 || bearer >= form.contacts() || (bearer != c && form.bearer_of(bearer) != -1))
      return "the bearer" + of + " is " + std::to_string(bearer) +
             ", expected -1, the contact itself or one with a normal of its own";
    if (form.H.col(form.dimension * c).nonZeros() != 0 || form.b[form.dimension * c] != 0.0)
      return "the normal" + of + " is not empty, and its bearer is contact " + std::to_string(bearer);
  }
  return {};
}

std::string find_bad_row(const FactorForm& form) {
  for (Index i = 0; i < form.rows(); ++i) {
    const std::string of = " of row " + std::to_string(i);
    if (form.lower.size() != 0 &&
        !(form.lower[i] <= form.upper[i] && form.lower[i] < HUGE_VAL && form.upper[i] > -HUGE_VAL))
      return "the bounds" + of + " are " + std::to_string(form.lower[i]) + " and " + std::to_string(form.upper[i]) +
             ", expected the lower one first";
    if (form.compliance.size() != 0 && !(form.compliance[i] >= 0.0 && std::isfinite(form.compliance[i])))
      return "the compliance" + of + " is not a finite number, zero or more";
  }
  return {};
}

bool is_finite(const SparseMatrix& A) {
  for (Index j = 0; j < A.cols(); ++j)
    for (SparseMatrix::InnerIterator it(A, j); it; ++it)
      if (!std::isfinite(it.value())) return false;
  return true;
}

}  // namespace

std::string find_defect(const FactorForm& form) {
  if (form.dimension != 2 && form.dimension != 3)
    return "the dimension is " + std::to_string(form.dimension) + ", expected 2 or 3";
  if (!(form.alpha > 0.0 && form.alpha <= 1.0))
    return "alpha is " + std::to_string(form.alpha) + ", expected a number above 0 and up to 1";
  if (std::string misfit = find_misfit(form); !misfit.empty()) return misfit;
  if (std::string defect = find_bad_contact(form); !defect.empty()) return defect;
  if (std::string defect = find_bad_row(form); !defect.empty()) return defect;
  const bool vectors = form.f.allFinite() && form.b.allFinite() && form.d.allFinite() && form.v0.allFinite();
  if (!vectors || !is_finite(form.M) || !is_finite(form.H) || !is_finite(form.G))
    return "there is a number that is not finite";
  return {};
}

}  // namespace stiction::cone
