#include "stiction/record/page_data.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "stiction/record/page_array.h"
#include "stiction/schemes/step_report.h"

namespace stiction {

namespace {

using nlohmann::ordered_json;

constexpr std::string_view place = R"(<script id="stiction-data" type="application/json">null</script>)";
constexpr int deepest_json = 32;

/// Nothing where the text is no JSON, or deeper than anything we write.
std::optional<ordered_json> parse(const std::string& text) {
  bool is_deep = false;
  auto json = ordered_json::parse(
      text,
      [&](int depth, ordered_json::parse_event_t /*event*/, ordered_json& /*parsed*/) {
        is_deep = is_deep || depth > deepest_json;
        return !is_deep;
      },
      false);
  if (is_deep || json.is_discarded()) return std::nullopt;
  return json;
}

struct PageColumn {
  const char* name;
  const char* path;
  PageType exact, large;
};

using enum PageType;

constexpr std::array<PageColumn, 19> frame_columns{
    {{"time", "frames/time", f64, f64},
     {"position", "frames/position", f64, fine},
     {"orientation", "frames/orientation", f64, coarse},
     {"velocity", "frames/velocity", f64, coarse},
     {"angular_velocity", "frames/angular_velocity", f64, coarse},
     {"velocity_alpha", "frames/velocity_alpha", f64, coarse},
     {"angular_velocity_alpha", "frames/angular_velocity_alpha", f64, coarse},
     {"energy.kinetic", "energy/kinetic", f64, f64},
     {"energy.gravity", "energy/gravity", f64, f64},
     {"energy.springs", "energy/springs", f64, f64},
     {"energy.total", "energy/total", f64, f64},
     {"dissipated.contacts", "dissipated/contacts", f64, f64},
     {"dissipated.joints", "dissipated/joints", f64, f64},
     {"dissipated.impacts", "dissipated/impacts", f64, f64},
     {"dissipated.rest", "dissipated/rest", f64, f64},
     {"joint.force", "joints/force", f64, f32},
     {"joint.torque", "joints/torque", f64, f32},
     {"joint.point", "joints/point", f64, f32},
     {"step", "frames/step", u32, u32}}};

constexpr std::array<PageColumn, 7> contact_columns{{{"contact.id", "contacts/id", u32, u32},
                                                     {"contact.point", "contacts/point", f64, fine},
                                                     {"contact.normal", "contacts/normal", f64, coarse},
                                                     {"contact.gap", "contacts/gap", f64, f32},
                                                     {"contact.impulse", "contacts/impulse", f64, f32},
                                                     {"contact.slip_speed", "contacts/slip_speed", f32, f32},
                                                     {"contact.state", "contacts/state", u8, u8}}};

constexpr std::array<PageColumn, 14> step_columns{{{"step.time", "steps/time", f64, f64},
                                                   {"step.residual", "steps/residual", f64, f32},
                                                   {"step.penetration", "steps/penetration", f64, f32},
                                                   {"step.joint_error", "steps/joint_error", f32, f32},
                                                   {"step.momentum_defect", "steps/momentum_defect", f32, f32},
                                                   {"step.energy_defect", "steps/energy_defect", f32, f32},
                                                   {"step.contacts", "steps/contacts", u32, u32},
                                                   {"step.certified", "steps/certified", u8, u8},
                                                   {"step.iterations", "steps/pivots", u32, u32},
                                                   {"step.solver", "steps/solver", u8, u8},
                                                   {"step.worst_contact", "steps/worst_contact", i32, i32},
                                                   {"step.deepest_contact", "steps/deepest_contact", i32, i32},
                                                   {"step.grade", "steps/grade", u8, u8},
                                                   {"step.contact_residual", "steps/contact_residual", f64, f32}}};

/// Rows from `first` up to `end`.
ordered_json rows_of(const RecordedArray& array, std::uint64_t first, std::uint64_t end, PageType type) {
  std::vector<std::uint64_t> shape{end - first};
  shape.insert(shape.end(), array.row.begin(), array.row.end());
  const std::size_t row = array.row_size();
  return make_page_array(std::span(array.values).subspan(first * row, (end - first) * row), shape, type);
}

std::uint64_t count_numbers(const RecordedRun& run) {
  std::uint64_t count = 0;
  for (const auto& [path, array] : run.arrays)
    if (path.starts_with("frames/") || path.starts_with("contacts/")) count += array.values.size();
  return count;
}

class PageWriter {
 public:
  PageWriter(const PageRun& page, std::uint64_t most_exact)
      : run_(*page.run), label_(page.label), is_large_(count_numbers(run_) > most_exact) {
    frames_ = run_.frames();
    first_ = std::min(page.from, frames_);
    const auto steps_before = [&](std::uint64_t frame) {
      const double steps = run_.array("frames/step").values[frame];
      return static_cast<std::uint64_t>(std::clamp(steps, 0.0, static_cast<double>(run_.steps())));
    };
    first_step_ = first_ == 0 ? 0 : steps_before(first_ - 1);
    const bool is_running = run_.status == "running";
    steps_ = !is_running ? run_.steps() : frames_ == 0 ? 0 : steps_before(frames_ - 1);
    steps_ = std::max(steps_, first_step_);
  }

