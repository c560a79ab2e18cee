#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/step/measured.h"
#include "bench/step/peers.h"

namespace stiction::bench {

/// One scene, run by all.
struct Row {
  std::string scene;
  std::string mu = {}, seed = {};  ///< Empty for a scene file, which has its own.
  std::size_t bodies = 0;
  OwnRun own = {};
  std::vector<PeerRun> peers = {};  ///< In the order of the peers; none for a scene file.
};

/// The tables, in Markdown, on standard output.
void print_times(const std::vector<Row>& rows, const std::vector<std::unique_ptr<Peer>>& peers);
void print_split(const std::vector<Row>& rows);
void print_worth(const std::vector<Row>& rows, const std::vector<std::unique_ptr<Peer>>& peers);
void print_failures(const std::vector<Row>& rows);

}  // namespace stiction::bench
