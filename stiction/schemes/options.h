#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "stiction/base/result.h"
#include "stiction/contact/polyhedral_solver.h"

namespace stiction {

enum class Scheme : std::uint8_t {
  stewart_trinkle,
  anitescu_potra,
  lotstedt,
  implicit_euler,   ///< Of the family of 2008: alpha = gamma = 1,
  trapezoidal,      ///< alpha = gamma = 1/2 (2006),
  moreau_midpoint,  ///< alpha = 1, gamma = 1/2,
  theta,            ///< alpha and gamma as chosen.
};

/// One of the family of 2008: velocity level, forces with their Jacobians.
[[nodiscard]] constexpr bool is_theta_family(Scheme scheme) {
  return scheme == Scheme::implicit_euler || scheme == Scheme::trapezoidal || scheme == Scheme::moreau_midpoint ||
         scheme == Scheme::theta;
}

/// Derivatives of the applied forces in M~ (2006, section 9).
enum class ForceJacobian : std::uint8_t {
  automatic,  ///< Exact while M~ stays positive definite, else rank one.
  exact,
  rank_one,  ///< Of springs and dampers along their lines (2006, (9.2)-(9.3)).
};

/// Where the geometry of a step is evaluated.
enum class GeometryAt : std::uint8_t {
  start,      ///< q
  midpoint,   ///< q + h v / 2
  predicted,  ///< q + h v
  end,        ///< q+, by iteration (stewart_trinkle)
  average,    ///< normals at (q + q+)/2, gaps at q+, by iteration (stewart_trinkle)
};

enum class ImpactLaw : std::uint8_t {
  poisson,          ///< Compression and decompression (1997, section 3), friction in both.
  poisson_1997,     ///< The same as printed, (3.5): what comes back bears no friction.
  simplified,       ///< v+ = (1 + e) vc - e v-; cannot gain energy (Lemma 3.1); Poisson where it would penetrate.
  newton,           ///< n'v+ >= -e n'v- for each contact.
  newton_equality,  ///< n'v+ = -e n'v- for each contact that approaches (1982, (3.9)); may gain energy and may pull.
};

enum class PositionUpdate : std::uint8_t {
  new_velocity,  ///< q+ = q + h v+
  old_velocity,  ///< q+ = q + h v, as written in 1997
};

/// Gaps that count as closed at position level (HeldGaps).
struct HoldOptions {
  /// m. Contacts of redundant islands that were closed stay where they are within this of zero; nothing is held at 0.
  /// The contact tolerance is its bound and its default: a step that leaves more is not full.
  double band = 1e-7;
};

struct SchemeOptions {
  Scheme scheme = Scheme::stewart_trinkle;
  bool linear = false;                    ///< stewart_trinkle: one linear problem a step instead of Phi(q+) >= 0.
  GeometryAt geometry = GeometryAt::end;  ///< Default by scheme: see with_defaults().
  PositionUpdate position_update = PositionUpdate::new_velocity;
  ImpactLaw impact = ImpactLaw::poisson;
  double restitution_threshold = -1.0;   ///< m/s; approaches slower than this do not bounce. Negative: 2 |g| h.
  double stabilisation = 0.0;            ///< anitescu_potra: share of the position error taken out in a step, 0 to 1.
  double contact_tolerance = 1e-7;       ///< m; a gap below this is a contact at velocity level, and converged at
                                         ///< position level, where iterations go on to 1e-12 if they can.
  double integration_tolerance = 1e-10;  ///< lotstedt: error of a step between events, relative to 1 + |q| and 1 + |v|.
  int most_events = 100;                 ///< In one step; then it ends as a plastic step.
  int most_iterations = 50;              ///< Of the nonlinear position-level problem.
  int most_halvings = 10;                ///< Of a step that does not converge.
  bool initial_impact = false;           ///< Velocities against joints and contacts at the start are an impact.
  // Of the family of 2008.
  double alpha = 1.0;  ///< v_alpha = alpha v+ + (1 - alpha) v, in (0, 1].
  double gamma = 1.0;  ///< q+ = q + h (gamma v+ + (1 - gamma) v), in [0, 1].
  ForceJacobian jacobian = ForceJacobian::automatic;
  bool newton = false;              ///< Solve (2.5) of 2006 to rounding instead of one linear problem a step.
  bool projection = false;          ///< Onto joints and closed contacts after each step, never raising the energy.
  bool locate_transitions = false;  ///< Take-off, sticking and slipping end a part of a step where they happen.
  HoldOptions hold = {};            ///< stewart_trinkle.
  PolyhedralOptions cone = {};
};

/// The preset's own choices for a scheme.
[[nodiscard]] SchemeOptions preset(Scheme scheme);
/// What no scheme can do, in words: the option, its value and what was expected.
[[nodiscard]] std::optional<Error> check(const SchemeOptions& options);
[[nodiscard]] std::string_view to_string(Scheme scheme);

}  // namespace stiction
