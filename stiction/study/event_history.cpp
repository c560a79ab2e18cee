#include "stiction/study/event_history.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <vector>

namespace stiction {

namespace {

struct Histories {
  std::vector<const NamedEvent*> here, there;  ///< Of one contact, in time.
};

std::string in_words(const NamedEvent& event, const char* what) {
  std::string text(48, '\0');
  const int length = std::snprintf(text.data(), text.size(), " at t = %.6g s ", event.time);
  text.resize(static_cast<std::size_t>(std::max(length, 0)));
  return std::string(to_string(event.kind)) + " of " + event.contact + text + what;
}

}  // namespace

std::optional<std::string> find_other_event(std::span<const NamedEvent> events, std::span<const NamedEvent> reference) {
  std::map<std::string, Histories> contacts;
  for (const NamedEvent& event : events) contacts[event.contact].here.push_back(&event);
  for (const NamedEvent& event : reference) contacts[event.contact].there.push_back(&event);

  double earliest = std::numeric_limits<double>::infinity();
  std::optional<std::string> found;
  const auto tell = [&](const NamedEvent& event, const char* what) {
    if (event.time >= earliest) return;
    earliest = event.time;
    found = in_words(event, what);
  };
  for (const auto& [name, both] : contacts) {
    const std::size_t common = std::min(both.here.size(), both.there.size());
    std::size_t same = 0;
    while (same < common && both.here[same]->kind == both.there[same]->kind) ++same;
    if (same < both.here.size()) tell(*both.here[same], "is not in the reference");
    if (same < both.there.size()) tell(*both.there[same], "is in the reference alone");
  }
  return found;
}

}  // namespace stiction
