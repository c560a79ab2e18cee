#include "stiction/study/study_table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "stiction/study/motion_error.h"

namespace stiction {

namespace {

/// Growth of a small change over a run from which on digits are lost faster than smaller steps can win them back.
constexpr double chaotic_growth = 1e3;
/// Errors below this share of the positions are not those of two motions that went apart.
constexpr double small_share = 1e-3;

std::string number(double value) {
  std::string text(40, '\0');
  const int length = std::snprintf(text.data(), text.size(), "%.3g", value);
  text.resize(static_cast<std::size_t>(std::max(length, 0)));
  return text;
}

/// Measures runs against the reference of a study.
class Judge {
 public:
  Judge(const Scene& scene, const StudyRuns& runs)
      : scene_(scene), ids_(movable_bodies(scene.model)), reference_(runs.reference ? &*runs.reference : nullptr) {
    if (reference_ != nullptr) events_ = &reference_->events;
    // Formulas tell no events: then the finest run that came through does.
    for (auto run = runs.rows.rbegin(); events_ == nullptr && run != runs.rows.rend(); ++run)
      if (run->is_done) events_ = &run->events;
  }

  [[nodiscard]] std::optional<MotionError> error_of(const StudyRun& run) const {
    if (!run.is_done || (reference_ != nullptr && !reference_->is_done)) return std::nullopt;
    if (reference_ != nullptr) return motion_error(run.bodies, reference_->bodies);
    return motion_error(run.bodies, ids_, scene_.model, scene_.exact, scene_.settings.simulation.end);
  }
  [[nodiscard]] std::optional<std::string> other_event(const StudyRun& run) const {
    return events_ == nullptr ? std::nullopt : find_other_event(run.events, *events_);
  }
  [[nodiscard]] double reference_h() const { return reference_ == nullptr ? 0.0 : reference_->h; }

  [[nodiscard]] StudyRow row_of(StudyRun run) const {
    StudyRow row;
    if (const auto error = error_of(run)) {
      row.position_error = error->position;
      row.velocity_error = error->velocity;
      if (reference_ != nullptr) row.energy_error = std::abs(run.energy_end - reference_->energy_end);
    }
    row.other_event = other_event(run);
    row.run = std::move(run);
    return row;
  }

