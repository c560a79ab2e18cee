#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/record/run_columns.h"
#include "stiction/sim/simulator.h"

namespace stiction {

/// What a record says of its run beside the numbers.
struct RunHeading {
  std::string name;      ///< Of the scene.
  std::string scene;     ///< The file's text as it was run.
  std::string settings;  ///< What the run was asked for beside it, as a JSON object.
  std::string version;   ///< Of Stiction.
};

/// How long a record may be behind its run, in seconds of wall time.
inline constexpr double default_flush_seconds = 2.0;

/// One hash of all that decides a run's numbers.
[[nodiscard]] std::string fingerprint_of(const RunHeading& heading);

/// Writes run.h5 (docs/record.md). The file can be opened at any moment and holds all up to the last flush.
class RunWriter {
 public:
  [[nodiscard]] static Result<RunWriter> create(const std::filesystem::path& path, const RunHeading& heading,
                                                const Simulator& simulator,
                                                double flush_seconds = default_flush_seconds);

  /// Where everything is, with the contacts and reactions of the last step.
  void add_frame(const Simulator& simulator);
  /// The certificate and the events of the last step.
  void add_step(Simulator& simulator);
  /// Begins a flush if it is time: every `flush_seconds`, or more seldom where that would take more than a thirtieth of
  /// the time. With 0 after every step, and waits for it.
  void end_step();

  /// The first thing that went wrong with writing; nothing is written after it.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  /// All that was added is in the file.
  [[nodiscard]] std::optional<Error> flush();
  /// Says how the run ended, if it can be also where something went wrong before. Nothing may follow.
  [[nodiscard]] std::optional<Error> finish(const std::string& status, const std::string& summary);

 private:
  using Clock = std::chrono::steady_clock;

  RunWriter(RecordFile file, const Simulator& simulator, double flush_seconds);
  [[nodiscard]] RecordColumn& at(RunColumn column) { return file_.column(static_cast<std::size_t>(column)); }
  void put(RunColumn column, double value) { at(column).add(value); }
  void put(RunColumn column, const Vec3& value) { at(column).add(std::span(value.data(), 3)); }
  void add_energy(const Simulator& simulator);
  void add_contacts(const Simulator& simulator);
  [[nodiscard]] std::uint32_t find_name(const Simulator& simulator, std::uint64_t contact);

  RecordFile file_;
  std::vector<BodyId> bodies_;
  bool has_own_alpha_;
  long steps_ = 0;
  std::uint64_t contacts_ = 0;  ///< In all frames so far.
  SolveCounts counts_;          ///< Up to the last step.
  std::unordered_map<std::uint64_t, std::uint32_t> name_of_id_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> frame_names_;  ///< By place in a frame: id and row, of
                                                                      ///< the contact last seen there.
  std::unordered_map<std::string, std::uint32_t> row_of_name_;
  Clock::duration flush_interval_;
  Clock::time_point next_flush_;
  bool is_flushing_ = false;  ///< One was begun whose length is not known yet.
  std::optional<Error> error_;
};

}  // namespace stiction
