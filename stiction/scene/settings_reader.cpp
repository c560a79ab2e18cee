#include "stiction/scene/settings_reader.h"

#include <array>
#include <string_view>

namespace stiction::scene {

namespace {

constexpr std::array<std::string_view, 26> simulation_keys{"scheme",
                                                           "h",
                                                           "end",
                                                           "solver",
                                                           "cone",
                                                           "turn_facets",
                                                           "max_turns",
                                                           "geometry",
                                                           "linear",
                                                           "max_iterations",
                                                           "position_update",
                                                           "impact",
                                                           "restitution_threshold",
                                                           "stabilisation",
                                                           "contact_tolerance",
                                                           "integration_tolerance",
                                                           "max_events",
                                                           "initial_velocity",
                                                           "start_penetration",
                                                           "alpha",
                                                           "gamma",
                                                           "jacobian",
                                                           "newton",
                                                           "projection",
                                                           "locate_transitions",
                                                           "tolerance"};

// In the order of the enumerations.
constexpr std::array<std::string_view, 7> scheme_names{
    "stewart_trinkle", "anitescu_potra", "lotstedt", "implicit_euler", "trapezoidal", "moreau_midpoint", "theta"};
constexpr std::array<std::string_view, 3> jacobian_names{"auto", "exact", "rank_one"};
constexpr std::array<std::string_view, 5> geometry_names{"start", "midpoint", "predicted", "end", "average"};
constexpr std::array<std::string_view, 5> impact_names{"poisson", "poisson_1997", "simplified", "newton",
                                                       "newton_equality"};
constexpr std::array<std::string_view, 2> position_update_names{"new_velocity", "old_velocity"};
constexpr std::array<std::string_view, 3> initial_velocity_names{"refuse", "collide", "keep"};
constexpr std::array<std::string_view, 2> solver_names{"auto", "lemke"};

constexpr Range step_range{1e-12, 1e6, "a step in s"};
constexpr Range end_range{1e-12, 1e9, "a time in s"};
constexpr Range cone_range{4, 256, "an even number of facets"};
constexpr Range speed_range{0.0, 1e9, "a speed in m/s"};
constexpr Range share_range{0.0, 1.0, "a factor"};
constexpr Range alpha_range{1e-3, 1.0, "a share of the step"};
constexpr Range distance_range{0.0, 1e3, "a distance in m"};
constexpr Range contact_tolerance_range{1e-15, 1e3, "a distance in m"};
constexpr Range tolerance_range{1e-14, 1e-2, "a relative residual"};
constexpr Range integration_tolerance_range{1e-14, 0.1, "a relative error"};
constexpr Range count_range{1, 1'000'000, "a number"};

/// A run that nobody can wait for is a slip of the pen.
constexpr double most_steps = 1e9;

/// Sets `value` where the key names one of the words, which stand in the order of the enumeration.
template <class Enum>
void set_word(const ObjectReader& object, std::string_view key, std::span<const std::string_view> words, Enum& value) {
  if (const auto word = object.word(key, words)) value = static_cast<Enum>(*word);
}

void set_number(const ObjectReader& object, std::string_view key, const Range& range, double& value) {
  if (const auto number = object.number(key, range)) value = *number;
}

void set_count(const ObjectReader& object, std::string_view key, int& value) {
  if (const auto at = object.find(key)) value = read_whole_number(*at, count_range, object.mistakes()).value_or(value);
}

void read_cone(const ObjectReader& object, PolyhedralOptions& cone) {
  cone.turn = object.boolean("turn_facets").value_or(cone.turn);
  set_count(object, "max_turns", cone.most_turns);
  set_number(object, "tolerance", tolerance_range, cone.tolerance);
  const auto at = object.find("cone");
  if (!at) return;
  if (const std::string* word = at->value().text(); word != nullptr && *word == "circular") {
    if (!cone.turn)
      at->refuse(MistakeKind::meaning, "a circular cone needs turn_facets, which is false here; leave one of them out",
                 object.mistakes());
    return;
  }
  if (at->value().text() != nullptr) {
    at->expect("\"circular\" or an even number of facets from 4 to 256", object.mistakes());
    return;
  }
  const auto facets = read_whole_number(*at, cone_range, object.mistakes());
  if (!facets) return;
  cone.facets = *facets;
  cone.round = false;
  cone.polyhedral = true;
  // 1996, section 3: with each direction of friction its opposite is there too.
  if (*facets % 2 != 0) at->expect("an even number of facets from 4 to 256", object.mistakes());
}

/// Where the scheme evaluates its geometry, and whether it can do so where the file says.
void read_geometry(const ObjectReader& object, SchemeOptions& scheme) {
  const bool iterates = scheme.scheme == Scheme::stewart_trinkle && !scheme.linear;
  if (scheme.scheme == Scheme::stewart_trinkle) scheme.geometry = iterates ? GeometryAt::end : GeometryAt::predicted;
  set_word(object, "geometry", geometry_names, scheme.geometry);
  const bool is_implicit = scheme.geometry == GeometryAt::end || scheme.geometry == GeometryAt::average;
  if (is_implicit != iterates)
    object.refuse("geometry", iterates ? "the nonlinear stewart_trinkle iterates, expected `end` or `average`; with "
                                         "`\"linear\": true` it does not"
                                       : "the scheme does not iterate, expected `start`, `midpoint` or `predicted`");
}

/// Settings of the family of 2008. Its named members have their own alpha and gamma.
void read_theta_family(const ObjectReader& object, SchemeOptions& scheme) {
  double alpha = scheme.alpha, gamma = scheme.gamma;
  set_number(object, "alpha", alpha_range, alpha);
  set_number(object, "gamma", share_range, gamma);
  if (scheme.scheme == Scheme::theta) {
    scheme.alpha = alpha;
    scheme.gamma = gamma;
  }
  set_word(object, "jacobian", jacobian_names, scheme.jacobian);
  scheme.newton = object.boolean("newton").value_or(scheme.newton);
  scheme.projection = object.boolean("projection").value_or(scheme.projection);
  scheme.locate_transitions = object.boolean("locate_transitions").value_or(scheme.locate_transitions);
}

void read_scheme(const ObjectReader& object, SchemeOptions& scheme) {
  set_word(object, "scheme", scheme_names, scheme.scheme);
  scheme = preset(scheme.scheme);
  scheme.linear = object.boolean("linear").value_or(scheme.linear);
  read_geometry(object, scheme);
  read_theta_family(object, scheme);
  set_count(object, "max_iterations", scheme.most_iterations);
  set_word(object, "position_update", position_update_names, scheme.position_update);
  set_word(object, "impact", impact_names, scheme.impact);
  set_number(object, "restitution_threshold", speed_range, scheme.restitution_threshold);
  set_number(object, "stabilisation", share_range, scheme.stabilisation);
  set_number(object, "contact_tolerance", contact_tolerance_range, scheme.contact_tolerance);
  set_number(object, "integration_tolerance", integration_tolerance_range, scheme.integration_tolerance);
  set_count(object, "max_events", scheme.most_events);
  read_cone(object, scheme.cone);
}

void check_times(const ObjectReader& object, const SimulationOptions& simulation) {
  const double steps = simulation.end / simulation.h;
  if (simulation.h > simulation.end) {
    object.refuse("h", "the step " + to_text(simulation.h) + " s is longer than the run, expected h <= end, which is " +
                           to_text(simulation.end) + " s");
  } else if (steps > most_steps) {
    object.refuse("h", "the run would take " + to_text(steps) + " steps, expected at most " + to_text(most_steps));
  }
}

}  // namespace

Settings read_settings(const Spot& spot, Mistakes& mistakes) {
  Settings settings;
  const ObjectReader object(spot, "the simulation", simulation_keys, mistakes);
  if (!object.ok()) return settings;
  set_number(object, "h", step_range, settings.simulation.h);
  set_number(object, "end", end_range, settings.simulation.end);
  read_scheme(object, settings.simulation.scheme);
  if (const auto word = object.word("solver", solver_names)) settings.solver = solver_names[*word];
  if (settings.solver == "lemke") settings.simulation.scheme.cone.round = false;
  set_word(object, "initial_velocity", initial_velocity_names, settings.initial_velocity);
  settings.simulation.scheme.initial_impact = settings.initial_velocity == InitialVelocity::collide;
  set_number(object, "start_penetration", distance_range, settings.start_penetration);
  check_times(object, settings.simulation);
  return settings;
}

}  // namespace stiction::scene
