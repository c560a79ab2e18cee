#include "stiction/lcp/solvers.h"

#include <array>

#include "stiction/lcp/cascade.h"
#include "stiction/lcp/enumeration.h"
#include "stiction/lcp/lemke.h"
#include "stiction/lcp/principal_pivoting.h"
#include "stiction/lcp/projected_gauss_seidel.h"
#include "stiction/lcp/semismooth_newton.h"

namespace stiction::lcp {

namespace {

template <class T>
std::unique_ptr<Solver> make() {
  return std::make_unique<T>();
}

using Maker = std::unique_ptr<Solver> (*)();
constexpr std::array<std::string_view, 5> names{"lemke", "principal_pivoting", "projected_gauss_seidel",
                                                "semismooth_newton", "enumeration"};
constexpr std::array<Maker, names.size()> makers{make<Lemke>, make<PrincipalPivoting>, make<ProjectedGaussSeidel>,
                                                 make<SemismoothNewton>, make<Enumeration>};

}  // namespace

std::span<const std::string_view> solver_names() {
  return names;
}

std::unique_ptr<Solver> make_solver(std::string_view name) {
  if (name == "auto") return std::make_unique<Cascade>();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return makers[i]();
  return nullptr;
}

}  // namespace stiction::lcp
