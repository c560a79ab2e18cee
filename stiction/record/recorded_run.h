#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stiction {

/// A table of a record: rows of one shape.
struct RecordedArray {
  std::vector<std::uint64_t> row = {};  ///< Shape of a row; empty: one number.
  std::uint64_t rows = 0;
  std::vector<double> values = {};  ///< Row after row.

  [[nodiscard]] std::size_t row_size() const { return rows == 0 ? 0 : values.size() / rows; }
};

/// What a run.h5 holds (docs/record.md), read and checked: every column is there, those of one kind have the same
/// number of rows, and everything that points somewhere points to something.
struct RecordedRun {
  std::string name, version, fingerprint, status;
  std::string scene, settings, model, summary;  ///< All but the scene are JSON; the summary is empty until the end.
  std::vector<std::string> bodies, joints, contacts;
  std::map<std::string, RecordedArray, std::less<>> arrays;  ///< By path in the file: "frames/position".

  /// Empty where there is none: reactions of joints where there are no joints.
  [[nodiscard]] const RecordedArray& array(std::string_view path) const;
  [[nodiscard]] std::uint64_t frames() const { return array("frames/time").rows; }
  [[nodiscard]] std::uint64_t steps() const { return array("steps/time").rows; }
  [[nodiscard]] std::uint64_t events() const { return array("events/time").rows; }
};

}  // namespace stiction