  Result<ordered_json> write() {
    const auto model = parse(run_.model);
    if (!model || !model->is_object()) return Error{"the record's text `model` is no JSON object"};
    ordered_json out{{"label", label_},
                     {"status", status()},
                     {"summary", summary()},
                     {"fingerprint", run_.fingerprint},
                     {"versions", {{"stiction", run_.version}}},
                     {"scene", run_.scene},
                     {"planar", model->value("planar", ordered_json(false))},
                     {"gravity", model->value("gravity", ordered_json::array({0.0, 0.0, -9.81}))}};
    out["bodies"] = bodies(model->value("bodies", ordered_json::array()));
    out["joints"] = model->value("joints", ordered_json::array());
    out["springs"] = model->value("springs", ordered_json::array());
    out["contacts"] = ordered_json::array();
    for (std::size_t i = 0; i < run_.contacts.size(); ++i)
      out["contacts"].push_back({{"name", run_.contacts[i]}, {"mu", run_.array("contacts/mu").values[i]}});
    out["events"] = events();
    out["arrays"] = arrays();
    return out;
  }

 private:
  [[nodiscard]] std::string status() const { return run_.status == "max_wall" ? "interrupted" : run_.status; }

  [[nodiscard]] ordered_json summary() const {
    const auto whole = parse(run_.summary);
    if (!whole || !whole->is_object()) return ordered_json::object();
    ordered_json out = *whole;
    for (const char* key : {"bodies", "events", "folder"}) out.erase(key);  // older records told their folder
    return out;
  }

  /// Those that move have a row in the arrays, the others a place where they stand.
  [[nodiscard]] ordered_json bodies(const ordered_json& all) const {
    ordered_json out = ordered_json::array();
    std::uint64_t row = 0;
    for (const ordered_json& body : all) {
      if (!body.is_object()) continue;
      const auto motion = body.value("motion", ordered_json("fixed"));
      ordered_json entry{{"name", body.value("name", ordered_json(""))},
                         {"motion", motion == "movable" ? "free"
                                    : motion == "fixed" ? "static"
                                                        : "kinematic"},
                         {"mass", body.value("mass", ordered_json(nullptr))},
                         {"shapes", body.value("shapes", ordered_json::array())}};
      if (motion == "fixed") {
        entry["index"] = nullptr;
        entry["pose"] = {{"position", body.value("position", ordered_json::array({0, 0, 0}))},
                         {"orientation", body.value("orientation", ordered_json::array({1, 0, 0, 0}))}};
      } else {
        if (row == run_.bodies.size()) continue;
        entry["index"] = row++;
      }
      out.push_back(std::move(entry));
    }
    return out;
  }

