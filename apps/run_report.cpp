#include "apps/run_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

namespace stiction::apps {

namespace {

using nlohmann::ordered_json;

ordered_json to_list(const Vec3& x) {
  return {x.x(), x.y(), x.z()};
}

ordered_json to_object(const BodyState& body) {
  const Quat& o = body.pose.orientation;
  return {{"position", to_list(body.pose.position)},
          {"orientation", {o.w(), o.x(), o.y(), o.z()}},
          {"velocity", to_list(body.velocity)},
          {"angular_velocity", to_list(body.angular_velocity)},
          {"velocity_alpha", to_list(body.velocity_alpha)},
          {"angular_velocity_alpha", to_list(body.angular_velocity_alpha)}};
}

/// A residual that is no number, since there was no answer, is null.
ordered_json to_number(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

bool is_residual(Grade grade) {
  return grade == Grade::polyhedral || grade == Grade::loose || grade == Grade::failed;
}

ordered_json to_object(const RunSummary& run) {
  const RunCertificate& worst = run.certificate;
  auto counts = ordered_json::object(), weaker = ordered_json::array();
  for (int i = 0; i < grade_count; ++i) {
    const auto grade = static_cast<Grade>(i);
    const GradeTally& tally = worst.grades[static_cast<std::size_t>(i)];
    counts[std::string(to_string(grade))] = tally.steps;
    if (grade == Grade::full || tally.steps == 0) continue;
    weaker.push_back({{"grade", to_string(grade)},
                      {"steps", tally.steps},
                      {is_residual(grade) ? "residual" : "off", to_number(tally.off)},
                      {"time", tally.time},
                      {"where", run.grade_places[static_cast<std::size_t>(i)]}});
  }
  return {{"uncertified_steps", worst.uncertified_steps},
          {"max_residual", worst.max_residual},
          {"max_penetration", worst.max_penetration},
          {"max_equality_residual", worst.max_equality_residual},
          {"max_momentum_defect", worst.max_momentum_defect},
          {"max_energy_defect", worst.max_energy_defect},
          {"max_contact_residual", to_number(worst.max_contact_residual)},
          {"grade", to_string(worst.grade())},
          {"grades", std::move(counts)},
          {"weaker", std::move(weaker)}};
}

std::string dump(const ordered_json& object) {
  return object.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

double basis_reuse(const SolveCounts& counts) {
  return counts.problems > 0 ? static_cast<double>(counts.reused) / static_cast<double>(counts.problems) : 0.0;
}

std::string where(const std::string& contact, double time) {
  return contact.empty() ? "" : fmt::format("  ({}, t = {:.6g} s)", contact, time);
}

std::string head_in_words(const RunSummary& run) {
  constexpr std::array<std::string_view, 4> endings{"done", "FAILED", "INTERRUPTED", "OUT OF WALL TIME"};
  std::string text = fmt::format("{}: {} at t = {:.9g} s of {:.9g} s, {} steps of {:.6g} s by {}\n", run.scene,
                                 endings[static_cast<std::size_t>(run.ended)], run.time, run.end, run.certificate.steps,
                                 run.h, run.scheme);
  if (!run.error.empty()) text += fmt::format("  {}\n", run.error);
  return text;
}

/// What each grade below `full` leaves to be desired.
std::string_view meaning_of(Grade grade) {
  constexpr std::array<std::string_view, grade_count> meanings{
      "",
      "friction with facets where the true cone is asked for",
      "gaps or joints at the end of a step are further off than the scheme promises",
      "solved only without the position part of some gaps or joints",
      "more impacts than are followed, the rest without bouncing",
      "taken to be at rest",
      "not certified, the residual is below 1e-5",
      "not certified"};
  return meanings[static_cast<std::size_t>(grade)];
}

std::string grades_in_words(const RunSummary& run) {
  const RunCertificate& worst = run.certificate;
  std::string text = fmt::format("  full                   {} of {} steps\n", worst.count(Grade::full), worst.steps);
  for (int i = 1; i < grade_count; ++i) {
    const auto grade = static_cast<Grade>(i);
    const GradeTally& tally = worst.grades[static_cast<std::size_t>(i)];
    if (tally.steps == 0) continue;
    const std::string off = is_residual(grade) ? fmt::format("residual {:.2g}", tally.off)
                                               : fmt::format("off by {:.2g} m or rad", tally.off);
    text += fmt::format("  {:<22} {} steps: {}; {}{}\n", to_string(grade), tally.steps, meaning_of(grade), off,
                        where(run.grade_places[static_cast<std::size_t>(i)], tally.time));
  }
  return text;
}

std::string certificate_in_words(const RunSummary& run) {
  const RunCertificate& worst = run.certificate;
  std::string text = worst.uncertified_steps == 0 ? fmt::format("  not certified          0 steps\n")
                                                  : fmt::format("  NOT CERTIFIED          {} of {} steps\n",
                                                                worst.uncertified_steps, worst.steps);
  text += grades_in_words(run);
  text += fmt::format("  worst residual         {:.2g}, in a single contact {:.2g}{}\n", worst.max_residual,
                      worst.max_contact_residual, where(run.worst_contact, worst.worst_time));
  text += fmt::format("  deepest penetration    {:.2g} m{}\n", worst.max_penetration,
                      where(run.deepest_contact, worst.deepest_time));
  text += fmt::format("  joint residual         {:.2g}, farthest apart {:.2g}\n", worst.max_equality_residual,
                      worst.max_joint_error);
  text += fmt::format("  momentum defect        {:.2g}\n", worst.max_momentum_defect);
  text += fmt::format("  energy defect          {:.2g}\n", worst.max_energy_defect);
  text += fmt::format("  energy                 {:.6g} J at the start, {:.6g} J at the end, {:.6g} J at most\n",
                      run.energy.initial, run.energy.now, run.energy.largest);
  const Dissipation& lost = run.energy.dissipated;
  text += fmt::format(
      "  of which went          {:.3g} J to friction, {:.3g} J to friction in joints, {:.3g} J to impacts, {:.3g} J to "
      "the "
      "rest\n",
      lost.contacts, lost.joints, lost.impacts, run.energy.rest());
  if (worst.impact_energy_gain > 0.0)
    text += fmt::format("  made by impacts        {:.3g} J: Poisson's law can; \"impact\": \"simplified\" cannot\n",
                        worst.impact_energy_gain);
  return text;
}

/// What a certificate allows and a user should know.
std::string warnings_in_words(const RunSummary& run) {
  constexpr double notable_angle = 1e-3, notable_loss = 1e-3, notable_gap = 1e-2;
  std::string text;
  const RunCertificate& worst = run.certificate;
  if (worst.divided_steps > 0)
    text += fmt::format("  divided                {} steps: to converge, or since something moved far for its size\n",
                        worst.divided_steps);
  if (worst.grazing_steps > 0)
    text += fmt::format(
        "  grazing                {} steps in which something met and parted that was let go: try a smaller h\n",
        worst.grazing_steps);
  if (worst.rank_changes > 0)
    text += fmt::format(
        "  rank changed           {} times, first by t = {:.6g} s: what is held became dependent or independent "
        "there\n",
        worst.rank_changes, worst.rank_change_time);
  if (const double growth = run.energy.growth(worst.impact_energy_gain); growth > 0.0)
    text += fmt::format(
        "  ENERGY GREW            by {:.3g} J, and nothing is there that could add any: try a smaller h\n", growth);
  if (worst.max_joint_error > notable_gap)
    text += fmt::format(
        "  joints came apart      by {:.2g} m or rad: use `stabilisation`, nonlinear `stewart_trinkle` or a smaller "
        "h\n",
        worst.max_joint_error);
  if (run.ignores_restitution)
    text += "  restitution            is not used by `stewart_trinkle`: nothing bounces; `anitescu_potra` does\n";
  if (worst.max_misalignment > notable_angle)
    text += fmt::format("  friction off sliding   up to {:.2g} degrees: the facets of the cone\n",
                        worst.max_misalignment * 180.0 / std::numbers::pi);
  if (worst.max_friction_loss > notable_loss)
    text += fmt::format(
        "  friction too small     by up to {:.2g} %: facets that are not turned; what should stick may slide\n",
        100.0 * worst.max_friction_loss);
  return text;
}

/// Where the bodies ended, for scenes that a person can take in.
std::string bodies_in_words(const RunSummary& run) {
  constexpr std::size_t most_bodies = 12;
  if (run.bodies.size() > most_bodies) return "";
  std::string text;
  for (const auto& [name, state] : run.bodies) {
    const Vec3& x = state.pose.position;
    text += fmt::format("  {:<22} at ({:.4g}, {:.4g}, {:.4g}) m, {:.3g} m/s, {:.3g} rad/s\n", name, x.x(), x.y(), x.z(),
                        state.velocity.norm(), state.angular_velocity.norm());
  }
  return text;
}

/// How far contact forces are open, where that can be taken in.
std::string forces_in_words(const RunSummary& run) {
  constexpr std::size_t most_contacts = 12;
  if (!run.force_bounds || run.force_bounds->size() > most_contacts) return "";
  std::string text;
  for (const ForceBoundsTable::Row& row : *run.force_bounds)
    text += fmt::format("  force of {:<13} {:.6g} to {:.6g} N{}\n", row.contact, row.least, row.most,
                        row.is_tight ? "" : ", and perhaps more");
  return text;
}

std::string tail_in_words(const RunSummary& run) {
  std::array<long, 6> kinds{};
  for (const RunSummary::Event& event : run.events) ++kinds[static_cast<std::size_t>(event.kind)];
  std::string text = fmt::format("  events                 {} impacts, {} take-offs, {} to sticking, {} to sliding\n",
                                 kinds[0], kinds[1], kinds[2], kinds[3]);
  if (kinds[5] > 0) text.insert(text.size() - 1, fmt::format(", {} turned back", kinds[5]));
  text += fmt::format("  basis reused           {:.1f} % of {} problems, the largest with {} unknowns\n",
                      100.0 * basis_reuse(run.counts), run.counts.problems, run.counts.largest);
  text += fmt::format("  wall time              {:.3g} s", run.wall_seconds);
  if (run.time > 0.0) text += fmt::format(", {:.3g} s for each simulated second", run.wall_seconds / run.time);
  return text + fmt::format("\n  written to             {}\n", run.folder);
}

}  // namespace

std::string_view to_string(RunEnd end) {
  constexpr std::array<std::string_view, 4> names{"done", "failed", "interrupted", "max_wall"};
  return names[static_cast<std::size_t>(end)];
}

int exit_code(const RunSummary& summary) {
  const bool is_good =
      summary.is_strict ? summary.certificate.grade() == Grade::full : summary.certificate.uncertified_steps == 0;
  return summary.ended == RunEnd::done && is_good ? 0 : 1;
}

std::string to_json(const RunSummary& run) {
  auto events = ordered_json::array();
  for (const RunSummary::Event& event : run.events)
    events.push_back({{"time", event.time}, {"kind", to_string(event.kind)}, {"contact", event.contact}});
  auto bodies = ordered_json::object();
  for (const RunSummary::Body& body : run.bodies) bodies[body.name] = to_object(body.state);
  ordered_json answer{
      {"scene", run.scene},
      {"scheme", run.scheme},
      {"solver", run.solver},
      {"h", run.h},
      {"end", run.end},
      {"time", run.time},
      {"steps", run.certificate.steps},
      {"wall_seconds", run.wall_seconds},
      {"certificate", to_object(run)},
      {"energy", {{"initial", run.energy.initial}, {"final", run.energy.now}, {"max", run.energy.largest}}},
      {"events", std::move(events)},
      {"bodies", std::move(bodies)},
      {"ended", to_string(run.ended)},
      {"overrides", run.overrides},
      {"record_seconds", run.record_seconds},
      {"basis_reuse", basis_reuse(run.counts)},
      {"relaxed_steps", run.certificate.relaxed_steps},
      {"unconverged_steps", run.certificate.unconverged_steps},
      {"divided_steps", run.certificate.divided_steps},
      {"plastic_steps", run.certificate.plastic_steps},
      {"grazing_steps", run.certificate.grazing_steps},
      {"rank_changes", run.certificate.rank_changes},
      {"exact_jacobian_steps", run.certificate.exact_jacobian_steps},
      {"rank_one_jacobian_steps", run.certificate.rank_one_jacobian_steps},
      {"max_joint_error", run.certificate.max_joint_error},
      {"energy_growth", run.energy.growth(run.certificate.impact_energy_gain)},
      {"max_misalignment", run.certificate.max_misalignment},
      {"max_friction_loss", run.certificate.max_friction_loss},
      {"impact_energy_gain", run.certificate.impact_energy_gain}};
  const Dissipation& lost = run.energy.dissipated;
  answer["dissipated"] = {
      {"contacts", lost.contacts}, {"joints", lost.joints}, {"impacts", lost.impacts}, {"rest", run.energy.rest()}};
  if (!run.folder.empty()) answer["folder"] = run.folder;
  if (run.force_bounds) {
    auto bounds = ordered_json::array();
    for (const ForceBoundsTable::Row& row : *run.force_bounds)
      bounds.push_back(
          {{"contact", row.contact}, {"force_min", row.least}, {"force_max", row.most}, {"tight", row.is_tight}});
    answer["force_bounds"] = std::move(bounds);
  }
  if (!run.error.empty()) answer["error"] = run.error;
  return dump(answer);
}

std::string refusal_to_json(const std::string& scene, const std::string& error) {
  return ending_to_json(scene, "refused", error);
}

std::string ending_to_json(const std::string& scene, const std::string& ended, const std::string& error) {
  return dump({{"scene", scene}, {"ended", ended}, {"error", error}});
}

std::string to_words(const RunSummary& summary) {
  return head_in_words(summary) + bodies_in_words(summary) + certificate_in_words(summary) +
         warnings_in_words(summary) + forces_in_words(summary) + tail_in_words(summary);
}

}  // namespace stiction::apps
