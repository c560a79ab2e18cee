#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/force_bounds_table.h"
#include "stiction/record/body_state.h"
#include "stiction/sim/simulator.h"

namespace stiction::apps {

enum class RunEnd { done, failed, interrupted, max_wall };
[[nodiscard]] std::string_view to_string(RunEnd end);

/// What a run was and what it is worth.
struct RunSummary {
  struct Body {
    std::string name;
    BodyState state;
  };
  struct Event {
    double time = 0.0;
    EventKind kind = EventKind::impact;
    std::string contact;
  };

  std::string scene, scheme, solver;
  std::vector<std::string> overrides;
  double h = 0.0, end = 0.0, time = 0.0, wall_seconds = 0.0;
  double record_seconds = 0.0;  ///< Of these, spent on the record.
  RunCertificate certificate;
  std::array<std::string, grade_count> grade_places;  ///< Contact or joint of the worst step of each grade, or empty.
  bool is_strict = false;                             ///< Steps below `full` are failures.
  std::string worst_contact, deepest_contact;         ///< Empty where there is none.
  EnergyLedger energy;
  bool ignores_restitution = false;  ///< Materials or limits have some, and the scheme knows none.
  SolveCounts counts;
  std::vector<Event> events;
  std::vector<Body> bodies;
  std::optional<std::vector<ForceBoundsTable::Row>> force_bounds;  ///< At the end, where they were asked for.
  RunEnd ended = RunEnd::done;
  std::string error;   ///< Why it failed.
  std::string folder;  ///< Empty: not told.
};

/// 0: done, and every step certified (`full`, where that is asked for); 1: not so.
[[nodiscard]] int exit_code(const RunSummary& summary);
/// One JSON object, as DESIGN.md section 6 has it with a few things more.
[[nodiscard]] std::string to_json(const RunSummary& summary);
/// The same for bad input.
[[nodiscard]] std::string refusal_to_json(const std::string& scene, const std::string& error);
/// The same for what ended before there was an answer.
[[nodiscard]] std::string ending_to_json(const std::string& scene, const std::string& ended, const std::string& error);
/// The certificate in words.
[[nodiscard]] std::string to_words(const RunSummary& summary);

}  // namespace stiction::apps
