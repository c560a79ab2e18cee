#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/record/csv_file.h"
#include "stiction/sim/simulator.h"

namespace stiction {

/// A run as tables in a folder: states.csv, energy.csv, contacts.csv, events.csv, certificate.csv and joints.csv. They
/// have their names once finish() was called and hold whole rows then; before that each is NAME.part.
class RunRecord {
 public:
  /// The folder must be there.
  [[nodiscard]] static Result<RunRecord> create(const std::filesystem::path& folder);

  /// Where the bodies are, and the energy.
  void add_state(const Simulator& simulator);
  /// What the last step did. Without `contacts_too` only its certificate and events.
  void add_step(const Simulator& simulator, bool contacts_too);

  /// The first thing that went wrong with writing.
  [[nodiscard]] std::optional<Error> error() const;
  /// Gives the tables their names. One that could not be written stays NAME.part, and the first error is returned.
  [[nodiscard]] std::optional<Error> finish();

 private:
  enum Table : std::uint8_t { states, energy, contacts, events, certificate, joints };
  explicit RunRecord(std::vector<CsvFile> tables) : tables_(std::move(tables)) {}

  void add_contacts(const Simulator& simulator);
  void add_joints(const Simulator& simulator);
  const std::string& contact_name(const Simulator& simulator, std::uint64_t id);

  std::vector<CsvFile> tables_;  ///< In the order of Table.
  std::unordered_map<std::uint64_t, std::string> contact_names_;
};

}  // namespace stiction
