#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/contact/force_bounds.h"
#include "stiction/record/csv_file.h"
#include "stiction/sim/simulator.h"

namespace stiction::apps {

/// What a run's contact forces could be with the same motion: `run --force-bounds`, force_bounds.csv.
class ForceBoundsTable {
 public:
  /// Of one contact at one time, N.
  struct Row {
    std::string contact;
    double least = 0.0, most = 0.0;
    bool is_tight = true;
  };

  [[nodiscard]] static Result<ForceBoundsTable> create(const std::filesystem::path& folder, bool turns);

  /// The contacts of the problem that the simulator's last step answered last: that of its last part. Nothing where
  /// that was an impact, which has impulses and no forces.
  void add(Simulator& simulator);

  /// Of the last time that was added.
  [[nodiscard]] const std::vector<Row>& last() const { return last_; }
  [[nodiscard]] std::optional<double> last_time() const { return last_time_; }
  [[nodiscard]] std::optional<Error> finish() { return table_.finish(); }

 private:
  ForceBoundsTable(CsvFile table, bool turns) : table_(std::move(table)), finder_(turns) {}

  CsvFile table_;
  ForceBounds finder_;
  std::vector<ForceBound> bounds_;
  std::vector<Row> last_;
  std::optional<double> last_time_;
};

}  // namespace stiction::apps