 private:
  const Scene& scene_;
  std::vector<BodyId> ids_;
  const StudyRun* reference_;
  const std::vector<NamedEvent>* events_ = nullptr;
};

/// The size of positions or velocities at the end.
double size_of(const StudyRun& run, bool of_velocity) {
  double size = 0.0;
  for (const BodyState& body : run.bodies)
    size = of_velocity ? std::hypot(size, body.velocity.norm(), body.angular_velocity.norm())
                       : std::hypot(size, body.pose.position.norm());
  return size;
}

/// What rounding alone makes of positions, or of velocities, over a run: a random walk of its steps.
double rounding_floor(const std::vector<StudyRow>& rows, const std::optional<StudyRun>& reference, bool of_velocity) {
  constexpr double roundings_a_step = 64.0;
  const StudyRun& finest = reference ? *reference : rows.back().run;
  const double size = size_of(finest, of_velocity);
  const double steps = static_cast<double>(std::max(finest.certificate.steps, 1L));
  return roundings_a_step * std::numeric_limits<double>::epsilon() * std::sqrt(steps) * std::max(size, 1e-3);
}

std::vector<ErrorAt> errors_of(const std::vector<StudyRow>& rows, std::optional<double> StudyRow::* error) {
  std::vector<ErrorAt> errors;
  errors.reserve(rows.size());
  for (const StudyRow& row : rows)
    errors.push_back({row.run.h, (row.*error).value_or(NAN), (row.*error).has_value() && !row.other_event});
  return errors;
}

/// That a scheme has on smooth motion.
double own_order(std::string_view scheme) {
  if (scheme == to_string(Scheme::lotstedt)) return 5.0;
  return scheme == to_string(Scheme::trapezoidal) || scheme == to_string(Scheme::theta) ? 2.0 : 1.0;
}

/// The error of the run at the scene's own h, once there is an order to correct it by (or nothing to correct).
std::optional<double> estimate_error(const StudyTable& table, double h, std::optional<double> measured,
                                     std::optional<double> StudyRow::* error, const Convergence& convergence) {
  const double r = table.reference_h.value_or(0.0);
  if (convergence.verdict == Verdict::rounding) return measured;
  if (!convergence.order) return std::nullopt;
  if (measured) return r > 0.0 ? richardson(*measured, h, r, *convergence.order) : *measured;
  return predict_error(errors_of(table.rows, error), convergence, r, h, own_order(table.scheme));
}

StudyEstimate make_estimate(const StudyTable& table, const Judge& judge, const std::optional<StudyRun>& own, double h) {
  StudyEstimate estimate{.h = h};
  std::optional<MotionError> measured;
  for (const StudyRow& row : table.rows)
    if (row.run.h == h) measured = judge.error_of(row.run);
  if (own) measured = judge.error_of(*own);
  estimate.is_measured = measured.has_value();
  const auto part = [&](double MotionError::* which) {
    return measured ? std::optional((*measured).*which) : std::nullopt;
  };
  estimate.position_error =
      estimate_error(table, h, part(&MotionError::position), &StudyRow::position_error, table.position);
  estimate.velocity_error =
      estimate_error(table, h, part(&MotionError::velocity), &StudyRow::velocity_error, table.velocity);
  return estimate;
}

std::string failure_of(const StudyTable& table) {
  const auto told = [](const StudyRun& run) {
    return "the run with h = " + number(run.h) + " s did not come to its end" +
           (run.error.empty() ? "" : ": " + run.error);
  };
  if (table.reference && !table.reference->is_done) return told(*table.reference);
  for (const StudyRow& row : table.rows)
    if (!row.run.is_done) return told(row.run);
  return "";
}

std::string first_other_event(const StudyTable& table) {
  for (auto row = table.rows.rbegin(); row != table.rows.rend(); ++row)
    if (row->other_event) return "at h = " + number(row->run.h) + " s, " + *row->other_event;
  return "";
}

std::string sensitivity_in_words(const StudyTable& table) {
  double largest = 0.0;
  for (const StudyRow& row : table.rows) largest = std::max(largest, row.position_error.value_or(0.0));
  if (largest < small_share * size_of(table.rows.back().run, false))
    return "they stay below " + number(largest) + ", and something else than h makes them, such as a tolerance";
  if (!table.sensitivity) return "h may be too large, or the motion chaotic";
  const std::string grown =
      "a change of the velocities at the start is " + number(*table.sensitivity) + " times as large at the end";
  return *table.sensitivity > chaotic_growth
             ? "the motion is chaotic, or nearly so: " + grown + ", so that no step h tells where it ends"
             : grown + ", which is no chaos: try smaller steps";
}

std::string find_reason(const StudyTable& table) {
  if (std::string failure = failure_of(table); !failure.empty()) return failure;
  const std::string other = first_other_event(table);
  switch (table.position.verdict) {
    case Verdict::asymptotic:
      if (other.empty() && *table.position.order > own_order(table.scheme) + 0.25)
        return "the order is above " + number(own_order(table.scheme)) +
               ", the scheme's own: the errors have not settled yet, and will fall more slowly at smaller steps";
      return other.empty() ? "" : "coarser runs went through other events and do not count: " + other;
    case Verdict::rounding:
      return "the errors are at the level of rounding: there is no order left to see";
    case Verdict::too_few:
      return "three runs or more are needed to see whether an order has settled";
    case Verdict::different_events:
      return "the runs went through different events: " + other + "; try smaller steps, or an earlier --end";
    case Verdict::not_settled:
      return "the errors fall, but the order does not settle" + (other.empty() ? "" : " (" + other + ")") +
             "; try smaller steps";
    case Verdict::not_falling:
      return "the errors do not fall with h: " + sensitivity_in_words(table) + (other.empty() ? "" : "; " + other);
    default:
      return "";
  }
}

}  // namespace

bool StudyTable::is_done() const {
  const auto done = [](const StudyRun& run) { return run.is_done && run.certificate.uncertified_steps == 0; };
  return (!reference || done(*reference)) &&
         std::all_of(rows.begin(), rows.end(), [&](const StudyRow& row) { return done(row.run); });
}

bool wants_nudge(const StudyTable& table) {
  return table.is_done() &&
         (table.position.verdict == Verdict::not_falling || table.position.verdict == Verdict::not_settled);
}

StudyTable make_table(const Scene& scene, StudyRuns runs) {
  const Judge judge(scene, runs);
  StudyTable table;
  table.scheme = to_string(scene.settings.simulation.scheme.scheme);
  table.joints = joint_names(scene);
  for (const BodyId id : movable_bodies(scene.model)) table.bodies.push_back(scene.model.body(id).name);
  if (runs.reference) table.reference_h = runs.reference->h;
  for (const StudyRun& run : runs.rows) table.rows.push_back(judge.row_of(run));
  table.reference = runs.reference;

  table.position = find_convergence(errors_of(table.rows, &StudyRow::position_error), judge.reference_h(),
                                    rounding_floor(table.rows, table.reference, false));
  table.velocity = find_convergence(errors_of(table.rows, &StudyRow::velocity_error), judge.reference_h(),
                                    rounding_floor(table.rows, table.reference, true));
  table.estimate = make_estimate(table, judge, runs.own, scene.settings.simulation.h);
  const StudyRow& finest = table.rows.back();
  if (runs.nudged && runs.nudged->is_done && finest.run.is_done && runs.nudge > 0.0) {
    const double apart = motion_error(runs.nudged->bodies, finest.run.bodies).position;
    table.sensitivity = apart / (runs.nudge * std::sqrt(static_cast<double>(scene.model.velocities())));
  }
  table.reason = find_reason(table);
  return table;
}

}  // namespace stiction
