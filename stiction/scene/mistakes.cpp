#include "stiction/scene/mistakes.h"

#include <algorithm>
#include <tuple>

#include "stiction/base/text.h"

namespace stiction::scene {

namespace {

constexpr std::size_t longest_pointer = 200;
constexpr std::size_t longest_message = 600;

std::string at_least_the_root(const std::string& pointer) {
  return pointer.empty() ? "top level" : one_line(pointer, longest_pointer);
}

}  // namespace

Mistakes::Mistakes(std::string_view file, std::vector<std::string> overrides)
    : file_(one_line(file)), overrides_(std::move(overrides)) {}

void Mistakes::add(MistakeKind kind, Place place, std::string pointer, std::string message) {
  if (!full()) list_.push_back({kind, place, std::move(pointer), std::move(message)});
}

bool Mistakes::has(MistakeKind kind) const {
  return std::any_of(list_.begin(), list_.end(), [kind](const Mistake& mistake) { return mistake.kind == kind; });
}

Error Mistakes::to_error() const {
  std::vector<const Mistake*> sorted;
  sorted.reserve(list_.size());
  for (const Mistake& mistake : list_) sorted.push_back(&mistake);
  const auto key = [](const Mistake* m) { return std::tuple(m->place.source, m->place.line, m->place.column, m); };
  std::sort(sorted.begin(), sorted.end(), [&](const Mistake* a, const Mistake* b) { return key(a) < key(b); });
  std::string text;
  for (const Mistake* next : sorted) {
    const Mistake& mistake = *next;
    if (!text.empty()) text += '\n';
    const auto source = static_cast<std::size_t>(mistake.place.source);
    if (source == 0) {
      text += file_ + ":" + std::to_string(mistake.place.line) + ":" + std::to_string(mistake.place.column) + ": ";
    } else {
      text += "--set " + one_line(source <= overrides_.size() ? overrides_[source - 1] : "", 100) + ": ";
    }
    if (mistake.kind != MistakeKind::syntax) text += at_least_the_root(mistake.pointer) + ": ";
    text += one_line(mistake.message, longest_message);
  }
  if (full()) text += "\n" + file_ + ": there may be more mistakes; these are the first " + std::to_string(most);
  return {text};
}

}  // namespace stiction::scene
