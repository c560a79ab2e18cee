#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/step/measured.h"

namespace stiction::bench {

struct StepBenchOptions {
  std::string only;                       ///< A scene, or a part of the names of several; empty: all.
  std::vector<double> mu{0.2, 0.5, 1.0};  ///< Of scenes with contacts.
  std::vector<std::uint64_t> seeds{1};    ///< The stored one first.
  Limits limits;
  bool has_peers = true, has_files = true;
};

/// The stored seed.
inline constexpr std::uint64_t stored_seed = 1;

/// Empty, with a message on standard error, where the arguments cannot be read or only help was asked for.
[[nodiscard]] std::optional<StepBenchOptions> read_options(int argc, char** argv);

}  // namespace stiction::bench
