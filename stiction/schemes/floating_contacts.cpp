#include "stiction/schemes/floating_contacts.h"

#include <algorithm>

namespace stiction {

const FloatingContacts::Floating* FloatingContacts::find(std::uint64_t id) const {
  const auto it = std::find_if(floating_.begin(), floating_.end(), [&](const Floating& one) { return one.id == id; });
  return it == floating_.end() ? nullptr : &*it;
}

void FloatingContacts::add(const std::vector<std::uint64_t>& kept, const std::vector<std::uint64_t>& closed, double t) {
  for (const std::uint64_t id : kept)
    if (!std::binary_search(closed.begin(), closed.end(), id) && find(id) == nullptr) floating_.push_back({id, t});
}

void FloatingContacts::take(const GapSet& gaps, std::size_t first, StepReport& report) {
  std::size_t next = first;
  for (std::size_t i = first; i < report.events.size(); ++i) {
    const Event event = report.events[i];
    const int at = gaps.find(event.contact);
    const bool may_come_back = event.kind == EventKind::take_off && at >= 0 && !gaps.contacts[at].pfaffian;
    if (!may_come_back)
      report.events[next++] = event;
    else if (find(event.contact) == nullptr)
      floating_.push_back({event.contact, event.time});
  }
  report.events.resize(next);
}

void FloatingContacts::drop_taps(const State& state, std::size_t first, StepReport& report) const {
  const double slow = gentle + drift_share * (state.v.size() == 0 ? 0.0 : state.v.lpNorm<Eigen::Infinity>());
  for (std::size_t i = first; i < report.events.size();) {
    const Event event = report.events[i];
    const Floating* floating = find(event.contact);
    const auto at = report.events.begin() + static_cast<std::ptrdiff_t>(i);
    const bool is_tap = event.kind == EventKind::impact && event.approach <= slow && event.energy_gain == 0.0;
    if (floating != nullptr && (is_tap || event.kind == EventKind::take_off)) {
      report.events.erase(at);
      continue;
    }
    if (floating != nullptr && event.kind == EventKind::impact) {
      report.events.insert(at, {floating->since, EventKind::take_off, event.contact});
      ++i;
    }
    ++i;
  }
}

void FloatingContacts::settle(const GapSet& gaps, const State& state, double reach,
                              const std::vector<std::uint64_t>& kept, const std::vector<std::uint64_t>& closed,
                              StepReport& report) {
  const double fast = gentle + drift_share * (state.v.size() == 0 ? 0.0 : state.v.lpNorm<Eigen::Infinity>());
  std::erase_if(floating_, [&](const Floating& one) {
    const auto is_in = [&](const std::vector<std::uint64_t>& ids) {
      return std::binary_search(ids.begin(), ids.end(), one.id);
    };
    if (is_in(kept) && is_in(closed)) return true;
    const int at = gaps.find(one.id);
    if (at >= 0 && gaps.contacts[at].Phi <= reach && gaps.opening(at, state.v) <= fast) return false;
    report.events.push_back({one.since, EventKind::take_off, one.id});
    return true;
  });
}

}  // namespace stiction
