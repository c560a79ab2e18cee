#include "bench/step/tables.h"

#include <algorithm>
#include <cstdio>

namespace stiction::bench {
namespace {

/// Three digits, whatever the size.
std::string number(double value) {
  char text[32];
  const int decimals = value >= 100.0 ? 0 : value >= 10.0 ? 1 : value >= 1.0 ? 2 : 3;
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string power(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value == 0.0 ? "0" : "%.0e", value);
  return text;
}

void print_head(const std::vector<std::string>& columns) {
  std::string rule = "|";
  std::printf("|");
  for (const std::string& column : columns) {
    std::printf(" %s |", column.c_str());
    rule += "---|";
  }
  std::printf("\n%s\n", rule.c_str());
}

void print_row(const std::vector<std::string>& cells) {
  std::printf("|");
  for (const std::string& cell : cells) std::printf(" %s |", cell.c_str());
  std::printf("\n");
}

std::vector<std::string> first_cells(const Row& row) {
  return {row.scene, row.mu, row.seed};
}

}  // namespace

void print_times(const std::vector<Row>& rows, const std::vector<std::unique_ptr<Peer>>& peers) {
  std::vector<std::string> columns{"scene", "mu", "seed", "bodies", "contacts", "steps", "median ms", "worst ms"};
  for (const auto& peer : peers) {
    columns.push_back(peer->name() + " ms");
    columns.emplace_back("ratio");
  }
  print_head(columns);
  for (const Row& row : rows) {
    std::vector<std::string> cells = first_cells(row);
    const StepTimes& own = row.own.times;
    // A first step that was given up is a lower bound.
    const bool gave_up = row.own.gave_up_ms > 0.0;
    const double median = own.ms.empty() ? row.own.gave_up_ms : own.median();
    const std::string sign = own.ms.empty() ? "> " : "";
    cells.insert(cells.end(),
                 {row.bodies == 0 ? "" : std::to_string(row.bodies), own.ms.empty() ? "" : number(row.own.contacts),
                  std::to_string(own.ms.size()), sign + number(median),
                  gave_up ? "> " + number(row.own.gave_up_ms) : number(own.worst())});
    for (std::size_t i = 0; i < peers.size(); ++i) {
      if (i >= row.peers.size() || row.peers[i].times.ms.empty()) {
        cells.insert(cells.end(), {i < row.peers.size() ? row.peers[i].missing : "", ""});
        continue;
      }
      const double theirs = row.peers[i].times.median();
      cells.insert(cells.end(), {number(theirs), theirs > 0.0 ? sign + number(median / theirs) : ""});
    }
    print_row(cells);
  }
}

void print_split(const std::vector<Row>& rows) {
  print_head({"scene", "mu", "seed", "mean ms", "broad", "narrow", "assembly", "solve", "certify", "record", "other",
              "solve, median", "solve, worst", "island solves", "on the cone", "factorisations", "iterations",
              "pivots"});
  for (const Row& row : rows) {
    if (row.own.times.ms.empty()) continue;
    const double steps = static_cast<double>(row.own.times.ms.size());
    const double mean = row.own.times.mean(), all = std::max(1e-12, row.own.phases.seconds());
    std::vector<std::string> cells = first_cells(row);
    cells.push_back(number(mean));
    for (const Phase phase :
         {Phase::broad, Phase::narrow, Phase::assembly, Phase::solve, Phase::certify, Phase::record, Phase::other})
      cells.push_back(number(mean * row.own.phases.seconds(phase) / all));
    cells.push_back(number(row.own.solves.median()));
    cells.push_back(number(row.own.solves.worst()));
    const SolveCounts& counts = row.own.counts;
    for (const long count :
         {counts.problems, counts.round, row.own.phases.factorisations, row.own.phases.iterations, counts.pivots})
      cells.push_back(number(static_cast<double>(count) / steps));
    print_row(cells);
  }
}

void print_worth(const std::vector<Row>& rows, const std::vector<std::unique_ptr<Peer>>& peers) {
  std::vector<std::string> columns{
      "scene", "mu", "seed", "grades", "residual", "contact residual", "momentum", "penetration, m", "drift"};
  for (const auto& peer : peers) {
    columns.push_back(peer->name() + " penetration");
    columns.emplace_back("drift");
  }
  columns.emplace_back("hash");
  print_head(columns);
  for (const Row& row : rows) {
    std::vector<std::string> cells = first_cells(row);
    const OwnRun& own = row.own;
    if (own.times.ms.empty())
      cells.insert(cells.end(), 6, "");
    else
      cells.insert(cells.end(), {own.grades, power(own.residual), power(own.contact_residual), power(own.momentum),
                                 power(own.penetration), power(own.drift)});
    for (std::size_t i = 0; i < peers.size(); ++i) {
      const bool ran = i < row.peers.size() && !row.peers[i].times.ms.empty();
      const std::string why = i < row.peers.size() ? row.peers[i].missing : "";
      cells.push_back(ran && why.empty() ? power(row.peers[i].penetration) : why);
      cells.push_back(ran && why.empty() ? power(row.peers[i].drift) : "");
    }
    cells.push_back(own.hash.empty() ? "" : "`" + own.hash + "`");
    print_row(cells);
  }
}

void print_failures(const std::vector<Row>& rows) {
  for (const Row& row : rows)
    if (!row.own.failure.empty())
      std::printf("- %s, mu %s, seed %s, ended after %zu steps: %s\n", row.scene.c_str(), row.mu.c_str(),
                  row.seed.c_str(), row.own.times.ms.size(), row.own.failure.c_str());
}

}  // namespace stiction::bench
