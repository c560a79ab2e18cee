#include "apps/force_bounds_table.h"

#include <array>
#include <string_view>
#include <utility>

namespace stiction::apps {

Result<ForceBoundsTable> ForceBoundsTable::create(const std::filesystem::path& folder, bool turns) {
  constexpr std::array<std::string_view, 5> columns{"time", "contact", "force_min", "force_max", "tight"};
  Result<CsvFile> table = CsvFile::create(folder / "force_bounds.csv", columns);
  if (!table) return Error{table.error()};
  return ForceBoundsTable(std::move(table).value(), turns);
}

void ForceBoundsTable::add(Simulator& simulator) {
  last_time_ = simulator.time();
  last_.clear();
  const AnsweredProblem answered = simulator.last_answered();
  if (!simulator.report().solved || !(answered.length > 0.0)) return;
  finder_.find(answered.problem, answered.solution, bounds_);
  for (const ForceBound& bound : bounds_) {
    const std::string name = simulator.system().contact_name(answered.problem.contacts[bound.contact].id);
    last_.push_back({name, bound.least / answered.length, bound.most / answered.length, bound.is_tight});
    const Row& row = last_.back();
    table_.add(simulator.time()).add(row.contact).add(row.least).add(row.most).add(long{row.is_tight}).end_row();
  }
}

}  // namespace stiction::apps
