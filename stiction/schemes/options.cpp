#include "stiction/schemes/options.h"

#include <cmath>
#include <sstream>
#include <string>

namespace stiction {

SchemeOptions preset(Scheme scheme) {
  SchemeOptions options;
  options.scheme = scheme;
  options.geometry = scheme == Scheme::stewart_trinkle ? GeometryAt::end : GeometryAt::predicted;
  if (scheme == Scheme::lotstedt) options.impact = ImpactLaw::newton;
  if (!is_theta_family(scheme)) return options;
  const bool centred = scheme == Scheme::trapezoidal || scheme == Scheme::theta;
  options.alpha = centred ? 0.5 : 1.0;
  options.gamma = scheme == Scheme::implicit_euler ? 1.0 : 0.5;
  // Geometry at the old position would cost the second order (2006, (5.2)).
  options.geometry = scheme == Scheme::implicit_euler ? GeometryAt::predicted : GeometryAt::midpoint;
  options.locate_transitions = centred;
  return options;
}

std::optional<Error> check(const SchemeOptions& options) {
  const auto refuse = [](const std::string& option, const std::string& value, const std::string& expected) {
    return Error{"option " + option + ": " + value + ", expected " + expected};
  };
  const auto number = [](double value) { return (std::ostringstream() << "is " << value).str(); };
  const bool iterates = options.scheme == Scheme::stewart_trinkle && !options.linear;
  const bool is_implicit = options.geometry == GeometryAt::end || options.geometry == GeometryAt::average;
  if (iterates && !is_implicit)
    return refuse("geometry", "the nonlinear stewart_trinkle iterates", "`end` or `average`, or `linear`");
  if (!iterates && is_implicit)
    return refuse("geometry", "the scheme does not iterate", "`start`, `midpoint` or `predicted`");
  if (std::isnan(options.restitution_threshold))
    return refuse("restitution_threshold", number(options.restitution_threshold),
                  "a speed, or less than 0 for 2 |g| h");
  if (!(options.stabilisation >= 0.0 && options.stabilisation <= 1.0))
    return refuse("stabilisation", number(options.stabilisation), "a share from 0 to 1");
  if (!(options.alpha > 0.0 && options.alpha <= 1.0))
    return refuse("alpha", number(options.alpha), "a share above 0, up to 1");
  if (!(options.gamma >= 0.0 && options.gamma <= 1.0))
    return refuse("gamma", number(options.gamma), "a share from 0 to 1");
  if (!(options.contact_tolerance > 0.0 && std::isfinite(options.contact_tolerance)))
    return refuse("contact_tolerance", number(options.contact_tolerance), "a positive length");
  if (!(options.integration_tolerance >= 1e-14 && options.integration_tolerance <= 0.1))
    return refuse("integration_tolerance", number(options.integration_tolerance), "a relative error from 1e-14 to 0.1");
  if (options.most_events < 0) return refuse("most_events", number(options.most_events), "0 or more");
  if (options.most_iterations < 1) return refuse("most_iterations", number(options.most_iterations), "1 or more");
  if (options.most_halvings < 0 || options.most_halvings > 20)
    return refuse("most_halvings", number(options.most_halvings), "0 to 20");
  // 1996, (13): with each direction of friction its opposite is there too.
  if (options.cone.facets < 4 || options.cone.facets % 2 != 0)
    return refuse("cone.facets", number(options.cone.facets), "an even number from 4");
  if (options.cone.most_turns < 0) return refuse("cone.most_turns", number(options.cone.most_turns), "0 or more");
  if (!(options.cone.tolerance > 0.0 && std::isfinite(options.cone.tolerance)))
    return refuse("cone.tolerance", number(options.cone.tolerance), "a positive number");
  return std::nullopt;
}

std::string_view to_string(Scheme scheme) {
  switch (scheme) {
    case Scheme::stewart_trinkle:
      return "stewart_trinkle";
    case Scheme::anitescu_potra:
      return "anitescu_potra";
    case Scheme::lotstedt:
      return "lotstedt";
    case Scheme::implicit_euler:
      return "implicit_euler";
    case Scheme::trapezoidal:
      return "trapezoidal";
    case Scheme::moreau_midpoint:
      return "moreau_midpoint";
    case Scheme::theta:
      return "theta";
  }
  return "stewart_trinkle";
}

}  // namespace stiction
