#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "stiction/schemes/step_work.h"

namespace stiction {

/// What contacts, and joints with friction, do from part to part of a step: press, stick, slide. A part over which
/// one of them changes is taken only up to there (2006, section 5; 2008, section 4): with alpha = 1/2 a contact that
/// comes to rest within a step would come out of it sliding back.
class Transitions {
 public:
  /// A row of the problem that holds a speed within bounds, and the name of its events.
  struct HoldingRow {
    int row = 0;
    std::uint64_t event = Drive::silent;
    double start = 0.0, end = 0.0;  ///< The speed to be held at both ends of the part.
  };

  void forget();
  /// Which way a trial shows a change.
  struct Change {
    double value = 1.0;     ///< Positive: none. Sliding, or a rate, that has turned round, over what it was.
    bool releases = false;  ///< A contact that stuck slides, or one that pressed has parted.
  };

  /// Starts anew with these contacts closed (sorted ids), as velocities say: at the start, and after an impact, of
  /// which the report then says what parted from it though it had not been hit.
  void restart(const GapSet& gaps, const Vector& v, const std::vector<std::uint64_t>& closed, double t,
               StepReport& report);
  /// Reads the problem that was solved for a part of length h from time t, which started with the velocities v.
  void read(StepWork& work, const std::vector<HoldingRow>& holding_rows, double t, double h);
  /// Of the trial last read, compared with the part before.
  [[nodiscard]] Change change() const;
  /// When, by the line through its last two, a force that holds is spent within the part that was read though its mean
  /// over it is not: a length from the start of the part, or its whole length.
  [[nodiscard]] double spent_after() const;
  /// What changed in the trial last read is not looked for again: it was located.
  void settle_changes();
  /// The same for what spent_after() said.
  void settle_spent(double length);

  /// The part last read is taken; events that show in it happened at its start.
  void accept(StepReport& report);
  /// Contacts that were closed at the end of the last part taken, sorted.
  void find_closed(std::vector<std::uint64_t>& ids) const;

 private:
  /// A force with a limit: of a normal that can only push, or of friction that holds up to its cone.
  struct Force {
    double margin = 0.0;             ///< Mean over the part, N: what is left before it gives way.
    double rate = 0.0;               ///< Its change, N/s,
    double value = 0.0, time = 0.0;  ///< by a line through this value at this time.
    bool has_rate = false;
    int equal = 0;                 ///< Parts before that were as long as this one, up to three,
    std::array<double, 3> past{};  ///< and their margins, the last first.
    /// Mean over this part and the one before, and its time.
    double mean = 0.0, centre = 0.0;
    bool has_mean = false;
    int settled = 0;  ///< Its giving way was located, and is not looked for in so many parts.
  };
  struct Mode {
    std::uint64_t id = 0, event = Drive::silent;
    bool has_normal = false, is_closed = false, slides = false, has_friction = false;
    bool is_rate = false;  ///< It has no gap but a rate, which the openings are.
    double opening_start = 0.0, opening_end = 0.0;
    Force normal, friction;
    std::array<double, 2> slip_start{}, slip_end{};
    double middle = 0.0;  ///< Time to which the margins belong,
    double length = 0.0;  ///< and the part's length; zero where none has been taken.
  };

  struct Sliding {
    std::uint64_t id = 0;
    bool slides = false;
  };

  [[nodiscard]] static const Mode* find(const std::vector<Mode>& modes, std::uint64_t id);
  void read_contact(const StepProblem& problem, const StepSolution& solution, int contact, Mode& mode) const;
  void read_row(const StepProblem& problem, const StepSolution& solution, const HoldingRow& row, Mode& mode) const;
  void compare(Mode& mode) const;
  void compare(Force& force, const Force& before, const Mode& mode, const Mode& earlier) const;
  void tell_sliding(const Mode& mode, const Mode* before, StepReport& report) const;
  /// Whether it slid when the part began, and how far it has turned round: u'u+/|u|^2.
  [[nodiscard]] bool turned_round(const Mode& mode, const Mode* before, double& value) const;
  [[nodiscard]] static bool turned_back(const Mode& before, const Mode& mode);
  [[nodiscard]] bool came_to_rest(const Mode& mode, const Mode* before, double& value) const;
  [[nodiscard]] bool parts(const Mode& mode, const Mode* before) const;
  [[nodiscard]] bool starts_to_slide(const Mode& mode, const Mode* before) const;
  [[nodiscard]] double spent_after(const Force& force) const;

  double t_ = 0.0, h_ = 0.0, slow_ = 0.0;
  std::vector<Mode> before_, trial_;  ///< Sorted by id.
  std::vector<Sliding> told_;         ///< After the last part taken, sorted by id; what restart() does not change.
};

}  // namespace stiction
