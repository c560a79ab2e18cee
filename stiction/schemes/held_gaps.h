#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "stiction/contact/step_problem.h"
#include "stiction/model/state.h"
#include "stiction/schemes/gap_mending.h"
#include "stiction/schemes/options.h"
#include "stiction/schemes/redundancy.h"

namespace stiction {

/// Gaps that count as closed at position level. In a redundant network of contacts what one step leaves in the gaps,
/// nanometres, is in general no motion of the bodies, and as b_n = Phi/h of the next step it has no answer, or one that
/// rounding decides. A contact that was closed at the end of the last step, that lies in a redundant island, and whose
/// gap is within the band, is therefore held where it is,
///
///     [Phi(q^) + n(q^)'(q + h v+ - q^) - Phi(q)]/h >= 0   instead of   [Phi(q^) + n(q^)'(q + h v+ - q^)]/h >= 0,
///
/// which is n'v+ >= 0 where it is flat, and b_n = 0 where it rests. What adds up beyond half of the band is taken out
/// of the positions (GapMending). Bodies that friction wedges are redundant too, though their normals are not: a step
/// that had no answer with their position parts says so. Everything else closes exactly: contacts that come, islands
/// without redundancy, gaps outside the band.
class HeldGaps {
 public:
  HeldGaps(const System& system, const SchemeOptions& options) : options_(options), mending_(system) {}

  void forget() {
    entries_.clear();
    was_deep_ = false;
  }
  /// A step begins at a state. What was noted holds for the position it was noted at; its gaps are mended if they ask
  /// for it. True where gaps beyond the band were, in this attempt or an earlier one of the same step.
  bool begin(State& state);
  /// Gap at which a contact is held in this step; none: it closes.
  [[nodiscard]] std::optional<double> find(std::uint64_t id) const;
  [[nodiscard]] bool is_held(std::uint64_t id) const { return find(id).has_value(); }
  /// A gap at q+ that is as it should be: of a contact that is held, within the band.
  [[nodiscard]] bool is_well(std::uint64_t id, double Phi) const { return within(Phi) && is_held(id); }
  /// Whether geometry so far from q+, m or rad for each velocity, is that of q+: as near as `near`, or for bodies that
  /// are held as what a closed gap may open.
  [[nodiscard]] bool is_near(const Vector& ways, double near) const;
  /// A step of length h has ended at q with these gaps. `jammed`, by velocity: what had no answer with the position
  /// parts of its contacts; empty: nothing.
  void note(const Vector& q, const GapSet& gaps, const StepProblem& problem, const StepSolution& solution, double h,
            const std::vector<char>& jammed);

 private:
  struct Entry {
    std::uint64_t id = 0;
    double Phi = 0.0;
    bool is_held = false;    ///< By its rows, or where it is jammed within the band.
    bool is_jammed = false;  ///< Is mended also beyond the band.
    [[nodiscard]] bool is_mended() const { return is_held || is_jammed; }
  };

  [[nodiscard]] double band() const;
  [[nodiscard]] double touch() const;
  [[nodiscard]] bool within(double Phi) const { return Phi <= band() && Phi >= -band(); }
  [[nodiscard]] bool is_same_set() const;
  [[nodiscard]] bool may_hold(const ContactPoint& contact, bool is_jammed) const;
  void hold_jammed(const GapSet& gaps, const StepProblem& problem, const std::vector<char>& jammed);
  void mend(State& state);
  void hold_body(const BodyStructure& structure, int velocity);
  void find_redundant(const GapSet& gaps, const StepProblem& problem);

  const SchemeOptions& options_;
  std::vector<Entry> entries_, now_;  ///< Contacts closed at the end of the last step, ordered by id.
  int joint_rows_ = 0;                ///< When it was decided which of them are redundant.
  std::vector<char> moves_held_;      ///< By velocity: of a body that is held.
  Vector q_;                          ///< Where that step ended.
  bool was_deep_ = false;             ///< What was mended since then was beyond the band.
  bool may_mend_ = true;              ///< The last projection helped, or was among other contacts.
  std::vector<char> closed_, redundant_;
  std::vector<RowOf> rows_;
  std::vector<std::uint64_t> held_;
  Vector masses_;
  Redundancy redundancy_;
  GapMending mending_;
};

}  // namespace stiction