  [[nodiscard]] ordered_json events() const {
    ordered_json out = ordered_json::array();
    for (std::size_t i = 0; i < run_.events(); ++i) {
      const double step = run_.array("events/step").values[i];
      if (!(step >= static_cast<double>(first_step_) && step < static_cast<double>(steps_))) continue;
      const auto kind = static_cast<EventKind>(static_cast<int>(run_.array("events/kind").values[i]));
      const auto contact = static_cast<std::size_t>(run_.array("events/contact").values[i]);
      out.push_back({{"time", run_.array("events/time").values[i]},
                     {"kind", to_string(kind)},
                     {"contact", run_.contacts[contact]},
                     {"step", step}});
    }
    return out;
  }

  [[nodiscard]] ordered_json arrays() const {
    ordered_json out;
    const auto add = [&](const PageColumn& column, std::uint64_t first, std::uint64_t end) {
      const RecordedArray& array = run_.array(column.path);
      if (array.rows < end) return;
      out[column.name] = rows_of(array, first, end, is_large_ ? column.large : column.exact);
    };
    const RecordedArray& alpha = run_.array("frames/velocity_alpha");
    const bool has_alpha = alpha.values != run_.array("frames/velocity").values;
    for (const PageColumn& column : frame_columns)
      if (has_alpha || !std::string_view(column.name).ends_with("_alpha")) add(column, first_, frames_);
    if (run_.bodies.empty()) {
      out["position"] = make_page_array({}, {frames_ - first_, 0, 3}, f64);
      out["orientation"] = make_page_array({}, {frames_ - first_, 0, 4}, f64);
    }
    const std::vector<double>& starts = run_.array("contacts/start").values;
    std::vector<double> shifted(starts.begin() + static_cast<std::ptrdiff_t>(first_), starts.end());
    for (double& start : shifted) start -= starts[first_];
    out["contact.start"] = make_page_array(shifted, {shifted.size()}, u32);
    for (const PageColumn& column : contact_columns)
      add(column, static_cast<std::uint64_t>(starts[first_]), static_cast<std::uint64_t>(starts.back()));
    for (const PageColumn& column : step_columns) add(column, first_step_, steps_);
    return out;
  }

  const RecordedRun& run_;
  std::string label_;
  bool is_large_;
  std::uint64_t first_ = 0, frames_ = 0, first_step_ = 0, steps_ = 0;
};

}  // namespace

Result<std::string> make_page_data(const std::vector<PageRun>& runs, std::uint64_t most_exact) {
  ordered_json out{{"format", 1}, {"runs", ordered_json::array()}};
  for (const PageRun& page : runs) {
    Result<ordered_json> run = PageWriter(page, most_exact).write();
    if (!run) return Error{run.error()};
    out["runs"].push_back(std::move(run).value());
  }
  return out.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string label_of(const RecordedRun& run) {
  const auto settings = parse(run.settings);
  if (!settings || !settings->is_object()) return run.name;
  const auto scheme = settings->value("scheme", ordered_json("")), h = settings->value("h", ordered_json(nullptr));
  if (!scheme.is_string() || !h.is_number()) return run.name;
  return run.name + ", " + scheme.get<std::string>() + ", h = " + h.dump();
}

std::string fill_page(std::string_view page_template, std::string_view data) {
  const std::size_t at = page_template.find(place);
  if (at == std::string_view::npos) return "";
  const std::size_t null = at + place.size() - std::string_view("null</script>").size();
  std::string page(page_template.substr(0, null));
  page.reserve(page_template.size() + data.size() + data.size() / 64);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::string_view three = data.substr(i, 3);
    if (data[i] == '<') {
      page += "\\u003c";
    } else if (three == "\xe2\x80\xa8" || three == "\xe2\x80\xa9") {
      page += three.back() == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      page += data[i];
    }
  }
  page += page_template.substr(null + std::string_view("null").size());
  return page;
}

}  // namespace stiction
