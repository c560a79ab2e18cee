#include "stiction/scene/version.h"

#include <algorithm>
#include <cmath>

#include "stiction/scene/spot.h"

namespace stiction::scene {

std::span<const Migration> migrations() {
  return {};
}

bool migrate(JsonValue& root, int newest, std::span<const Migration> steps, Mistakes& mistakes) {
  const Spot top(root);
  const std::string expected = "`\"stiction\": " + std::to_string(newest) + "`, the version of the format";
  if (root.object() == nullptr) {
    top.expect("a scene, an object", mistakes);
    return false;
  }
  const JsonMember* member = root.find("stiction");
  if (member == nullptr) {
    top.refuse(MistakeKind::structure, "`stiction` is missing, expected " + expected, mistakes);
    return false;
  }
  const Spot spot(top, *member);
  const double* number = member->value.number();
  if (number == nullptr || *number != std::floor(*number) || *number < 1.0) {
    spot.expect(expected, mistakes);
    return false;
  }
  if (*number > newest) {
    spot.refuse(MistakeKind::structure,
                "found version " + to_text(*number) + " of the format, expected at most " + std::to_string(newest) +
                    "; a newer Stiction reads it",
                mistakes);
    return false;
  }
  const int oldest = static_cast<int>(*number);
  for (int version = oldest; version < newest; ++version) {
    const auto step = std::find_if(steps.begin(), steps.end(), [&](const Migration& m) { return m.from == version; });
    if (step == steps.end()) {
      spot.expect(expected, mistakes);
      return false;
    }
    step->apply(root);
  }
  for (JsonMember& m : std::get<JsonValue::Object>(root.content))
    if (m.key == "stiction") m.value.content = static_cast<double>(newest);
  return true;
}

}  // namespace stiction::scene
