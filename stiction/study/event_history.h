#pragma once

#include <optional>
#include <span>
#include <string>

#include "stiction/schemes/step_report.h"

namespace stiction {

/// An event of a run, with the names of the two that met.
struct NamedEvent {
  double time = 0.0;
  EventKind kind = EventKind::impact;
  std::string contact;
};

/// Whether two runs went through the same events: for each contact the same kinds in the same order. Times are not
/// compared, nor the order of events at different contacts, which may come at nearly the same time. In words, the
/// earliest event that one of the two lacks; nothing where they are the same.
[[nodiscard]] std::optional<std::string> find_other_event(std::span<const NamedEvent> events,
                                                          std::span<const NamedEvent> reference);

}  // namespace stiction
