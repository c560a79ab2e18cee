#include "stiction/record/recorded_run.h"

namespace stiction {

const RecordedArray& RecordedRun::array(std::string_view path) const {
  static const RecordedArray none;
  const auto found = arrays.find(path);
  return found == arrays.end() ? none : found->second;
}

}  // namespace stiction
