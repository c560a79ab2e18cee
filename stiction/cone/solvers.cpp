#include "stiction/cone/solvers.h"

#include <array>

#include "stiction/cone/cascade.h"
#include "stiction/cone/central_path.h"
#include "stiction/cone/proximal_point.h"

namespace stiction::cone {

namespace {

template <class T>
std::unique_ptr<Solver> make() {
  return std::make_unique<T>();
}

using Maker = std::unique_ptr<Solver> (*)();
constexpr std::array<std::string_view, 6> names{"auto", "sweeps", "newton", "proximal_point", "central_path", "lemke"};
constexpr std::array<Maker, names.size()> makers{make<Cascade>,       make<Sweeps>,      make<AlartCurnier>,
                                                 make<ProximalPoint>, make<CentralPath>, make<Polyhedral>};

}  // namespace

std::span<const std::string_view> solver_names() {
  return names;
}

std::unique_ptr<Solver> make_solver(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return makers[i]();
  return nullptr;
}

}  // namespace stiction::cone
