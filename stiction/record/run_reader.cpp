#include "stiction/record/run_reader.h"

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "stiction/base/file.h"
#include "stiction/record/hdf5_read.h"
#include "stiction/schemes/grade.h"

namespace stiction {

namespace {

/// What a column has a row for, and what a row is.
enum class Per : std::uint8_t { frame, start, contact, name, step, event };
enum class Row : std::uint8_t { number, vector, body_vector, body_quaternion, joint_vector };
/// What its numbers may be.
enum class Kind : std::uint8_t { any, flag, state, event, solver, grade, name, name_or_none, count };

struct ColumnRule {
  const char* path;
  Per per;
  Row row = Row::number;
  Kind kind = Kind::any;
  bool is_new = false;  ///< Earlier versions did not write it.
};

constexpr std::array<ColumnRule, 56> rules{{
    {"frames/time", Per::frame},
    {"frames/step", Per::frame, Row::number, Kind::count},
    {"frames/position", Per::frame, Row::body_vector},
    {"frames/orientation", Per::frame, Row::body_quaternion},
    {"frames/velocity", Per::frame, Row::body_vector},
    {"frames/angular_velocity", Per::frame, Row::body_vector},
    {"frames/velocity_alpha", Per::frame, Row::body_vector},
    {"frames/angular_velocity_alpha", Per::frame, Row::body_vector},
    {"energy/kinetic", Per::frame},
    {"energy/gravity", Per::frame},
    {"energy/springs", Per::frame},
    {"energy/total", Per::frame},
    {"dissipated/contacts", Per::frame, Row::number, Kind::any, true},
    {"dissipated/joints", Per::frame, Row::number, Kind::any, true},
    {"dissipated/impacts", Per::frame, Row::number, Kind::any, true},
    {"dissipated/rest", Per::frame, Row::number, Kind::any, true},
    {"contacts/start", Per::start},
    {"contacts/id", Per::contact, Row::number, Kind::name},
    {"contacts/point", Per::contact, Row::vector},
    {"contacts/normal", Per::contact, Row::vector},
    {"contacts/gap", Per::contact},
    {"contacts/impulse", Per::contact, Row::vector},
    {"contacts/slip_speed", Per::contact},
    {"contacts/state", Per::contact, Row::number, Kind::state},
    {"contacts/mu", Per::name},
    {"joints/force", Per::frame, Row::joint_vector},
    {"joints/torque", Per::frame, Row::joint_vector},
    {"joints/point", Per::frame, Row::joint_vector},
    {"steps/time", Per::step},
    {"steps/residual", Per::step},
    {"steps/cone_violation", Per::step},
    {"steps/penetration", Per::step},
    {"steps/joint_error", Per::step},
    {"steps/equality_residual", Per::step},
    {"steps/momentum_defect", Per::step},
    {"steps/energy_defect", Per::step},
    {"steps/certified", Per::step, Row::number, Kind::flag},
    {"steps/solved", Per::step, Row::number, Kind::flag},
    {"steps/relaxed", Per::step, Row::number, Kind::flag},
    {"steps/converged", Per::step, Row::number, Kind::flag},
    {"steps/contacts", Per::step},
    {"steps/solves", Per::step},
    {"steps/parts", Per::step},
    {"steps/problems", Per::step},
    {"steps/reused", Per::step},
    {"steps/pivots", Per::step},
    {"steps/solver", Per::step, Row::number, Kind::solver, true},
    {"steps/worst_contact", Per::step, Row::number, Kind::name_or_none, true},
    {"steps/deepest_contact", Per::step, Row::number, Kind::name_or_none, true},
    {"steps/grade", Per::step, Row::number, Kind::grade, true},
    {"steps/contact_residual", Per::step, Row::number, Kind::any, true},
    {"events/time", Per::event},
    {"events/kind", Per::event, Row::number, Kind::event},
    {"events/contact", Per::event, Row::number, Kind::name},
    {"events/energy_gain", Per::event},
    {"events/step", Per::event},
}};

class RunReader {
 public:
  RunReader(const std::filesystem::path& path, const RunReadLimits& limits) : path_(path.string()), left_(limits) {
    // HDF5 would wait for ever for the writer of a pipe.
    if (find_unreadable(path)) return;
    file_ = Hdf5Handle(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  }

  Result<RecordedRun> read() {
    if (!file_.ok())
      return refuse("is not there, is no file, or cannot be read as HDF5; expected the run.h5 of a run folder");
    if (read_attribute(file_.id(), "format", left_.text) != "stiction run")
      return refuse("is HDF5, but no record of Stiction: its attribute `format` is not \"stiction run\"");
    if (read_attribute(file_.id(), "format_version", left_.text) != "1")
      return refuse("has a format_version that this program does not know, expected 1; use a newer program");
    if (!read_heading() || !has_room() || !read_columns() || !check_starts()) return refuse(defect_);
    return std::move(run_);
  }

  [[nodiscard]] std::uint64_t count_numbers() const {
    std::uint64_t count = 0;
    for (const ColumnRule& rule : rules) count += file_.ok() ? count_array(file_.id(), rule.path).value_or(0) : 0;
    return count;
  }

 private:
  [[nodiscard]] Error refuse(const std::string& why) const { return {path_ + ": " + why}; }
  bool miss(const std::string& what) {
    defect_ = what;
    return false;
  }

  bool read_heading() {
    const std::array<std::pair<const char*, std::string*>, 4> attributes{{{"name", &run_.name},
                                                                          {"stiction", &run_.version},
                                                                          {"fingerprint", &run_.fingerprint},
                                                                          {"status", &run_.status}}};
    for (const auto& [name, text] : attributes) {
      auto read = read_attribute(file_.id(), name, left_.text);
      if (!read) return miss("the attribute `" + std::string(name) + "` is missing or no text");
      *text = std::move(*read);
    }
    const std::array<std::pair<const char*, std::string*>, 4> texts{
        {{"scene", &run_.scene}, {"settings", &run_.settings}, {"model", &run_.model}, {"summary", &run_.summary}}};
    for (const auto& [path, text] : texts) {
      if (text == &run_.summary && !has_path(file_.id(), path)) continue;
      auto read = read_texts(file_.id(), path, false, left_.text);
      if (!read) return miss(std::string(path) + ": missing, no text, or too long");
      *text = std::move(read->front());
    }
    const std::array<std::pair<const char*, std::vector<std::string>*>, 3> lists{
        {{"bodies/name", &run_.bodies}, {"joints/name", &run_.joints}, {"contacts/name", &run_.contacts}}};
    for (const auto& [path, list] : lists) {
      auto read = read_texts(file_.id(), path, true, left_.text);
      if (!read) return miss(std::string(path) + ": missing, no list of texts, or too long");
      *list = std::move(*read);
    }
    return true;
  }

  [[nodiscard]] std::vector<std::uint64_t> row_of(Row row) const {
    switch (row) {
      case Row::number:
        return {};
      case Row::vector:
        return {3};
      case Row::body_vector:
        return {run_.bodies.size(), 3};
      case Row::body_quaternion:
        return {run_.bodies.size(), 4};
      case Row::joint_vector:
        break;
    }
    return {run_.joints.size(), 3};
  }

  /// Of the first column of a kind there may be any number of rows; the others must have as many.
  [[nodiscard]] std::uint64_t rows_of(Per per, std::uint64_t found) const {
    switch (per) {
      case Per::frame:
        return run_.arrays.contains("frames/time") ? run_.frames() : found;
      case Per::start:
        return run_.frames() + 1;
      case Per::contact:
        return run_.arrays.contains("contacts/id") ? run_.array("contacts/id").rows : found;
      case Per::name:
        return run_.contacts.size();
      case Per::step:
        return run_.arrays.contains("steps/time") ? run_.steps() : found;
      case Per::event:
        break;
    }
    return run_.arrays.contains("events/time") ? run_.events() : found;
  }

  [[nodiscard]] bool is_allowed(Kind kind, double value) const {
    if (kind == Kind::any || (kind == Kind::name_or_none && value == -1.0)) return true;
    constexpr double most_steps = 0x1p52;
    const double end = kind == Kind::count    ? most_steps
                       : kind == Kind::flag   ? 2.0
                       : kind == Kind::state  ? 3.0
                       : kind == Kind::event  ? 6.0
                       : kind == Kind::solver ? 5.0
                       : kind == Kind::grade  ? static_cast<double>(grade_count)
                                              : static_cast<double>(run_.contacts.size());
    return value >= 0.0 && value < end && value == std::floor(value);
  }

  bool has_room() {
    const std::uint64_t count = count_numbers();
    return count <= left_.numbers ||
           miss("holds " + std::to_string(count) + " numbers, more than the " + std::to_string(left_.numbers) +
                " that are read at once; h5py reads parts of it, and `--every` writes less");
  }

  bool read_columns() {
    for (const ColumnRule& rule : rules) {
      const std::string path = rule.path;
      const std::vector<std::uint64_t> row = row_of(rule.row);
      if (!row.empty() && row.front() == 0) continue;
      if (rule.is_new && !has_path(file_.id(), path)) continue;
      auto array = read_array(file_.id(), path, left_.numbers);
      if (!array) return miss(path + ": missing, no table of numbers, or damaged");
      if (array->row != row) return miss(path + ": its rows do not have the shape that the bodies or joints ask for");
      if (array->rows != rows_of(rule.per, array->rows))
        return miss(path + ": has " + std::to_string(array->rows) + " rows, others of its kind " +
                    std::to_string(rows_of(rule.per, array->rows)));
      for (const double value : array->values)
        if (!is_allowed(rule.kind, value)) return miss(path + ": holds a number that stands for nothing");
      run_.arrays.emplace(path, std::move(*array));
    }
    return true;
  }

  bool check_starts() {
    double last = 0.0;
    for (const double start : run_.array("contacts/start").values) {
      if (!(start >= last) || start != std::floor(start)) return miss("contacts/start: does not count upwards");
      last = start;
    }
    const std::vector<double>& starts = run_.array("contacts/start").values;
    if (starts.front() != 0.0 || last != static_cast<double>(run_.array("contacts/id").rows))
      return miss("contacts/start: does not begin at 0 and end at the number of contacts");
    return true;
  }

  std::string path_, defect_;
  RunReadLimits left_;
  Hdf5Handle file_;
  RecordedRun run_;
};

}  // namespace

std::uint64_t count_recorded_numbers(const std::filesystem::path& path) {
  const Hdf5Session session;
  return RunReader(path, {}).count_numbers();
}

Result<RecordedRun> read_run(const std::filesystem::path& path, const RunReadLimits& limits) {
  const Hdf5Session session;
  return RunReader(path, limits).read();
}

}  // namespace stiction
